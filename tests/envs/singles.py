"""Single environments driven side by side, as Gymnasium says that a vector environment behaves.

`Singles` is what a native vector environment is measured by: lane i is an environment of its own,
seeded with seed + i, that is begun anew when the autoreset mode says so.
"""

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from gammon_env.observation import encode
from gammon_env.rules.variant import BACKGAMMON, Variant, get_variant
from tests.envs.rollout import ID

Info = dict[str, Any]
LANES = 3
AUTORESETS = [mode.value for mode in AutoresetMode]
FLAT = ("afterstates", "offsets", "encoded_afterstates")


@dataclass
class Lane:
    """What one lane is to return: of a reset only the observation and the info."""

    observation: Any
    info: Info
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    final: tuple[Any, Info] | None = None

    @property
    def ended(self) -> bool:
        return self.terminated or self.truncated


class Singles:
    """As many environments as there are lanes."""

    def __init__(self, lanes: int, autoreset_mode: str, env_id: str = ID, **arguments: Any) -> None:
        self.envs = [gymnasium.make(env_id, **arguments).unwrapped for _ in range(lanes)]
        self.mode = AutoresetMode(autoreset_mode)
        self.lanes: list[Lane] = []

    def reset(self, seed: int | None = None, **options: Any) -> list[Lane]:
        seeds = [None if seed is None else seed + i for i in range(len(self.envs))]
        mask = options.pop("reset_mask", np.ones(len(self.envs), bool))
        old = self.lanes or [None] * len(self.envs)
        self.lanes = [
            Lane(*env.reset(seed=own, options=options)) if chosen else lane
            for env, own, chosen, lane in zip(self.envs, seeds, mask, old, strict=True)
        ]
        return self.lanes

    def step(self, actions: list[int]) -> list[Lane]:
        pairs = zip(self.envs, self.lanes, actions, strict=True)
        self.lanes = [self._step(env, lane, action) for env, lane, action in pairs]
        return self.lanes

    def _step(self, env: Any, before: Lane, action: int) -> Lane:
        if before.ended and self.mode == AutoresetMode.NEXT_STEP:
            return Lane(*env.reset())
        observation, reward, terminated, truncated, info = env.step(action)
        lane = Lane(observation, info, reward, terminated, truncated)
        if lane.ended and self.mode == AutoresetMode.SAME_STEP:
            lane.final = observation, info
            lane.observation, lane.info = env.reset()
        return lane


def assert_lanes(
    lanes: list[Lane],
    observations: Any,
    infos: Info,
    encoder: str,
    told: npt.NDArray[np.bool_] | None = None,
    variant: Variant = BACKGAMMON,
) -> None:
    """Assert that a vector environment shows what single environments show.

    Args:
        lanes: what the single environments returned.
        observations: of the vector environment.
        infos: of the vector environment.
        encoder: the name of the encoder.
        told: the lanes that infos are to speak of; all by default.
        variant: the game.
    """
    told = np.ones(len(lanes), bool) if told is None else told
    assert np.array_equal(observations, [lane.observation for lane in lanes])
    for number, lane in enumerate(lanes):
        assert_info(lane.info, infos, number, encoder, variant)
    keys = {key for key in infos if key[0] != "_"} - {*FLAT, "final_obs", "final_info"}
    assert all(np.array_equal(infos[f"_{key}"], told) for key in keys)
    assert ("final_obs" in infos) == any(lane.final for lane in lanes)
    if "final_obs" in infos:
        assert_finals(lanes, infos, encoder, variant)


def assert_finals(lanes: list[Lane], infos: Info, encoder: str, variant: Variant) -> None:
    """Assert that the games that have ended are told of, and no others."""
    told = [lane.final is not None for lane in lanes]
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == told
    for number, lane in enumerate(lanes):
        if lane.final is None:
            assert infos["final_obs"][number] is None
        else:
            assert np.array_equal(infos["final_obs"][number], lane.final[0])
            assert_info(lane.final[1], infos["final_info"], number, encoder, variant)


def assert_info(info: Info, infos: Info, number: int, encoder: str, variant: Variant) -> None:
    """Assert that infos say of a lane what the single environment says."""
    for key, value in info.items():
        if key == "afterstates":
            start, stop = infos["offsets"][number : number + 2]
            assert np.array_equal(infos["encoded_afterstates"][start:stop], value)
            boards = infos["afterstates"][start:stop]
            assert np.array_equal(encode(boards, encoder, variant), value)
        elif key != "action_mask" or key in infos:
            assert np.array_equal(infos[key][number], value), (key, number)


def make_vec(lanes: int = LANES, env_id: str = ID, **arguments: Any) -> VectorEnv:
    """Return the native vector environment, or with a vectorization_mode Gymnasium's."""
    return gymnasium.make_vec(env_id, num_envs=lanes, **arguments)


def random_actions(
    infos: dict[str, Any], chooser: np.random.Generator, illegal: float = 0.0
) -> np.ndarray:
    """Return a legal action for each lane, or with some chance any; rubbish where there is none."""
    actions = []
    for lane in range(len(infos["to_play"])):
        if "num_plays" in infos:
            legal, size = np.arange(infos["num_plays"][lane]), 3060
        else:
            legal, size = np.flatnonzero(infos["action_mask"][lane]), 150
        some = legal if chooser.random() >= illegal else np.arange(size)
        actions.append(chooser.choice(some) if len(legal) else -7)
    return np.array(actions)


def play_beside_singles(steps: int, autoreset_mode: str, env_id: str = ID, **arguments: Any) -> int:
    """Play a vector environment and single ones alike, and compare all that they return.

    Returns:
        How many games ended.
    """
    encoder = arguments.get("observation", "tesauro")
    variant = get_variant(gymnasium.spec(env_id).kwargs["variant"])
    singles = Singles(LANES, autoreset_mode, env_id, **arguments)
    whole = {"autoreset_mode": autoreset_mode, "encode_afterstates": True, **arguments}
    envs = make_vec(env_id=env_id, **whole)
    observations, infos = envs.reset(seed=11)
    assert_lanes(singles.reset(seed=11), observations, infos, encoder, variant=variant)
    chooser = np.random.default_rng(3)
    games = 0
    for _ in range(steps):
        actions = random_actions(infos, chooser, illegal=0.002)
        lanes = singles.step(actions.tolist())
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert_lanes(lanes, observations, infos, encoder, variant=variant)
        assert rewards.tolist() == [lane.reward for lane in lanes]
        assert terminations.tolist() == [lane.terminated for lane in lanes]
        assert truncations.tolist() == [lane.truncated for lane in lanes]
        ended = terminations | truncations
        games += int(ended.sum())
        if autoreset_mode == "Disabled" and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            lanes = singles.reset(reset_mask=ended)
            assert_lanes(lanes, observations, infos, encoder, told=ended, variant=variant)
    return games
