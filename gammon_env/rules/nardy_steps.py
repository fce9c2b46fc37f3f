"""Single steps of long nardy: the head, blocks, and from where a checker may move by a die.

Checkers are known by their tracks (`rules.tracks`). Nothing is hit and there is no bar, so track 1
is the head and track 0 always empty. A single opposing checker closes a point.

Blocks are looked for on the opponent's route, which is the mover's turned by twelve tracks. Six in
a row there are too many only ahead of the opponent's foremost checker, so a roll first finds
`ahead`: the opposing tracks from which such a row may not begin. Often none is left, and then no
step can be wrong.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, HOME, OFF, Board, rearmost
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.tracks import ALL_POINTS, HEADS, MAX_MOVES, sources_of

HEAD_POINT = 24
_HEAD = 1 << 1
_HALF = 12
_CHECKERS = 15


@lean_kernel
def head_moves(board: Board, die1: int, die2: int) -> int:
    """Return how many checkers may leave the head in a turn: one; two by 3-3, 4-4, 6-6 from 15."""
    full = board[0, HEAD_POINT - 1] == _CHECKERS
    return 2 if full and die1 == die2 and (die1 == 3 or die1 == 4 or die1 == 6) else 1


@lean_kernel
def has_contact(board: Board) -> bool:
    """Say whether the sides can still stand in each other's way.

    They cannot once both have brought all checkers into the second half of their routes.
    """
    return max(rearmost(board[0]), rearmost(board[1])) > _HALF


@lean_kernel
def blocks(held: int, ahead: int) -> bool:
    """Say whether six points in a row are held where none may be.

    Args:
        held: the tracks that the mover holds.
        ahead: the opponent's tracks from which a row may not begin; see `tracks_ahead`.
    """
    if ahead == 0:
        return False
    points = held & ALL_POINTS
    row = (points >> _HALF | points << _HALF) & ALL_POINTS
    row &= row >> 1
    row &= row >> 2
    return row & (row >> 2) & ahead != 0


@lean_kernel
def tracks_ahead(row: Board) -> int:
    """Return the tracks beyond a side's foremost checker on which six in a row can begin.

    There are none once one of its checkers is off or has fewer than six points to go.
    """
    if row[OFF] > 0:
        return 0
    foremost = 0
    while row[foremost] == 0:
        foremost += 1
    if foremost < HOME:
        return 0
    return ALL_POINTS & -(1 << (BAR - foremost + 1))


@lean_kernel
def steps(held: int, singles: int, free: int, ahead: int, may_leave: int, die: int) -> int:
    """Return the mask of tracks from which one checker may move by `die`.

    Args:
        held: the tracks that the mover holds.
        singles: those of them with one checker.
        free: the tracks that the opponent does not hold.
        ahead: see `tracks_ahead`.
        may_leave: the tracks that may be left; all but the head once its moves are used up.
        die: pips.
    """
    sources = sources_of(held, free, die) & may_leave
    if not blocks(held | sources << die, ahead):
        return sources
    legal, left = 0, sources
    while left:
        bit = left & -left
        left ^= bit
        if not blocks(held & ~(singles & bit) | bit << die, ahead):
            legal |= bit
    return legal


@lean_kernel
def may_leave_with(heads: int) -> int:
    """Return the mask of tracks that may be left with so many head moves to go."""
    return ALL_POINTS if heads > 0 else ALL_POINTS & ~_HEAD


@lean_kernel
def masks_of(board: Board) -> tuple[int, int, int, int]:
    """Return the tracks the mover holds, those with one checker, with two, and those free."""
    held, singles, doubles, free = 0, 0, 0, ALL_POINTS
    for track in range(1, OFF):
        count = board[0, BAR - track]
        held |= (count > 0) << track
        singles |= (count == 1) << track
        doubles |= (count == 2) << track
        theirs = track + _HALF if track <= _HALF else track - _HALF
        free &= ~((board[1, BAR - theirs] > 0) << track)
    return held, singles, doubles, free


@lean_kernel
def moved(held: int, singles: int, doubles: int, source: int, target: int) -> tuple[int, int]:
    """Return the masks of tracks held, and of those with one checker, after a move."""
    leaving = 1 << source
    arriving = (target < OFF) << target
    emptied = singles & leaving
    lone = (singles & ~leaving) | (doubles & leaving)
    lone = (lone & ~arriving) | (arriving & ~held)
    return int(held & ~emptied | arriving), int(lone)


@lean_kernel
def apply_checker_move(board: Board, source: int, die: int) -> bool:
    """Move one checker in place; the rows do not swap, and nothing is ever hit."""
    shift(board, BAR - source + 1, die, 1)
    return False


@lean_kernel
def shift(board: Board, source: int, die: int, checkers: int) -> None:
    """Move checkers from a track by a die; with -1 take such a move back."""
    target = source + die
    board[0, BAR - source] -= checkers
    board[0, BAR - target if target < OFF else OFF] += checkers


@lean_kernel
def can_move(board: Board, left: npt.NDArray[np.int8]) -> bool:
    """Say whether any checker can move by any of the dice still to play, see below."""
    held, singles, _, free = masks_of(board)
    ahead, may_leave = tracks_ahead(board[1]), may_leave_with(left[HEADS])
    for i in range(MAX_MOVES):
        die = int(np.int64(left[i]))
        if die > 0 and steps(held, singles, free, ahead, may_leave, die):
            return True
    return False
