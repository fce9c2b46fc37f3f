"""Networks, boards and short training runs that the learning tests share."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from agents.checkpoint import Checkpoint
from agents.config import Stage, TrainingConfig
from agents.forward import FastNetwork
from agents.network import ValueNetwork, fast
from gammon_env.observation import VALUE
from gammon_env.rules.bearoff import covers
from gammon_env.rules.board import OFF
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.players import decisions_of_random_games

HEADS = len(BACKGAMMON.heads)


def random_network(
    hidden: Sequence[int] = (8,), seed: int = 0, scale: float = 2, inputs: int = VALUE.size
) -> ValueNetwork:
    """Return a network with normal weights, each unit's inputs summing to about `scale`."""
    generator = torch.Generator().manual_seed(seed)
    network = ValueNetwork(inputs, hidden, HEADS)
    for parameter in network.parameters():
        fan_in = parameter.shape[-1] if parameter.ndim == 2 else 1
        drawn = torch.randn(parameter.shape, generator=generator)
        parameter.data = drawn * (scale / fan_in**0.5)
    return network


def constant_network(logit: float = 0.0) -> FastNetwork:
    """Return a network to which all positions look alike."""
    network = random_network()
    network.layers[-1].weight.data.zero_()
    network.layers[-1].bias.data.fill_(logit)
    return fast(network)


def boards_of_random_games(count: int = 2000) -> npt.NDArray[np.int8]:
    """Return boards as they come up in random games: contact, bars, races, bear-offs."""
    boards = np.concatenate([d.afterstates for d in decisions_of_random_games(6, seed=3)])
    return boards[np.random.default_rng(0).choice(len(boards), count, replace=False)]


def undecided(boards: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return the boards that a network judges: no finished games, and no bear-offs."""
    return boards[~covers(boards) & (boards[:, 1, OFF] < BACKGAMMON.checkers)]


def short_run(folder: Path, **changes: Any) -> TrainingConfig:
    """Return a run of six iterations, the last one shorter."""
    values: dict[str, Any] = {
        "games": 90,
        "hidden": (8,),
        "games_per_iteration": 16,
        "minibatch": 256,
        "workers": 1,
        "checkpoint_every": 16,
        "evaluate_every": 0,
        "evaluation_games": 0,
        "final_games": 0,
        "opponents": (),
    }
    return TrainingConfig(str(folder), **{**values, **changes})


def staged_run(folder: Path, **changes: Any) -> TrainingConfig:
    """Return a run with a scout, in three stages, whose network grows at the end of each."""
    stages = (
        Stage(24, (6,), lambda_=0.4, learning_rate=0.01, games_per_iteration=10, minibatch=100),
        Stage(60, (8, 6), learning_rate=0.006, final_learning_rate=0.003),
    )
    return short_run(folder, hidden=(9, 6), scout=3, candidates=2, stages=stages, **changes)


def exact_run(folder: Path, **changes: Any) -> TrainingConfig:
    """Return a run with a scout that learns from exact backups from its second stage on."""
    stages = (Stage(4, looks=0, epochs=1), Stage(8, looks=2, games_per_iteration=3))
    values: dict[str, Any] = {
        "games": 10,
        "games_per_iteration": 4,
        "scout": 3,
        "candidates": 2,
        "looks": 1,
        "epochs": 2,
        "memory": 5,
        "stages": stages,
    }
    return short_run(folder, **{**values, **changes})


def assert_same_state(one: Checkpoint, other: Checkpoint) -> None:
    """Check that two checkpoints agree bit for bit, the time spent left out."""
    assert replace(one.counters, seconds=0) == replace(other.counters, seconds=0)
    assert_same_tensors(one.network.state_dict(), other.network.state_dict())
    assert_same_tensors(one.training, other.training)


def assert_same_tensors(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, tensor in one.items():
        assert tensor.dtype == other[name].dtype
        assert tensor.numpy().tobytes() == other[name].numpy().tobytes(), name
