"""Checkpoints: weights, optimiser and counters in one safetensors file, with a JSON beside it.

The description is part of the safetensors file itself, so the pair can never disagree; the JSON
beside it is the same text for people and scripts. Nothing is pickled.
"""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from agents.files import write_atomically
from agents.network import ValueNetwork
from gammon_env.errors import GammonError
from gammon_env.observation import get_encoder
from gammon_env.rules.variant import Variant, get_variant

NAME = "checkpoint.safetensors"
FORMAT = 2


@dataclass(frozen=True)
class Counters:
    """How far a run has come.

    Attributes:
        games: played and learned from.
        positions: learned from.
        iterations: rounds of play and learning.
        seconds: spent in them.
    """

    games: int = 0
    positions: int = 0
    iterations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds.

    Attributes:
        config: the run's configuration, as `TrainingConfig.as_dict` gives it.
        counters: how far it had come.
        network: the value network.
        training: what else the trainer needs to go on, named by the trainer.
        info: everything its JSON says.
    """

    config: dict[str, Any]
    counters: Counters
    network: ValueNetwork
    training: dict[str, torch.Tensor]
    info: dict[str, Any]

    @property
    def is_weights(self) -> bool:
        """Whether it has networks only, as shipped weights do; learning then begins a new Adam."""
        return bool(self.info.get("weights_only"))

    @property
    def scout(self) -> ValueNetwork | None:
        """The small network that learned beside it, if there is one."""
        state = with_prefix("scout.", self.training)
        return ValueNetwork.from_state(state) if state else None

    @property
    def variant(self) -> Variant:
        """The game its network plays."""
        return get_variant(self.info["variant"])


def save_checkpoint(
    path: Path,
    network: ValueNetwork,
    training: dict[str, torch.Tensor],
    config: dict[str, Any],
    counters: Counters,
) -> None:
    """Write a checkpoint and its JSON, each atomically."""
    encoder = get_encoder("value", get_variant(config["variant"]))
    info = {
        "format": FORMAT,
        "variant": config["variant"],
        "encoder": encoder.name,
        "encoder_version": next(v for v, n in encoder.sizes.items() if n == network.inputs),
        "hidden": network.hidden,
        "counters": asdict(counters),
        "config": config,
        "git_revision": git_revision(),
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }
    text = json.dumps(info, indent=1)
    tensors = to_tensors(network, training)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, save(tensors, {"info": text}))
    write_atomically(path.with_suffix(".json"), text + "\n")


def to_tensors(
    network: ValueNetwork, training: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return the tensors of a checkpoint, by the names that they have in its file."""
    tensors = {f"network.{name}": tensor for name, tensor in network.state_dict().items()}
    return tensors | {f"training.{name}": tensor for name, tensor in training.items()}


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint, or the one in a run's folder.

    Raises:
        GammonError: if there is none, it is damaged, or it was made for another encoder.
    """
    path = path / NAME if path.is_dir() else path
    tensors, info = _read(path)
    network = _network(path, tensors, info)
    training = with_prefix("training.", tensors)
    try:
        config, counters = dict(info["config"]), Counters(**info["counters"])
    except (KeyError, TypeError, ValueError) as error:
        raise GammonError(f"{path} lacks a part of its description: {error}") from error
    return Checkpoint(config, counters, network, training, info)


def _read(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    if not path.is_file():
        raise GammonError(f"there is no checkpoint {path}; expected a file like runs/quick/{NAME}")
    try:
        with safe_open(path, framework="pt") as file:
            info = json.loads(file.metadata()["info"])
            if info["format"] != FORMAT:
                raise ValueError(f"its format is {info['format']}, this release reads {FORMAT}")
            return {name: file.get_tensor(name) for name in file.keys()}, info  # noqa: SIM118 - no mapping
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise GammonError(
            f"{path} is no checkpoint of this project, or it is damaged or cut short: {error}"
        ) from error


def _network(path: Path, tensors: dict[str, torch.Tensor], info: dict[str, Any]) -> ValueNetwork:
    try:
        variant = get_variant(info["variant"])
        encoder = get_encoder("value", variant)
        name, version = info.get("encoder"), info.get("encoder_version")
        if is_read := name == encoder.name and version in encoder.sizes:
            network = ValueNetwork(encoder.sizes[version], info["hidden"], len(variant.heads))
            network.load_state_dict(with_prefix("network.", tensors))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise GammonError(f"{path} does not hold the network it describes: {error}") from error
    if not is_read:
        raise GammonError(
            f"{path} was trained on encoder {name!r} version {version}; "
            f"this release reads {encoder.name!r} version {encoder.version}"
        )
    return network


def with_prefix(prefix: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tensors whose name begins so, under the rest of their names."""
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }


def git_revision() -> str:
    """Return the revision of the working tree this runs from, "unknown" outside one."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
