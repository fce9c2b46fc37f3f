"""Positions: the immutable objects people ask about a game, and their plays and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gammon_env import notation
from gammon_env.batch import legal_plays_of
from gammon_env.errors import GammonError
from gammon_env.formats import position_id
from gammon_env.notation import Colour, Perspective
from gammon_env.play import CheckerMove, Dice, Play, checker_moves
from gammon_env.render import svg
from gammon_env.rules.board import BAR, OFF, WIDTH, Board, check_board, pip_count
from gammon_env.rules.dice import ROLLS, checked_dice
from gammon_env.rules.moves import has_contact
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON, Variant, checked_variant

__all__ = ["CheckerMove", "Dice", "Outcome", "Place", "Play", "Position"]

Place = int | Literal["bar", "off"]
"""A point 1 to 24 in a player's own numbering, the bar, or off."""

_INDEX: dict[Place, int] = {**{p: p - 1 for p in range(24, 0, -1)}, "bar": BAR, "off": OFF}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended.

    Attributes:
        winner: "own" (the player on roll of the position) or "opponent".
        kind: the variant's name of the win, such as "single", "gammon", "backgammon" or "mars".
        points: what it is worth.
    """

    winner: Literal["own", "opponent"]
    kind: str
    points: int


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position at the start of a roll: who holds which points, seen by the player on roll.

    Immutable and hashable; two positions are equal if their boards and variants are.

    Args:
        board: int8[2, 26]: row 0 the player on roll, row 1 the opponent, each in its own numbering;
            index 0..23 are points 1..24, 24 the bar, 25 off. It is copied.
        variant: the game.

    Raises:
        GammonError: if no game can reach the board.
    """

    board: Board
    variant: Variant = BACKGAMMON
    _repr_svg_ = svg.draw_position

    def __post_init__(self) -> None:
        counts = _as_array(self.board)
        if counts.dtype.kind not in "iu":
            raise GammonError(f"a board holds whole numbers of checkers, not {counts.dtype}")
        check_board(counts, checked_variant(self.variant))
        frozen = np.frombuffer(counts.astype(np.int8).tobytes(), np.int8).reshape(2, WIDTH)
        object.__setattr__(self, "board", frozen)

    @classmethod
    def start(cls, variant: Variant = BACKGAMMON) -> "Position":
        """Return the starting position."""
        return cls(checked_variant(variant).start_board(), variant)

    @classmethod
    def from_id(cls, text: str, variant: Variant = BACKGAMMON) -> "Position":
        """Return the position of a position ID: GNU Backgammon's, or one with a game's prefix.

        Args:
            text: the ID.
            variant: the game of an ID without a prefix; where there is one, it tells the game.

        Raises:
            GammonError: if the text is no position ID, or that of an impossible board.
        """
        variant = position_id.variant_of(text, checked_variant(variant))
        return cls(position_id.decode(text, variant), variant)

    @classmethod
    def from_counts(
        cls,
        own: Mapping[Place, int],
        opponent: Mapping[Place, int],
        variant: Variant = BACKGAMMON,
    ) -> "Position":
        """Return the position with these checkers, each side in its own numbering.

        Args:
            own: checkers of the player on roll by place: 1 to 24, "bar" or "off".
            opponent: those of the opponent.
            variant: the game.

        Raises:
            GammonError: naming the place or sum that is wrong.
        """
        return cls(np.array([_row("own", own), _row("opponent", opponent)]), variant)

    @property
    def own(self) -> Mapping[Place, int]:
        """Checkers of the player on roll by place, places without any left out; read-only."""
        return _mapping(self.board[0])

    @property
    def opponent(self) -> Mapping[Place, int]:
        """Checkers of the opponent by place, in the opponent's numbering; read-only."""
        return _mapping(self.board[1])

    @property
    def position_id(self) -> str:
        """The position ID: GNU Backgammon's, behind a prefix for games that it does not know."""
        return position_id.encode(self.board, self.variant)

    @property
    def pip_count(self) -> int:
        """Pips the player on roll has still to move."""
        return int(pip_count(self.board[0].copy()))

    @property
    def opponent_pip_count(self) -> int:
        """Pips the opponent has still to move."""
        return int(pip_count(self.board[1].copy()))

    @property
    def contact(self) -> bool:
        """Whether the sides can still block or hit each other; if not, it is a race."""
        return bool(has_contact(self.variant.rules, self.board.copy()))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        points = int(signed_points(self.board.copy(), len(self.variant.kinds)))
        if points == 0:
            return None
        kind = self.variant.kinds[self.variant.points.index(abs(points))]
        return Outcome("own" if points > 0 else "opponent", kind, abs(points))

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off its last checker."""
        return self.outcome is not None

    def swapped(self) -> "Position":
        """Return the same board with the opponent on roll."""
        return Position(self.board[::-1], self.variant)

    def legal_plays(self, dice: Dice) -> list[Play]:
        """Return the distinct legal plays of a roll in canonical order.

        Args:
            dice: the two dice, in any order.

        Returns:
            Plays that all end differently; none if the roll is a forced pass or the game is over.

        Raises:
            GammonError: if these are not two dice.
        """
        die1, die2 = checked_dice(dice)
        roll = max(die1, die2), min(die1, die2)
        if self.is_over:
            return []
        rolls = np.array([roll], np.int8)
        boards, paths, _ = legal_plays_of(self.board[None].copy(), rolls, self.variant)
        return [
            self._play(roll, int(path), board) for board, path in zip(boards, paths, strict=True)
        ]

    def _play(self, roll: Dice, path: int, afterstate: Board) -> Play:
        moves = checker_moves(self.board, path, self.variant)
        return Play(self, roll, moves, Position(afterstate, self.variant))

    def parse_play(
        self,
        text: str,
        dice: Dice,
        perspective: Perspective = "mover",
        mover: Colour = "white",
    ) -> Play:
        """Return the legal play that a text describes, read leniently.

        Args:
            text: a complete play such as "8/5 6/5" or "bar/22*/20".
            dice: the roll.
            perspective: whose numbering the text uses: the mover's own, or White's.
            mover: the mover's colour, which matters only for White's numbering.

        Raises:
            GammonError: saying what is wrong and which plays are legal.
        """
        renumber = notation.renumbering(perspective, mover, self.variant)
        plays = self.legal_plays(dice)
        if not plays:
            why = "the game is over" if self.is_over else "the turn passes"
            raise GammonError(f"{text!r}: no play of {dice[0]}-{dice[1]} is legal here; {why}")
        return notation.read(text, plays, renumber)

    def rolls_that_finish(self) -> frozenset[Dice]:
        """Return the rolls that bear off every checker, (a, b) and (b, a) both, as of 36."""
        if self.is_over:
            return frozenset()
        same = np.repeat(self.board[np.newaxis], len(ROLLS), axis=0)
        boards, _, offsets = legal_plays_of(same, np.array(ROLLS, np.int8), self.variant)
        bare = np.flatnonzero(boards[:, 1, OFF] == self.variant.checkers)
        finishing = {ROLLS[i] for i in np.searchsorted(offsets, bare, side="right") - 1}
        return frozenset(finishing | {(b, a) for a, b in finishing})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.variant == other.variant and self.board.tobytes() == other.board.tobytes()

    def __hash__(self) -> int:
        return hash((self.board.tobytes(), self.variant.name))

    def __reduce__(self) -> tuple[type["Position"], tuple[Board, Variant]]:
        return Position, (self.board, self.variant)

    def __repr__(self) -> str:
        told = position_id.variant_of(self.position_id, BACKGAMMON)
        variant = "" if self.variant == told else f", get_variant({self.variant.name!r})"
        return f"Position.from_id({self.position_id!r}{variant})"


def _as_array(board: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(board)
    except ValueError as error:
        raise GammonError(f"a board has shape (2, {WIDTH}), not rows of unequal length") from error


def _row(side: str, counts: Mapping[Place, int]) -> list[int]:
    if not isinstance(counts, Mapping):
        raise GammonError(
            f'{side}: expected checkers by place such as {{6: 14, "bar": 1}}, not {counts!r}'
        )
    row = [0] * WIDTH
    for place, checkers in counts.items():
        if place not in _INDEX:
            raise GammonError(f'{side}: {place!r} is no place; use points 1 to 24, "bar" or "off"')
        if not isinstance(checkers, int | np.integer):
            raise GammonError(f"{side}: {checkers!r} on {place} is not a whole number of checkers")
        row[_INDEX[place]] = int(checkers)
    return row


def _mapping(row: Board) -> Mapping[Place, int]:
    return MappingProxyType({place: int(row[i]) for place, i in _INDEX.items() if row[i]})
