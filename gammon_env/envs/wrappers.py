"""Wrappers that give an environment another form."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from gammon_env.errors import GammonError

DictObservation = dict[str, npt.NDArray[Any]]
_Observation = npt.NDArray[np.float32]


class MaskInObservation(gymnasium.Wrapper[Any, np.int64, Any, np.int64], RecordConstructorArgs):
    """Give observations as `{"observation": ..., "action_mask": ...}`, as many libraries want them.

    The mask is the one of `info["action_mask"]`: int8, 1 for each legal action; all zeros once the
    game is over.
    """

    def __init__(self, env: gymnasium.Env[Any, np.int64]) -> None:
        """Wrap a backgammon environment.

        Raises:
            GammonError: if it is another environment.
        """
        if not (isinstance(env.action_space, spaces.Discrete) and _has_masks(env)):
            raise GammonError(f"{env} has no action masks; wrap an environment of this package")
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        actions = int(env.action_space.n)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_space = spaces.Dict(
            {"observation": env.observation_space, "action_mask": mask}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[DictObservation, dict[str, Any]]:
        """Begin a game; see `BackgammonEnv.reset`."""
        observation, info = self.env.reset(seed=seed, options=options)
        return _with_mask(observation, info), info

    def step(self, action: np.int64) -> tuple[DictObservation, float, bool, bool, dict[str, Any]]:
        """Take one action; see `BackgammonEnv.step`."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return _with_mask(observation, info), float(reward), terminated, truncated, info


def _has_masks(env: gymnasium.Env[Any, np.int64]) -> bool:
    return hasattr(env.unwrapped, "action_masks")


def _with_mask(observation: _Observation, info: dict[str, Any]) -> DictObservation:
    return {"observation": observation, "action_mask": info["action_mask"].copy()}
