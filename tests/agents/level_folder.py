"""A folder of weights and a table of five levels made of tiny networks, for tests."""

from pathlib import Path
from typing import Any

import pytest

from agents import weights
from agents.checkpoint import Counters, save_checkpoint
from agents.level_table import Level, write_levels
from agents.lookahead import Filter
from agents.weights.__main__ import add
from tests.agents.networks import random_network, short_run

SHAPE = (6,)
DONE = Counters(games=90, positions=4000, iterations=6, seconds=7200)


def run_folder(folder: Path, seed: int = 0, **changes: Any) -> Path:
    """Return the folder of a training run that ended with a random network."""
    config = short_run(folder, hidden=SHAPE, seed=seed).as_dict() | changes
    network = random_network(SHAPE, seed)
    moments = {f"{name}.exp_avg": tensor.clone() for name, tensor in network.state_dict().items()}
    save_checkpoint(folder / "checkpoint.safetensors", network, moments, config, DONE)
    return folder


def empty_folder(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Let the package look for weights and tables in a folder without any."""
    found = folder / "weights"
    found.mkdir()
    patch.setattr(weights, "FOLDER", found)
    return found


def level_folder(folder: Path, patch: pytest.MonkeyPatch) -> tuple[Level, ...]:
    """Write weights "one" and a table of five levels of them where the package looks for those."""
    found = empty_folder(folder, patch)
    card = add(run_folder(folder / "run"), "one")
    levels = (
        *(Level(n, 1, "one", card.sha256, temperature=0.4 / 2**n) for n in (1, 2, 3)),
        Level(4, 1, "one", card.sha256),
        Level(5, 1, "one", card.sha256, plies=1, filters=(Filter(2, 0.1),), bearoff=True),
    )
    write_levels(found / "backgammon.toml", levels)
    return levels
