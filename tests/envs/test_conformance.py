"""Every registered id, in every mode and against every opponent, is a proper environment."""

import copy
import itertools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.passive_env_checker import data_shares_objects

import gammon_env
from gammon_env.envs.wrappers import MaskInObservation
from gammon_env.observation import ENCODERS
from gammon_env.rules.variant import get_variant
from tests.envs.players import ByWord, last_play
from tests.envs.rollout import rollout
from tests.envs.singles import AUTORESETS, play_beside_singles

IDS = sorted(env_id for env_id in gymnasium.registry if env_id.startswith("gammon_env/"))
MODES = ("checker", "play")
NAMES = {"both seats": None, "name": "random", "list": ["random", "pip-count"]}
AGENTS = {
    env_id: ByWord(get_variant(gymnasium.registry[env_id].kwargs["variant"])) for env_id in IDS
}
OPPONENTS = {**NAMES, "agent": AGENTS, "function": last_play}
STEPS = 120

every_environment = pytest.mark.parametrize(
    ("env_id", "mode", "opponent"),
    [
        pytest.param(
            env_id,
            mode,
            opponent[env_id] if kind == "agent" else opponent,
            id=f"{env_id}-{mode}-{kind}",
        )
        for env_id, mode, (kind, opponent) in itertools.product(IDS, MODES, OPPONENTS.items())
    ],
)


def same(one: object, other: object) -> bool:
    return data_equivalence(one, other, exact=True)


def test_the_ids_are_registered_by_importing_the_package() -> None:
    games = ("Backgammon", "Hypergammon", "Nardy")
    assert [f"{gammon_env.__name__}/{game}-v0" for game in games] == IDS


@every_environment
def test_check_env_has_nothing_to_say(env_id: str, mode: str, opponent: Any) -> None:
    """Warnings are errors in this test suite."""
    check_env(gymnasium.make(env_id, action_mode=mode, opponent=opponent).unwrapped)


@pytest.mark.parametrize("observation", ENCODERS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_check_env_for_every_encoder(env_id: str, mode: str, observation: str) -> None:
    env = gymnasium.make(env_id, action_mode=mode, observation=observation, max_turns=50)
    check_env(env.unwrapped)


@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_check_env_for_every_render_mode(env_id: str, mode: str, opponent: str | None) -> None:
    render_modes = gymnasium.make(env_id).metadata["render_modes"]
    assert set(render_modes) == {"ansi", "rgb_array"}
    for render_mode in render_modes:
        env = gymnasium.make(env_id, action_mode=mode, opponent=opponent, render_mode=render_mode)
        check_env(env.unwrapped)
        assert env.metadata["render_fps"] > 0


@every_environment
def test_the_same_seed_is_the_same_rollout(env_id: str, mode: str, opponent: Any) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent)
    other = gymnasium.make(env_id, action_mode=mode, opponent=opponent)
    first = rollout(env, STEPS, seed=5)
    assert same(first, rollout(other, STEPS, seed=5))
    assert same(first, rollout(env, STEPS, seed=5)), "also after another rollout"
    assert not same(first, rollout(env, STEPS, seed=6))


@every_environment
@pytest.mark.parametrize("steps", [0, 3, 61])
@pytest.mark.parametrize("way", ["pickle", "deepcopy", "clone"])
def test_a_copy_goes_on_alike(env_id: str, mode: str, opponent: Any, steps: int, way: str) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent).unwrapped
    info = rollout(env, steps, seed=1)[-1][-1]
    copies = {
        "pickle": lambda env: pickle.loads(pickle.dumps(env)),
        "deepcopy": copy.deepcopy,
        "clone": lambda env: env.clone(),
    }
    twin = copies[way](env)
    expected = rollout(env, STEPS, info=info)
    assert same(expected, rollout(twin, STEPS, info=info)), "and the first did not disturb it"
    env.action_space.seed(3)
    twin.action_space.seed(4)
    assert [env.action_space.sample() for _ in range(9)] != [
        twin.action_space.sample() for _ in range(9)
    ]


@pytest.mark.parametrize("opponent", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_spec_goes_through_json(env_id: str, mode: str, opponent: Any, wrapped: bool) -> None:
    env = gymnasium.make(
        env_id, action_mode=mode, opponent=opponent, seat=1, max_turns=40, render_mode="ansi"
    )
    env = MaskInObservation(env) if wrapped else env
    spec = EnvSpec.from_json(env.spec.to_json())
    assert spec == env.spec
    twin = gymnasium.make(spec)
    assert isinstance(twin, MaskInObservation) == wrapped
    assert twin.observation_space == env.observation_space
    assert same(rollout(env, STEPS), rollout(twin, STEPS))


@every_environment
def test_what_is_returned_is_new_and_stays_as_it_was(env_id: str, mode: str, opponent: Any) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent)
    steps = rollout(env, 40)
    kept = copy.deepcopy(steps)
    rollout(env, 40, seed=2)
    assert same(steps, kept)
    returned = [(step[1], step[-1]) for step in steps]
    for one, other in itertools.combinations(returned, 2):
        assert not data_shares_objects(one, other)


@every_environment
def test_observations_and_masks_are_what_the_spaces_say(
    env_id: str, mode: str, opponent: Any
) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent)
    for step in rollout(env, STEPS):
        observation, info = step[1], step[-1]
        assert observation in env.observation_space
        assert observation.dtype == np.float32
        mask = info["action_mask"]
        assert mask.dtype == np.int8
        assert mask.shape == (env.action_space.n,)
        over = step[0] is not None and step[3]
        assert mask.any() != over, "a live state never has an empty mask"


@every_environment
def test_no_legal_action_forfeits(env_id: str, mode: str, opponent: Any) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent, illegal_action="raise")
    assert not any(step[-1]["illegal_action"] for step in rollout(env, STEPS))


@every_environment
def test_the_mask_serves_for_sampling(env_id: str, mode: str, opponent: Any) -> None:
    env = gymnasium.make(env_id, action_mode=mode, opponent=opponent).unwrapped
    env.action_space.seed(0)
    _, info = env.reset(seed=0)
    for _ in range(20):
        np.testing.assert_array_equal(env.action_masks(), info["action_mask"])
        _, _, over, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        assert not info["illegal_action"]
        if over:
            _, info = env.reset()


@every_environment
@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_lanes_of_a_vector_environment_are_single_environments(
    env_id: str, mode: str, opponent: Any, autoreset: str
) -> None:
    arguments = {"action_mode": mode, "opponent": opponent, "max_turns": 12}
    assert play_beside_singles(STEPS, autoreset, env_id, **arguments) > 10
