"""Shots: which throws of the opponent hit which blot, and what that costs on average.

Points are in the numbering of the side on roll, as bits of a word: bit p for point p.
"""

import numpy as np

from gammon_env.rules.board import BAR, HOME, Board
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from gammon_env.rules.jit import kernel

_DICE1 = np.array([die1 for die1, _ in ROLLS])
_DICE2 = np.array([die2 for _, die2 in ROLLS])
_WEIGHTS = np.array(ROLL_WEIGHTS)


@kernel
def expected_loss(own: Board, theirs: Board, risk: tuple[int, ...]) -> int:
    """Return what the side to roll hits on average, in 36ths of a pip.

    Args:
        own: the side with the blots, in its own numbering.
        theirs: the side on roll, in its own.
        risk: what a blot costs beyond its pips, by the number of points in the roller's home.

    Returns:
        The sum over the 36 throws of the dearest blot that each can hit.
    """
    base = risk[home_points(theirs)]
    shooters, stops, bar = shooting_points(theirs), open_points(own), int(theirs[BAR])
    throws = (1 << len(_WEIGHTS)) - 1
    total = 0
    # The blot nearest home has come farthest, so the first that a throw hits is its dearest.
    for index in range(BAR):
        target = BAR - index
        if own[index] == 1 and (bar > 0 or shooters >> target):
            for roll in range(len(_WEIGHTS)):
                if (throws >> roll) & 1 and is_hit(
                    shooters, stops, bar, target, _DICE1[roll], _DICE2[roll]
                ):
                    total += _WEIGHTS[roll] * (target + base)
                    throws ^= 1 << roll
    return total


@kernel
def home_points(row: Board) -> int:
    """Return how many points of its home board a side holds."""
    points = 0
    for index in range(HOME):
        points += row[index] >= 2
    return points


@kernel
def shooting_points(theirs: Board) -> int:
    """Return the points where the side on roll has a checker."""
    points = 0
    for index in range(BAR):
        points |= int(theirs[index] > 0) << (index + 1)
    return points


@kernel
def open_points(own: Board) -> int:
    """Return the points that the other side does not hold."""
    points = 0
    for index in range(BAR):
        points |= int(own[index] < 2) << (BAR - index)
    return points


@kernel
def is_hit(shooters: int, stops: int, bar: int, target: int, die1: int, die2: int) -> bool:
    """Say whether a throw hits a blot; the duty to use both dice is left aside.

    Args:
        shooters: the points where the side on roll has checkers.
        stops: the points on which it may stop.
        bar: how many of its checkers are on the bar.
        target: the point of the blot.
        die1: one die.
        die2: the other.
    """
    if die1 == die2:
        return _is_hit_by_double(shooters, stops, bar, target, die1)
    if bar > 1:
        return target == 25 - die1 or target == 25 - die2
    if bar == 1:
        return _is_hit_from_bar(shooters, stops, target, die1, die2) or _is_hit_from_bar(
            shooters, stops, target, die2, die1
        )
    if (shooters >> (target + die1) | shooters >> (target + die2)) & 1:
        return True
    stop = (stops >> (target + die1) | stops >> (target + die2)) & 1
    return (shooters >> (target + die1 + die2)) & stop != 0


@kernel
def _is_hit_from_bar(shooters: int, stops: int, target: int, entry: int, die: int) -> bool:
    """Say whether entering the one checker on the bar with `entry`, then playing `die`, hits."""
    if target == 25 - entry:
        return True
    if not (stops >> (25 - entry)) & 1:
        return False
    return ((shooters | 1 << (25 - entry)) >> (target + die)) & 1 != 0


@kernel
def _is_hit_by_double(shooters: int, stops: int, bar: int, target: int, die: int) -> bool:
    if bar > 0:
        if target == 25 - die:
            return True
        if not (stops >> (25 - die)) & 1:
            return False
        shooters |= 1 << (25 - die)
    for moves in range(1, 5 - bar):
        source = target + moves * die
        if (shooters >> source) & 1:
            return True
        if not (stops >> source) & 1:
            return False
    return False
