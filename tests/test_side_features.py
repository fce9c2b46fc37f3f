"""Features of whole sides: what their table says, and where they are told from the rules."""

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gammon_env import batch
from gammon_env.position import Position
from gammon_env.rules.board import BAR, OFF, has_contact
from gammon_env.side_features import (
    ESCAPES,
    MOST_PIPS,
    PIPS,
    SIDE_FEATURES,
    SIDES_FEATURES,
    bit_length,
    mirrored,
    sides_features,
    write_sides,
)
from tests.agents.networks import boards_of_random_games
from tests.reference import after, dice_of, from_board, is_hit, sequences
from tests.strategies import boards, sparse_boards
from tests.whole_sides import ROLLS, features_of_whole_sides, hits_by_roll

Array = npt.NDArray[Any]
Where = dict[int | str, int]

NAMES = [feature.name for feature in sides_features()]
LOW = np.array([feature.low for feature in sides_features()], np.float32)
HIGH = np.array([feature.high for feature in sides_features()], np.float32)


def written(board: Array) -> Array:
    """Return what is written over rubbish."""
    out = np.full(SIDES_FEATURES, np.nan, np.float32)
    write_sides(board, out)
    return out


def on_board(own: Where, opposing: Where) -> Array:
    return Position.from_counts(own, opposing).board.copy()


def feature(board: Array, name: str) -> float:
    return float(written(board)[NAMES.index(name)])


# --- what the table says --------------------------------------------------------------------------


@settings(max_examples=200)
@given(board=st.one_of(boards(), boards(on_the_bar=True), sparse_boards()))
def test_features_are_what_their_table_says(board: Array) -> None:
    np.testing.assert_allclose(written(board), features_of_whole_sides(board), rtol=1e-6)


def test_features_are_what_their_table_says_in_games() -> None:
    for board in boards_of_random_games(200):
        np.testing.assert_allclose(written(board), features_of_whole_sides(board), rtol=1e-6)


@pytest.mark.small
def test_features_are_what_their_table_says_on_a_few_boards() -> None:
    for board in (START, PRIMED, RACE, ON_THE_BAR):
        for view in (board, board[::-1].copy()):
            np.testing.assert_allclose(written(view), features_of_whole_sides(view), rtol=1e-6)


@settings(max_examples=300)
@given(board=st.one_of(boards(), boards(on_the_bar=True), sparse_boards()))
def test_features_are_within_their_bounds(board: Array) -> None:
    numbers = written(board)
    assert (numbers >= LOW).all()
    assert (numbers <= HIGH).all()


@settings(max_examples=60)
@given(board=boards())
def test_in_a_race_only_places_and_home_points_count(board: Array) -> None:
    assume(not has_contact(board))
    numbers = dict(zip(NAMES, written(board), strict=True))
    left = {"rearmost", "home points"}
    assert not any(value for name, value in numbers.items() if name.split(" ", 1)[-1] not in left)
    assert not numbers["contact"]


@given(board=boards())
def test_contact_is_the_rules_contact_while_both_have_checkers_left(board: Array) -> None:
    assert written(board)[-1] == has_contact(board)


@given(board=boards())
def test_the_sides_are_read_alike(board: Array) -> None:
    numbers, swapped = written(board), written(board[::-1].copy())
    np.testing.assert_array_equal(numbers[:SIDE_FEATURES], swapped[SIDE_FEATURES:-1])
    np.testing.assert_array_equal(numbers[SIDE_FEATURES:-1], swapped[:SIDE_FEATURES])


@pytest.mark.small
def test_the_table_has_a_line_for_every_number() -> None:
    assert len(NAMES) == len(set(NAMES)) == SIDES_FEATURES
    assert [name.removeprefix("own ") for name in NAMES[:SIDE_FEATURES]] == [
        name.removeprefix("opposing ") for name in NAMES[SIDE_FEATURES:-1]
    ]


# --- counted by hand ------------------------------------------------------------------------------

START = on_board({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
PRIMED = on_board({24: 1, 13: 3, 6: 6, 5: 5}, {9: 3, 8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 22: 2})
RACE = on_board({6: 5, 3: 5, "off": 5}, {12: 15})
ON_THE_BAR = on_board({"bar": 1, 13: 4, 6: 10}, {6: 2, 5: 1, 3: 2, 8: 1, 20: 3, 13: 6})


@pytest.mark.small
@pytest.mark.parametrize(
    ("board", "name", "expected"),
    [
        pytest.param(START, "own rearmost", 24 / 25, id="two on 24"),
        pytest.param(START, "own home points", 1 / 6, id="the six point"),
        pytest.param(START, "own blocked ahead", 1 / 6, id="of 23 to 18, one is the other's"),
        # From 24 the other's points are 5, 7 and 12 pips ahead. With fewer than 7 pips there are
        # 1-1, 2-1, 3-1, 4-1, 5-1, 3-2 and 4-2; 6-1, 5-2 and 4-3 land on the 7, 5-5 and 6-6 stop.
        pytest.param(START, "own escapes", 15 / 36, id="rolls that get away from 24"),
        pytest.param(START, "own shots", 0, id="no blot"),
        pytest.param(START, "own pips hit", 0, id="no blot to hit"),
        pytest.param(START, "own prime", 1 / 6, id="no two points side by side"),
        # To point 1: 2 x 23 + 5 x 12 + 3 x 7 + 5 x 5.
        pytest.param(START, "own pips to pass", 152 / 64, id="all to come past a rearmost on 24"),
        pytest.param(START, "contact", 1, id="contact"),
        pytest.param(PRIMED, "own blocked ahead", 4 / 6, id="four of six ahead"),
        pytest.param(PRIMED, "own escapes", 0, id="behind a six prime"),
        pytest.param(PRIMED, "own tightest", 0, id="the same, held or not"),
        pytest.param(PRIMED, "opposing prime", 1, id="six points side by side"),
        pytest.param(PRIMED, "own prime", 2 / 6, id="two of them"),
        pytest.param(PRIMED, "opposing shots", 1, id="3, 4, 5, 6, 2-1, 1-1, 2-2 are all rolls"),
        pytest.param(PRIMED, "opposing pips hit", 1 / 12, id="one pip each, a blot on 24"),
        pytest.param(RACE, "own rearmost", 6 / 25, id="a race"),
        pytest.param(RACE, "own home points", 2 / 6, id="home points in a race"),
        pytest.param(RACE, "own prime", 0, id="no primes in a race"),
        pytest.param(ON_THE_BAR, "own rearmost", 1, id="the bar is the rearmost place"),
    ],
)
def test_counted_by_hand(board: Array, name: str, expected: float) -> None:
    assert feature(board, name) == pytest.approx(expected, rel=1e-6)


@pytest.mark.small
def test_shots_of_one_checker_are_those_of_the_books() -> None:
    """From Robertie and everyone else: rolls that hit a lone blot so many pips away."""
    known = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3}
    known |= {15: 1, 16: 1, 18: 1, 20: 1, 13: 0, 14: 0, 17: 0, 19: 0}
    for distance, rolls in known.items():
        # The hitter on 24, and all others of both sides out of the way.
        board = on_board({24: 1, "off": 14}, {1 + distance: 1, "off": 14})
        assert feature(board, "own shots") * 36 == pytest.approx(rolls), distance
        assert feature(board, "own pips hit") * 36 * 12 == pytest.approx(rolls * (24 - distance))


# --- shots and the rules --------------------------------------------------------------------------


def hits_of_sequences(board: Array, roll: tuple[int, int]) -> set[int]:
    """Return where checker moves hit, by the slow generator, dice obligations aside."""
    found = set()
    for dice in set(permutations(dice_of(roll))):
        for steps, _ in sequences(from_board(board), dice):
            state = from_board(board)
            for source, die in steps:
                if is_hit(state, source, die):
                    found.add(source - die)
                state = after(state, source, die)
    return found


@settings(max_examples=40)
@given(board=sparse_boards(), roll=st.sampled_from(ROLLS))
def test_shots_are_hits_of_checker_moves(board: Array, roll: tuple[int, int]) -> None:
    blots = np.flatnonzero(board[1, :24] == 2)
    board[1, blots[::2]] = 1
    board[1, OFF] += len(blots[::2])
    assert set(hits_by_roll(*from_board(board))[ROLLS.index(roll)]) == hits_of_sequences(
        board, roll
    )


@settings(max_examples=60)
@given(board=st.one_of(boards(), boards(on_the_bar=True)), roll=st.sampled_from(ROLLS))
def test_shots_are_hits_of_checker_moves_with_all_checkers_left(
    board: Array, roll: tuple[int, int]
) -> None:
    assume(roll[0] != roll[1])
    assert set(hits_by_roll(*from_board(board))[ROLLS.index(roll)]) == hits_of_sequences(
        board, roll
    )


def legal_hits(boards: Array) -> Array:
    """Return the pips lost to the best legal hit of each of the 36 rolls on each board; 0 is none.

    A hit is told by the blot that is gone.
    """
    rolled = np.repeat(boards, 36, axis=0)
    dice = np.tile(np.array(ROLLS, np.int8), (len(boards), 1))
    afterstates, offsets = batch.legal_afterstates(rolled, dice)
    begun = np.repeat(rolled, np.diff(offsets), axis=0)
    gone = (begun[:, 1, :24] == 1) & (afterstates[:, 0, :24] == 0)
    gone &= (afterstates[:, 0, BAR] > begun[:, 1, BAR])[:, np.newaxis]
    lost = (gone * (24 - np.arange(24))).max(axis=1, initial=0)
    best = [lost[a:b].max(initial=0) for a, b in pairwise(offsets)]
    return np.array(best).reshape(-1, 36)


def shots(boards: Array) -> Array:
    """Return the same as the features count it."""
    each = [hits_by_roll(*from_board(board)) for board in boards]
    return np.array([[max(hit, default=0) for hit in rolls] for rolls in each])


def test_shots_are_legal_hits_but_for_obligations_and_doubles_with_more_on_the_bar() -> None:
    positions = boards_of_random_games(1500)
    counted, legal = shots(positions), legal_hits(positions)
    features = np.array([written(board) for board in positions])
    rolls, pips = (features[:, NAMES.index(f"own {name}")] for name in ("shots", "pips hit"))
    np.testing.assert_allclose(rolls * 36, (counted > 0).sum(axis=1), atol=1e-4)
    np.testing.assert_allclose(pips * 36 * 12, counted.sum(axis=1), atol=1e-3)

    doubles = np.array([one == other for one, other in ROLLS])
    excepted = np.outer(positions[:, 0, BAR] > 1, doubles)
    assert (legal <= counted)[~excepted].all()
    assert (counted <= legal)[excepted].all()
    assert (legal > counted).any()
    obliged = (counted > legal).sum()
    assert 0 < obliged < 0.01 * (counted > 0).sum()


@pytest.mark.small
@pytest.mark.parametrize(
    ("own", "opposing", "roll", "counted", "legal"),
    [
        pytest.param({"bar": 2}, {4: 1}, (2, 2), 0, 21, id="both enter, then one hits"),
        pytest.param({"bar": 2}, {4: 1}, (4, 1), 21, 21, id="one hits as it enters"),
        pytest.param(
            {24: 1, 8: 1}, {7: 1, 12: 2, 22: 2}, (6, 5), 18, 0, id="a hit that leaves no second die"
        ),
        pytest.param({24: 1}, {2: 1, 8: 2}, (6, 1), 23, 0, id="only one die, so the larger"),
        pytest.param({24: 1}, {2: 1, 8: 2}, (1, 1), 23, 23, id="nothing else to play"),
    ],
)
def test_where_shots_and_rules_differ(
    own: Where, opposing: Where, roll: tuple[int, int], counted: int, legal: int
) -> None:
    boards = np.array([on_board(_rest_off(own), _rest_off(opposing))])
    number = ROLLS.index(roll)
    assert shots(boards)[0, number] == counted
    assert legal_hits(boards)[0, number] == legal


def _rest_off(side: Where) -> Where:
    return {**side, "off": 15 - sum(side.values())}


# --- masks ----------------------------------------------------------------------------------------


@pytest.mark.small
@given(mask=st.integers(0, 2**25 - 1))
def test_bit_length_is_pythons(mask: int) -> None:
    assert bit_length(mask) == mask.bit_length()


@pytest.mark.small
@given(mask=st.integers(0, 2**24 - 1))
def test_a_mirrored_mask_reads_backwards(mask: int) -> None:
    assert f"{mirrored(mask):024b}" == f"{mask:024b}"[::-1]


@pytest.mark.small
def test_an_open_board_stops_nobody() -> None:
    assert ESCAPES[0] == 36 - 6 * 2 - 1, "six pairs of dice and 1-1 are too short"
    assert ESCAPES.max() == ESCAPES[0]
    assert PIPS[0] == PIPS.max() == MOST_PIPS == 294, "8 1/6 pips a roll"
    assert ESCAPES[0b111111] == PIPS[0b111111] == 0
