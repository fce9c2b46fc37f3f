"""The graph of bear-off positions: up to 15 checkers, all at home, and nobody in the way.

A position has a number, its place in an order in which every checker move leads to a smaller one
and fewer checkers come before more. So tables are filled from 0 (all off) upwards, and those of
fewer checkers are the beginning of those of more. Nothing here belongs to one game: at home, once
the sides have passed each other, the games of the family differ in nothing.
"""

from math import comb

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import HOME, Board
from gammon_env.rules.jit import kernel, lean_kernel

Steps = npt.NDArray[np.int32]
"""int32[N, 6, 6]: by position, die - 1 and source - 1 the position after that move, -1: illegal."""

Numbers = npt.NDArray[np.int32]

MAX_CHECKERS = 15
MAX_WAYS = 210
"""Same-die walks of up to four moves, each move from the point of the last one or a lower one."""

_CHOOSE = np.array(
    [[comb(n, k) for k in range(HOME + 1)] for n in range(MAX_CHECKERS + HOME + 1)], np.int64
)


@lean_kernel
def position_count(checkers: int) -> int:
    """Return how many positions there are with up to so many checkers: 54,264 with 15."""
    return int(_CHOOSE[checkers + HOME, HOME])


@lean_kernel
def position_number(row: Board) -> int:
    """Return the number of a position from the counts of points 1 to 6, at index 0 to 5."""
    number, behind = 0, 0
    for k in range(1, HOME + 1):
        behind += int(row[HOME - k])
        number += int(_CHOOSE[behind + k - 1, k])
    return number


@lean_kernel
def fill_positions(counts: Board) -> None:
    """Write the counts of points 1 to 6 of position i to row i, counts int8[N, 6]."""
    for number in range(len(counts)):
        left, behind = number, 0
        for k in range(HOME, 0, -1):
            before = behind
            behind = 0
            while _CHOOSE[behind + k, k] <= left:
                behind += 1
            left -= _CHOOSE[behind + k - 1, k]
            if k < HOME:
                counts[number, HOME - k - 1] = before - behind
        counts[number, HOME - 1] = behind


@kernel
def fill_steps(counts: Board, steps: Steps) -> None:
    """Write every checker move of every position."""
    row = np.empty(HOME, np.int8)
    for number in range(len(counts)):
        row[:] = counts[number]
        highest = HOME - 1
        while highest >= 0 and row[highest] == 0:
            highest -= 1
        for die in range(1, HOME + 1):
            for source in range(HOME):
                steps[number, die - 1, source] = -1
                target = source - die
                if row[source] == 0 or (target < -1 and source < highest):
                    continue
                row[source] -= 1
                if target >= 0:
                    row[target] += 1
                steps[number, die - 1, source] = position_number(row)
                row[:] = counts[number]


@lean_kernel
def find_results(steps: Steps, position: int, die1: int, die2: int, ways: Numbers) -> int:
    """Write the distinct positions after a roll, in no particular order.

    Args:
        steps: the moves of at least the positions up to this one.
        position: its number, not 0.
        die1: one die.
        die2: the other die.
        ways: int32[2, >= MAX_WAYS], the results at the beginning of row 0, the rest is scratch.

    Returns:
        How many there are.
    """
    if die1 == die2:
        return _same_die(steps, position, die1 - 1, ways)
    count = _two_dice(steps, position, die1 - 1, die2 - 1, ways[0], 0)
    return _two_dice(steps, position, die2 - 1, die1 - 1, ways[0], count)


@lean_kernel
def _two_dice(
    steps: Steps, position: int, first: int, second: int, results: Numbers, count: int
) -> int:
    """Add the results of two dice in this order to those there are."""
    for source in range(HOME):
        between = steps[position, first, source]
        if between == 0:  # all off, the second die is void
            count = _add(results, count, 0)
        if between > 0:
            for source2 in range(HOME):
                after = steps[between, second, source2]
                if after >= 0:
                    count = _add(results, count, after)
    return count


@lean_kernel
def _add(results: Numbers, count: int, position: int) -> int:
    for i in range(count):
        if results[i] == position:
            return count
    results[count] = position
    return count + 1


@lean_kernel
def _same_die(steps: Steps, position: int, die: int, ways: Numbers) -> int:
    """Find the results of four moves, one move after another, from the rearmost source on.

    Any play of one die can be ordered so, and two different choices of sources never end alike.
    """
    positions, last_source = ways[0], ways[1]
    positions[0], last_source[0] = position, HOME - 1
    begin, end = 0, 1
    for _ in range(4):
        added = end
        for i in range(begin, end):
            if positions[i] == 0:  # all off, the rest of the roll is void
                positions[added], last_source[added] = 0, 0
                added += 1
            for source in range(last_source[i], -1, -1):
                after = steps[positions[i], die, source]
                if after >= 0:
                    positions[added], last_source[added] = after, source
                    added += 1
        begin, end = end, added
    for i in range(begin, end):
        positions[i - begin] = positions[i]
    return end - begin
