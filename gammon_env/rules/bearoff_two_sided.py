"""The two-sided bear-off table: exact chances to win when both sides have few checkers left.

Each entry is the chance of the player on roll to win if both sides play perfectly, which may differ
from the play that is quickest on average. The cubeless equity is twice that less one, since with
few checkers left both sides have borne off and no win is a gammon.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gammon_env.rules import bearoff_moves
from gammon_env.rules.bearoff_moves import (
    MAX_WAYS,
    Numbers,
    Steps,
    fill_positions,
    fill_steps,
    find_results,
    position_count,
)
from gammon_env.rules.board import HOME
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from gammon_env.rules.jit import kernel, lean_kernel

Chances = npt.NDArray[np.float64]

SOURCES = (Path(__file__), Path(bearoff_moves.__file__))
"""The files that decide what the table holds."""

MAX_CHECKERS = 6
"""A side: 924 positions, so 853,776 pairs. Time and memory grow with the square of positions."""

_DICE = np.array(ROLLS, np.int64)
_WEIGHTS = np.array(ROLL_WEIGHTS, np.float64) / 36


def two_sided_table(checkers: int = MAX_CHECKERS) -> Mapping[str, npt.NDArray[np.float32]]:
    """Compute the table of all pairs of positions with up to so many checkers a side.

    Args:
        checkers: at most 6; fewer make a quick table, which is the corner of the whole one.

    Returns:
        "win", float32[N, N]: the chance to win of the side on roll, by the position of that side
        and that of the other. A side without checkers has won; of (0, 0) nothing can be said.
    """
    counts = np.zeros((position_count(checkers), HOME), np.int8)
    fill_positions(counts)
    steps = np.empty((len(counts), HOME, HOME), np.int32)
    fill_steps(counts, steps)
    offsets = np.zeros(len(counts) * len(ROLLS) + 1, np.int64)
    results = list_results(steps, offsets)
    win = np.ones((len(counts), len(counts)))
    fill_win(results, offsets, win)
    return {"win": win.astype(np.float32)}


@kernel
def list_results(steps: Steps, offsets: npt.NDArray[np.int64]) -> Numbers:
    """Return the results of all rolls in all positions, roll by roll, and write where each begins.

    Args:
        steps: the moves of all positions.
        offsets: int64[N * 21 + 1]: results of roll r in position p begin at offsets[p * 21 + r].
    """
    ways = np.empty((2, MAX_WAYS), np.int32)
    pool = np.empty(len(offsets) * MAX_WAYS, np.int32)
    for position in range(1, len(steps)):
        for i in range(len(_DICE)):
            count = find_results(steps, position, _DICE[i, 0], _DICE[i, 1], ways)
            at = position * len(_DICE) + i
            begin = offsets[at]
            pool[begin : begin + count] = ways[0, :count]
            offsets[at + 1] = begin + count
    return pool[: offsets[-1]].copy()


@lean_kernel
def fill_win(results: Numbers, offsets: npt.NDArray[np.int64], win: Chances) -> None:
    """Fill a table of ones, each pair after all that can follow it.

    A play leads from (own, other) to (other, smaller than own), where the other side is on roll.
    """
    for larger in range(len(win)):
        for smaller in range(larger + 1):
            if smaller == 0:
                win[larger, 0] = 0.0
            else:
                win[smaller, larger] = _win(smaller, larger, results, offsets, win)
                win[larger, smaller] = _win(larger, smaller, results, offsets, win)


@lean_kernel
def _win(
    own: int, other: int, results: Numbers, offsets: npt.NDArray[np.int64], win: Chances
) -> float:
    """Return the chance to win of the side on roll: the best play of every roll, averaged."""
    chance = 0.0
    for i in range(len(_DICE)):
        at = own * len(_DICE) + i
        least = 1.0
        for after in results[offsets[at] : offsets[at + 1]]:
            least = min(least, win[other, after])
        chance += _WEIGHTS[i] * (1 - least)
    return chance
