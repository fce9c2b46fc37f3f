"""The configuration of a training run: one frozen value, read from TOML and the command line."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from jsonargparse import ArgumentError, ArgumentParser

from gammon_env.errors import GammonError
from gammon_env.rules.variant import get_variant


@dataclass(frozen=True)
class TrainingConfig:
    """Everything that decides a training run; the same values give the same network.

    Attributes:
        run_dir: folder for checkpoints, logs and the effective configuration.
        variant: the game.
        seed: decides the first weights, the dice and the order of the positions.
        hidden: width of each hidden layer.
        games: how many games to learn from in all.
        games_per_iteration: games played with frozen weights before each round of learning.
        minibatch: positions in one step of Adam.
        lambda_: 0 learns from the next position's value, 1 from the outcome alone.
        learning_rate: of Adam in the first game; it falls linearly over the games.
        final_learning_rate: of Adam in the last game.
        workers: cores that play; learning takes one. It changes the speed, never the result.
        checkpoint_every: games between checkpoints.
        evaluate_every: games between short matches against `opponents`; 0 for none.
        evaluation_games: games of each short match, an even number.
        final_games: games of each match after training, an even number; 0 for none.
        opponents: fixed players to measure against; those not installed are left out.
    """

    run_dir: str
    games: int
    variant: str = "backgammon"
    seed: int = 1
    hidden: tuple[int, ...] = (128,)
    games_per_iteration: int = 256
    minibatch: int = 1024
    lambda_: float = 0.7
    learning_rate: float = 0.002
    final_learning_rate: float = 0.0
    workers: int = 2
    checkpoint_every: int = 50_000
    evaluate_every: int = 50_000
    evaluation_games: int = 400
    final_games: int = 2000
    opponents: tuple[str, ...] = ("random", "pip-count", "pubeval")

    def __post_init__(self) -> None:
        """Refuse values that make no run.

        Raises:
            GammonError: naming the key, its value and what would be right.
        """
        get_variant(self.variant)
        _require(self.run_dir != "", "run_dir", self.run_dir, "the path of a folder")
        for key in ("games", "games_per_iteration", "minibatch", "workers", "checkpoint_every"):
            _require(getattr(self, key) >= 1, key, getattr(self, key), "1 or more")
        _require(
            len(self.hidden) > 0 and min(self.hidden) > 0, "hidden", self.hidden, "widths above 0"
        )
        _require(0 <= self.lambda_ <= 1, "lambda_", self.lambda_, "from 0 to 1")
        for key in ("learning_rate", "final_learning_rate", "seed", "evaluate_every"):
            value = getattr(self, key)
            _require(0 <= value < math.inf, key, value, "0 or more, and finite")
        for key in ("evaluation_games", "final_games"):
            games = getattr(self, key)
            _require(
                games % 2 == 0 and games != 2 and games >= 0, key, games, "0, or even and 4 or more"
            )

    def learning_rate_at(self, games: int) -> float:
        """Return Adam's learning rate after so many games."""
        done = min(games / self.games, 1.0)
        return self.learning_rate + done * (self.final_learning_rate - self.learning_rate)

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain numbers, texts and lists."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}

    def as_toml(self) -> str:
        """Return the configuration as a file that `--config` reads."""
        return "".join(f"{key} = {_toml(value)}\n" for key, value in self.as_dict().items())


def _require(right: bool, key: str, value: object, expected: str) -> None:
    if not right:
        raise GammonError(f"configuration key {key} is {value!r}; it must be {expected}")


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    # A JSON string is a TOML string, quotes and backslashes included.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def from_dict(values: dict[str, Any]) -> TrainingConfig:
    """Return the configuration that `as_dict` wrote.

    Raises:
        GammonError: for a key that is missing or unknown, or a value that makes no run.
    """
    known = {field.name for field in fields(TrainingConfig)}
    if unknown := set(values) - known:
        raise GammonError(f"unknown configuration key {sorted(unknown)[0]}; known: {sorted(known)}")
    try:
        tuples: dict[str, Any] = {
            key: tuple(v) if isinstance(v, list) else v for key, v in values.items()
        }
        return TrainingConfig(**tuples)
    except TypeError as error:
        raise GammonError(f"the configuration is incomplete: {error}") from error


@dataclass(frozen=True)
class CommandLine:
    """What the training script was asked for.

    Attributes:
        config: the effective configuration.
        resume: the checkpoint to continue from, or None to begin anew.
    """

    config: TrainingConfig
    resume: Path | None


def parse(argv: Sequence[str], resumed: dict[str, Any] | None = None) -> CommandLine:
    """Read the command line: a TOML file, and single keys that override it.

    Args:
        argv: the command line without the program.
        resumed: the configuration of the checkpoint to resume, which the command line overrides.

    Raises:
        GammonError: naming the key that is unknown, missing or of the wrong type.
    """
    file = _option(argv, "--config")
    if file is not None and not file.is_file():
        raise GammonError(f"there is no configuration file {file}; there is configs/quick.toml")
    parser = _parser()
    if resumed is not None:
        parser.set_defaults(from_dict(resumed).as_dict())
    try:
        values = vars(parser.parse_args(list(argv)))
    except (ArgumentError, UnicodeDecodeError) as error:
        raise GammonError(" ".join(str(error).split())) from error
    resume = values.pop("resume")
    values.pop("config")
    if resume is not None and resume_path(argv) is None:
        raise GammonError(f"resume = {resume!r} is for the command line, not a configuration file")
    return CommandLine(from_dict(values), resume_path(argv))


def resume_path(argv: Sequence[str]) -> Path | None:
    """Return what follows `--resume` on a command line, before its configuration can be known."""
    return _option(argv, "--resume")


def _option(argv: Sequence[str], name: str) -> Path | None:
    """Return the path that an option is given; of several the last, as the parser does."""
    found = None
    for word, following in pairwise([*argv, ""]):
        if word == name and following:
            found = Path(following)
        elif word.startswith(f"{name}="):
            found = Path(word.partition("=")[2])
    return found


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="train.py",
        description="Train a value network by TD(lambda) self-play.",
        parser_mode="toml",
        exit_on_error=False,
        allow_abbrev=False,
    )
    parser.add_argument("--config", action="config", help="a TOML file of the keys below")
    parser.add_argument("--resume", type=str, help="a checkpoint, or the run folder it lies in")
    parser.add_class_arguments(TrainingConfig)
    return parser
