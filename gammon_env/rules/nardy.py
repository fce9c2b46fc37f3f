"""The long nardy kernel: one roll -> all distinct afterstates, in canonical order.

Checkers are known by their tracks (`rules.tracks`), plays by words that sort (`rules.play_list`).
Nothing is hit and there is no bar, so track 1 is the head and track 0 always empty. A single
opposing checker closes a point.

Blocks are looked for on the opponent's route, which is the mover's turned by twelve tracks. Six in
a row there are too many only ahead of the opponent's foremost checker, so a roll first finds
`ahead`: the opposing tracks from which such a row may not begin. Often none is left, and then no
step can be wrong.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, HOME, OFF, WIDTH, Board, rearmost
from gammon_env.rules.jit import kernel, lean_kernel
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
from gammon_env.rules.tracks import (
    ALL_POINTS,
    HEADS,
    MAX_MOVES,
    action,
    code,
    dice_count,
    lowest,
    mark,
    move,
    sources_of,
    undo,
)

HEAD_POINT = 24
_HEAD = 1 << 1
_HALF = 12
_CHECKERS = 15
_WALK = 4 * MAX_PLAYS
"""At most 680 positions after three moves of one die, each with at most 15 fourth moves."""


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


# A block.


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
def _steps(held: int, singles: int, free: int, ahead: int, may_leave: int, die: int) -> int:
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
def _may_leave(heads: int) -> int:
    """Return the mask of tracks that may be left with so many head moves to go."""
    return ALL_POINTS if heads > 0 else ALL_POINTS & ~_HEAD


# Whole rolls.


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
    held, singles, doubles, free = _masks(board)
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
def _masks(board: Board) -> tuple[int, int, int, int]:
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
def _moved(held: int, singles: int, doubles: int, source: int, target: int) -> tuple[int, int]:
    """Return the masks of tracks held, and of those with one checker, after a move."""
    leaving = 1 << source
    arriving = (target < OFF) << target
    emptied = singles & leaving
    lone = (singles & ~leaving) | (doubles & leaving)
    lone = (lone & ~arriving) | (arriving & ~held)
    return int(held & ~emptied | arriving), int(lone)


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
    with_larger = _steps(held, singles, free, ahead, _may_leave(heads), larger)
    with_smaller = _steps(held, singles, free, ahead, _may_leave(heads), smaller)
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        firsts = with_larger if die == larger else with_smaller
        while firsts:
            source = lowest(firsts)
            firsts &= firsts - 1
            target = min(source + die, OFF)
            held1, singles1 = _moved(held, singles, doubles, source, target)
            high1 = high - HIGH[source] + HIGH[target]
            low1 = low - LOW[source] + LOW[target]
            first = code(source, die)
            if held1 == 0:  # the last checker is off: a complete play
                count = add(plays, count, high1, low1, first << 24)
            may_leave = _may_leave(heads - (source == 1))
            seconds = _steps(held1, singles1, free, ahead, may_leave, other)
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
    state[0, 0], state[0, 1] = sources_of(held, free, die) & _may_leave(heads), held
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
        state[depth, 0] = sources_of(held1, free, die) & _may_leave(heads1) & -(1 << source)
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
    may_leave = _may_leave(count_on(high, low, 1) - stay)
    sources = _steps(held, singles, free, ahead, may_leave, die)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        target = min(source + die, OFF)
        high1 = high - HIGH[source] + HIGH[target]
        low1 = low - LOW[source] + LOW[target]
        count = add(found, count, high1, low1, path | code(source, die) << (24 - 8 * depth))
    return count


# One checker move at a time.


@lean_kernel
def apply_checker_move(board: Board, source: int, die: int) -> bool:
    """Move one checker in place; the rows do not swap, and nothing is ever hit."""
    _shift(board, BAR - source + 1, die, 1)
    return False


@lean_kernel
def _shift(board: Board, source: int, die: int, checkers: int) -> None:
    """Move checkers from a track by a die; with -1 take such a move back."""
    target = source + die
    board[0, BAR - source] -= checkers
    board[0, BAR - target if target < OFF else OFF] += checkers


@lean_kernel
def can_move(board: Board, left: npt.NDArray[np.int8]) -> bool:
    """Say whether any checker can move by any of the dice still to play, see below."""
    held, singles, _, free = _masks(board)
    ahead, may_leave = tracks_ahead(board[1]), _may_leave(left[HEADS])
    for i in range(MAX_MOVES):
        die = int(np.int64(left[i]))
        if die > 0 and _steps(held, singles, free, ahead, may_leave, die):
            return True
    return False


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
    held, singles, doubles, free = _masks(board)
    ahead, may_leave = tracks_ahead(board[1]), _may_leave(heads)
    count = 0
    for die, other in ((larger, smaller), (smaller, larger)):
        sources = _steps(held, singles, free, ahead, may_leave, die)
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            held1, singles1 = _moved(held, singles, doubles, source, min(source + die, OFF))
            left = _may_leave(heads - (source == 1))
            if held1 == 0 or _steps(held1, singles1, free, ahead, left, other):
                mask[action(source, die)] = 1
                count += 1
    if count:
        return count
    sources = _steps(held, singles, free, ahead, may_leave, larger)
    if sources:
        return mark(sources, larger, mask)
    return mark(_steps(held, singles, free, ahead, may_leave, smaller), smaller, mask)


@lean_kernel
def _longest_firsts(board: Board, die: int, moves: int, heads: int) -> int:
    """Return the tracks from which moves of one die begin that go on as long as any."""
    held, singles, _, free = _masks(board)
    ahead = tracks_ahead(board[1])
    firsts = _steps(held, singles, free, ahead, _may_leave(heads), die)
    reached = held
    for _ in range(moves):
        reached |= reached << die & free
    if moves == 1 or not blocks(reached, ahead):
        return firsts  # without blocks, moves of one die never cost each other
    longest, best = 0, 0
    while firsts:
        source = lowest(firsts)
        firsts &= firsts - 1
        _shift(board, source, die, 1)
        length = 1 + _longest(board, free, ahead, die, heads - (source == 1), moves - 1)
        _shift(board, source, die, -1)
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
        held, singles, _, _ = _masks(board)
        sources = _steps(held, singles, free, ahead, _may_leave(heads), die) & untried
        if sources and deepest < limit:
            source = lowest(sources)
            path = path << 5 | source
            depth, untried = depth + 1, -1
            deepest = max(deepest, depth)
            heads -= source == 1
            _shift(board, source, die, 1)
        elif depth:
            source = path & 31
            path >>= 5
            depth, untried = depth - 1, -(2 << source)
            heads += source == 1
            _shift(board, source, die, -1)
        else:
            return deepest
