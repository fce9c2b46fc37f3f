"""The long nardy kernel: one roll -> all distinct afterstates, in canonical order.

Checkers are known by their tracks (`rules.tracks`), plays by words that sort (`rules.play_list`),
and every checker move is one of `rules.nardy_steps`.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import OFF, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.nardy_steps import (
    blocks,
    masks_of,
    may_leave_with,
    moved,
    steps,
    tracks_ahead,
)
from gammon_env.rules.play_list import (
    HIGH,
    LOW,
    MAX_PLAYS,
    Plays,
    add,
    count_on,
    drop_duplicates,
    holds,
    path_of,
    push,
    sort,
    take,
    words_of,
    write_plays,
)
from gammon_env.rules.tracks import code, lowest, sources_of


@lean_kernel
def legal_plays(
    board: Board,
    die1: int,
    die2: int,
    moves: int,
    heads: int,
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
        heads: how many checkers may still leave the head in this turn; see `head_moves`.
        plays: uint64[WORKSPACE, 3], to work in.
        afterstates: int8[>= MAX_PLAYS, 2, 26], filled from the start.
        paths: uint32[>= MAX_PLAYS], filled alike; see `rules.backgammon.legal_plays`.

    Returns:
        How many there are; 0 is a forced pass.
    """
    count = find_plays(board, die1, die2, moves, heads, plays)
    write_plays(board, plays, count, afterstates, paths)
    return count


@lean_kernel
def find_plays(board: Board, die1: int, die2: int, moves: int, heads: int, plays: Plays) -> int:
    """Find all distinct plays of a roll, sorted; see `legal_plays`."""
    held, singles, doubles, free = masks_of(board)
    ahead = tracks_ahead(board[1])
    high, low = words_of(board[0])
    if die1 != die2:
        larger, smaller = max(die1, die2), min(die1, die2)
        masks = held, singles, doubles, free, ahead
        count = _two_dice(masks, larger, smaller, heads, high, low, plays)
        sort(plays, count)
        return drop_duplicates(plays, count)
    count = _same_die(held, free, ahead, die1, moves, heads, high, low, plays)
    if count < 0:
        return _same_die_in_any_order(free, ahead, die1, moves, heads, high, low, plays)
    sort(plays, count)
    return count


@lean_kernel
def _two_dice(
    masks: tuple[int, int, int, int, int],
    larger: int,
    smaller: int,
    heads: int,
    high: np.uint64,
    low: np.uint64,
    plays: Plays,
) -> int:
    """Find the plays of two different dice, few duplicates among them."""
    held, singles, doubles, free, ahead = masks
    with_larger = steps(held, singles, free, ahead, may_leave_with(heads), larger)
    with_smaller = steps(held, singles, free, ahead, may_leave_with(heads), smaller)
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        firsts = with_larger if die == larger else with_smaller
        while firsts:
            source = lowest(firsts)
            firsts &= firsts - 1
            target = min(source + die, OFF)
            held1, singles1 = moved(held, singles, doubles, source, target)
            high1 = high - HIGH[source] + HIGH[target]
            low1 = low - LOW[source] + LOW[target]
            first = code(source, die)
            if held1 == 0:  # the last checker is off: a complete play
                count = add(plays, count, high1, low1, first << 24)
            may_leave = may_leave_with(heads - (source == 1))
            seconds = steps(held1, singles1, free, ahead, may_leave, other)
            if die == smaller:
                seconds &= ~with_larger  # found in the other order
            while seconds:
                source2 = lowest(seconds)
                seconds &= seconds - 1
                target2 = min(source2 + other, OFF)
                path = first << 24 | code(source2, other) << 16
                high2 = high1 - HIGH[source2] + HIGH[target2]
                low2 = low1 - LOW[source2] + LOW[target2]
                count = add(plays, count, high2, low2, path)
    if count > 0:
        return count
    if with_larger:
        return _one_move(with_larger, larger, high, low, plays)
    return _one_move(with_smaller, smaller, high, low, plays)


@lean_kernel
def _one_move(sources: int, die: int, high: np.uint64, low: np.uint64, plays: Plays) -> int:
    """Find the plays of a single checker move."""
    count = 0
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        target = min(source + die, OFF)
        high1 = high - HIGH[source] + HIGH[target]
        low1 = low - LOW[source] + LOW[target]
        count = add(plays, count, high1, low1, code(source, die) << 24)
    return count


@lean_kernel
def _same_die(
    held: int,
    free: int,
    ahead: int,
    die: int,
    moves: int,
    heads: int,
    high: np.uint64,
    low: np.uint64,
    plays: Plays,
) -> int:
    """Find the plays of one die played up to `moves` times, each exactly once.

    This is the walk of `rules.backgammon`, from the rearmost source to the foremost. It meets every
    position that any order of moves can reach; so if it meets no block, none can be in the way.

    Returns:
        How many there are; -1 where a block makes the order of moves matter.
    """
    stack = plays[MAX_PLAYS:]
    sources = sources_of(held, free, die) & may_leave_with(heads)
    push(stack, 0, high, low, 0, sources, held, heads)
    depth, deepest, count = 0, 1, 0
    while depth >= 0:
        sources, held, heads, high, low, path = take(stack, depth)
        if sources == 0:
            depth -= 1
            continue
        source = lowest(sources)
        target = min(source + die, OFF)
        high += HIGH[target] - HIGH[source]
        low += LOW[target] - LOW[source]
        path |= code(source, die) << (24 - 8 * depth)
        held = held & ~((not holds(high, low, source)) << source) | (target < OFF) << target
        if blocks(held, ahead):
            return -1
        length = depth + 1
        if length > deepest:
            deepest, count = length, 0
        if length == deepest:
            count = add(plays, count, high, low, path)
        if length < moves:
            depth = length
            heads -= source == 1
            sources = sources_of(held, free, die) & may_leave_with(heads) & -(1 << source)
            push(stack, depth, high, low, path, sources, held, heads)
    return count


@lean_kernel
def _same_die_in_any_order(
    free: int,
    ahead: int,
    die: int,
    moves: int,
    heads: int,
    high: np.uint64,
    low: np.uint64,
    plays: Plays,
) -> int:
    """Find the plays of one die where blocks matter: move by move, from all positions there are."""
    found = plays[MAX_PLAYS:]
    stay = count_on(high, low, 1) - heads  # what has to stay on the head
    count = add(plays, 0, high, low, 0)
    for depth in range(moves):
        more = 0
        for i in range(count):
            more = _add_moves(plays, i, free, ahead, die, stay, depth, found, more)
        if more == 0:
            return count if depth else 0
        sort(found, more)
        count = drop_duplicates(found, more)
        for i in range(count):
            plays[i, 0], plays[i, 1], plays[i, 2] = found[i, 0], found[i, 1], found[i, 2]
    return count


@lean_kernel
def _add_moves(
    plays: Plays,
    i: int,
    free: int,
    ahead: int,
    die: int,
    stay: int,
    depth: int,
    found: Plays,
    count: int,
) -> int:
    """Add what one more move makes of play `i`."""
    high, low, path = plays[i, 0], plays[i, 1], path_of(plays, i)
    held, singles = 0, 0
    for track in range(1, OFF):
        checkers = count_on(high, low, track)
        held |= (checkers > 0) << track
        singles |= (checkers == 1) << track
    may_leave = may_leave_with(count_on(high, low, 1) - stay)
    sources = steps(held, singles, free, ahead, may_leave, die)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        target = min(source + die, OFF)
        high1 = high - HIGH[source] + HIGH[target]
        low1 = low - LOW[source] + LOW[target]
        count = add(found, count, high1, low1, path | code(source, die) << (24 - 8 * depth))
    return count
