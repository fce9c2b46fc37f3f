"""The features of whole sides once more, slow and obvious, written from the words of their table.

Sides are those of `tests.reference`: 26 counts by the number a player would say, 25 for the bar.
Nothing here is a mask, and nothing is looked up.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy.typing as npt

from tests.reference import BAR, OFF, Side, from_board

ROLLS = list(product(range(1, 7), repeat=2))
SEEN = 12
"""How many points ahead of a checker it is asked which are blocked."""

OPEN = 294
"""Pips of all 36 rolls: 8 1/6 each."""

Hit = tuple[int, ...]
"""The points where a roll can hit, in the numbering of the side that hits."""


def features_of_whole_sides(board: npt.NDArray[Any]) -> list[float]:
    """Return what the table says of a board: the player on roll, the opponent, contact."""
    own, other = from_board(board)
    contact = float(rearmost(own) + rearmost(other) > 25)
    return [*features_of_side(own, other), *features_of_side(other, own), contact]


def features_of_the_race(board: npt.NDArray[Any]) -> list[float]:
    """Return what the table says of the race: the player on roll, 4 pips ahead, and the other."""
    own, other = from_board(board)
    return [*race_of_side(own, other, 4), *race_of_side(other, own, -4)]


def race_of_side(own: Side, other: Side, ahead: int) -> list[float]:
    """Return what the table says of one side's race."""
    lead = lead_of(pip_count(own), pip_count(other) + ahead)
    on_the_bar = [float(own[BAR] >= 1), float(own[BAR] >= 2)]
    if own[OFF]:
        return [lead, 0.0, 0.0, 0.0, *on_the_bar]
    to_save = sum(own[p] * (p - 6) for p in range(7, 26))
    to_save += min(min((p for p in range(1, 26) if own[p]), default=6), 6)
    checkers = sum(other[p] for p in range(1, 26))
    to_end = max(pip_count(other), checkers * 49 / 12)
    return [
        lead,
        1.0,
        lead_of(to_save, to_end + ahead),
        lead_of(to_end, to_save - ahead),
        *on_the_bar,
    ]


def lead_of(pips: float, others: float) -> float:
    return min((others - pips) / (others + pips) ** 0.5, 4) / 4 if others > pips else 0.0


def pip_count(side: Side) -> int:
    return sum(side[point] * point for point in range(1, 26))


def features_of_side(own: Side, other: Side) -> list[float]:
    always = [rearmost(own) / 25, sum(own[point] >= 2 for point in range(1, 7)) / 6]
    if rearmost(own) + rearmost(other) <= 25:
        return [*always, *[0.0] * 9]
    back = rearmost(own)
    hits = [best for best in (max(found, default=0) for found in hits_by_roll(own, other)) if best]
    return [
        *always,
        sum(is_blocked(back - ahead, other) for ahead in range(1, 7)) / 6,
        escapes(back, other) / 36,
        pips(back, other) / OPEN,
        sum(own[point] * (36 - escapes(point, other)) for point in range(13, 26)) / 144,
        min(escapes(point, other) for point in range(19, 26)) / 36,
        len(hits) / 36,
        sum(hits) / 36 / 12,
        sum(own[p] * max(p - (25 - rearmost(other)), 0) for p in range(1, 26)) / 64,
        longest_run(own) / 6,
    ]


def rearmost(side: Side) -> int:
    return max((point for point in range(1, 26) if side[point]), default=0)


def is_blocked(point: int, other: Side) -> bool:
    """Say whether a point is made by the other side; beyond the board none is."""
    return 1 <= point <= 24 and other[25 - point] >= 2


def dice_orders(roll: tuple[int, int]) -> list[tuple[int, ...]]:
    return [roll * 2] if roll[0] == roll[1] else [roll, roll[::-1]]


def farthest(point: int, roll: tuple[int, int], other: Side) -> int:
    """Return how many pips one checker can make of a roll, as if it went on beyond the board."""
    best = 0
    for dice in dice_orders(roll):
        made = 0
        for die in dice:
            if made + die <= SEEN and is_blocked(point - made - die, other):
                break
            made += die
        best = max(best, made)
    return best


def escapes(point: int, other: Side) -> int:
    return sum(farthest(point, roll, other) >= 7 for roll in ROLLS)


def pips(point: int, other: Side) -> int:
    return sum(farthest(point, roll, other) for roll in ROLLS)


def longest_run(side: Side) -> int:
    runs = "".join("x" if side[point] >= 2 else " " for point in range(1, 25)).split()
    return min(max((len(run) for run in runs), default=0), 6)


def hits_by_roll(own: Side, other: Side) -> list[Hit]:
    """Return the points where each of the 36 rolls can hit, dice obligations aside."""
    return [tuple(set(hits(own, other, roll))) for roll in ROLLS]


def hits(own: Side, other: Side, roll: tuple[int, int]) -> Iterator[int]:
    for dice in dice_orders(roll):
        if own[BAR] == 0:
            for point in (point for point in range(1, 25) if own[point]):
                yield from hits_on_the_way(point, dice, other)
        elif own[BAR] > 1:
            yield from hits_on_the_way(BAR, dice[:1], other)
        else:
            yield from hits_on_the_way(BAR, dice, other)
            if not is_blocked(BAR - dice[0], other):
                for point in (point for point in range(1, 25) if own[point]):
                    yield from hits_on_the_way(point, dice[1:], other)


def hits_on_the_way(point: int, dice: tuple[int, ...], other: Side) -> Iterator[int]:
    """Yield where one checker hits while it plays dice in their order, as far as it gets."""
    for die in dice:
        point -= die
        if point < 1 or is_blocked(point, other):
            return
        if other[25 - point] == 1:
            yield point
