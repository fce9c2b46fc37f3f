"""The plays a kernel finds, known by words that sort as their afterstates do.

An afterstate is two 64-bit words: where no blot was hit (24 bits), then the mover's 26 counts
(4 bits each). Equal words mean equal afterstates, hits included, so duplicates need no second look.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, OFF, WIDTH, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.tracks import lowest

Plays = npt.NDArray[np.uint64]
"""uint64[N, 3]: two sort words, and a third that sorts the better path first."""

MAX_PLAYS = 3060
"""At most C(18, 4) distinct afterstates: four moves of one die choose among 15 checkers."""

WORKSPACE = 5 * MAX_PLAYS
"""Rows of a list that generation works in: the plays, then room for the walks that find them.

Behind as many plays as there can be, nardy walks by way of at most 680 positions after three moves
of one die, each with at most 15 fourth moves.
"""

_PATH = 0xFFFFFFFF
_NIBBLE = np.uint64(15)

# What one checker on a track adds to the two sort words, and what a hit there takes away. Board
# indices run from the most significant bits down; track t is index 24 - t, and off is index 25.
_INDEX = [BAR - track for track in range(OFF)] + [OFF]
HIGH = np.array([1 << (36 - 4 * i) if i < 10 else 0 for i in _INDEX], np.uint64)
LOW = np.array([1 << (100 - 4 * i) if i >= 10 else 0 for i in _INDEX], np.uint64)
_NO_HITS = np.uint64(((1 << 24) - 1) << 40)
HIT = np.array([0] + [1 << (64 - track) for track in range(1, OFF)] + [0], np.uint64)

_GAPS = np.array([132, 1], np.int64)


@lean_kernel
def words_of(row: Board) -> tuple[np.uint64, np.uint64]:
    """Return the sort words of the mover's row, nothing hit yet."""
    high = _NO_HITS
    low = np.uint64(0)
    for index in range(10):
        high |= np.uint64(row[index]) << np.uint64(36 - 4 * index)
    for index in range(10, WIDTH):
        low |= np.uint64(row[index]) << np.uint64(100 - 4 * index)
    return high, low


@lean_kernel
def holds(high: np.uint64, low: np.uint64, track: int) -> bool:
    """Say whether the mover has a checker on a track, by the sort words."""
    return bool(high & _NIBBLE * HIGH[track] | low & _NIBBLE * LOW[track])


@lean_kernel
def add(plays: Plays, count: int, high: np.uint64, low: np.uint64, path: int) -> int:
    """Enter a play; of equal afterstates the greater path sorts first, unless marked in bit 32."""
    plays[count, 0] = high
    plays[count, 1] = low
    plays[count, 2] = np.uint64(path ^ _PATH)
    return count + 1


@lean_kernel
def push(
    stack: Plays,
    depth: int,
    high: np.uint64,
    low: np.uint64,
    path: int,
    sources: int,
    held: int,
    rest: int,
) -> None:
    """Enter how a walk goes on from a position, two rows a depth; see `take`."""
    stack[2 * depth, 0] = high
    stack[2 * depth, 1] = low
    stack[2 * depth, 2] = np.uint64(path)
    stack[2 * depth + 1, 0] = np.uint64(sources)
    stack[2 * depth + 1, 1] = np.uint64(held)
    stack[2 * depth + 1, 2] = np.uint64(rest)


@lean_kernel
def take(stack: Plays, depth: int) -> tuple[int, int, int, np.uint64, np.uint64, int]:
    """Return what `push` entered, and drop the rearmost of the sources, which the walk takes now.

    Returns:
        The sources still to try, the tracks held, what else the game keeps, the sort words, and
        the path.
    """
    position, masks = stack[2 * depth], stack[2 * depth + 1]
    sources, held, rest = np.int64(masks[0]), np.int64(masks[1]), np.int64(masks[2])
    masks[0] = np.uint64(sources & (sources - 1))
    return int(sources), int(held), int(rest), position[0], position[1], int(np.int64(position[2]))


@lean_kernel
def sort(plays: Plays, count: int) -> None:
    """Sort in place: insertion, after coarse passes where there are many (a Shell sort).

    Plays are found from the rearmost source on, which is nearly the order they end in.
    """
    for gap in _GAPS:
        for i in range(gap, count):
            high, low, path = plays[i, 0], plays[i, 1], plays[i, 2]
            j = i - gap
            while j >= 0 and _after(plays, j, high, low, path):
                plays[j + gap, 0] = plays[j, 0]
                plays[j + gap, 1] = plays[j, 1]
                plays[j + gap, 2] = plays[j, 2]
                j -= gap
            plays[j + gap, 0] = high
            plays[j + gap, 1] = low
            plays[j + gap, 2] = path


@lean_kernel
def _after(plays: Plays, i: int, high: np.uint64, low: np.uint64, path: np.uint64) -> bool:
    """Say whether entry i sorts behind the given one."""
    if plays[i, 0] != high:
        return bool(plays[i, 0] > high)
    if plays[i, 1] != low:
        return bool(plays[i, 1] > low)
    return bool(plays[i, 2] > path)


@lean_kernel
def drop_duplicates(plays: Plays, count: int) -> int:
    """Keep the first of each run of equal afterstates."""
    kept = min(count, 1)
    for i in range(1, count):
        if plays[i, 0] != plays[kept - 1, 0] or plays[i, 1] != plays[kept - 1, 1]:
            plays[kept, 0], plays[kept, 1], plays[kept, 2] = plays[i, 0], plays[i, 1], plays[i, 2]
            kept += 1
    return kept


@lean_kernel
def _write_afterstates(
    board: Board, plays: Plays, count: int, afterstates: npt.NDArray[np.int8]
) -> None:
    """Write the boards of the sort words, rows swapped for the next player."""
    for play in range(count):
        high, low = plays[play, 0], plays[play, 1]
        for i in range(WIDTH):
            afterstates[play, 0, i] = board[1, i]
        for i in range(10):
            afterstates[play, 1, i] = high >> np.uint64(36 - 4 * i) & _NIBBLE
        for i in range(10, WIDTH):
            afterstates[play, 1, i] = low >> np.uint64(100 - 4 * i) & _NIBBLE
        hits = int(np.int64(~high >> np.uint64(40)))
        while hits:
            afterstates[play, 0, 23 - lowest(hits)] = 0
            afterstates[play, 0, BAR] += 1
            hits &= hits - 1


@lean_kernel
def path_of(plays: Plays, i: int) -> int:
    """Return the checker moves of a play, a byte each, the first in the most significant byte."""
    return int((np.int64(plays[i, 2]) ^ _PATH) & _PATH)


@lean_kernel
def count_on(high: np.uint64, low: np.uint64, track: int) -> int:
    """Return how many checkers the mover has on a track, by the sort words."""
    if track > BAR - 10:
        return int(np.int64(high >> np.uint64(4 * (track - BAR + 9)) & _NIBBLE))
    return int(np.int64(low >> np.uint64(4 * (track + 1)) & _NIBBLE))


@lean_kernel
def write_plays(
    board: Board,
    plays: Plays,
    count: int,
    afterstates: npt.NDArray[np.int8],
    paths: npt.NDArray[np.uint32],
) -> None:
    """Write the afterstates of the first plays, and the checker moves that lead there."""
    for i in range(count):
        paths[i] = path_of(plays, i)
    _write_afterstates(board, plays, count, afterstates)
