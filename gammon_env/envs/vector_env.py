"""The Gymnasium environment for many games at once."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gammon_env.envs.action_modes import make_mode
from gammon_env.envs.arguments import (
    AUTORESETS,
    check_arguments,
    checked_autoreset,
    checked_count,
    named_variant,
)
from gammon_env.envs.lane_arrays import BOTH, Flags, Settings
from gammon_env.envs.opponents import Opponent, Opponents
from gammon_env.envs.start import start_game
from gammon_env.envs.table import CALLER, Info, Observation
from gammon_env.envs.vector_info import Telling, spread, with_masks
from gammon_env.envs.vector_start import Seeds, checked_mask, streams
from gammon_env.envs.vector_table import VectorTable
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.game_view import checked_seat
from gammon_env.observation import get_encoder
from gammon_env.render import ansi, svg
from gammon_env.render.rasterise import pixels
from gammon_env.rules.turn import BY_DICE
from gammon_env.rules.variant import Variant


class BackgammonVectorEnv(VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """Many games at once, each exactly a game of `BackgammonEnv`.

    ## Description
    A lane is one game. Lane i is the single environment seeded with `seed + i`, step by step, in
    every mode; see `BackgammonEnv` for the rules, seats, dice, observations and rewards. One
    compiled call steps all lanes: actions, look-ahead masks, dice, forced passes, outcomes, new
    games and observations. An opponent is asked once for all lanes where it is on roll.

    A lane takes about 4 KB of memory, or 7 KB in mode `"play"`, what is returned included; 350 KB
    if its roll had the 3060 plays that are the most.

    ## Action Space
    `MultiDiscrete`, one action for each lane, as in the single environment. An array with an action
    that cannot be taken raises a `GammonError` that names the lane, and nothing has changed; what
    is only illegal forfeits that lane's game, or with `illegal_action="raise"` raises, too.

    ## Observation Space
    `Box(float32)` of shape `(num_envs, features)`. All arrays returned are new and the caller's.

    ## Starting State
    `reset(seed=..., options=...)` takes one seed, or one for each lane; and the options of the
    single environment, which then hold for every lane. `options={"reset_mask": bool array}` resets
    only those lanes; the others are shown again as they are.

    ## Episode End
    What becomes of a lane whose game has terminated or was truncated is up to `autoreset_mode`:

    | `autoreset_mode` | the next game begins |
    |---|---|
    | `"NextStep"` | with the next step, which ignores the lane's action |
    | `"SameStep"` | at once; the end is in `infos["final_obs"]` and `infos["final_info"]` |
    | `"Disabled"` | when the caller resets the lane by `reset_mask`, before any other step |

    ## Information
    The keys of the single environment, as arrays over the lanes, each `key` with a bool mask `_key`
    of the lanes it speaks of: all, or after a partial reset those that were reset. All of it
    belongs to the observation that is returned with it.

    In mode `"play"` all plays share one pool: instead of encoded afterstates there are

    | key | type | meaning |
    |---|---|---|
    | `num_plays` | int64 `(num_envs,)` | how many plays there are in each lane |
    | `offsets` | int64 `(num_envs + 1,)` | where they begin, and at last where all end |
    | `afterstates` | int8 `(offsets[-1], 2, 26)` | the board after each play, lane after lane |
    | `encoded_afterstates` | float32 `(offsets[-1], features)` | if `encode_afterstates` |

    Action k of lane i leads to `afterstates[offsets[i] + k]`. The arrays of the pool have no masks.
    With `"SameStep"`, in a step in which games end, `final_obs` is an array of objects, None
    elsewhere, and `final_info` a dictionary like `infos`.

    ## Arguments
    ```python
    >>> import gymnasium, gammon_env
    >>> envs = gymnasium.make_vec("gammon_env/Backgammon-v0", num_envs=3, autoreset_mode="SameStep")
    >>> observations, infos = envs.reset(seed=0)
    >>> observations.shape, infos["action_mask"].shape
    ((3, 220), (3, 150))

    ```

    Those of the single environment, and

    - `num_envs`: how many lanes; 1 by default.
    - `autoreset_mode`: see Episode End; `"NextStep"` by default.
    - `threads`: how many threads share the lanes, 1 by default; the results are the same. A second
      one is worth it from about 1,000 lanes on.
    - `masks`: whether `infos` has `action_mask`. None (default) is yes in mode `"checker"` and no
      in mode `"play"`, where `num_plays` says the same in a thousandth of the space.
    - `encode_afterstates`: whether `infos` has `encoded_afterstates`; False by default.

    Beyond Gymnasium: `action_masks()` and `get_state(lane)`.

    ## Version History
    * v0: Initial version
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        action_mode: Literal["checker", "play"] = "checker",
        observation: Literal["tesauro", "board", "value"] = "tesauro",
        opponent: Opponent | Sequence[Opponent] | None = None,
        seat: int | None = None,
        illegal_action: Literal["forfeit", "raise"] = "forfeit",
        max_turns: int | None = None,
        variant: str | Variant = "backgammon",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        masks: bool | None = None,
        encode_afterstates: bool = False,
    ) -> None:
        """Set up an environment; see Arguments.

        Raises:
            GammonError: naming the argument that is wrong and what it may be.
        """
        check_arguments(illegal_action, max_turns, render_mode)
        self.num_envs, self.render_mode = checked_count("num_envs", num_envs), render_mode
        self.variant = named_variant(variant)
        self.seat = None if seat is None else checked_seat(seat)
        self._autoreset = checked_autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._autoreset}
        mode = make_mode(action_mode, self.variant.rules)
        encoder = get_encoder(observation, self.variant)
        opponents = None if opponent is None else Opponents(opponent, self.variant)
        settings = Settings(
            rules=self.variant.rules,
            most=max(self.variant.points),
            starter=BY_DICE if self.seat is None else self.seat,
            caller=BOTH if opponents is None else CALLER,
            max_turns=max_turns or 0,
            autoreset=AUTORESETS[self._autoreset],
            forfeits=illegal_action == "forfeit",
            encoder=encoder.code,
            features=encoder.size,
        )
        whole_plays, crew = action_mode == "play", checked_count("threads", threads)
        self._table = VectorTable(num_envs, settings, whole_plays, opponents, self.variant, crew)
        self._telling = Telling(
            settings,
            masks=not whole_plays if masks is None else masks,
            encoder=observation if encode_afterstates else None,
            variant=self.variant,
        )
        self.single_action_space = spaces.Discrete(mode.size)
        self.single_observation_space = spaces.Box(encoder.low, encoder.high)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game in every lane, or in those of the option "reset_mask".

        Args:
            seed: of new streams of dice: lane i has `seed + i`, or the number given for it. None
                goes on in the present ones.
            options: what to start from; see Starting State.

        Returns:
            The observations of the first decisions, and `infos`.

        Raises:
            GammonError: naming the option that is wrong; the environment is unchanged.
        """
        if options is not None and not isinstance(options, Mapping):
            raise GammonError(f"options is a dictionary, not {options!r}")
        table, wishes = self._table, dict(options or {})
        entering = checked_mask(wishes.pop("reset_mask", None), self.num_envs)
        if table.is_empty and not entering.all():
            raise GammonError("there are no games yet: reset all lanes first")
        game, passes = start_game(self.variant, wishes, self.seat, table.caller)
        present = None if table.is_empty else table.games.stream
        coming = streams(present, entering, seed, self.np_random)
        results = table.enter(game, passes, entering, coming)
        super().reset(seed=int(seed) if isinstance(seed, Integral) else None)
        return results.observations, with_masks(self._telling.infos(table.view()), entering)

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, Info]:
        """Take one action in every lane; opponents and forced passes are played before it returns.

        Raises:
            GammonError: naming the first lane where there is no game to play, the action is none of
                the action space or, with `illegal_action="raise"`, not legal; the environment is
                unchanged.
        """
        table = self._table
        results = table.step(table.checked(actions))
        infos = with_masks(self._telling.infos(table.view()), np.ones(self.num_envs, np.bool_))
        ended = results.terminations | results.truncations
        if self._autoreset is AutoresetMode.SAME_STEP and ended.any():
            infos |= self._final(ended)
        seen, rewards, terminations, truncations, _ = results
        return seen, rewards, terminations, truncations, infos

    def _final(self, ended: Flags) -> Info:
        """Return what is told of the games that ended and have made room for others."""
        lanes = np.flatnonzero(ended)
        seen, view = self._table.final_view(lanes)
        observations = np.full(self.num_envs, None, np.object_)
        for lane, observation in zip(lanes, seen, strict=True):
            observations[lane] = observation
        info = spread(self._telling.infos(view), lanes, ended)
        return with_masks({"final_obs": observations, "final_info": info}, ended)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return a new int8[num_envs, n], 1 for each legal action."""
        return self._table.view().masks()

    def get_state(self, lane: int) -> GameState:
        """Return a copy of the game in a lane, dice to come included."""
        return GameState.from_arrays(self.variant, *(array[lane] for array in self._table.games))

    def render(self) -> tuple[Any, ...] | None:
        """Draw the board of every lane from the side of seat 0, as `BackgammonEnv.render` does."""
        if self.render_mode is None:
            gymnasium.logger.warn('nothing to render: make the environment with render_mode="ansi"')
            return None
        games = [self.get_state(lane) for lane in range(self.num_envs)]
        if self.render_mode == "ansi":
            return tuple(ansi.draw(game) for game in games)
        return tuple(pixels(svg.draw(game)) for game in games)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._table.close()
