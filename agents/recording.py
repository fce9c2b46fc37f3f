"""Decisions kept for later: what a player was asked in its games, and what it answered."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon_env.agent import Agent, BatchAgent, Choices, Decisions, ask
from gammon_env.errors import GammonError


class Recorded(BatchAgent):
    """A player that keeps every decision it is asked about, and its choice.

    Args:
        player: who decides.
    """

    def __init__(self, player: Agent) -> None:
        super().__init__(player.variant)
        self.player, self.name = player, player.name
        self._asked: list[Decisions] = []
        self._chosen: list[Choices] = []

    def select(self, decisions: Decisions) -> Choices:
        """Return what the player chooses."""
        choices = ask(self.player, decisions)
        self._asked.append(decisions)
        self._chosen.append(choices)
        return choices

    @property
    def decisions(self) -> Decisions:
        """All decisions, in the order they were asked in.

        Raises:
            GammonError: if there were none.
        """
        return joined(self._asked)

    @property
    def choices(self) -> Choices:
        """What was chosen in each."""
        return np.concatenate(self._chosen)


def joined(batches: Sequence[Decisions]) -> Decisions:
    """Return the decisions of some batches as one batch.

    Raises:
        GammonError: if there are no batches.
    """
    if not batches:
        raise GammonError("there are no decisions: every roll was forced, or nothing was asked")
    return Decisions(
        boards=np.concatenate([batch.boards for batch in batches]),
        dice=np.concatenate([batch.dice for batch in batches]),
        afterstates=np.concatenate([batch.afterstates for batch in batches]),
        offsets=ends_of(np.concatenate([batch.counts for batch in batches])),
        random=np.concatenate([batch.random for batch in batches]),
        variant=batches[0].variant,
    )


def taken(decisions: Decisions, indices: npt.NDArray[np.int64]) -> Decisions:
    """Return some of the decisions, in the order of their indices."""
    return Decisions(
        boards=decisions.boards[indices],
        dice=decisions.dice[indices],
        afterstates=decisions.afterstates[plays_of(decisions.offsets, indices)],
        offsets=ends_of(decisions.counts[indices]),
        random=decisions.random[indices],
        variant=decisions.variant,
    )


def plays_of(
    offsets: npt.NDArray[np.int64], indices: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the numbers of all plays of some decisions, one decision's after another's."""
    counts = np.diff(offsets)[indices]
    ends = np.cumsum(counts)
    moved = np.repeat(offsets[indices] - (ends - counts), counts)
    plays: npt.NDArray[np.int64] = np.arange(len(moved)) + moved
    return plays


def ends_of(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the offsets of decisions with so many plays each."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
