"""Opponents: who plays the other seat, and how it is asked."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gammon_env.agent import Agent, FunctionAgent, PlayFunction, ask, load_agent
from gammon_env.batch import PlayPool
from gammon_env.decision import Decisions
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.rules.board import Board
from gammon_env.rules.dice import random_word, stream_key
from gammon_env.rules.jit import kernel
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
        self._pool = PlayPool(variant.rules)

    def play(self, game: GameState) -> None:
        """Play the turn of the player on roll.

        Raises:
            GammonError: if the agent returns no legal play; the game is unchanged.
        """
        dice = np.array([game.dice], np.int8)
        stream = np.array([game.stream], np.uint64)
        game.finish_turn(
            self.answer(game.board[np.newaxis], dice, game.left[np.newaxis], stream)[0]
        )

    def answer(
        self,
        boards: Board,
        dice: npt.NDArray[np.int8],
        left: npt.NDArray[np.int8],
        streams: npt.NDArray[np.uint64],
    ) -> Board:
        """Play one turn in each of many games; every agent is asked once, about all of its games.

        Args:
            boards: int8[N, 2, 26], before the plays.
            dice: int8[N, 2], the rolls.
            left: int8[N, 5], what of them is still to play; see `rules.moves`.
            streams: uint64[N, 3], the dice to come of each game; see `rules.turn`.

        Returns:
            int8[N, 2, 26], the afterstates of the plays chosen.

        Raises:
            GammonError: if an agent returns no legal play.
        """
        keys, counters, firsts = np.ascontiguousarray(streams.T)
        words = _words(keys, _DECISIONS, counters)
        draws = _words(keys, _DRAWS, firsts) % np.uint64(len(self._agents))
        chosen = np.empty_like(boards)
        for number in np.unique(draws):
            asked = np.flatnonzero(draws == number)
            agent = self._agents[number]
            chosen[asked] = self._ask(agent, boards[asked], dice[asked], left[asked], words[asked])
        return chosen

    def _ask(
        self,
        agent: Agent,
        boards: Board,
        dice: npt.NDArray[np.int8],
        left: npt.NDArray[np.int8],
        words: npt.NDArray[np.uint64],
    ) -> Board:
        self._pool.find(boards, left)
        afterstates, offsets = self._pool.afterstates.copy(), self._pool.offsets
        decisions = Decisions(boards, dice, afterstates, offsets, words, self._variant)
        chosen: Board = afterstates[offsets[:-1] + ask(agent, decisions)]
        return chosen

    def __getstate__(self) -> dict[str, Any]:
        """Keep names as names; agents that were given go along as they are."""
        return {"opponents": self._given, "variant": self._variant}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Load the agents again."""
        self.__init__(**state)  # type: ignore[misc]


def _agent(opponent: Opponent, variant: Variant) -> Agent:
    if isinstance(opponent, str):
        return load_agent(opponent, variant)
    if isinstance(opponent, type):
        raise GammonError(f"{opponent.__name__} is a class; pass an agent: {opponent.__name__}()")
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


def _words(
    keys: npt.NDArray[np.uint64], stream: np.uint64, counters: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """Return random words of a stream that belongs to the keys of the dice, one for each game."""
    words = np.empty_like(keys)
    draw_words(keys, stream, counters, words)
    return words


@kernel
def draw_words(
    keys: npt.NDArray[np.uint64],
    stream: np.uint64,
    counters: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint64],
) -> None:
    """Write the word of each key's stream at its counter."""
    for i in range(len(keys)):
        words[i] = random_word(stream_key(keys[i], stream), counters[i])
