"""The backgammon kernel: one roll -> all distinct afterstates, in canonical order.

Checkers are known by their tracks (`rules.tracks`), plays by words that sort (`rules.play_list`).
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, OFF, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.play_list import (
    HIGH,
    HIT,
    LOW,
    MAX_PLAYS,
    Plays,
    add,
    drop_duplicates,
    holds,
    push,
    sort,
    take,
    words_of,
    write_plays,
)
from gammon_env.rules.tracks import (
    ALL_POINTS,
    CODES,
    MAX_MOVES,
    action,
    code,
    dice_count,
    lowest,
    mark,
    sources_of,
)

__all__ = [
    "CODES",
    "MAX_MOVES",
    "MAX_PLAYS",
    "apply_checker_move",
    "can_move",
    "dice_count",
    "legal_checker_moves",
    "legal_plays",
]


@lean_kernel
def legal_plays(
    board: Board,
    die1: int,
    die2: int,
    moves: int,
    plays: Plays,
    afterstates: npt.NDArray[np.int8],
    paths: npt.NDArray[np.uint32],
) -> int:
    """Write every distinct legal afterstate of a roll, sorted by its bytes.

    Args:
        board: int8[2, 26], the player on roll in row 0.
        die1: one die.
        die2: the other die.
        moves: 2 for two different dice; for equal dice how many moves of the die are left, 1 to 4.
        plays: uint64[WORKSPACE, 3], to work in.
        afterstates: int8[>= MAX_PLAYS, 2, 26], filled from the start.
        paths: uint32[>= MAX_PLAYS], filled alike: the checker moves that lead there, a byte each,
            first move in the most significant byte: source * 8 + die, zero for no move.

    Returns:
        How many there are; 0 is a forced pass.
    """
    count = find_plays(board, die1, die2, moves, plays)
    write_plays(board, plays, count, afterstates, paths)
    return count


@lean_kernel
def find_plays(board: Board, die1: int, die2: int, moves: int, plays: Plays) -> int:
    """Find all distinct plays of a roll, sorted; see `legal_plays`."""
    held, singles, free, blots = _masks_of(board)
    high, low = words_of(board[0])
    if die1 == die2:
        count = _same_die(held, free, blots, die1, moves, high, low, plays)
        sort(plays, count)
        return count
    larger, smaller = max(die1, die2), min(die1, die2)
    count = _two_dice(held, singles, free, blots, larger, smaller, high, low, plays)
    sort(plays, count)
    return drop_duplicates(plays, count)


@lean_kernel
def _masks_of(board: Board) -> tuple[int, int, int, int]:
    """Return the tracks the mover holds, those with one checker, those not blocked, and blots."""
    held, singles, free, blots = 0, 0, ALL_POINTS, 0
    for track in range(OFF):
        held |= (board[0, BAR - track] > 0) << track
        singles |= (board[0, BAR - track] == 1) << track
    for index in range(24):  # the opponent's index i lies on track i + 1
        free &= ~((board[1, index] >= 2) << (index + 1))
        blots |= (board[1, index] == 1) << (index + 1)
    return held, singles, free, blots


@lean_kernel
def _two_dice(
    held: int,
    singles: int,
    free: int,
    blots: int,
    larger: int,
    smaller: int,
    high: np.uint64,
    low: np.uint64,
    plays: Plays,
) -> int:
    """Find the plays of two different dice, few duplicates among them."""
    with_larger = sources_of(held, free, larger)
    with_smaller = sources_of(held, free, smaller)
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        firsts = with_larger if die == larger else with_smaller
        while firsts:
            source = lowest(firsts)
            firsts &= firsts - 1
            target = min(source + die, OFF)
            held1 = held & ~(singles & 1 << source) | (target < OFF) << target
            hit = blots >> target & 1
            high1 = high - HIGH[source] + HIGH[target] - np.uint64(hit) * HIT[target]
            low1 = low - LOW[source] + LOW[target]
            first = code(source, die)
            if held1 == 0:  # the last checker is off: a complete play
                count = add(plays, count, high1, low1, first << 24)
            seconds = sources_of(held1, free, other)
            if die == smaller:
                seconds &= ~with_larger  # found in the other order
            while seconds:
                source2 = lowest(seconds)
                seconds &= seconds - 1
                target2 = min(source2 + other, OFF)
                hit2 = (blots & ~(hit << target)) >> target2 & 1
                second = code(source2, other)
                path = first << 24 | second << 16
                hits_late = hit2 > hit
                if hits_late and die == larger and with_smaller >> source2 & 1:
                    path = second << 24 | first << 16
                    hits_late = False
                high2 = high1 - HIGH[source2] + HIGH[target2]
                high2 -= np.uint64(hit2) * HIT[target2]
                low2 = low1 - LOW[source2] + LOW[target2]
                count = add(plays, count, high2, low2, path | hits_late << 32)
    if count > 0:
        return count
    if with_larger:
        return _one_move(with_larger, larger, blots, high, low, plays)
    return _one_move(with_smaller, smaller, blots, high, low, plays)


@lean_kernel
def _one_move(
    sources: int, die: int, blots: int, high: np.uint64, low: np.uint64, plays: Plays
) -> int:
    """Find the plays of a single checker move."""
    count = 0
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        target = min(source + die, OFF)
        high1 = high - HIGH[source] + HIGH[target]
        if blots >> target & 1:
            high1 -= HIT[target]
        low1 = low - LOW[source] + LOW[target]
        count = add(plays, count, high1, low1, code(source, die) << 24)
    return count


@lean_kernel
def _same_die(
    held: int,
    free: int,
    blots: int,
    die: int,
    moves: int,
    high: np.uint64,
    low: np.uint64,
    plays: Plays,
) -> int:
    """Find the plays of one die played up to `moves` times, each exactly once.

    Any play of one die can be ordered from the rearmost source to the foremost, and two different
    choices of sources never end alike; so a depth-first walk that never steps back finds all.
    """
    stack = plays[MAX_PLAYS:]
    push(stack, 0, high, low, 0, sources_of(held, free, die), held, blots)
    depth, deepest, count = 0, 1, 0
    while depth >= 0:
        sources, held, blots, high, low, path = take(stack, depth)
        if sources == 0:
            depth -= 1
            continue
        source = lowest(sources)
        target = min(source + die, OFF)
        hit = blots >> target & 1
        high += HIGH[target] - HIGH[source] - np.uint64(hit) * HIT[target]
        low += LOW[target] - LOW[source]
        path |= code(source, die) << (24 - 8 * depth)
        length = depth + 1
        if length > deepest:
            deepest, count = length, 0
        if length == deepest:
            count = add(plays, count, high, low, path)
        if length < moves:
            depth = length
            held = held & ~((not holds(high, low, source)) << source) | (target < OFF) << target
            sources = sources_of(held, free, die) & -(1 << source)
            push(stack, depth, high, low, path, sources, held, blots & ~(hit << target))
    return count


@lean_kernel
def apply_checker_move(board: Board, source: int, die: int) -> bool:
    """Move one checker in place; the rows do not swap.

    Args:
        board: int8[2, 26], the mover in row 0.
        source: the point it leaves, 1..24, or 25 for the bar; the move must be legal.
        die: pips.

    Returns:
        True if a blot was hit.
    """
    index = source - 1
    target = index - die if index >= die else OFF
    board[0, index] -= 1
    board[0, target] += 1
    if target == OFF or board[1, 23 - target] != 1:
        return False
    board[1, 23 - target] = 0
    board[1, BAR] += 1
    return True


@lean_kernel
def can_move(board: Board, left: npt.NDArray[np.int8]) -> bool:
    """Say whether any checker can move by any of the dice still to play, see below."""
    held, free = _held_and_free(board)
    for i in range(MAX_MOVES):
        if left[i] > 0 and sources_of(held, free, int(np.int64(left[i]))):
            return True
    return False


@lean_kernel
def legal_checker_moves(
    board: Board, left: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]
) -> int:
    """Mark the checker moves that begin a legal play with the dice still to play.

    Args:
        board: int8[2, 26], in mid-turn, the mover in row 0.
        left: int8[4], the dice still to play, larger first, zeros after them.
        mask: int8[CODES], set to 1 where legal, else 0.

    Returns:
        How many are legal; 0 means that the turn is over.
    """
    held, free = _held_and_free(board)
    mask[:] = 0
    die1, die2 = int(np.int64(left[0])), int(np.int64(left[1]))  # int() alone would keep int8
    if die2 > 0 and die1 != die2:
        return _mark_two_dice(board, held, free, die1, die2, mask)
    # Moves of one die never cost each other: each can begin a play that is as long as any.
    return mark(sources_of(held, free, die1), die1, mask) if die1 else 0


@lean_kernel
def _held_and_free(board: Board) -> tuple[int, int]:
    """Return masks of the tracks that the mover holds and of those not blocked."""
    held = 0
    free = ALL_POINTS
    for track in range(OFF):
        held |= (board[0, BAR - track] > 0) << track
    for index in range(24):  # the opponent's index i lies on track i + 1
        free &= ~((board[1, index] >= 2) << (index + 1))
    return held, free


@lean_kernel
def _held_after(board: Board, held: int, source: int, die: int) -> int:
    """Return the mask of tracks held once a checker has moved."""
    target = min(source + die, OFF)
    emptied = board[0, BAR - source] == 1
    return int((held & ~(emptied << source)) | ((target < OFF) << target))


@lean_kernel
def _mark_two_dice(
    board: Board, held: int, free: int, larger: int, smaller: int, mask: npt.NDArray[np.int8]
) -> int:
    """Mark first moves that leave a move for the other die or end the game; else single moves."""
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        sources = sources_of(held, free, die)
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            held1 = _held_after(board, held, source, die)
            if held1 == 0 or sources_of(held1, free, other):
                mask[action(source, die)] = 1
                count += 1
    if count:
        return count
    sources = sources_of(held, free, larger)
    if sources:
        return mark(sources, larger, mask)
    return mark(sources_of(held, free, smaller), smaller, mask)
