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
