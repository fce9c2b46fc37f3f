"""Rollouts: an environment played by random legal actions."""

from typing import Any

import gymnasium
import numpy as np

from gammon_env.position import Position

Step = tuple[Any, ...]
"""An action, and all that the environment returned for it."""

ID = "gammon_env/Backgammon-v0"
BEAR_OFF = Position.from_counts({1: 1, "off": 14}, {13: 15})
"""Any roll ends the game with a gammon."""
CLOSED_OUT = Position.from_counts({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {"off": 3})
"""The player on roll cannot move until the other opens a point."""


def make(**arguments: Any) -> gymnasium.Env:
    """Return the environment without wrappers."""
    return gymnasium.make(ID, **arguments).unwrapped


def legal(info: dict[str, Any], chooser: np.random.Generator) -> int:
    """Return a random legal action."""
    return int(chooser.choice(np.flatnonzero(info["action_mask"])))


def rollout(
    env: gymnasium.Env, steps: int, seed: int | None = 0, info: dict[str, Any] | None = None
) -> list[Step]:
    """Take random legal actions, beginning a new game after each that is over.

    Args:
        env: reset with `seed` first, unless `info` is given.
        steps: how many.
        seed: for `reset`; None goes on in the stream of the environment.
        info: of a game to go on with.
    """
    chooser = np.random.default_rng(7)
    taken: list[Step] = []
    if info is None:
        observation, info = env.reset(seed=seed)
        taken.append((None, observation, info))
    for _ in range(steps):
        action = legal(info, chooser)
        observation, reward, terminated, truncated, info = env.step(action)
        taken.append((action, observation, reward, terminated, truncated, info))
        if terminated or truncated:
            observation, info = env.reset()
            taken.append((None, observation, info))
    return taken


def play_to_the_end(env: gymnasium.Env, info: dict[str, Any], seed: int = 0) -> list[Step]:
    """Take random legal actions until the game is over; return what `step` returned each time."""
    chooser = np.random.default_rng(seed)
    steps: list[Step] = []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(legal(info, chooser)))
        info = steps[-1][-1]
    return steps
