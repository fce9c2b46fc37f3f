"""The tables of a vector environment: a game in every lane, and who answers the caller there."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env.actions import CODES, MAX_PLAYS
from gammon_env.encoder import Features
from gammon_env.envs.action_modes import no_such_action, not_legal
from gammon_env.envs.lane_arrays import (
    ACT,
    ACTOR,
    ANSWER,
    BEGIN,
    GO_ON,
    NOTES,
    PASSES,
    SAME_STEP,
    SETTLED,
    WAITS,
    Flags,
    Games,
    Integers,
    Masks,
    Results,
    Settings,
)
from gammon_env.envs.opponents import Opponents
from gammon_env.envs.start import check_undecided
from gammon_env.envs.stepper import NO_BOARDS, NO_PLAYS, Stepper
from gammon_env.envs.table import CALLER, NOBODY
from gammon_env.envs.vector_info import View
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.rules.turn import DIE1, DIE2, OVER, PHASE
from gammon_env.rules.variant import Variant


class VectorTable:
    """A game in every lane, between the caller and an opponent or of the caller with both seats.

    Args:
        lanes: how many there are.
        settings: of the compiled step.
        whole_plays: whether an action is the number of a play; if not, it is a checker move.
        opponents: who has the other seat in every lane; None leaves both to the caller.
        variant: the game.
        threads: how many of them share the lanes.

    Attributes:
        ended: lanes whose game has ended and has not made room for another.
    """

    def __init__(
        self,
        lanes: int,
        settings: Settings,
        whole_plays: bool,
        opponents: Opponents | None,
        variant: Variant,
        threads: int,
    ) -> None:
        self.ended = np.zeros(lanes, np.bool_)
        self._settings, self._opponents = settings, opponents
        self._stepper = Stepper(lanes, settings, variant.start_board(), threads)
        self._games: Games | None = None
        self._masks: Masks | None = None if whole_plays else np.zeros((lanes, CODES), np.int8)
        self._notes = np.zeros((lanes, NOTES), np.int64)

    @property
    def games(self) -> Games:
        """The games of all lanes.

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

    def view(self) -> View:
        """Return all lanes as they are."""
        plays = self._stepper.plays() if self._masks is None else NO_PLAYS
        return View(self.games, self._notes, self._masks, plays)

    def final_view(self, lanes: Integers) -> tuple[Features, View]:
        """Return observations and views of games that ended in the last step, at their end."""
        return self._stepper.final_view(lanes, whole_plays=self._masks is None)

    def checked(self, actions: Any) -> Integers:
        """Return actions as int64[N].

        Raises:
            GammonError: if there are no games, or not one number for each lane; or naming the first
                lane where there is no game to play, no such action, or an illegal one to refuse.
        """
        given, lanes = np.asarray(actions), len(self.games.board)
        if given.shape != (lanes,) or given.dtype.kind not in "iu":
            found = f"{given.dtype}{list(given.shape)}"
            raise GammonError(f"actions are {lanes} whole numbers, one for each lane, not {found}")
        numbers = np.array(given, np.int64)
        lane = self._stepper.first_refused(numbers, self._masks, self.ended)
        if lane >= 0:
            raise GammonError(self._refusal(lane, int(numbers[lane])))
        return numbers

    def _refusal(self, lane: int, action: int) -> str:
        """Say why an action cannot be taken."""
        size = MAX_PLAYS if self._masks is None else CODES
        if self.ended[lane]:
            how = 'reset(options={"reset_mask": ...})'
            return f"lane {lane}: the game is over: call {how} for the next one"
        if not 0 <= action < size:
            return f"lane {lane}: {no_such_action(action, size)}"
        return f"lane {lane}: {not_legal(action, self.view().masks()[lane])}"

    def step(self, actions: Integers) -> Results:
        """Take one action in every lane, `checked` before, and go on to the next decisions."""
        stages = np.where(self.ended, BEGIN, ACT)
        # An opponent can fail, so it plays on copies: then the games are as they were.
        games = self.games if self._opponents is None else self.games.copy()
        results = Results.blank(len(actions), self._settings)
        self._keep(games, self._go_on(games, stages, actions, results), results.notes)
        if self._settings.autoreset != SAME_STEP:
            self.ended = results.terminations | results.truncations
        return results

    def enter(
        self, game: GameState, passes: int, entering: Flags, stream: npt.NDArray[np.uint64]
    ) -> Results:
        """Put the same game into some lanes and go on to the caller's first decisions there.

        Args:
            game: as it begins.
            passes: forced passes that the dice given for it took.
            entering: the lanes.
            stream: uint64[N, 3], the dice to come in every lane.

        Returns:
            The results of all lanes; those that the game does not enter are shown again.

        Raises:
            GammonError: if the caller has nothing to decide there; the games are as they were.
        """
        lanes = len(entering)
        games = Games.blank(lanes) if self._games is None else self._games.copy()
        games.board[entering], games.left[entering] = game.board, game.left
        games.numbers[entering], games.stream[:] = game.numbers, stream
        results = Results.blank(lanes, self._settings)
        results.notes[:] = np.where(entering[:, np.newaxis], 0, self._notes)
        results.notes[entering, ACTOR], results.notes[entering, PASSES] = NOBODY, passes
        results.notes[:, SETTLED] = 1
        masks = self._go_on(games, np.full(lanes, GO_ON), np.zeros(lanes, np.int64), results)
        check_undecided(bool((games.numbers[entering, PHASE] == OVER).any()))
        self._keep(games, masks, results.notes)
        self.ended = self.ended & ~entering
        return results

    def _go_on(
        self, games: Games, stages: Integers, actions: Integers, results: Results
    ) -> Masks | None:
        """Bring all lanes to the caller's next decisions; return the masks there."""
        masks = self._masks
        if masks is not None and self._opponents is not None:
            masks = masks.copy()
        self._stepper.step(games, stages, actions, masks, NO_BOARDS, results)
        if self._opponents is not None:
            self._answer(self._opponents, games, stages, masks, results)
        return masks

    def _keep(self, games: Games, masks: Masks | None, notes: Integers) -> None:
        """Keep lanes as they are now, and find the plays there."""
        if masks is None:
            self._stepper.find_plays(games)
        self._games, self._masks, self._notes = games, masks, notes

    def _answer(
        self,
        opponents: Opponents,
        games: Games,
        stages: Integers,
        masks: Masks | None,
        results: Results,
    ) -> None:
        """Let opponents play wherever they have a choice, all lanes at once, again and again."""
        answers = np.empty_like(games.board)
        while len(lanes := np.flatnonzero(stages == WAITS)):
            boards, left, numbers, stream = games.part(lanes)
            dice = numbers[:, DIE1 : DIE2 + 1].astype(np.int8, order="C")
            answers[lanes] = opponents.answer(boards, dice, left, stream)
            stages[lanes] = ANSWER
            self._stepper.step(games, stages, stages, masks, answers, results)

    def close(self) -> None:
        """End the threads; the next step starts them again."""
        self._stepper.crew.close()
