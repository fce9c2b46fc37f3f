"""Actions: codes both ways, and the numbered plays of a roll against the batch generator."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env import batch
from gammon_env.actions import CODES, MAX_PLAYS, RollPlays, decode, encode
from gammon_env.errors import GammonError
from gammon_env.position import Position
from tests.stepping import reachable
from tests.strategies import boards, dice

START = Position.start().board.copy()
MOST_PLAYS = Position.from_id("AACAkCRJqqoAAA").board.copy()


def left(*to_play: int) -> np.ndarray:
    return np.array(to_play + (0,) * (4 - len(to_play)), np.int8)


def whole(roll: tuple[int, int]) -> np.ndarray:
    return left(*(roll * 2 if roll[0] == roll[1] else sorted(roll, reverse=True)))


@pytest.mark.small
def test_codes_are_the_documented_formula() -> None:
    codes = [encode(source, die) for source in range(1, 26) for die in range(1, 7)]
    assert codes == list(range(CODES))
    assert encode(25, 6) == (25 - 1) * 6 + (6 - 1)


@given(st.integers(0, CODES - 1))
def test_a_code_is_read_as_it_was_written(code: int) -> None:
    assert encode(*decode(code)) == code


@pytest.mark.parametrize(("source", "die"), [(0, 1), (26, 1), (6, 0), (6, 7)])
def test_there_is_no_code_for_what_is_no_move(source: int, die: int) -> None:
    with pytest.raises(GammonError, match=f"from {source} by {die}: a source is 1..24 or 25"):
        encode(source, die)


@pytest.mark.parametrize("code", [-1, 150])
def test_a_number_outside_is_no_code(code: int) -> None:
    with pytest.raises(GammonError, match=r"codes are 0\.\.149"):
        decode(code)


@given(boards(), dice)
def test_plays_are_those_of_the_batch_generator(board: np.ndarray, roll: tuple[int, int]) -> None:
    plays = RollPlays()
    expected, _ = batch.legal_afterstates(board[np.newaxis], np.array([roll], np.int8))
    assert plays.find(board, whole(roll)) == len(expected)
    np.testing.assert_array_equal(plays.afterstates, expected)


@given(boards(), dice)
def test_one_buffer_serves_one_roll_after_another(board: np.ndarray, roll: tuple[int, int]) -> None:
    plays = RollPlays()
    plays.find(MOST_PLAYS, whole((1, 1)))
    plays.find(board, whole(roll))
    assert {after.tobytes() for after in plays.afterstates} == reachable(board, roll)


def test_the_largest_known_roll_fits() -> None:
    plays = RollPlays()
    assert plays.find(MOST_PLAYS, whole((1, 1))) == 2220
    assert plays.mask().sum() == 2220


def test_no_dice_no_plays() -> None:
    plays = RollPlays()
    plays.find(START, whole((3, 1)))
    assert plays.find(START, left()) == 0
    assert not plays.mask().any()


def test_the_mask_is_a_prefix() -> None:
    plays = RollPlays()
    plays.find(START, whole((3, 1)))
    mask = plays.mask()
    assert mask.shape == (MAX_PLAYS,)
    assert mask.dtype == np.int8
    np.testing.assert_array_equal(np.flatnonzero(mask), np.arange(16))


def test_a_play_is_found_by_where_it_ends() -> None:
    plays = RollPlays()
    plays.find(START, whole((3, 1)))
    assert [plays.number_of(after) for after in plays.afterstates.copy()] == list(range(16))
    assert plays.number_of(START) is None


def test_pickled_plays_are_the_same_and_work_on() -> None:
    plays = RollPlays()
    plays.find(START, whole((6, 5)))
    pickled = pickle.dumps(plays)
    assert len(pickled) < 2000, "the plays found, not the buffers"
    twin = pickle.loads(pickled)
    np.testing.assert_array_equal(twin.afterstates, plays.afterstates)
    assert twin.find(MOST_PLAYS, whole((1, 1))) == 2220


@pytest.mark.small
@pytest.mark.parametrize("arguments", [(1.5, 1), (None, 1), ("24", 1), (1, 1.0)])
def test_only_whole_numbers_have_a_code(arguments: tuple[object, object]) -> None:
    with pytest.raises(GammonError, match="no checker move from"):
        encode(*arguments)  # type: ignore[arg-type]


@pytest.mark.small
@pytest.mark.parametrize("code", [1.5, None, "3", -1, 150])
def test_only_whole_numbers_are_codes(code: object) -> None:
    with pytest.raises(GammonError, match="is no checker-move code"):
        decode(code)  # type: ignore[arg-type]
