"""Shots against the table every player knows, and against the generator."""

import numpy as np
import pytest

from agents.shots import expected_loss, home_points, is_hit, open_points, shooting_points
from gammon_env.rules.board import BAR, Board
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from tests.agents.players import decisions_of_random_games
from tests.rules.boards import position

NO_RISK = (0,) * 7


def hits(own: Board, theirs: Board, target: int, roll: tuple[int, int]) -> bool:
    """Say whether the side on roll, `theirs`, hits the blot on a point of its numbering."""
    masks = shooting_points(theirs), open_points(own)
    return bool(is_hit(*masks, int(theirs[BAR]), target, *roll))


# Magriel, "Backgammon" (1976): how many of the 36 throws hit a blot, by its distance, unblocked.
SHOTS = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0]


def throws_that_hit(own: dict[int, int], theirs: dict[int | str, int], target: int) -> int:
    """Count throws; all points in the numbering of the side on roll, which is `theirs`."""
    board = position(theirs, own).board
    hit = (hits(board[1], board[0], target, roll) for roll in ROLLS)
    return sum(weight for weight, one in zip(ROLL_WEIGHTS, hit, strict=True) if one)


@pytest.mark.small
@pytest.mark.parametrize("distance", range(1, 24))
def test_open_shots_are_the_known_numbers(distance: int) -> None:
    assert throws_that_hit({1: 1}, {1 + distance: 1}, 1) == SHOTS[distance - 1]


@pytest.mark.small
def test_made_points_block_combinations() -> None:
    # Six away: 17 with nothing between; without 5-1, 4-2, 3-3 and 2-2 the direct sixes alone.
    blocked = {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
    assert throws_that_hit(blocked, {7: 1}, 1) == 11


@pytest.mark.small
def test_two_checkers_shoot_together() -> None:
    # One and six away: 20 throws hold a 1 or a 6; 5-1 is among them, 4-2, 3-3, 2-2 add four.
    assert throws_that_hit({1: 1}, {2: 1, 7: 1}, 1) == 24


@pytest.mark.small
def test_shots_from_the_bar() -> None:
    assert throws_that_hit({20: 1}, {"bar": 2}, 20) == 11
    # Entering with the other die and going on: 4-1 lands on 21 or 24 first, 3-2 on 22 or 23.
    assert throws_that_hit({20: 1}, {"bar": 1}, 20) == 15
    assert throws_that_hit({20: 1, 21: 2, 24: 2, 22: 2}, {"bar": 1}, 20) == 13
    # Point 7 shoots only after another checker has entered: 6-3, 6-4, 6-5 twice, 6-6 and 3-3.
    assert throws_that_hit({1: 1, 24: 2, 23: 2}, {"bar": 1, 7: 1}, 1) == 8


@pytest.mark.small
def test_a_throw_counts_the_dearest_blot_it_hits() -> None:
    # On roll: one checker on 8. Blots one away (point 7, 18 of its own) and six away (point 2, 23).
    board = position({8: 1}, {7: 1, 2: 1}).board
    assert home_points(board[0]) == 0
    # The far blot has come 2 pips, the near one 7. Throws: 11 ones, 17 hit the one six away.
    losses = {
        roll: max((pips for pips in (7, 2) if hits(board[1], board[0], pips, roll)), default=0)
        for roll in ROLLS
    }
    total = sum(w * losses[roll] for w, roll in zip(ROLL_WEIGHTS, ROLLS, strict=True))
    assert expected_loss(board[1], board[0], NO_RISK) == total > 11 * 7


@pytest.mark.small
def test_risk_grows_with_the_points_at_home() -> None:
    board = position({8: 1, 6: 2, 5: 2}, {7: 1}).board
    risk = (1000, 1000, 5, 1000, 1000, 1000, 1000)
    shots = throws_that_hit({7: 1}, {8: 1, 6: 2, 5: 2}, 7)
    assert expected_loss(board[1], board[0], risk) == shots * (7 + 5)


def test_the_generator_agrees_on_nearly_every_roll() -> None:
    agree = asked = 0
    for decisions in decisions_of_random_games(10, seed=5):
        for i in range(len(decisions)):
            theirs, own = decisions.boards[i]
            bars = decisions.afterstates[decisions.offsets[i] : decisions.offsets[i + 1], 0, BAR]
            dice = decisions.question(i)[1]
            blots = (BAR - index for index in np.flatnonzero(own[:BAR] == 1))
            counted = any(hits(own, theirs, blot, dice) for blot in blots)
            agree += counted == bool((bars > own[BAR]).any())
            asked += 1
    assert asked > 300
    assert agree >= 0.99 * asked
