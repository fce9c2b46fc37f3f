"""Asking players for their plays, and finding out at which decision one fails.

A player is asked about a whole batch. Where that fails it is asked about one decision after
another, so that a message names the position and dice, and so that in a match where a failure
costs a game it costs only the games that it belongs to.
"""

from typing import Literal, get_args

import numpy as np

from gammon_env.agent import Agent, Choices, Decisions, ask
from gammon_env.errors import GammonError

Illegal = Literal["raise", "forfeit"]
"""What an error or an illegal play of a player does: stop the match, or cost it that game."""

ILLEGAL: tuple[Illegal, ...] = get_args(Illegal)


def answers(
    player: Agent, decisions: Decisions, illegal: Illegal = "raise"
) -> tuple[Choices, dict[int, str]]:
    """Return the player's choices, and what went wrong at which decisions.

    Raises:
        GammonError: naming the position and dice, if the player fails and `illegal` is "raise".
    """
    try:
        return ask(player, decisions), {}
    except Exception as error:
        choices, faults = _one_by_one(player, decisions)
        if illegal == "forfeit":
            return choices, faults
        first = next(iter(faults.values()), _only_together(player, decisions, error))
        raise GammonError(first) from error


def _one_by_one(player: Agent, decisions: Decisions) -> tuple[Choices, dict[int, str]]:
    choices, faults = np.zeros(len(decisions), np.int64), {}
    for index in range(len(decisions)):
        try:
            choices[index] = ask(player, _alone(decisions, index))[0]
        except Exception as error:
            faults[index] = _fault(player, decisions.describe(index), error)
    return choices, faults


def _alone(decisions: Decisions, index: int) -> Decisions:
    one = slice(index, index + 1)
    begin, end = decisions.offsets[index : index + 2]
    return Decisions(
        decisions.boards[one],
        decisions.dice[one],
        decisions.afterstates[begin:end],
        np.array([0, end - begin]),
        decisions.random[one],
        decisions.variant,
    )


def _fault(player: Agent, where: str, error: Exception) -> str:
    told = str(error)
    if isinstance(error, GammonError) and where in told:
        return told
    return f"agent {player.name} failed at {where}: {error!r}"


def _only_together(player: Agent, decisions: Decisions, error: Exception) -> str:
    return (
        f"agent {player.name} failed at a batch of {len(decisions)} decisions that begins with "
        f"{decisions.describe(0)}, yet at none of them alone: {error!r}"
    )
