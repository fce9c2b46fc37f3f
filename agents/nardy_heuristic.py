"""A handcrafted player of long nardy, as a yardstick: it clears the head, blocks, and keeps moving.

It scores every afterstate and plays the best, the first in canonical order where several are. All
is counted in whole numbers, so that a score does not depend on the machine.

A race, in which the sides no longer meet, is minus the Keith count of `agents.pip_count_agent`.
Before that the score is, in pips:

- the opponent's pips less our own;
- less `head` for each checker still on our head;
- for each opposing checker what `HOLD` says about how many of the six points ahead of it we hold,
  less the same for our own; of a stack at most `CROWD` checkers count. So blocks stand where the
  opponent's checkers still have to pass;
- `dice` for each of the six dice that can move a checker of ours, less the same for the opponent;
- less `stack` for each checker beyond the second on a point that is not the head;
- less `early` for each checker that is at home while it could still block on the way there.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.pip_count_agent import keith_count
from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.nardy_encoder import held_ahead, held_points, turned, usable_dice
from gammon_env.rules.board import HOME, Board, pip_count
from gammon_env.rules.jit import kernel
from gammon_env.rules.nardy_steps import HEAD_POINT, has_contact
from gammon_env.rules.variant import NARDY, Variant

HOLD = np.array((0, 1, 3, 6, 10, 16, 24))
CROWD = 4
_RACE = 1 << 20


class Weights(NamedTuple):
    """What things are worth, in pips."""

    head: int = 12
    dice: int = 6
    stack: int = 8
    early: int = 5


WEIGHTS = Weights()


@kernel
def best_plays(
    afterstates: Board, offsets: npt.NDArray[np.int64], weights: Weights, choices: Choices
) -> None:
    """Write for each decision the number of its play with the highest score."""
    for i in range(len(choices)):
        best = -(1 << 40)
        for j in range(offsets[i], offsets[i + 1]):
            value = score(afterstates[j], weights)
            if value > best:
                best = value
                choices[i] = j - offsets[i]


@kernel
def score(afterstate: Board, weights: Weights) -> int:
    """Return how good an afterstate is for the player who has just moved, row 1."""
    theirs, own = afterstate[0], afterstate[1]
    if not has_contact(afterstate):
        return _RACE - keith_count(own)
    ours, others = held_points(own), held_points(theirs)
    value = pip_count(theirs) - pip_count(own) - weights.head * int(own[HEAD_POINT - 1])
    value += held_up(theirs, turned(ours)) - held_up(own, turned(others))
    value += weights.dice * (usable_dice(ours, turned(others)) - usable_dice(others, turned(ours)))
    return value - weights.stack * stacked(own) - weights.early * at_home(own)


@kernel
def held_up(row: Board, others: int) -> int:
    """Return how much a side is held up by the points that the other holds ahead of it."""
    value = 0
    for index in range(HEAD_POINT):
        if row[index] > 0:
            value += min(int(row[index]), CROWD) * HOLD[held_ahead(index + 1, others)]
    return value


@kernel
def stacked(row: Board) -> int:
    """Return how many checkers stand beyond the second on a point, the head left out."""
    count = 0
    for index in range(HEAD_POINT - 1):
        count += max(int(row[index]) - 2, 0)
    return count


@kernel
def at_home(row: Board) -> int:
    """Return how many checkers are on the last six points."""
    count = 0
    for index in range(HOME):
        count += int(row[index])
    return count


class HeuristicAgent(BatchAgent):
    """Plays the afterstate with the best handcrafted score.

    Args:
        variant: long nardy.
        weights: what things are worth.

    Raises:
        GammonError: for any other game.
    """

    name = "heuristic"

    def __init__(self, variant: Variant = NARDY, weights: Weights = WEIGHTS) -> None:
        if variant != NARDY:
            raise GammonError(f"heuristic plays {NARDY.name}, not {variant.name}")
        super().__init__(variant)
        self._weights = weights

    def select(self, decisions: Decisions) -> Choices:
        """Score all afterstates; the best of each decision wins."""
        choices = np.zeros(len(decisions), np.int64)
        best_plays(decisions.afterstates, decisions.offsets, self._weights, choices)
        return choices
