"""Tracks: how kernels see the checkers of the side that moves, and what every game shares of that.

A checker is known by its track, the pips it has come from the bar: 0 on the bar, 25 - p on point p,
25 when off. Sets of tracks are bit masks, so that a die shifts them and the lowest bit is the
rearmost checker.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic, overload

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


def lowest(mask: int) -> int:
    """Return the lowest set bit of a non-empty mask: the rearmost of its tracks."""
    return int(mask & -mask).bit_length() - 1


@overload(lowest, strict=False)  # type: ignore[untyped-decorator]
def _compiled_lowest(mask: Any) -> Any:
    """Tell numba, which knows no `bit_length`, what to compile for `lowest`."""
    return lambda mask: _trailing_zeros(mask)


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(_: Any, mask: Any) -> Any:
    """Count them in one instruction of the processor."""

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        never_zero = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], never_zero)

    return mask(mask), generate


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
