"""Many boards at once: the same answers as one by one, and nothing impossible reaches a kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon_env import batch
from gammon_env.batch import checked_boards, legal_afterstates
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.board import OFF
from gammon_env.rules.variant import BACKGAMMON
from tests import strategies

START = BACKGAMMON.start_board()[np.newaxis]
ROLL = np.array([[3, 1]], np.int8)

pytestmark = pytest.mark.small


def changed(*changes):
    """Return the start with some counts (side, index, count) set."""
    boards = START.astype(np.int64)
    for side, index, count in changes:
        boards[0, side, index] = count
    return boards


@settings(max_examples=40)
@given(st.lists(st.tuples(strategies.boards(), strategies.dice), max_size=4))
def test_each_board_has_the_afterstates_of_its_position(questions):
    boards = np.array([board for board, _ in questions], np.int8).reshape(-1, 2, 26)
    dice = np.array([roll for _, roll in questions], np.int8).reshape(-1, 2)
    afterstates, offsets = legal_afterstates(boards, dice)
    assert len(offsets) == len(questions) + 1
    for i, (board, roll) in enumerate(questions):
        found = afterstates[offsets[i] : offsets[i + 1]]
        expected = [play.afterstate.board for play in Position(board).legal_plays(roll)]
        assert found.tolist() == [board.tolist() for board in expected]


def test_a_finished_game_has_no_afterstates():
    over = Position.from_counts({6: 15}, {"off": 15}).board
    for board in (over, over[::-1]):
        afterstates, offsets = legal_afterstates(board[np.newaxis], ROLL)
        assert len(afterstates) == 0
        assert offsets.tolist() == [0, 0]


@pytest.mark.parametrize(
    "boards",
    [
        START.astype(np.int64),
        START.astype(np.uint8),
        np.repeat(START, 2, axis=0)[::2],
        Position.start().board[np.newaxis],
        START.tolist(),
    ],
    ids=["int64", "uint8", "strided", "read-only", "list"],
)
def test_any_array_of_whole_numbers_will_do(boards):
    expected, _ = legal_afterstates(START, ROLL)
    found, _ = legal_afterstates(boards, ROLL.tolist())
    assert (found == expected).all()


def test_the_boards_asked_about_are_not_the_callers():
    checked = checked_boards(START, BACKGAMMON)
    checked[0, 0, OFF] = 9
    assert START[0, 0, OFF] == 0


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (START[0], r"boards are int8\[N, 2, 26\], not int8\[2, 26\]"),
        (START[:, :, :25], r"not int8\[1, 2, 25\]"),
        (START.astype(float), "not float64"),
        (None, r"not object\[\]"),
        (changed((0, OFF, 1)), "board 0: own has 16 checkers"),
        (changed((0, OFF, 256)), "board 0: own has 271 checkers"),
        (changed((1, OFF, 2**40)), f"board 0: opponent has {2**40 + 15} checkers"),
        (changed((0, 0, -1), (0, OFF, 1)), "board 0: own has -1 checkers on point 1"),
        (changed((0, 23, 1), (0, 0, 1)), "board 0: point 1 is held by both sides"),
        (
            np.concatenate([START, changed((1, OFF, 1)), changed((0, OFF, 1))]),
            "board 1: opponent has 16 checkers",
        ),
    ],
)
def test_impossible_boards_are_refused(boards, message):
    with pytest.raises(GammonError, match=message):
        legal_afterstates(boards, np.repeat(ROLL, len(boards) if boards is not None else 1, axis=0))


def test_more_checkers_than_the_buffers_hold_results_for_are_refused():
    board = np.zeros((1, 2, 26), np.int8)
    board[0, 0, :24] = 1
    board[0, 1, OFF] = 15
    with pytest.raises(GammonError, match="board 0: own has 24 checkers"):
        legal_afterstates(board, np.array([[1, 1]], np.int8))


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([[7, 1]], "roll 0: each die shows 1 to 6, not 7 and 1"),
        ([[0, 0]], "roll 0: each die shows 1 to 6, not 0 and 0"),
        ([[257, 1]], "roll 0: each die shows 1 to 6, not 257 and 1"),
        ([[3.0, 1.0]], "not float64"),
        ([3, 1], r"dice are int8\[1, 2\], as many rolls as boards, not int64\[2\]"),
        ([[3, 1], [2, 1]], r"not int64\[2, 2\]"),
        (None, r"not object\[\]"),
    ],
)
def test_impossible_rolls_are_refused(dice, message):
    with pytest.raises(GammonError, match=message):
        legal_afterstates(START, dice)


def test_what_is_no_variant_is_refused():
    with pytest.raises(GammonError, match="a variant is a Variant"):
        legal_afterstates(START, ROLL, "backgammon")


@pytest.mark.parametrize(
    ("boards", "left", "message"),
    [
        (np.zeros((1, 2, 10), np.int8), None, "boards are int8"),
        (np.zeros((1, 2, 26)), None, "boards are int8"),
        (BACKGAMMON.start_board(), None, "boards are int8"),
        (BACKGAMMON.start_board()[None], np.zeros((1, 2), np.int8), "dice left are int8"),
        (BACKGAMMON.start_board()[None], np.full((1, 4), 7, np.int8), "dice left 0: 1 to 6"),
    ],
)
def test_what_cannot_be_encoded_is_refused(boards, left, message):
    with pytest.raises(GammonError, match=message):
        batch.encode(boards, "board", BACKGAMMON, left)
