"""The long nardy kernel: one roll -> all distinct afterstates, in canonical order.

Checkers are known by their tracks (`rules.tracks`), plays by words that sort (`rules.play_list`),
and every checker move is one of `rules.nardy_steps`.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, OFF, WIDTH, Board
from gammon_env.rules.jit import kernel, lean_kernel
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
    path_of,
    sort,
    words_of,
    write_plays,
)
from gammon_env.rules.tracks import MAX_MOVES, code, lowest, move, sources_of, undo

_WALK = 4 * MAX_PLAYS
"""At most 680 positions after three moves of one die, each with at most 15 fourth moves."""


@kernel
def legal_plays(
    board: Board,
    die1: int,
    die2: int,
    moves: int,
    heads: int,
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
        afterstates: int8[>= MAX_PLAYS, 2, 26], filled from the start.
        paths: uint32[>= MAX_PLAYS], filled alike; see `rules.backgammon.legal_plays`.

    Returns:
        How many there are; 0 is a forced pass.
    """
    plays = np.empty((MAX_PLAYS, 3), np.uint64)
    count = find_plays(board, die1, die2, moves, heads, plays)
    write_plays(board, plays, count, afterstates, paths)
    return count


@kernel
def find_plays(board: Board, die1: int, die2: int, moves: int, heads: int, plays: Plays) -> int:
    """Find all distinct plays of a roll, sorted; see `legal_plays`."""
    own = np.empty(WIDTH, np.int64)
    for track in range(OFF):
        own[track] = board[0, BAR - track]
    own[OFF] = board[0, OFF]
    held, singles, doubles, free = masks_of(board)
    ahead = tracks_ahead(board[1])
    high, low = words_of(own)
    if die1 != die2:
        larger, smaller = max(die1, die2), min(die1, die2)
        masks = held, singles, doubles, free, ahead
        count = _two_dice(masks, larger, smaller, heads, high, low, plays)
        sort(plays, count)
        return drop_duplicates(plays, count)
    count = _same_die(own, held, free, ahead, die1, moves, heads, high, low, plays)
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


@kernel
def _same_die(
    own: npt.NDArray[np.int64],
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
    words = np.empty((MAX_MOVES + 1, 2), np.uint64)
    state = np.empty((MAX_MOVES + 1, 5), np.int64)  # sources left, held, heads, path, last source
    words[0, 0], words[0, 1] = high, low
    state[0, 0], state[0, 1] = sources_of(held, free, die) & may_leave_with(heads), held
    state[0, 2], state[0, 3] = heads, 0
    depth, deepest, count = 0, 1, 0
    while depth >= 0:
        sources = state[depth, 0]
        if sources == 0:
            if depth:
                undo(own, state[depth, 4], min(state[depth, 4] + die, OFF))
            depth -= 1
            continue
        source = lowest(sources)
        state[depth, 0] = sources & (sources - 1)
        target = min(source + die, OFF)
        held1 = move(own, state[depth, 1], source, target)
        if blocks(held1, ahead):
            return -1
        high1 = words[depth, 0] - HIGH[source] + HIGH[target]
        low1 = words[depth, 1] - LOW[source] + LOW[target]
        path = state[depth, 3] | code(source, die) << (24 - 8 * depth)
        heads1 = state[depth, 2] - (source == 1)
        depth += 1
        if depth > deepest:
            deepest, count = depth, 0
        if depth == deepest:
            count = add(plays, count, high1, low1, path)
        if depth == moves:
            undo(own, source, target)
            depth -= 1
            continue
        words[depth, 0], words[depth, 1] = high1, low1
        state[depth, 0] = sources_of(held1, free, die) & may_leave_with(heads1) & -(1 << source)
        state[depth, 1], state[depth, 2], state[depth, 3] = held1, heads1, path
        state[depth, 4] = source
    return count


@kernel
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
    found = np.empty((_WALK, 3), np.uint64)
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
