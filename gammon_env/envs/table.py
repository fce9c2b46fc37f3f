"""The table: one game, what the caller sees of it, and who answers the caller."""

import copy
from operator import index
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gammon_env.encoder import Encoder
from gammon_env.envs.action_modes import ActionMode, no_such_action, not_legal
from gammon_env.envs.opponents import Opponents
from gammon_env.envs.start import check_undecided
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.render import svg
from gammon_env.render.rasterise import pixels

Observation = npt.NDArray[np.float32]
Info = dict[str, Any]

CALLER = 0
"""The seat of the caller where an opponent has the other one."""

NOBODY = -1
"""The actor of a state that no action led to."""


class Table:
    """A game between the caller and an opponent, or of the caller with both seats.

    Args:
        mode: what an action is.
        encoder: how the caller sees the board.
        opponents: who has the other seat; None leaves both to the caller.
        starter: the seat that starts a game; None leaves it to the opening roll.
        forfeits: whether an illegal action forfeits the game; if not, it is refused.

    Attributes:
        remembers: whether to keep the game as it was before each step, to mark in pictures what has
            moved.
    """

    def __init__(
        self,
        mode: ActionMode,
        encoder: Encoder,
        opponents: Opponents | None,
        starter: int | None,
        forfeits: bool,
    ) -> None:
        self.mode = mode
        self._encoder, self._features = encoder, encoder.size
        self._opponents, self._starter, self._forfeits = opponents, starter, forfeits
        self._game: GameState | None = None
        self._before: GameState | None = None
        self.remembers = False

    @property
    def game(self) -> GameState:
        """The game on the table.

        Raises:
            GammonError: if there is none yet.
        """
        if self._game is None:
            raise GammonError("there is no game yet: call reset() first")
        return self._game

    @property
    def is_empty(self) -> bool:
        """Whether no game has begun yet."""
        return self._game is None

    @property
    def caller(self) -> int | None:
        """The seat of the caller, None where the caller has both."""
        return None if self._opponents is None else CALLER

    def enter(self, game: GameState, passes: int) -> tuple[Observation, Info]:
        """Put a game on the table and go on to the caller's first decision."""
        passes += self._advance(game)
        self._before = None
        self._show(game)
        return self._observe(game), self._info(game, NOBODY, passes, illegal=False)

    def begin(self, game: GameState, passes: int) -> tuple[Observation, Info]:
        """Put a game on the table in which the caller has something to decide; see `enter`.

        Raises:
            GammonError: if it ends before that; the game on the table is as it was.
        """
        passes += self._advance(game)
        check_undecided(game.is_over)
        return self.enter(game, passes)

    def checked(self, action: Any) -> int:
        """Return an action as a plain number.

        Raises:
            GammonError: if there is no game to play, or no such action, or an illegal one is to be
                refused.
        """
        game = self.game
        if game.is_over:
            raise GammonError("the game is over: call reset() for the next one")
        try:
            number = index(action)
        except TypeError:
            raise GammonError(f"an action is a whole number, not {action!r}") from None
        if not 0 <= number < self.mode.size:
            raise GammonError(no_such_action(number, self.mode.size))
        if not self._forfeits and not self.mode.is_legal(game, number):
            raise GammonError(not_legal(number, self.mask()))
        return number

    def step(self, action: int) -> tuple[Observation, float, Info]:
        """Take the caller's action, or forfeit if it is not legal, and go on to the next decision.

        Returns:
            The observation, what the step earned the seat that acted, and the info.
        """
        game = self.game
        before = game.clone() if self.remembers else None
        if self._opponents is not None:
            # An opponent can fail, so it plays on a copy: then the game on the table is as it was.
            game = game.clone()
        actor, passes = game.seat, 0
        legal = self.mode.is_legal(game, action)
        if not legal:
            game.forfeit()
        elif not self.mode.act(game, action):
            passes = self._advance(game)
        self._before = before
        self._show(game)
        info = self._info(game, actor, passes, not legal)
        return self._observe(game), float(game.rewards[actor]), info

    def mask(self) -> npt.NDArray[np.int8]:
        """Return a new int8[actions], 1 for each legal action."""
        return self.mode.mask(self.game)

    def picture(self) -> npt.NDArray[np.uint8]:
        """Return the board as seat 0 sees it, uint8[height, width, 3].

        Raises:
            GammonError: if there is no game yet, or the extra `render` is not installed.
        """
        return pixels(svg.draw(self.game, before=self._before))

    def clone(self) -> Self:
        """Return an independent copy; agents are shared."""
        twin = copy.copy(self)
        twin.mode = copy.deepcopy(self.mode)
        twin._game = None if self._game is None else self._game.clone()
        return twin

    def _advance(self, game: GameState) -> int:
        """Play on until the caller has a choice; return the number of forced passes."""
        passes = game.advance(self._starter)
        while self._opponents is not None and game.seat != CALLER and not game.is_over:
            self._opponents.play(game)
            passes += game.advance()
        return passes

    def _show(self, game: GameState) -> None:
        self._game = game
        self.mode.look(game)

    def _observe(self, game: GameState) -> Observation:
        seen = np.empty(self._features, np.float32)
        board = game.board
        if self._opponents is not None and game.seat != CALLER:
            board = board[::-1].copy()  # the caller has just won: only then have the rows swapped
        self._encoder.write(board, game.left, seen)
        return seen

    def _info(self, game: GameState, actor: int, passes: int, illegal: bool) -> Info:
        info: Info = {
            "action_mask": self.mode.mask(game),
            "to_play": game.seat if self._opponents is None else CALLER,
            "actor": actor,
            "passes": passes,
            "illegal_action": illegal,
            **self.mode.details(game, self._encoder),
        }
        if self._opponents is None:
            info["rewards"] = np.array(game.rewards, np.float32)
        return info
