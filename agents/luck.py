"""Luck: what each roll gave or took, as a reference evaluator judges it.

The luck of a roll is its value, the best reply being made, less the mean over all 21 rolls. It has
mean zero whoever judges it, so a player's points less its luck estimate the same skill as its
points, and the better the judge, the less of the dice is left in them. The opening roll also
decides who starts, which is even before it is thrown; so its luck is all that it is worth to the
starter.
"""

from typing import cast

import numpy as np
import numpy.typing as npt

from agents.cache import Cache
from agents.lookahead import LookAhead
from agents.replies import ROLL_CHANCES, Bools, Floats, equities
from gammon_env.agent import Agent, ValueAgent
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.dice import ROLLS
from gammon_env.rules.jit import kernel

Doubles = npt.NDArray[np.float64]

_SLOTS = 1 << 12


class LuckJudge:
    """Says how lucky rolls were. A roll's luck depends on nothing but its board and dice.

    Args:
        value: the reference evaluator.

    Raises:
        GammonError: if it does not judge positions.
    """

    def __init__(self, value: ValueAgent) -> None:
        self._look = LookAhead(value)
        self._weights = np.asarray(value.variant.weights, np.float32)
        # Every game begins alike, and the two games of a pair often go on so for a while.
        self._rolls = Cache(len(ROLLS), _SLOTS)

    def luck(self, boards: Board, dice: npt.NDArray[np.int8], opening: Bools) -> Doubles:
        """Return the luck of the player on roll, in points.

        Args:
            boards: int8[N, 2, 26], before the play, of unfinished games.
            dice: int8[N, 2], what was thrown.
            opening: bool[N], where the roll opened the game.
        """
        out = np.empty(len(boards))
        write_luck(self._rolls.rows(boards, self._equities), dice, opening, ROLL_CHANCES, out)
        return out

    def _equities(self, boards: Board) -> Floats:
        outcomes = self._look.roll_outcomes(boards).reshape(-1, len(self._weights))
        out = np.empty(len(outcomes), np.float32)
        equities(outcomes, self._weights, out)
        return out.reshape(len(boards), len(ROLLS))


def reference(agent: Agent, opponent: Agent) -> ValueAgent:
    """Return who of two players is to judge the luck: the first one that judges positions.

    Raises:
        GammonError: if neither does.
    """
    for player in (agent, opponent):
        if hasattr(player, "outcomes"):
            return cast(ValueAgent, player)
    raise GammonError(
        f"neither {agent.name} nor {opponent.name} judges positions, so neither can tell luck; "
        "name an agent that does, such as a checkpoint, with --luck-by"
    )


@kernel
def write_luck(
    rolls: Floats, dice: npt.NDArray[np.int8], opening: Bools, chances: Doubles, out: Doubles
) -> None:
    """Write the luck of each roll.

    Args:
        rolls: float32[N, 21], the equity of the player on roll after each of `ROLLS`.
        dice: int8[N, 2].
        opening: bool[N].
        chances: float64[21].
        out: float64[N].
    """
    for i in range(len(rolls)):
        larger, smaller = max(dice[i, 0], dice[i, 1]), min(dice[i, 0], dice[i, 1])
        mean = 0.0
        if not opening[i]:
            for roll in range(len(chances)):
                mean += chances[roll] * rolls[i, roll]
        out[i] = rolls[i, larger * (larger - 1) // 2 + smaller - 1] - mean
