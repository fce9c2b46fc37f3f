"""What a vector environment keeps of its lanes, and what the compiled step is told and gives.

A lane is one game of a vector environment. Arrays have one entry for each lane, so that a part of
the lanes is a slice of each array.
"""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gammon_env.batch import PlayPool
from gammon_env.encoder import Code
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.moves import LEFT
from gammon_env.rules.variant import Rules

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int8]

BOTH = -1
"""As `Settings.caller`: the caller plays both seats."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""As `Settings.autoreset`: what becomes of a lane whose game has ended."""

ACT, BEGIN, ANSWER, GO_ON, SHOWN, WAITS = range(6)
"""Stages of a lane: the caller acts, the next game begins, an opponent answers, the game goes on as
it is; or it has been shown, or an opponent has to answer."""

ACTOR, PASSES, ILLEGAL, BEFORE, SETTLED, NOTES = range(6)
"""Notes on a lane: who acted, forced passes since, whether it was illegal, the turn it was in, and
whether what it earned has been settled; and how many notes there are."""


class Games(NamedTuple):
    """The arrays of `rules.turn` with one more axis, one game after another."""

    board: Board
    left: npt.NDArray[np.int8]
    numbers: Integers
    stream: npt.NDArray[np.uint64]

    @classmethod
    def blank(cls, lanes: int) -> Self:
        """Return room for so many games."""
        return cls(
            np.zeros((lanes, 2, WIDTH), np.int8),
            np.zeros((lanes, LEFT), np.int8),
            np.zeros((lanes, 6), np.int64),
            np.zeros((lanes, 3), np.uint64),
        )

    def copy(self) -> Self:
        """Return independent copies of the arrays."""
        return type(self)._make(array.copy() for array in self)

    def part(self, lanes: slice | Integers) -> Self:
        """Return the games of some lanes: views for a slice, copies for numbers."""
        return type(self)._make(array[lanes] for array in self)


class Plays(NamedTuple):
    """The plays of all lanes: those of lane i are afterstates[offsets[i]:offsets[i + 1]]."""

    afterstates: Board
    offsets: Integers

    @classmethod
    def joined(cls, pools: list[PlayPool]) -> Self:
        """Return copies of the plays in the pools of consecutive parts of the lanes."""
        counts = np.concatenate([np.diff(pool.offsets) for pool in pools])
        return cls(np.concatenate([pool.afterstates for pool in pools]), offsets_of(counts))


class Settings(NamedTuple):
    """What the compiled step has to know of an environment.

    Attributes:
        rules: of the game.
        most: the points that a forfeit costs.
        starter: the seat that starts, or `rules.turn.BY_DICE`.
        caller: the seat of the caller, or `BOTH`.
        max_turns: after how many a game is truncated, 0 for never.
        autoreset: `NEXT_STEP`, `SAME_STEP` or `DISABLED`.
        forfeits: whether an illegal action forfeits the game; if not, it is refused.
        encoder: the code of the encoder.
        features: how many numbers it writes.
    """

    rules: Rules
    most: int
    starter: int
    caller: int
    max_turns: int
    autoreset: int
    forfeits: bool
    encoder: Code
    features: int


class Results(NamedTuple):
    """What one step gives of each lane."""

    observations: npt.NDArray[np.float32]
    rewards: npt.NDArray[np.float64]
    terminations: Flags
    truncations: Flags
    notes: Integers

    @classmethod
    def blank(cls, lanes: int, settings: Settings) -> Self:
        """Return new results, of which nothing has been won or has ended yet."""
        return cls(
            np.empty((lanes, settings.features), np.float32),
            np.zeros(lanes, np.float64),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.bool_),
            np.zeros((lanes, NOTES), np.int64),
        )

    def part(self, lanes: slice) -> Self:
        """Return views of some lanes."""
        return type(self)._make(array[lanes] for array in self)


class Finals(NamedTuple):
    """The games that ended in a step and have made room for others, each at its lane."""

    games: Games
    notes: Integers

    @classmethod
    def blank(cls, lanes: int) -> Self:
        """Return room for so many games."""
        return cls(Games.blank(lanes), np.zeros((lanes, NOTES), np.int64))

    def part(self, lanes: slice) -> Self:
        """Return views of some lanes."""
        return type(self)(self.games.part(lanes), self.notes[lanes])


def offsets_of(counts: Integers) -> Integers:
    """Return where the plays of each lane begin, and at last where all end."""
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets
