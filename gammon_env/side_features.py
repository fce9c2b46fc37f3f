"""What the "value" encoder says of a whole side: how it is held, what it hits, how far it goes.

A side is read as masks of 25 bits: bit i stands for index i of its own row, the highest one for the
bar. Blocks, the other's made points, are read in the numbering of the side that they block.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.encoder import Feature, Features
from gammon_env.rules.board import BAR, Board
from gammon_env.rules.jit import lean_kernel

ROLLS = 36
ESCAPE = 7
"""A checker escapes with so many pips in one roll: past a block of six points."""

VIEW = 12
"""How many points ahead of a checker decide whether it gets away."""

SIDE_FEATURES = 11
SIDES_FEATURES = 2 * SIDE_FEATURES + 1

_ALL_POINTS = (1 << BAR) - 1
_HALF = (1 << VIEW) - 1
_SIX = 63
_BAR_BIT = 1 << BAR


def _farthest(die1: int, die2: int) -> npt.NDArray[np.int64]:
    """Return how far one checker gets with a roll, by the mask of the points blocked ahead."""
    masks = np.arange(1 << VIEW)
    best = np.zeros(1 << VIEW, np.int64)
    orders = [[die1] * 4] if die1 == die2 else [[die1, die2], [die2, die1]]
    for dice in orders:
        at = np.zeros(1 << VIEW, np.int64)
        going = np.ones(1 << VIEW, np.bool_)
        for die in dice:
            # Beyond the view nothing is known to be blocked.
            going &= (at + die > VIEW) | (masks >> np.minimum(at + die - 1, VIEW - 1) & 1 == 0)
            at = np.where(going, at + die, at)
        best = np.maximum(best, at)
    return best


def _by_roll() -> npt.NDArray[np.int64]:
    """Return `_farthest` for each of the 36 rolls, int64[36, 4096]."""
    return np.array([_farthest(a, b) for a in range(1, 7) for b in range(1, 7)])


_REACH = _by_roll()
ESCAPES = (_REACH >= ESCAPE).sum(axis=0).astype(np.uint8)
"""By the mask of the 12 points ahead that are blocked, nearest first: rolls that escape."""
PIPS = _REACH.sum(axis=0).astype(np.uint16)
"""By the same mask, the pips of one checker over all 36 rolls."""
MOST_PIPS = float(PIPS[0])
_MOST_ESCAPES = float(ESCAPES[0]) / ROLLS
# From the bar the lower die of every roll hits, 25 pips less the die.
_MOST_PIPS_HIT = sum(25 - min(a, b) for a in range(1, 7) for b in range(1, 7)) / (12 * ROLLS)

_REVERSED = np.array([int(f"{mask:012b}"[::-1], 2) for mask in range(1 << VIEW)], np.int16)
_LENGTH = np.array([mask.bit_length() for mask in range(1 << VIEW)], np.uint8)
_BITS = np.array([mask.bit_count() for mask in range(1 << 6)], np.uint8)


@lean_kernel
def bit_length(mask: int) -> int:
    """Return the number of the highest bit set, counted from 1; 0 for none. Takes 25 bits."""
    if mask >> 24:
        return 25
    high = _LENGTH[mask >> VIEW]
    return VIEW + int(high) if high else int(_LENGTH[mask & _HALF])


@lean_kernel
def mirrored(mask: int) -> int:
    """Return a mask of the 24 points as the other side numbers them."""
    return (int(_REVERSED[mask & _HALF]) << VIEW) | int(_REVERSED[(mask >> VIEW) & _HALF])


@lean_kernel
def masks(row: Board) -> tuple[int, int, int]:
    """Return where a side has checkers (bar included), a made point, and a blot."""
    held, made = 0, 0
    for index in range(BAR + 1):
        held |= int(row[index] > 0) << index
        made |= int(row[index] > 1) << index
    return held, made & _ALL_POINTS, (held & ~made) & _ALL_POINTS


@lean_kernel
def write_sides(board: Board, out: Features) -> None:
    """Write the features of both sides and of contact, out float32[SIDES_FEATURES]."""
    held, made, blots = masks(board[0])
    others_held, others_made, others_blots = masks(board[1])
    back, others_back = bit_length(held), bit_length(others_held)
    out[2 * SIDE_FEATURES] = 1.0 if back + others_back > BAR + 1 else 0.0
    _write_side(board[0], held, made, back, others_made, others_blots, others_back, out, 0)
    _write_side(board[1], others_held, others_made, others_back, made, blots, back, out, 1)


@lean_kernel
def _write_side(
    row: Board,
    held: int,
    made: int,
    back: int,
    others_made: int,
    others_blots: int,
    others_back: int,
    out: Features,
    side: int,
) -> None:
    start = side * SIDE_FEATURES
    out[start] = back / 25
    out[start + 1] = _BITS[made & _SIX] / 6
    if back + others_back <= BAR + 1:
        out[start + 2 : start + SIDE_FEATURES] = 0.0
        return
    ahead = (others_made >> (BAR + 1 - back)) & _HALF
    out[start + 2] = _BITS[ahead & _SIX] / 6
    out[start + 3] = ESCAPES[ahead] / ROLLS
    out[start + 4] = PIPS[ahead] / MOST_PIPS
    out[start + 5] = held_back(row, held, others_made) / (4 * ROLLS)
    out[start + 6] = tightest(others_made) / ROLLS
    rolls, loss = shots(held, int(row[BAR]), mirrored(others_made), mirrored(others_blots))
    out[start + 7] = rolls / ROLLS
    out[start + 8] = loss / (12 * ROLLS)
    out[start + 9] = pips_to_pass(row, held, others_back) / 64
    out[start + 10] = longest_run(made) / 6


@lean_kernel
def held_back(row: Board, held: int, others_made: int) -> int:
    """Return how many of 36 rolls do not escape, summed over the checkers on points 13 to bar."""
    rolls = 0
    for index in range(VIEW, BAR + 1):
        if held >> index & 1:
            kept = ROLLS - int(ESCAPES[(others_made >> (BAR - index)) & _HALF])
            rolls += kept * int(row[index])
    return rolls


@lean_kernel
def tightest(others_made: int) -> int:
    """Return the fewest rolls that escape from any point 19 to bar, held or not."""
    fewest = ROLLS
    for shift in range(7):
        fewest = min(fewest, int(ESCAPES[(others_made >> shift) & _HALF]))
    return fewest


@lean_kernel
def pips_to_pass(row: Board, held: int, others_back: int) -> int:
    """Return the pips until all of a side's checkers are level with the other's rearmost one."""
    pips = 0
    first = BAR + 1 - others_back
    for index in range(first, BAR + 1):
        if held >> index & 1:
            pips += int(row[index]) * (index + 1 - first)
    return pips


@lean_kernel
def longest_run(made: int) -> int:
    """Return the length of the longest run of made points, 6 at most."""
    run = 0
    while made and run < 6:
        made &= made >> 1
        run += 1
    return run


@lean_kernel
def shots(held: int, on_bar: int, blocks: int, blots: int) -> tuple[int, int]:
    """Return how many of the 36 rolls hit a blot, and the pips lost to the best hit of each.

    Args:
        held: where the side has checkers, bar included.
        on_bar: how many of them are on the bar; with two or more only entering hits.
        blocks: the other's made points, in this side's numbering.
        blots: the other's blots, in this side's numbering.
    """
    if blots == 0:
        return 0, 0
    free = _ALL_POINTS & ~blocks
    first = _BAR_BIT if on_bar else held
    then = 0 if on_bar > 1 else held & _ALL_POINTS
    rolls, loss = 0, 0
    for die1 in range(1, 7):
        one = (first >> die1) & free
        for die2 in range(1, die1):
            two = (first >> die2) & free
            reached = one | two
            if one:
                reached |= ((one | then) >> die2) & free if on_bar < 2 else 0
            if two:
                reached |= ((two | then) >> die1) & free if on_bar < 2 else 0
            hit = reached & blots
            if hit:
                rolls += 2
                loss += 2 * bit_length(hit)
        reached = one
        if one and on_bar < 2:
            for _ in range(3):
                reached |= ((reached | then) >> die1) & free
        hit = reached & blots
        if hit:
            rolls += 1
            loss += bit_length(hit)
    return rolls, loss


def sides_features() -> tuple[Feature, ...]:
    """Return the table of these features, in order."""
    return (*_side("own"), *_side("opposing"), _CONTACT)


_CONTACT = Feature("contact", 1, 0, 1, "the sides can still block or hit each other")


def _side(side: str) -> tuple[Feature, ...]:
    lines = (
        ("rearmost", 1, "rearmost point / 25"),
        ("home points", 1, "home points made / 6"),
        ("blocked ahead", 1, "of six points ahead of the rearmost, blocked / 6"),
        ("escapes", _MOST_ESCAPES, "rolls that take the rearmost 7 pips or more / 36"),
        ("mobility", 1, "mean pips of the rearmost alone, of those on an open board"),
        ("held back", 15 / 4, "rolls that do not escape, over checkers behind 12, / 144"),
        ("tightest", _MOST_ESCAPES, "fewest rolls that would escape from 19 to bar / 36"),
        ("shots", 1, "rolls that hit / 36"),
        ("pips hit", _MOST_PIPS_HIT, "mean pips of the best hit / 12"),
        ("pips to pass", 15 * 25 / 64, "until all are level with the other's rearmost / 64"),
        ("prime", 1, "longest run of made points, to 6 / 6"),
    )
    return tuple(
        Feature(f"{side} {name}", 1, 0, high, f"{meaning}{'' if i < 2 else '; 0 in a race'}")
        for i, (name, high, meaning) in enumerate(lines)
    )
