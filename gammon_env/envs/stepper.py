"""The stepper: takes the compiled step in all lanes, and finds the plays in them."""

import numpy as np
import numpy.typing as npt

from gammon_env.actions import CODES
from gammon_env.batch import PlayPool
from gammon_env.encoder import Features
from gammon_env.envs.crew import Crew
from gammon_env.envs.lane_arrays import (
    GO_ON,
    SAME_STEP,
    Finals,
    Flags,
    Games,
    Integers,
    Masks,
    Plays,
    Results,
    Settings,
)
from gammon_env.envs.lanes import first_refused, step_lanes
from gammon_env.envs.vector_info import View
from gammon_env.rules.board import WIDTH, Board

NO_BOARDS = np.empty((0, 2, WIDTH), np.int8)
NO_PLAYS = Plays(NO_BOARDS, np.zeros(1, np.int64))


class Stepper:
    """Runs the compiled step, each thread in its part of the lanes.

    Args:
        lanes: how many there are.
        settings: of the compiled step.
        start: the board that games begin with.
        threads: how many share the lanes.

    Attributes:
        settings: of the compiled step.
        crew: the threads.
    """

    def __init__(self, lanes: int, settings: Settings, start: Board, threads: int) -> None:
        self.settings, self.crew, self._start = settings, Crew(lanes, threads), start
        self._pools = [PlayPool(settings.rules) for _ in self.crew.parts]
        self._finals = Finals.blank(lanes if settings.autoreset == SAME_STEP else 0)

    def first_refused(self, actions: Integers, masks: Masks | None, ended: Flags) -> int:
        """Return the first lane whose action cannot be taken, -1 if all can."""
        for part, pool in zip(self.crew.parts, self._pools, strict=True):
            legal, plays = _part(masks, part), Plays(pool.afterstates, pool.offsets)
            lane = first_refused(self.settings, actions[part], legal, plays, ended[part])
            if lane >= 0:
                return part.start + lane
        return -1

    def step(
        self,
        games: Games,
        stages: Integers,
        actions: Integers,
        masks: Masks | None,
        answers: Board,
        results: Results,
    ) -> None:
        """Take the step; see `lanes.step_lanes`."""

        def work(number: int, part: slice) -> None:
            pool = self._pools[number]
            step_lanes(
                self.settings,
                self._start,
                games.part(part),
                stages[part],
                actions[part],
                _part(masks, part),
                Plays(pool.afterstates, pool.offsets),
                answers[part],
                results.part(part),
                self._finals.part(part),
            )

        self.crew.run(work)

    def find_plays(self, games: Games) -> None:
        """Find the plays of all lanes, which the next actions choose from."""
        self.crew.run(lambda i, part: self._pools[i].find(games.board[part], games.left[part]))

    def plays(self) -> Plays:
        """Return a copy of the plays found last."""
        return Plays.joined(self._pools)

    def final_view(self, lanes: Integers, whole_plays: bool) -> tuple[Features, View]:
        """Return observations and views of games that ended in the last step, at their end."""
        games, notes = self._finals.games.part(lanes), self._finals.notes[lanes]
        results = Results.blank(len(lanes), self.settings)._replace(notes=notes)
        masks = None if whole_plays else np.empty((len(lanes), CODES), np.int8)
        stages, idle = np.full(len(lanes), GO_ON), np.zeros(len(lanes), np.int64)
        start, finals = self._start, self._finals.part(slice(0))
        show = (games, stages, idle, masks, NO_PLAYS, NO_BOARDS, results, finals)
        step_lanes(self.settings, start, *show)
        plays = NO_PLAYS
        if whole_plays:
            pool = PlayPool(self.settings.rules)
            pool.find(games.board, games.left)
            plays = Plays.joined([pool])
        return results.observations, View(games, notes, masks, plays)


def _part(array: npt.NDArray[np.int8] | None, part: slice) -> npt.NDArray[np.int8] | None:
    return None if array is None else array[part]
