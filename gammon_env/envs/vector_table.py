"""The tables of a vector environment: a game in every lane, and who answers the caller there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env.actions import CODES, MAX_PLAYS
from gammon_env.batch import PlayPool
from gammon_env.envs.action_modes import no_such_action, not_legal
from gammon_env.envs.crew import Crew
from gammon_env.envs.lane_arrays import (
    BOTH,
    NEXT_STEP,
    SAME_STEP,
    SETTLED,
    Choices,
    Finals,
    Flags,
    Games,
    Integers,
    Results,
    Settings,
)
from gammon_env.envs.lanes import (
    answer_lanes,
    enter_lanes,
    first_refused,
    show_lanes,
    step_lanes,
)
from gammon_env.envs.opponents import Opponents
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.rules.board import Board
from gammon_env.rules.turn import DIE1, DIE2, PHASE, SEAT, TO_PLAY
from gammon_env.rules.variant import Variant

Mask = npt.NDArray[np.int8]


class VectorTable:
    """A game in every lane, between the caller and an opponent or of the caller with both seats.

    Args:
        lanes: how many there are.
        settings: of the compiled steps.
        opponents: who has the other seat in every lane; None leaves both to the caller.
        variant: the game.
        threads: how many threads share the lanes.

    Attributes:
        ended: the lanes whose game is over or truncated and has not made room yet.
        ending: the lanes whose game ended in the last step.
    """

    def __init__(
        self,
        lanes: int,
        settings: Settings,
        opponents: Opponents | None,
        variant: Variant,
        threads: int,
    ) -> None:
        self.settings = settings
        self.ended = self.ending = np.zeros(lanes, np.bool_)
        self._variant, self._start, self._opponents = variant, variant.start_board(), opponents
        self._crew = Crew(lanes, threads)
        self._pools = [PlayPool() for _ in self._crew.parts]
        self._finals = Finals.blank(lanes if settings.autoreset == SAME_STEP else 0)
        self._games: Games | None = None
        self._results = Results.blank(lanes, settings)

    @property
    def games(self) -> Games:
        """The game of each lane.

        Raises:
            GammonError: if there are none yet.
        """
        if self._games is None:
            raise GammonError("there are no games yet: call reset() first")
        return self._games

    @property
    def is_empty(self) -> bool:
        """Whether no game has begun yet."""
        return self._games is None

    @property
    def caller(self) -> int | None:
        """The seat of the caller, None where the caller has both."""
        return None if self._opponents is None else CALLER

    def checked(self, actions: Any) -> Integers:
        """Return actions as int64[N].

        Raises:
            GammonError: if there are no games, or it is not one action a lane; or naming the first
                lane where there is no game to play, or no such action, or an illegal one is to be
                refused.
        """
        given = np.asarray(actions)
        lanes = len(self.games.board)
        if given.shape != (lanes,) or given.dtype.kind not in "iu":
            raise GammonError(
                f"actions are {lanes} whole numbers, one a lane, not {given.dtype}"
                f"{list(given.shape)}"
            )
        numbers = np.array(given, np.int64)
        for number, part in enumerate(self._crew.parts):
            choices = self._choices(number, part)
            lane = first_refused(self.settings, numbers[part], choices, self.ended[part])
            if lane >= 0:
                raise GammonError(self._refusal(part.start + lane, int(given[part.start + lane])))
        return numbers

    def _refusal(self, lane: int, action: int) -> str:
        """Say why an action cannot be taken."""
        size = MAX_PLAYS if self.settings.whole_plays else CODES
        if self.ended[lane]:
            return f'lane {lane}: its game has ended: reset(options={{"reset_mask": ...}}) first'
        if not 0 <= action < size:
            return f"lane {lane}: {no_such_action(action, size)}"
        return f"lane {lane}: {not_legal(action, self.masks()[lane])}"

    def _choices(self, number: int, lanes: slice) -> Choices:
        pool = self._pools[number]
        return Choices(self._results.masks[lanes], pool.afterstates, pool.offsets)

    def step(self, actions: Integers) -> Results:
        """Take one action in every lane, all of them `checked`, and go on to the next decisions."""
        settings, start, ended, finals = self.settings, self._start, self.ended, self._finals
        # An opponent can fail, so it plays on copies: then the games are as they were.
        games = self.games if self._opponents is None else self.games.copy()
        results = Results.blank(len(actions), settings)

        def work(number: int, lanes: slice) -> None:
            choices = self._choices(number, lanes)
            kept = finals.part(lanes)
            step_lanes(settings, start, games.part(lanes), actions[lanes], choices, ended[lanes], results.part(lanes), kept)

        self._crew.run(work)
        self._finish(games, results)
        self.ending = results.terminations | results.truncations
        if settings.autoreset != SAME_STEP:
            self.ended = self.ending
        return results

    def enter(
        self, game: GameState, passes: int, entering: Flags, streams: npt.NDArray[np.uint64]
    ) -> Results:
        """Put the same game into some lanes and go on to the caller's first decisions there.

        Args:
            game: as it begins.
            passes: forced passes that the dice given for it took.
            entering: the lanes.
            streams: uint64[N, 3], the dice to come in all lanes.

        Returns:
            The results of all lanes; those that the game does not enter are shown again.
        """
        games = Games.blank(len(entering)) if self._games is None else self._games.copy()
        games.board[entering], games.left[entering] = game.board, game.left
        games.numbers[entering], games.stream[:] = game.numbers, streams
        results = Results.blank(len(entering), self.settings)
        results.notes[:] = self._results.notes
        enter_lanes(self.settings, self._start, games, entering, passes, results, self._finals)
        self._finish(games, results)
        self.ended = self.ended & ~entering
        self.ending = np.zeros_like(entering)
        return results

    def _finish(self, games: Games, results: Results) -> None:
        """Let opponents answer until the caller has a choice in every lane, and find the plays."""
        waiting = self._waiting(games)
        while self._opponents is not None and len(waiting):
            boards, left, numbers, streams = games.part(waiting)
            dice = numbers[:, DIE1 : DIE2 + 1].astype(np.int8, order="C")
            chosen = self._opponents.answer(boards, dice, left, streams)
            answer_lanes(
                self.settings, self._start, games, waiting, chosen, results, self._finals
            )
            waiting = waiting[self._waiting(games.part(waiting))]
        if self.settings.whole_plays:
            self._crew.run(lambda i, part: self._pools[i].find(games.board[part], games.left[part]))
        self._games, self._results = games, results

    def _waiting(self, games: Games) -> Integers:
        """Return the lanes where the opponent has a choice."""
        seats, phases = games.numbers[:, SEAT], games.numbers[:, PHASE]
        return np.flatnonzero((seats != self.caller) & (phases == TO_PLAY))

    def masks(self) -> Mask:
        """Return a new int8[N, actions], 1 for each legal action."""
        ...
