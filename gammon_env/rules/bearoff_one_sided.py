"""The one-sided bear-off table: how many rolls one side alone needs, as a distribution.

Two questions of every position, each under the play that answers it soonest on average:

- in how many rolls is everything off? Play minimises the mean number of rolls;
- in how many rolls is the first checker off? Play minimises the mean of that, which is how a side
  plays that can only save the gammon.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gammon_env.rules import bearoff_moves
from gammon_env.rules.bearoff_moves import (
    MAX_CHECKERS,
    MAX_WAYS,
    Numbers,
    Steps,
    fill_positions,
    fill_steps,
    find_results,
    position_count,
)
from gammon_env.rules.board import HOME, Board
from gammon_env.rules.jit import kernel, lean_kernel

Chances = npt.NDArray[np.float64]
Distributions = npt.NDArray[np.float32]

SOURCES = (Path(__file__), Path(bearoff_moves.__file__))
"""The files that decide what the table holds."""

ROLLS = MAX_CHECKERS * HOME // 3 + 1
"""Numbers of rolls told apart, 0 to 30: the fewest pips of a roll are 3."""

FIRST_ROLLS = 11
"""Numbers of rolls to the first checker off told apart, 0 to 10; no position needs more."""


def one_sided_table(checkers: int = MAX_CHECKERS) -> Mapping[str, Distributions]:
    """Compute the table of all positions with up to so many checkers.

    Args:
        checkers: at most 15; fewer make a quick table, which is the beginning of the whole one.

    Returns:
        "rolls", float32[N, ROLLS]: by position, at index n the chance that exactly n rolls bear off
        everything; "first", float32[N, FIRST_ROLLS], the same for the first checker.
    """
    counts = np.zeros((position_count(checkers), HOME), np.int8)
    fill_positions(counts)
    steps = np.empty((len(counts), HOME, HOME), np.int32)
    fill_steps(counts, steps)
    rolls = np.zeros((len(counts), ROLLS))
    first = np.zeros((len(counts), FIRST_ROLLS))
    fill_distributions(counts, steps, rolls, first)
    return {"rolls": rolls.astype(np.float32), "first": first.astype(np.float32)}


@kernel
def fill_distributions(counts: Board, steps: Steps, rolls: Chances, first: Chances) -> None:
    """Fill both distributions, which are zero so far, from position 0 upwards."""
    ways = np.empty((2, MAX_WAYS), np.int32)
    mean_rolls = np.zeros(len(counts))
    mean_first = np.zeros(len(counts))
    rolls[0, 0] = 1.0
    first[0, 0] = 1.0
    for position in range(1, len(counts)):
        fewer = _positions_with_fewer(counts[position])
        for die1 in range(1, 7):
            for die2 in range(1, die1 + 1):
                weight = (1 if die1 == die2 else 2) / 36
                count = find_results(steps, position, die1, die2, ways)
                best = _soonest(mean_rolls, ways[0], count)
                _add_a_roll(rolls[position], rolls[best], weight)
                mean_rolls[position] += weight * (1 + mean_rolls[best])
                # As soon as a checker is off the question is answered: as if all were off.
                best = 0 if ways[0, :count].min() < fewer else _soonest(mean_first, ways[0], count)
                _add_a_roll(first[position], first[best], weight)
                mean_first[position] += weight * (1 + mean_first[best])


@lean_kernel
def _positions_with_fewer(row: Board) -> int:
    """Return how many positions have fewer checkers than this one; their numbers come first."""
    checkers = 0
    for point in range(HOME):
        checkers += int(row[point])
    return position_count(checkers - 1)


@lean_kernel
def _soonest(mean: Chances, results: Numbers, count: int) -> int:
    """Return which of the results has the least mean number of rolls to go."""
    best = results[0]
    for i in range(1, count):
        if mean[results[i]] < mean[best]:
            best = results[i]
    return int(best)


@lean_kernel
def _add_a_roll(total: Chances, after: Chances, weight: float) -> None:
    """Add the distribution of a result, which is one roll later."""
    for n in range(len(total) - 1):
        total[n + 1] += weight * after[n]
