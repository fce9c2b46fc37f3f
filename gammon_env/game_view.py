"""GameView: everything that can be read off a game in progress."""

from operator import index
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from gammon_env.actions import decode
from gammon_env.errors import GammonError
from gammon_env.position import Outcome, Position
from gammon_env.rules import turn as rules
from gammon_env.rules.board import Board
from gammon_env.rules.moves import CODES, HEADS, LEFT, MAX_MOVES, legal_checker_moves
from gammon_env.rules.variant import BACKGAMMON, Rules, Variant, checked_variant

Phase = Literal["opening", "to roll", "to play", "over"]
Roll = tuple[int, int]
Stream = tuple[int, int, int]

_PHASES: tuple[Phase, ...] = ("opening", "to roll", "to play", "over")
_TurnArrays = tuple[Board, rules.Dice, rules.Numbers]
Mask = npt.NDArray[np.int8]


class GameView:
    """What a game is at one moment; `GameState` adds what can be done in it.

    Attributes:
        variant: the game.
        cube: reserved for the doubling cube, None today.
        match_score: reserved for match play, None today.
    """

    __slots__ = ("_board", "_left", "_mask", "_numbers", "_stream", "variant")

    cube: ClassVar[None] = None
    match_score: ClassVar[None] = None

    def __init__(self, variant: Variant = BACKGAMMON, *, key: int = 0) -> None:
        """Set up a game before its opening roll.

        Args:
            variant: the game.
            key: of the stream of dice, any 64-bit number; the same key gives the same dice.

        Raises:
            GammonError: if these are not a variant and a key.
        """
        self.variant = checked_variant(variant)
        self._board = variant.start_board()
        self._left = np.zeros(LEFT, np.int8)
        self._numbers = np.zeros(6, np.int64)
        self._numbers[rules.TURN] = 1
        self._stream = np.array([checked_word(key, "key"), 0, 0], np.uint64)
        self._mask: Mask | None = None

    @classmethod
    def from_arrays(
        cls,
        variant: Variant,
        board: Board,
        left: rules.Dice,
        numbers: rules.Numbers,
        stream: rules.Stream,
    ) -> Self:
        """Return the game that the arrays of `rules.turn` say; they are copied."""
        game = cls(variant)
        game._board[:], game._left[:] = board, left
        game._numbers[:], game._stream[:] = numbers, stream
        return game

    @property
    def phase(self) -> Phase:
        """What happens next: "opening", "to roll", "to play", or nothing ("over")."""
        return _PHASES[self._numbers.item(rules.PHASE)]

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self._numbers.item(rules.PHASE) == rules.OVER

    @property
    def seat(self) -> int:
        """The seat on roll, 0 or 1; after the last play the loser, whose roll it would be."""
        return self._numbers.item(rules.SEAT)

    @property
    def turn(self) -> int:
        """The number of this turn, from 1, passes counted; at the end that of the last one."""
        return self._numbers.item(rules.TURN)

    @property
    def dice(self) -> Roll | None:
        """The roll on the table, larger die first; None between turns."""
        die1, die2 = self._numbers.item(rules.DIE1), self._numbers.item(rules.DIE2)
        return (die1, die2) if die1 else None

    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice still to play, larger first."""
        return tuple(int(die) for die in self._left[:MAX_MOVES] if die)

    @property
    def head_moves_left(self) -> int:
        """How many checkers may still leave the head in this turn; 0 where no rule limits it."""
        return int(self._left[HEADS])

    @property
    def position(self) -> Position:
        """The position as the player on roll sees it, also in mid-turn."""
        return Position(self._board, self.variant)

    @property
    def board(self) -> Board:
        """The board itself, int8[2, 26], for kernels to read; only the game writes to it."""
        return self._board

    @property
    def left(self) -> npt.NDArray[np.int8]:
        """The dice still to play and the head moves left, int8[5]; see `rules.moves`."""
        return self._left

    @property
    def numbers(self) -> rules.Numbers:
        """Seat, phase, turn and dice as kernels read them, int64[6]; see `rules.turn`."""
        return self._numbers

    @property
    def stream(self) -> Stream:
        """The dice to come: the stream's key, its counter, and the counter this game began at."""
        key, counter, first = self._stream.tolist()
        return key, counter, first

    @property
    def rewards(self) -> tuple[int, int]:
        """The points of seat 0 and of seat 1: won or lost, 0 while the game goes on."""
        points = self._numbers.item(rules.POINTS)
        return points, -points

    @property
    def winner(self) -> int | None:
        """The seat that has won; None while the game goes on."""
        return int(self._numbers[rules.POINTS] < 0) if self.is_over else None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, as `seat` sees it, which has lost; None while the game goes on."""
        if not self.is_over:
            return None
        points = abs(self.rewards[0])
        kind = self.variant.kinds[self.variant.points.index(points)]
        return Outcome("opponent", kind, points)

    def is_legal(self, code: int) -> bool:
        """Say whether a checker-move code, 0..149, begins a legal play of the dice left.

        Raises:
            GammonError: if it is no code.
        """
        decode(code)
        return bool(self._legal[code])

    def mask(self) -> npt.NDArray[np.int8]:
        """Return a new int8[150]: 1 for each legal checker-move code."""
        return self._legal.copy()

    def legal_codes(self) -> list[int]:
        """Return the legal checker-move codes, ascending; none unless the phase is "to play"."""
        codes: list[int] = np.flatnonzero(self._legal).tolist()
        return codes

    def clone(self) -> Self:
        """Return an independent copy, dice to come included."""
        twin = object.__new__(type(self))
        twin.variant = self.variant
        twin._board, twin._left = self._board.copy(), self._left.copy()
        twin._numbers, twin._stream = self._numbers.copy(), self._stream.copy()
        twin._mask = self._mask  # never written to, only replaced
        return twin

    @property
    def _turn_arrays(self) -> _TurnArrays:
        return self._board, self._left, self._numbers

    @property
    def _legal(self) -> Mask:
        """The mask of legal codes, found when first asked for after a change."""
        if self._mask is None:
            self._mask = np.empty(CODES, np.int8)
            legal_checker_moves(self._rules, self._board, self._left, self._mask)
        return self._mask

    @property
    def _rules(self) -> Rules:
        return self.variant.rules

    def _content(self) -> tuple[object, ...]:
        """Return all that two equal games have in common; the mask follows from the rest."""
        arrays = (self._board, self._left, self._numbers, self._stream)
        return (self.variant, *(array.tobytes() for array in arrays))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameView):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        dice = "".join(f" {die}" for die in self.dice_left) or " none"
        return (
            f"<{type(self).__name__} {self.variant.name} {self.position.position_id} turn "
            f"{self.turn}, seat {self.seat} on roll, {self.phase}, dice left:{dice}>"
        )


def checked_seat(seat: int) -> int:
    """Return the seat.

    Raises:
        GammonError: if it is neither 0 nor 1.
    """
    if seat not in (0, 1):
        raise GammonError(f"there is no seat {seat!r}; seats are 0 and 1")
    return seat


def checked_whole(value: Any, what: str) -> int:
    """Return a whole number of any type as a plain one.

    Raises:
        GammonError: if it is none; `what` says what it was to be.
    """
    try:
        return index(value)
    except TypeError:
        raise GammonError(f"{what} is a whole number, not {value!r}") from None


def checked_word(value: Any, what: str) -> int:
    """Return a number that fits an unsigned word of 64 bits.

    Raises:
        GammonError: if it is none; `what` says what it was to be.
    """
    word = checked_whole(value, what)
    if not 0 <= word < 1 << 64:
        raise GammonError(f"{what} is a number from 0 to 2**64 - 1, not {word}")
    return word
