"""Plays as text, both ways: `8/5 6/5`, `bar/22*/20`, `6/5*(2)`, `5/off`.

Writing is canonical, as GNU Backgammon writes: highest point first, the moves of one checker
joined, a stop shown only where it hits, repeats counted. Reading is lenient, and leaves the rules
to the kernels: it looks for a legal way to make the steps that the text names.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.moves import (
    CODES,
    LEFT,
    MAX_MOVES,
    Left,
    legal_checker_moves,
    make_move,
    put_dice,
)
from gammon_env.rules.variant import Rules, Variant

if TYPE_CHECKING:
    from gammon_env.position import CheckerMove, Play

BAR = 25
OFF = 0
_NAMES = {BAR: "bar", OFF: "off"}
_POINTS = {name: point for point, name in _NAMES.items()}

Perspective = Literal["mover", "white"]
Colour = Literal["white", "black"]
Renumber = Callable[[int], int]
"""Turns the mover's point numbers into those of the text, and back again."""

_PLACE = r"(?:bar|off|[0-9]{1,2})"
_STEP = re.compile(rf"({_PLACE}(?:/{_PLACE}\*?)+)(?:\(([1-4])\))?")
_SHOWN = 3


@dataclass(frozen=True)
class Chain:
    """The way of one checker as text names it: where it starts, then each stop shown."""

    points: tuple[int, ...]
    stars: frozenset[int]


@dataclass(frozen=True)
class _Reading:
    """One legal way to make all steps of a text."""

    board: bytes
    hits: frozenset[int]
    complete: bool


def renumbering(perspective: Perspective, mover: Colour, variant: Variant) -> Renumber:
    """Return what turns the mover's numbers into those of the text; it is its own inverse.

    Args:
        perspective: whose numbering the text uses, the mover's or White's.
        mover: the mover's colour.
        variant: the game, which says how the numberings of the sides meet.
    """
    if perspective not in ("mover", "white"):
        raise GammonError(f'perspective is "mover" or "white", not {perspective!r}')
    if mover not in ("white", "black"):
        raise GammonError(f'mover is "white" or "black", not {mover!r}')
    if perspective == "mover" or mover == "white":
        return int
    entry = 25 if variant.has_bar else 0  # off and, where there is one, the bar
    return lambda point: variant.opponent_point[point] if 1 <= point <= 24 else abs(entry - point)


def write(moves: Sequence["CheckerMove"], renumber: Renumber) -> str:
    """Return the canonical text of a play's checker moves.

    Args:
        moves: the checker moves, in the mover's numbering.
        renumber: gives the number to write for a point.
    """
    hits = {move.target for move in moves if move.hit}
    steps = []
    for points, times in Counter(_joined(moves, hits)).items():
        names = [_name(points[0], renumber)]
        for point in points[1:]:
            names.append(_name(point, renumber) + "*" * (point in hits))
            hits.discard(point)
        steps.append("/".join(names) + (f"({times})" if times > 1 else ""))
    return " ".join(steps)


def _joined(moves: Sequence["CheckerMove"], hits: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways of single checkers, highest first, without the stops that do not hit."""
    left = sorted(((move.source, move.target) for move in moves), reverse=True)
    while left:
        points = list(left.pop(0))
        for edge in tuple(left):
            if edge[0] == points[-1]:
                left.remove(edge)
                if edge[0] not in hits:
                    points.pop()
                points.append(edge[1])
        yield tuple(points)


def _name(point: int, renumber: Renumber) -> str:
    return _NAMES.get(point) or str(renumber(point))


def read(text: str, plays: Sequence["Play"], renumber: Renumber) -> "Play":
    """Return the play that a text describes.

    Any case; `25` and `0` for bar and off; steps in any order, separated by spaces or commas; stops
    shown or not; a missing `*` is no error. Of two readings the one with fewer hits at stops that
    the text does not show is meant.

    Args:
        text: a complete play.
        plays: all legal plays of the roll, at least one.
        renumber: turns a number of the text into the mover's.

    Raises:
        GammonError: if the text cannot be read, or is not one complete legal play; it says what is
            wrong and names legal plays.
    """
    chains = [chain for step in _split(text) for chain in _chains(step, renumber)]
    readings = list(_readings(plays[0], chains))
    complete = [reading for reading in readings if reading.complete]
    if not complete:
        raise GammonError(_refusal(text, chains, plays, renumber, partial=bool(readings)))
    # Every reading lands on every stop shown, so any of them tells which of those are hits.
    untrue = {star for chain in chains for star in chain.stars} - complete[0].hits
    if untrue:
        name = _name(max(untrue), renumber)
        raise GammonError(f"{text!r}: nothing is hit on {name}; write no * there")
    meant = _preferred(complete, chains, plays)
    if len(meant) > 1:
        ways = " or ".join(write(play.checker_moves, renumber) for play in meant)
        raise GammonError(f"{text!r} can be read in more than one way: write {ways}")
    return meant[0]


def _preferred(
    readings: list[_Reading], chains: list[Chain], plays: Sequence["Play"]
) -> list["Play"]:
    """Return the plays that hit least on the way, at stops that the text does not show."""
    shown = {point for chain in chains for point in chain.points[1:]}
    fewest = min(len(reading.hits - shown) for reading in readings)
    boards = {reading.board for reading in readings if len(reading.hits - shown) == fewest}
    return [play for play in plays if play.afterstate.board[::-1].tobytes() in boards]


def _split(text: str) -> list[str]:
    if not isinstance(text, str):
        raise GammonError(f"a play is a text such as 8/5 6/5, not {text!r}")
    steps = [step for step in re.split(r"[\s,]+", text.lower()) if step]
    if not steps:
        raise GammonError("an empty text is no play; write steps like 8/5 6/5 or bar/22*/20")
    return steps


def _chains(step: str, renumber: Renumber) -> list[Chain]:
    """Read one step, as many chains as its repeat count says."""
    match = _STEP.fullmatch(step)
    if not match:
        raise GammonError(
            f"cannot read {step!r}; write steps like 8/5, bar/22*/20, 6/5(2) or 5/off"
        )
    places = match[1].split("/")
    points = tuple(_point(place, renumber) for place in places)
    stars = frozenset(
        point for place, point in zip(places, points, strict=True) if place.endswith("*")
    )
    if any(source <= target for source, target in pairwise(points)):
        raise GammonError(f"{step!r} does not move forward; write the point it leaves first")
    if OFF in stars:
        raise GammonError(f"{step!r}: nothing can be hit off the board")
    return [Chain(points, stars)] * int(match[2] or 1)


def _point(place: str, renumber: Renumber) -> int:
    name = place.rstrip("*")
    point = _POINTS[name] if name in _POINTS else renumber(int(name))
    if not OFF <= point <= BAR:
        raise GammonError(f"there is no point {name}; points are 1 to 24, then bar and off")
    return point


def _readings(play: "Play", chains: list[Chain]) -> Iterator[_Reading]:
    """Yield the legal ways to make every chain from the position before the play."""
    ways = [chain.points for chain in chains]
    if len(ways) <= (MAX_MOVES if play.dice[0] == play.dice[1] else 2):
        board, left, rules = play.position.board.copy(), np.zeros(LEFT, np.int8), _rules(play)
        put_dice(rules, board, *play.dice, left)
        yield from _walk(rules, board, left, ways, frozenset())


def _rules(play: "Play") -> Rules:
    return play.position.variant.rules


def _walk(
    rules: Rules, board: Board, left: Left, ways: list[tuple[int, ...]], hits: frozenset[int]
) -> Iterator[_Reading]:
    """Move the checkers along their ways, one checker move at a time, in every legal order."""
    mask = np.zeros(CODES, np.int8)
    legal = legal_checker_moves(rules, board, left, mask)
    if not ways:
        yield _Reading(board.tobytes(), hits, complete=legal == 0)
    for way in set(ways):
        for die in set(left[:MAX_MOVES].tolist()) - {0}:
            target = max(way[0] - die, OFF)
            if target < way[1] or not mask[(way[0] - 1) * 6 + die - 1]:
                continue
            moved, left_then, others = board.copy(), left.copy(), list(ways)
            hit = {target} if make_move(rules, moved, left_then, way[0], die) else set()
            others.remove(way)
            rest = way[1:] if target == way[1] else (target, *way[1:])
            others += [rest] * (len(rest) > 1)
            yield from _walk(rules, moved, left_then, others, hits | hit)


def _refusal(
    text: str, chains: list[Chain], plays: Sequence["Play"], renumber: Renumber, partial: bool
) -> str:
    """Say why no legal play fits the text, and which legal plays come closest."""
    larger, smaller = plays[0].dice
    reason = f"is not a legal play of {larger}-{smaller}"
    empty = _empty_source(chains, plays[0])
    if partial:
        reason = f"is only a part of a play of {larger}-{smaller}"
    elif empty is not None:
        reason = f"moves a checker from {_name(empty, renumber)}, but none is there"
    legal = [write(play.checker_moves, renumber) for play in plays]
    closest = get_close_matches(text.lower(), legal, n=_SHOWN, cutoff=0.0)
    more = f" and {len(legal) - len(closest)} more" if len(legal) > len(closest) else ""
    return f"{text!r} {reason}; legal: {', '.join(closest)}{more}"


def _empty_source(chains: list[Chain], play: "Play") -> int | None:
    """Return a point that the text moves from although no checker is or arrives there."""
    arrivals = {point for chain in chains for point in chain.points[1:]}
    own = play.position.board[0]
    for chain in chains:
        if own[chain.points[0] - 1] == 0 and chain.points[0] not in arrivals:
            return chain.points[0]
    return None
