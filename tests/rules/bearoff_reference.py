"""Bear-offs by slow, obvious recursion over the plays of `tests.reference`, nothing tabulated.

A side is six counts, of points 1 to 6; checkers that are not there are off.
"""

from functools import cache
from itertools import product

import numpy as np

from gammon_env.rules.board import HOME, OFF, WIDTH
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from tests import reference

CHECKERS = 15
ALL_OFF = (0,) * HOME
OUT_OF_THE_WAY = (0, CHECKERS, *(0,) * 24)
MOST_ROLLS = 30
NO_ROLLS = [1.0] + [0.0] * MOST_ROLLS
WEIGHTED_ROLLS = [(roll, weight / 36) for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True)]


def sides(checkers):
    """Return every side of up to so many checkers."""
    every = product(range(checkers + 1), repeat=HOME)
    return [side for side in every if sum(side) <= checkers]


def row(side, checkers=CHECKERS):
    """Return a side as a row of a board."""
    counts = np.zeros(WIDTH, np.int8)
    counts[:HOME] = side
    counts[OFF] = checkers - sum(side)
    return counts


def side(points):
    """Return a side from checkers by point."""
    return tuple(points.get(point, 0) for point in range(1, HOME + 1))


def race(own, other, checkers=CHECKERS):
    """Return a board from two sides, each by its own points; the other checkers are off."""
    return np.array([row(side(own), checkers), row(side(other), checkers)])


@cache
def results(side, roll):
    """Return the sides that a roll can lead to."""
    own = (CHECKERS - sum(side), *side, *(0,) * 19)
    state = reference.State(own, OUT_OF_THE_WAY)
    return {after.opponent[1 : HOME + 1] for after in reference.afterstates(state, roll)}


def mean(distribution):
    return sum(n * chance for n, chance in enumerate(distribution))


def a_roll_later(distributions):
    """Return the mixture of weighted distributions, moved on by one roll."""
    mixture = [0.0] * len(NO_ROLLS)
    for weight, distribution in distributions:
        for n, chance in enumerate(distribution[:-1]):
            mixture[n + 1] += weight * chance
    return mixture


@cache
def rolls_needed(side):
    """Return the distribution of rolls that bear off everything, the mean being least."""
    if side == ALL_OFF:
        return NO_ROLLS
    return a_roll_later(
        (weight, min((rolls_needed(after) for after in results(side, roll)), key=mean))
        for roll, weight in WEIGHTED_ROLLS
    )


@cache
def first_needed(side):
    """Return the distribution of rolls up to the first checker off, the mean being least."""
    if side == ALL_OFF:
        return NO_ROLLS
    return a_roll_later(
        (
            weight,
            min(
                (
                    NO_ROLLS if sum(after) < sum(side) else first_needed(after)
                    for after in results(side, roll)
                ),
                key=mean,
            ),
        )
        for roll, weight in WEIGHTED_ROLLS
    )


def chance_in_time(own, other):
    """Return the chance that the side on roll needs no more rolls than the other."""
    return sum(a * b for n, a in enumerate(own) for m, b in enumerate(other) if a and b and n <= m)


@cache
def perfect(own, other, checkers):
    """Return (win, win a gammon, lose a gammon) of the side on roll under perfect play by both.

    Args:
        own: the side on roll.
        other: the other one.
        checkers: a side that still has so many has borne off none.
    """
    if own == ALL_OFF:
        return 1.0, float(sum(other) == checkers), 0.0
    if other == ALL_OFF:
        return 0.0, 0.0, float(sum(own) == checkers)
    total = np.zeros(3)
    for roll, weight in WEIGHTED_ROLLS:
        replies = (perfect(other, after, checkers) for after in results(own, roll))
        win, win_gammon, lose_gammon = min(replies, key=equity)
        total += weight * np.array([1 - win, lose_gammon, win_gammon])
    return tuple(total.tolist())


def equity(outcome):
    win, win_gammon, lose_gammon = outcome
    return 2 * win - 1 + win_gammon - lose_gammon
