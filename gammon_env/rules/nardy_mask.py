"""Long nardy one checker move at a time: which moves begin a legal play of the dice left."""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import OFF, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.nardy_steps import (
    blocks,
    masks_of,
    may_leave_with,
    moved,
    shift,
    steps,
    tracks_ahead,
)
from gammon_env.rules.tracks import HEADS, action, dice_count, lowest, mark


@lean_kernel
def legal_checker_moves(
    board: Board, left: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]
) -> int:
    """Mark the checker moves that begin a legal play with the dice still to play.

    Args:
        board: int8[2, 26], in mid-turn, the mover in row 0; as it was after the call.
        left: int8[5], the dice still to play, larger first, zeros after them; then how many
            checkers may still leave the head.
        mask: int8[CODES], set to 1 where legal, else 0.

    Returns:
        How many are legal; 0 means that the turn is over.
    """
    mask[:] = 0
    die1, die2 = int(np.int64(left[0])), int(np.int64(left[1]))
    if die1 == 0:
        return 0
    heads, moves = int(np.int64(left[HEADS])), dice_count(left)
    if die2 > 0 and die1 != die2:
        return _mark_two_dice(board, die1, die2, heads, mask)
    return mark(_longest_firsts(board, die1, moves, heads), die1, mask)


@lean_kernel
def _mark_two_dice(
    board: Board, larger: int, smaller: int, heads: int, mask: npt.NDArray[np.int8]
) -> int:
    """Mark first moves that leave a move for the other die or end the game; else single moves."""
    held, singles, doubles, free = masks_of(board)
    ahead, may_leave = tracks_ahead(board[1]), may_leave_with(heads)
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        sources = steps(held, singles, free, ahead, may_leave, die)
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            held1, singles1 = moved(held, singles, doubles, source, min(source + die, OFF))
            left = may_leave_with(heads - (source == 1))
            if held1 == 0 or steps(held1, singles1, free, ahead, left, other):
                mask[action(source, die)] = 1
                count += 1
    if count:
        return count
    sources = steps(held, singles, free, ahead, may_leave, larger)
    if sources:
        return mark(sources, larger, mask)
    return mark(steps(held, singles, free, ahead, may_leave, smaller), smaller, mask)


@lean_kernel
def _longest_firsts(board: Board, die: int, moves: int, heads: int) -> int:
    """Return the tracks from which moves of one die begin that go on as long as any."""
    held, singles, _, free = masks_of(board)
    ahead = tracks_ahead(board[1])
    firsts = steps(held, singles, free, ahead, may_leave_with(heads), die)
    reached = held
    for _ in range(moves):
        reached |= reached << die & free
    if moves == 1 or not blocks(reached, ahead):
        return firsts  # without blocks, moves of one die never cost each other
    longest, best = 0, 0
    while firsts:
        source = lowest(firsts)
        firsts &= firsts - 1
        shift(board, source, die, 1)
        length = 1 + _longest(board, free, ahead, die, heads - (source == 1), moves - 1)
        shift(board, source, die, -1)
        if length > longest:
            longest, best = length, 0
        if length == longest:
            best |= 1 << source
    return best


@lean_kernel
def _longest(board: Board, free: int, ahead: int, die: int, heads: int, limit: int) -> int:
    """Return how many moves of one die can follow each other, at most `limit`.

    A walk through all orders of moves, on the board itself; it leaves it as it was.
    """
    depth, deepest, path, untried = 0, 0, 0, -1
    while True:
        held, singles, _, _ = masks_of(board)
        sources = steps(held, singles, free, ahead, may_leave_with(heads), die) & untried
        if sources and deepest < limit:
            source = lowest(sources)
            path = path << 5 | source
            depth, untried = depth + 1, -1
            deepest = max(deepest, depth)
            heads -= source == 1
            shift(board, source, die, 1)
        elif depth:
            source = path & 31
            path >>= 5
            depth, untried = depth - 1, -(2 << source)
            heads += source == 1
            shift(board, source, die, -1)
        else:
            return deepest
