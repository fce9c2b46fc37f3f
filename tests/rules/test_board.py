"""Pip counts, contact, and the boards that are refused."""

import numpy as np
import pytest
from hypothesis import given, settings

from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, OFF, check_board, has_contact, pip_count, place_name
from gammon_env.rules.variant import BACKGAMMON
from tests import reference, strategies
from tests.rules.boards import position

pytestmark = pytest.mark.small


def row(counts):
    """Return a row from counts by index."""
    return np.bincount(list(counts), weights=list(counts.values()), minlength=26).astype(np.int8)


class TestPipCount:
    def test_of_the_start(self):
        assert pip_count(BACKGAMMON.start_board()[0]) == 167

    def test_a_checker_on_the_bar_has_25_to_go(self):
        assert pip_count(row({BAR: 1})) == 25

    def test_fifteen_on_the_bar_do_not_overflow(self):
        assert pip_count(row({BAR: 15})) == 375

    def test_checkers_off_have_none(self):
        assert pip_count(row({OFF: 13, 5: 2})) == 12


class TestContact:
    @settings(max_examples=200)
    @given(strategies.boards())
    def test_is_whether_a_checker_has_still_to_pass_another(self, board):
        own, opponent = reference.from_board(board)
        mine = [point for point in range(1, 26) if own[point]]
        theirs = [25 - point for point in range(1, 26) if opponent[point]]
        assert has_contact(board) == any(point > other for point in mine for other in theirs)

    def test_neighbours_that_have_still_to_pass(self):
        assert position({10: 1}, {9: 1}).contact

    def test_neighbours_that_have_passed(self):
        assert not position({10: 1}, {11: 1}).contact


class TestCheckBoard:
    def test_accepts_the_start(self):
        check_board(BACKGAMMON.start_board(), BACKGAMMON)

    @settings(max_examples=100)
    @given(strategies.boards())
    def test_accepts_what_the_rules_allow(self, board):
        check_board(board, BACKGAMMON)

    def test_refuses_another_shape(self):
        with pytest.raises(GammonError, match=r"shape \(2, 26\), not \(2, 25\)"):
            check_board(np.zeros((2, 25), np.int8), BACKGAMMON)

    @pytest.mark.parametrize("side", ["own", "opponent"])
    def test_names_the_side_that_does_not_sum(self, side):
        board = BACKGAMMON.start_board()
        board[int(side == "opponent"), OFF] += 1
        with pytest.raises(GammonError, match=f"{side} has 16 checkers.*15 a side"):
            check_board(board, BACKGAMMON)

    def test_a_large_count_does_not_wrap_around(self):
        board = BACKGAMMON.start_board().astype(np.int64)
        board[0, OFF] = 256
        with pytest.raises(GammonError, match="own has 271 checkers"):
            check_board(board, BACKGAMMON)

    def test_a_sum_beyond_64_bits_does_not_wrap_around(self):
        board = BACKGAMMON.start_board().astype(np.int64)
        board[0] = row({OFF: 15})
        board[0, :4] = 2**62
        board[1] = row({OFF: 0, 20: 15})
        with pytest.raises(GammonError, match=f"own has {2**64 + 15} checkers"):
            check_board(board, BACKGAMMON)

    def test_changes_nothing(self):
        board = BACKGAMMON.start_board()
        check_board(board, BACKGAMMON)
        assert (board == BACKGAMMON.start_board()).all()


@pytest.mark.parametrize(
    ("index", "name"), [(0, "point 1"), (23, "point 24"), (BAR, "bar"), (OFF, "off")]
)
def test_place_names(index, name):
    assert place_name(index) == name
