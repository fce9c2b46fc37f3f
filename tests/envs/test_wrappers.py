"""The form of observation that has the mask in it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.passive_env_checker import (
    check_observation_space,
    env_reset_passive_checker,
    env_step_passive_checker,
)

from gammon_env.envs.wrappers import MaskInObservation
from gammon_env.errors import GammonError
from tests.envs.rollout import ID, legal


@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize(("mode", "actions"), [("checker", 150), ("play", 3060)])
def test_the_mask_comes_with_the_observation(mode: str, actions: int, opponent: str | None) -> None:
    plain = gymnasium.make(ID, action_mode=mode, opponent=opponent)
    env = MaskInObservation(gymnasium.make(ID, action_mode=mode, opponent=opponent))
    assert env.observation_space["observation"] == plain.observation_space
    assert env.observation_space["action_mask"].shape == (actions,)
    chooser = np.random.default_rng(0)
    expected, _ = plain.reset(seed=0)
    observation, info = env.reset(seed=0)
    terminated = False
    while not terminated:
        assert observation in env.observation_space
        assert set(observation) == {"observation", "action_mask"}
        np.testing.assert_array_equal(observation["observation"], expected)
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
        assert not np.shares_memory(observation["action_mask"], info["action_mask"])
        action = legal(info, chooser)
        expected, *_ = plain.step(action)
        observation, _, terminated, _, info = env.step(action)
    assert not observation["action_mask"].any()


def test_gymnasium_has_nothing_to_say_about_it() -> None:
    env = MaskInObservation(gymnasium.make(ID))
    check_observation_space(env.observation_space)
    _, info = env_reset_passive_checker(env, seed=0)
    env_step_passive_checker(env, legal(info, np.random.default_rng(0)))


def test_options_reach_the_environment() -> None:
    env = MaskInObservation(gymnasium.make(ID, seat=0))
    env.reset(options={"dice": (6, 1)})
    assert env.unwrapped.get_state().dice == (6, 1)


def test_other_action_spaces_have_no_mask() -> None:
    with pytest.raises(
        GammonError, match="has no action masks; wrap an environment of this package"
    ):
        MaskInObservation(gymnasium.make("Pendulum-v1"))
