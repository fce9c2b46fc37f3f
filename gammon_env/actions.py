"""Actions: the code of one checker move, and whole plays by their number."""

from numbers import Integral

import numpy as np
import numpy.typing as npt

from gammon_env.batch import PlayPool
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.moves import CODES, MAX_PLAYS
from gammon_env.rules.variant import BACKGAMMON, Rules

__all__ = ["CODES", "MAX_PLAYS", "RollPlays", "decode", "encode"]

_DICE = 6


def encode(source: int, die: int) -> int:
    """Return the code of moving one checker from `source` (1..24, 25 = bar) by one die.

    Raises:
        GammonError: if there is no such point or die.
    """
    whole = isinstance(source, Integral) and isinstance(die, Integral)
    if not (whole and 1 <= source <= CODES // _DICE and 1 <= die <= _DICE):
        raise GammonError(
            f"no checker move from {source!r} by {die!r}: a source is 1..24 or 25 (bar), a die 1..6"
        )
    return int((source - 1) * _DICE + die - 1)


def decode(code: int) -> tuple[int, int]:
    """Return the source (1..24, 25 = bar) and the die of a checker-move code.

    Raises:
        GammonError: if the code is not in 0..149.
    """
    if not (isinstance(code, Integral) and 0 <= code < CODES):
        raise GammonError(f"{code!r} is no checker-move code; codes are 0..{CODES - 1}")
    return int(code // _DICE + 1), int(code % _DICE + 1)


class RollPlays:
    """The distinct plays of the dice still to play, numbered in canonical order.

    It keeps one buffer for the most plays a roll can have and fills it anew for every roll.

    Args:
        rules: of the game.
    """

    def __init__(self, rules: Rules = BACKGAMMON.rules) -> None:
        self._pool = PlayPool(rules)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._pool.offsets[-1])

    @property
    def afterstates(self) -> Board:
        """int8[count, 2, 26], as the next player sees them; overwritten by the next `find`."""
        return self._pool.afterstates

    def find(self, board: Board, left: npt.NDArray[np.int8]) -> int:
        """Find the plays from a board, also in mid-turn, and return how many there are.

        Args:
            board: int8[2, 26], the player on roll in row 0.
            left: int8[5], the dice still to play and the head moves left; see `rules.moves`.
        """
        self._pool.find(board[np.newaxis], left[np.newaxis])
        return self.count

    def number_of(self, afterstate: Board) -> int | None:
        """Return the number of the play that ends in this afterstate, None if none does."""
        same = np.flatnonzero((self.afterstates == afterstate).all(axis=(1, 2)))
        return int(same[0]) if len(same) else None

    def mask(self) -> npt.NDArray[np.int8]:
        """Return a new int8[MAX_PLAYS]: ones for the numbers of plays, zeros behind."""
        mask = np.zeros(MAX_PLAYS, np.int8)
        mask[: self.count] = 1
        return mask
