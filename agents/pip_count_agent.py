"""A handcrafted player: races by pips, hits, makes points, and counts the shots it leaves.

It scores every afterstate and plays the best, the first in canonical order where several are. All
is counted in 36ths of a pip, in whole numbers, so that a score does not depend on the machine.

A race (no contact left) is minus the Keith count: own pips, 2 for each checker still on the board,
2 for each beyond the first on point 1, 1 for each beyond the first on point 2 or the third on
point 3, 1 for each gap on points 4 to 6; and 2 for each checker not yet home.

With contact the score is, in pips:

- the opponent's pips less our own, so that hitting pays what it costs the opponent;
- `POINTS` for each made point: home, bar point and anchors;
- `TRAPPED` for each opposing checker (the bar included) by how many of the six points ahead of it
  we hold, less the same for our own: six is a full prime, few mean easy escape;
- less `STACKED` for each checker beyond the third on a point;
- less the expected loss by a hit: over the opponent's 36 throws, the dearest blot each can hit,
  directly or by combination, from the bar too. A blot costs the pips it has come, and `RISK` more
  by the number of points in the opponent's home.
"""

import numpy as np
import numpy.typing as npt

from agents.shots import expected_loss
from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, HOME, Board, has_contact, pip_count
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import BACKGAMMON, NARDY_RULES, Variant

POINTS = (0, 2, 4, 7, 9, 8, 7, 3, 2, 1, 1, 0, 0, 0, 0, 1, 2, 4, 5, 7, 6, 3, 2, 1)
TRAPPED = (0, 0, 1, 3, 6, 10, 16)
STACKED = 1
RISK = (2, 3, 5, 8, 12, 18, 26)
_PIP = 36
_HOLD = np.array([TRAPPED[ahead.bit_count()] for ahead in range(64)])


@kernel
def best_plays(afterstates: Board, offsets: npt.NDArray[np.int64], choices: Choices) -> None:
    """Write for each decision the number of its play with the highest score."""
    for i in range(len(choices)):
        best = -(1 << 40)
        for j in range(offsets[i], offsets[i + 1]):
            value = score(afterstates[j])
            if value > best:
                best = value
                choices[i] = j - offsets[i]


@kernel
def score(afterstate: Board) -> int:
    """Return how good an afterstate is for the player who has just moved, row 1."""
    theirs, own = afterstate[0], afterstate[1]
    if not has_contact(afterstate):
        return -_PIP * keith_count(own)
    value = pip_count(theirs) - pip_count(own) + structure(own)
    value += trapped(own, theirs) - trapped(theirs, own)
    return _PIP * value - expected_loss(own, theirs, RISK)


@kernel
def keith_count(row: Board) -> int:
    """Return the pips of a side in a race, and what its distribution will waste."""
    count = pip_count(row)
    count += 2 * max(int(row[0]) - 1, 0) + max(int(row[1]) - 1, 0) + max(int(row[2]) - 3, 0)
    for index in range(BAR):
        count += (2 if index < HOME else 4) * int(row[index])
        if 3 <= index < HOME and row[index] == 0:
            count += 1
    return count


@kernel
def structure(row: Board) -> int:
    """Return the worth of a side's made points, less its stacks."""
    value = 0
    for index in range(BAR):
        if row[index] >= 2:
            value += POINTS[index] - STACKED * max(int(row[index]) - 3, 0)
    return value


@kernel
def trapped(blockers: Board, runners: Board) -> int:
    """Return how much the points of one side hold up the checkers of the other."""
    made = 0  # Bit i: the blockers hold the runners' index i.
    for index in range(BAR):
        if blockers[BAR - 1 - index] >= 2:
            made |= 1 << index
    value = 0
    for index in range(BAR + 1):
        if runners[index] > 0:
            value += int(runners[index]) * _HOLD[((made << HOME) >> index) & 63]
    return value


@kernel
def best_races(afterstates: Board, offsets: npt.NDArray[np.int64], choices: Choices) -> None:
    """Write for each decision the number of its play with the least Keith count."""
    for i in range(len(choices)):
        least = 1 << 40
        for j in range(offsets[i], offsets[i + 1]):
            count = keith_count(afterstates[j, 1])
            if count < least:
                least = count
                choices[i] = j - offsets[i]


class PipCountAgent(BatchAgent):
    """Plays the afterstate with the best handcrafted score.

    Args:
        variant: a game with backgammon's numbering, where the sides move in opposite directions.

    Raises:
        GammonError: for any other.
    """

    name = "pip-count"

    def __init__(self, variant: Variant = BACKGAMMON) -> None:
        if variant.opponent_point != BACKGAMMON.opponent_point:
            raise GammonError(f"pip-count plays {BACKGAMMON.name}, not {variant.name}")
        super().__init__(variant)

    def select(self, decisions: Decisions) -> Choices:
        """Score all afterstates; the best of each decision wins."""
        choices = np.zeros(len(decisions), np.int64)
        best_plays(decisions.afterstates, decisions.offsets, choices)
        return choices


class RaceAgent(BatchAgent):
    """Plays as if alone on the board: the afterstate with the least Keith count."""

    name = "pip-count"

    def select(self, decisions: Decisions) -> Choices:
        """Count all afterstates; the least of each decision wins."""
        choices = np.zeros(len(decisions), np.int64)
        best_races(decisions.afterstates, decisions.offsets, choices)
        return choices


def pip_count_agent(variant: Variant = BACKGAMMON) -> BatchAgent:
    """Return the player that counts pips in a game; where nothing is hit it only races."""
    return RaceAgent(variant) if variant.family == NARDY_RULES else PipCountAgent(variant)
