"""Opponents: who plays the other seat, and how it is asked."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from gammon_env.agent import Agent, FunctionAgent, PlayFunction, ask, load_agent
from gammon_env.decision import Decisions
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.rules.dice import random_word, stream_key
from gammon_env.rules.variant import Variant

Opponent = Agent | PlayFunction | str

_DECISIONS, _DRAWS = np.uint64(1), np.uint64(2)
"""Streams beside that of the dice, so that the dice do not depend on who plays."""


class Opponents:
    """The agents that an environment draws its opponent from, one for each game.

    Who is drawn, and the random word that goes with each decision, are functions of the stream of
    the game, so that a game is the same whenever it is played again.
    """

    def __init__(self, opponents: Opponent | Sequence[Opponent], variant: Variant) -> None:
        """Load the agents.

        Args:
            opponents: an agent, a function `(position, dice) -> Play`, or a name for `load_agent`;
                or a sequence of those.
            variant: the game they are to play.

        Raises:
            GammonError: if one cannot be found or plays another game.
        """
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            opponents = [opponents]
        self._given = list(opponents)
        self._variant = variant
        if not self._given:
            raise GammonError("an empty list of opponents; name at least one, or pass None")
        self._agents = [_agent(opponent, variant) for opponent in self._given]

    def drawn(self, game: GameState) -> Agent:
        """Return the agent that plays this game."""
        key, _, first = game.stream
        return self._agents[_word(key, _DRAWS, first) % len(self._agents)]

    def play(self, game: GameState) -> None:
        """Play the turn of the player on roll.

        Raises:
            GammonError: if the agent returns no legal play; the game is unchanged.
        """
        afterstates = game.plays().afterstates
        key, counter, _ = game.stream
        decisions = Decisions(
            boards=game.board[np.newaxis].copy(),
            dice=np.array([game.dice], np.int8),
            afterstates=afterstates,
            offsets=np.array([0, len(afterstates)], np.int64),
            random=np.array([_word(key, _DECISIONS, counter)], np.uint64),
            variant=game.variant,
        )
        choice = ask(self.drawn(game), decisions)[0]
        game.finish_turn(afterstates[choice])

    def __getstate__(self) -> dict[str, Any]:
        """Keep names as names; agents that were given go along as they are."""
        return {"opponents": self._given, "variant": self._variant}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Load the agents again."""
        self.__init__(**state)  # type: ignore[misc]


def _agent(opponent: Opponent, variant: Variant) -> Agent:
    if isinstance(opponent, str):
        return load_agent(opponent, variant)
    if not hasattr(opponent, "select"):
        return FunctionAgent(
            _function(opponent), getattr(opponent, "__name__", "opponent"), variant
        )
    agent = cast(Agent, opponent)
    if agent.variant != variant:
        raise GammonError(f"opponent {agent.name} plays {agent.variant.name}, not {variant.name}")
    return agent


def _function(opponent: Any) -> PlayFunction:
    if not callable(opponent):
        raise GammonError(
            f"{opponent!r} is no opponent: expected an agent, the name of one, or a function "
            "(position, dice) -> Play"
        )
    return cast(PlayFunction, opponent)


def _word(key: int, stream: np.uint64, counter: int) -> int:
    """Return a random word of one of the streams that belong to the key of the dice."""
    return int(random_word(np.uint64(stream_key(np.uint64(key), stream)), np.uint64(counter)))
