"""Action modes: what one step of an environment does with the dice on the table."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gammon_env.actions import CODES, MAX_PLAYS, RollPlays
from gammon_env.encoder import Encoder
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.observation import encode
from gammon_env.rules.variant import BACKGAMMON, Rules

Mask = npt.NDArray[np.int8]


class ActionMode(Protocol):
    """How numbers 0 to size - 1 act on a game."""

    size: int

    def look(self, game: GameState) -> None:
        """Take in a decision; called once for each."""

    def is_legal(self, game: GameState, action: int) -> bool:
        """Say whether the action is legal in the decision last looked at."""

    def act(self, game: GameState, action: int) -> bool:
        """Carry out a legal action; return whether the same turn goes on."""

    def mask(self, game: GameState) -> Mask:
        """Return a new int8[size], 1 for each legal action."""

    def details(self, game: GameState, encoder: Encoder) -> dict[str, Any]:
        """Return what this mode adds to `info`."""


class CheckerMode:
    """One step is one checker move; an action is its code."""

    size = CODES

    def __init__(self, rules: Rules = BACKGAMMON.rules) -> None:
        """Do nothing: a game knows its rules."""

    def look(self, game: GameState) -> None:
        """Do nothing: a game knows its legal codes."""

    def is_legal(self, game: GameState, action: int) -> bool:
        """Say whether the code begins a legal play."""
        return game.is_legal(action)

    def act(self, game: GameState, action: int) -> bool:
        """Move the checker; return whether more is to be played."""
        return game.move(action)

    def mask(self, game: GameState) -> Mask:
        """Return the legal codes."""
        return game.mask()

    def details(self, game: GameState, encoder: Encoder) -> dict[str, Any]:
        """Return nothing: the mask says it all."""
        return {}


class PlayMode:
    """One step is a whole roll; an action is the number of a play in canonical order."""

    size = MAX_PLAYS

    def __init__(self, rules: Rules = BACKGAMMON.rules) -> None:
        self._plays = RollPlays(rules)

    def look(self, game: GameState) -> None:
        """Find the plays of the dice left."""
        self._plays.find(game.board, game.left)

    def is_legal(self, game: GameState, action: int) -> bool:
        """Say whether there is a play of that number."""
        return action < self._plays.count

    def act(self, game: GameState, action: int) -> bool:
        """Make the play; the turn is over."""
        game.finish_turn(self._plays.afterstates[action])
        return False

    def mask(self, game: GameState) -> Mask:
        """Return the numbers of plays, a prefix."""
        return self._plays.mask()

    def details(self, game: GameState, encoder: Encoder) -> dict[str, Any]:
        """Return how many plays there are, and what each leads to, encoded."""
        afterstates = self._plays.afterstates
        return {
            "num_plays": len(afterstates),
            "afterstates": encode(afterstates, encoder.name, game.variant),
        }


_MODES: dict[str, type[CheckerMode] | type[PlayMode]] = {"checker": CheckerMode, "play": PlayMode}


def make_mode(name: str, rules: Rules = BACKGAMMON.rules) -> ActionMode:
    """Return a new action mode.

    Args:
        name: "checker" or "play".
        rules: of the game.

    Raises:
        GammonError: if there is none of that name.
    """
    if not isinstance(name, str) or name not in _MODES:
        raise GammonError(f"action_mode is one of {', '.join(_MODES)}, not {name!r}")
    return _MODES[name](rules)


def no_such_action(action: int, size: int) -> str:
    """Say that a number is none of the actions, for messages."""
    return f"there is no action {action}: actions are 0..{size - 1}"


def not_legal(action: int, mask: Mask) -> str:
    """Say that an action is not legal, and which are, for messages."""
    return f"action {action} is not legal here; legal: {np.flatnonzero(mask).tolist()}"
