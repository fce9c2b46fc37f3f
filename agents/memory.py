"""What the last games taught, kept to be learned from again."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from agents.exact import Floats, Lessons
from agents.learner import Tensors
from gammon_env.errors import GammonError
from gammon_env.rules.board import WIDTH, Board


@dataclass(frozen=True)
class Memory:
    """The lessons of some iterations, the oldest first.

    Attributes:
        boards: int8[M, 2, 26] of each iteration.
        targets: float32[M, heads] of each.
        games: how many games each was.
    """

    boards: tuple[Board, ...] = ()
    targets: tuple[Floats, ...] = ()
    games: tuple[int, ...] = ()

    def last(self, games: int) -> "Memory":
        """Return the iterations at the end that are no more games than these."""
        held = np.cumsum(self.games[::-1])
        first = len(held) - int(np.searchsorted(held, games, side="right"))
        return Memory(self.boards[first:], self.targets[first:], self.games[first:])

    def followed_by(self, lessons: Lessons) -> "Memory":
        """Return what is remembered with one iteration more."""
        return Memory(
            (*self.boards, lessons.boards),
            (*self.targets, lessons.targets),
            (*self.games, len(lessons.lengths)),
        )

    def tensors(self) -> Tensors:
        """Return what `from_tensors` reads; nothing for an empty memory."""
        if not self.games:
            return {}
        return {
            "boards": torch.from_numpy(np.concatenate(self.boards)),
            "targets": torch.from_numpy(np.concatenate(self.targets)),
            "games": torch.tensor(self.games),
            "lessons": torch.tensor([len(boards) for boards in self.boards]),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, torch.Tensor]) -> "Memory":
        """Return the memory that `tensors` gave.

        Raises:
            GammonError: if a part of it is missing or of another shape.
        """
        if not tensors:
            return cls()
        try:
            boards, targets = tensors["boards"].numpy(), tensors["targets"].numpy()
            ends = np.cumsum(tensors["lessons"].numpy())
            games = tuple(tensors["games"].tolist())
        except KeyError as error:
            raise GammonError(f"the checkpoint's memory lacks its {error.args[0]}") from error
        if not (boards.shape == (ends[-1], 2, WIDTH) and len(targets) == len(boards)):
            raise GammonError(
                f"the checkpoint's memory has {len(boards):,} boards and {len(targets):,} targets "
                f"for {ends[-1]:,} lessons"
            )
        cuts = ends[:-1]
        return cls(tuple(np.split(boards, cuts)), tuple(np.split(targets, cuts)), games)
