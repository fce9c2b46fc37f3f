"""Environments played by random legal actions: how fast, and how the actions are drawn."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from gammon_env.rules.dice import random_word
from gammon_env.rules.jit import lean_kernel

ID = "gammon_env/Backgammon-v0"


@lean_kernel
def draw_codes(masks, seed, actions):
    """Draw a legal checker move in each lane; code 0 where there is none."""
    for lane in range(len(masks)):
        legal = 0
        for code in range(masks.shape[1]):
            legal += masks[lane, code]
        if legal == 0:
            actions[lane] = 0
            continue
        pick = np.int64(random_word(seed, np.uint64(lane)) % np.uint64(legal))
        code = 0
        while masks[lane, code] == 0 or pick > 0:
            pick -= masks[lane, code]
            code += 1
        actions[lane] = code


class RandomLanes:
    """A vector environment in which legal actions are drawn evenly, new games within the step.

    Args:
        lanes: how many.
        action_mode: "checker" or "play".
        threads: of the environment.
        env_id: which game.
    """

    def __init__(
        self,
        lanes: int,
        action_mode: str,
        threads: int = 1,
        env_id: str = ID,
        **arguments: Any,
    ) -> None:
        self.envs = gymnasium.make_vec(
            env_id,
            num_envs=lanes,
            action_mode=action_mode,
            autoreset_mode="SameStep",
            threads=threads,
            **arguments,
        )
        self._chooser = np.random.default_rng(0)
        self._whole_plays = action_mode == "play"
        self._actions = np.zeros(lanes, np.int64)
        _, self.infos = self.envs.reset(seed=0)

    def step(self) -> tuple[Any, ...]:
        """Take a step in every lane; return what the environment returned."""
        if self._whole_plays:
            counts = self.infos["num_plays"]
            actions = (self._chooser.random(len(counts)) * counts).astype(np.int64)
        else:
            actions = self._actions
            seed = self._chooser.integers(2**64, dtype=np.uint64)
            draw_codes(self.infos["action_mask"], seed, actions)
        returned = self.envs.step(actions)
        self.infos = returned[-1]
        return returned

    def work(self, steps: int) -> Callable[[], int]:
        """Return a contender that takes so many steps; its items are the actions taken."""

        def run() -> int:
            for _ in range(steps):
                self.step()
            return steps * self.envs.num_envs

        return run

    def turns(self, steps: int) -> Callable[[], int]:
        """Return a contender whose items are whole turns, forced passes among them."""

        def run() -> int:
            turns = 0
            for _ in range(steps):
                *_, infos = self.step()
                turns += len(infos["passes"]) + int(infos["passes"].sum())
            return turns

        return run


def random_steps(env: gymnasium.Env, steps: int) -> Callable[[], int]:
    """Return a contender that takes so many random steps in a single environment."""
    chooser = np.random.default_rng(0)
    _, first = env.reset(seed=0)

    def run() -> int:
        info = first
        draws = chooser.random(steps)
        for draw in draws:
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, _, info = env.step(legal[int(draw * len(legal))])
            if terminated:
                _, info = env.reset()
        env.reset()
        return steps

    return run
