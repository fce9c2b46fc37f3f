"""Tracks: how kernels see the checkers of the side that moves, and what every game shares of that.

A checker is known by its track, the pips it has come from the bar: 0 on the bar, 25 - p on point p,
25 when off. Sets of tracks are bit masks, so that a die shifts them and the lowest bit is the
rearmost checker.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, OFF
from gammon_env.rules.jit import lean_kernel

MAX_MOVES = 4
HEADS = MAX_MOVES
"""Index of the head moves left, behind the dice still to play."""

LEFT = MAX_MOVES + 1
"""How many numbers say what a turn may still do: four dice, and the head moves."""

CODES = 150
"""Checker-move codes: (source - 1) * 6 + die - 1 with source 1..24, or 25 for the bar."""

ALL_POINTS = (1 << 25) - 2
OUTSIDE_HOME = (1 << 19) - 1

# Lowest set bit of a 32-bit mask: (mask & -mask) * de Bruijn constant, top five bits looked up.
_DE_BRUIJN = 0x077CB531
_LOWEST = np.zeros(32, np.int64)
for _bit in range(32):
    _LOWEST[((_DE_BRUIJN << _bit) & 0xFFFFFFFF) >> 27] = _bit


@lean_kernel
def lowest(mask: int) -> int:
    """Return the lowest set bit of a non-empty mask: the rearmost of its tracks."""
    return int(_LOWEST[(((mask & -mask) * _DE_BRUIJN) & 0xFFFFFFFF) >> 27])


@lean_kernel
def sources_of(held: int, free: int, die: int) -> int:
    """Return the mask of tracks from which one checker can move by `die`."""
    if held & 1:
        return 1 & (free >> die)
    sources = held & (free >> die)
    if held & OUTSIDE_HOME == 0:
        exact = 1 << (OFF - die)
        sources |= held & exact
        rearmost = held & -held
        if rearmost > exact:
            sources |= rearmost
    return sources


@lean_kernel
def move(own: npt.NDArray[np.int64], held: int, source: int, target: int) -> int:
    """Move one checker within `own` and return the new mask of tracks held."""
    own[source] -= 1
    own[target] += 1
    return int((held & ~((own[source] == 0) << source)) | ((target < OFF) << target))


@lean_kernel
def undo(own: npt.NDArray[np.int64], source: int, target: int) -> None:
    """Take a move within `own` back."""
    own[source] += 1
    own[target] -= 1


@lean_kernel
def code(source: int, die: int) -> int:
    """Return the byte of one checker move in a path, where sources are points."""
    return (OFF - source) * 8 + die


@lean_kernel
def action(source: int, die: int) -> int:
    """Return the code of a checker move from a track."""
    return (BAR - source) * 6 + die - 1


@lean_kernel
def mark(sources: int, die: int, mask: npt.NDArray[np.int8]) -> int:
    """Mark the moves of a die from these tracks and return how many there are."""
    count = 0
    while sources:
        mask[action(lowest(sources), die)] = 1
        sources &= sources - 1
        count += 1
    return count


@lean_kernel
def dice_count(left: npt.NDArray[np.int8]) -> int:
    """Return how many dice are still to play."""
    moves = 0
    for i in range(MAX_MOVES):
        moves += left[i] > 0
    return moves
