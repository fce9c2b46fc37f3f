"""Opponents that tests need, defined where pickle can find them."""

import numpy as np

from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.position import Play, Position
from gammon_env.rules.variant import BACKGAMMON, Variant


class ByWord(BatchAgent):
    """Plays by the random words that come with its decisions, and remembers them."""

    name = "by-word"

    def __init__(self, variant: Variant = BACKGAMMON) -> None:
        super().__init__(variant)
        self.words: list[int] = []

    def select(self, decisions: Decisions) -> Choices:
        self.words += decisions.random.tolist()
        return (decisions.random % decisions.counts.astype(np.uint64)).astype(np.int64)


class Failing(BatchAgent):
    """Plays nothing that is legal once it has been told to fail."""

    name = "failing"
    fails = False

    def select(self, decisions: Decisions) -> Choices:
        return decisions.counts if self.fails else decisions.counts - 1


def last_play(position: Position, dice: tuple[int, int]) -> Play:
    """Play the last play in canonical order."""
    return position.legal_plays(dice)[-1]
