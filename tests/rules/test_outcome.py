"""Who has won, and how much."""

import numpy as np
import pytest
from hypothesis import given, settings

from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON
from tests import strategies
from tests.rules.boards import position

pytestmark = pytest.mark.small

KINDS = len(BACKGAMMON.kinds)


def finished(loser):
    """Return a board that row 0 has won; the loser's checkers in the mover's numbering."""
    return position({}, loser).board.copy()


@settings(max_examples=100)
@given(strategies.boards())
def test_a_game_goes_on_while_both_sides_have_checkers(board):
    assert not (board[:, 25] == 15).any()
    assert signed_points(board, KINDS) == 0


@pytest.mark.parametrize("point", range(1, 25))
def test_stragglers_cost_a_backgammon_in_the_winners_home_alone(point):
    board = finished({point: 15})
    assert signed_points(board, KINDS) == (3 if point <= 6 else 2)


def test_a_straggler_on_the_bar_costs_a_backgammon():
    assert signed_points(finished({"bar": 2, 12: 13}), KINDS) == 3


@pytest.mark.parametrize("loser", [{"bar": 1, 12: 13}, {1: 14}, {24: 1}, {12: 14}])
def test_one_checker_off_saves_everything(loser):
    assert signed_points(finished(loser), KINDS) == 1


@pytest.mark.parametrize("loser", [{1: 15}, {12: 15}, {24: 1}])
def test_the_same_points_with_the_other_sign_for_row_1(loser):
    board = finished(loser)
    other = np.ascontiguousarray(board[::-1])
    assert signed_points(other, KINDS) == -signed_points(board, KINDS) < 0


def test_with_two_kinds_of_win_there_is_no_backgammon():
    assert signed_points(finished({1: 15}), 2) == 2
    assert signed_points(finished({1: 14}), 2) == 1
