"""Players that tests need: one that remembers what it was asked, and a few bad ones."""

import numpy as np
import numpy.typing as npt

from agents.match import play_match
from agents.random_agent import RandomAgent
from gammon_env.agent import Choices, Decisions
from gammon_env.position import Position


class Recorder(RandomAgent):
    """A random player that keeps every batch of decisions it is asked about."""

    name = "recorder"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Decisions] = []

    def select(self, decisions: Decisions) -> Choices:
        self.asked.append(decisions)
        return super().select(decisions)


def decisions_of_random_games(games: int, seed: int) -> list[Decisions]:
    """Return the decisions of a random player in that many games, in batches."""
    recorder = Recorder()
    play_match(recorder, RandomAgent(), games, seed)
    return recorder.asked


def artificial(afterstates: list[npt.NDArray[np.int8]], dice: tuple[int, int]) -> Decisions:
    """Return one decision from the start with afterstates that need not be legal."""
    return Decisions(
        boards=Position.start().board[np.newaxis].copy(),
        dice=np.array([dice], np.int8),
        afterstates=np.array(afterstates, np.int8),
        offsets=np.array([0, len(afterstates)]),
        random=np.zeros(1, np.uint64),
    )
