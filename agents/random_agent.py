"""The player without a plan: every distinct play equally likely."""

import numpy as np

from gammon_env.agent import BatchAgent, Choices, Decisions

_HALF = np.uint64(32)


class RandomAgent(BatchAgent):
    """Plays each distinct legal afterstate with the same chance."""

    name = "random"

    def select(self, decisions: Decisions) -> Choices:
        """Scale the upper half of each decision's random word to its number of plays."""
        counts = decisions.counts.astype(np.uint64)
        return (((decisions.random >> _HALF) * counts) >> _HALF).astype(np.int64)
