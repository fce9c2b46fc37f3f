"""Decisions: the rolls that agents are asked to play, many at a time."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from gammon_env import batch
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.dice import checked_dice
from gammon_env.rules.variant import BACKGAMMON, Variant

Choices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Rolls to be played, one in each of N games; a forced pass is never among them.

    Attributes:
        boards: int8[N, 2, 26], before the play.
        dice: int8[N, 2].
        afterstates: int8[M, 2, 26], the legal ones of all decisions, each decision's in canonical
            order, as the next player sees them.
        offsets: int64[N + 1]; the afterstates of decision i are offsets[i] to offsets[i + 1] - 1.
        random: uint64[N], a random word for each decision, from the stream of its own game. An
            agent that draws from nothing else plays a game alike in whatever batch it is asked.
        variant: the game they belong to.
    """

    boards: npt.NDArray[np.int8]
    dice: npt.NDArray[np.int8]
    afterstates: npt.NDArray[np.int8]
    offsets: npt.NDArray[np.int64]
    random: npt.NDArray[np.uint64]
    variant: Variant = BACKGAMMON

    def __len__(self) -> int:
        """Return how many decisions there are."""
        return len(self.boards)

    @property
    def counts(self) -> Choices:
        """How many plays each decision has."""
        return np.diff(self.offsets)

    @classmethod
    def single(cls, position: Position, dice: tuple[int, int], random: int = 0) -> Self:
        """Return the one decision of a position and a roll.

        Raises:
            GammonError: if these are no position and no dice, or the roll is a forced pass.
        """
        if not isinstance(position, Position):
            raise GammonError(f"a decision is about a Position, not {position!r}")
        dice = checked_dice(dice)
        boards, rolls = position.board[np.newaxis].copy(), np.array([dice], np.int8)
        afterstates, offsets = batch.legal_afterstates(boards, rolls, position.variant)
        if not len(afterstates):
            why = "the game is over" if position.is_over else "the turn passes"
            raise GammonError(f"{_describe(position, dice)} has no legal play: {why}")
        words = np.array([random], np.uint64)
        return cls(boards, rolls, afterstates, offsets, words, position.variant)

    def describe(self, index: int) -> str:
        """Return the position ID and the dice of one decision, for messages."""
        return _describe(*self.question(index))

    def question(self, index: int) -> tuple[Position, tuple[int, int]]:
        """Return the position and the dice of one decision as objects."""
        die1, die2 = (int(die) for die in self.dice[index])
        return Position(self.boards[index], self.variant), (die1, die2)

    def find(self, index: int, afterstate: npt.NDArray[np.int8]) -> int | None:
        """Return which play of a decision has this afterstate, None if no legal one has."""
        start, stop = self.offsets[index : index + 2]
        same = (self.afterstates[start:stop] == afterstate).all(axis=(1, 2))
        return int(same.argmax()) if same.any() else None


def _describe(position: Position, dice: tuple[int, int]) -> str:
    return f"position {position.position_id} with {dice[0]}-{dice[1]}"
