"""The player that is only fairly sure: better plays are likelier, worse ones happen.

What it plays is softmax over equity, so it errs where plays are close and seldom where one is plain
to see, as people do. Its chance comes from the words in the decisions.
"""

import math

import numpy as np

from agents.replies import Floats, Ints, Words, equities
from gammon_env.agent import BatchAgent, Choices, Decisions, ValueAgent
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.jit import lean_kernel

_HIGH_BITS = np.uint64(11)
_UNIT = 2.0**-53


class SoftmaxAgent(BatchAgent):
    """Plays each play with a chance that grows with its equity, as exp(equity / temperature).

    Args:
        value: judges positions, each without regard to its neighbours in a batch.
        temperature: in points, above 0. A play that is worse by so much is e times less likely.

    Raises:
        GammonError: for another temperature, or an agent without values.
    """

    def __init__(self, value: ValueAgent, temperature: float) -> None:
        if not 0 < temperature < math.inf:
            raise GammonError(f"a temperature is above 0 points and finite, not {temperature}")
        if not hasattr(value, "outcomes"):
            raise GammonError(f"{value.name} does not judge positions: it has no outcomes(boards)")
        super().__init__(value.variant)
        self.value, self.temperature = value, temperature
        self.name = f"{value.name} at {temperature:g}"
        self.identity: str | None = getattr(value, "identity", None)
        self._weights = np.asarray(self.variant.weights, np.float32)

    def select(self, decisions: Decisions) -> Choices:
        """Return int64[N]: for each decision the play that its random word falls on."""
        outcomes = np.asarray(self.value.outcomes(decisions.afterstates), np.float32)
        equity = np.empty(len(outcomes), np.float32)
        equities(outcomes, self._weights, equity)
        choices = np.empty(len(decisions), np.int64)
        draw(equity, decisions.offsets, self.temperature, decisions.random, choices)
        return choices

    def outcomes(self, boards: Board) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], of boards int8[N, 2, 26]."""
        return self.value.outcomes(boards)


@lean_kernel
def draw(
    equity: Floats, offsets: Ints, temperature: float, random: Words, choices: Choices
) -> None:
    """Draw a play for each decision by softmax.

    Args:
        equity: of each afterstate for the next player, so the least is best.
        offsets: where each decision's plays begin.
        temperature: in points.
        random: a word for each decision; a play gets a share of all words that is its chance.
        choices: filled with a number from 0 within each decision.
    """
    for i in range(len(choices)):
        begin, end = offsets[i], offsets[i + 1]
        best = begin
        for j in range(begin, end):
            if equity[j] < equity[best]:
                best = j
        total = 0.0
        for j in range(begin, end):
            total += _likelihood(equity[j], equity[best], temperature)
        # Where sums in another order or a network that has diverged leave no play, it is the best.
        choices[i] = best - begin
        left = total * (np.float64(random[i] >> _HIGH_BITS) * _UNIT)
        for j in range(begin, end):
            left -= _likelihood(equity[j], equity[best], temperature)
            if left < 0:
                choices[i] = j - begin
                break


@lean_kernel
def _likelihood(equity: float, least: float, temperature: float) -> float:
    """Return how likely a play is, the best being 1."""
    return math.exp((np.float64(least) - np.float64(equity)) / temperature)
