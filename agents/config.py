"""The configuration of a training run: one frozen value, read from TOML and the command line."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from jsonargparse import ArgumentError, ArgumentParser, Namespace

from gammon_env.errors import GammonError
from gammon_env.rules.variant import get_variant

PRECISIONS = "float32", "bfloat16"
"""What the learner multiplies in. Processors that know bfloat16 take a third of the time for it; it
rounds features to three digits, so the last games are better learned from without."""


@dataclass(frozen=True)
class Stage:
    """A part of a run, up to a number of games, in which some keys have values of their own.

    Attributes:
        until: how many games the run has learned from when the stage ends.
        hidden: as in `TrainingConfig`; the network may grow from stage to stage, never shrink.
        lambda_: as in `TrainingConfig`.
        learning_rate: of Adam at the beginning of the stage; it falls linearly.
        final_learning_rate: of Adam at its end.
        games_per_iteration: as in `TrainingConfig`.
        minibatch: as in `TrainingConfig`.
        precision: as in `TrainingConfig`.
        candidates: as in `TrainingConfig`.
        looks: as in `TrainingConfig`.
        epochs: as in `TrainingConfig`.
        memory: as in `TrainingConfig`.
    """

    until: int
    hidden: tuple[int, ...] | None = None
    lambda_: float | None = None
    learning_rate: float | None = None
    final_learning_rate: float | None = None
    games_per_iteration: int | None = None
    minibatch: int | None = None
    precision: str | None = None
    candidates: int | None = None
    looks: int | None = None
    epochs: int | None = None
    memory: int | None = None


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
        scout: units of a small network that picks the plays worth judging; 0 for none.
        candidates: how many plays of a roll the scout picks.
        precision: float32, or bfloat16 to learn faster and less exactly where processors know it.
        looks: at how many plays of a roll self-play looks over all 21 rolls that can follow, to
            learn from exact backups; 0 learns from sampled returns, in a 40th of the time.
        epochs: how many times an iteration learns from each of its positions.
        memory: how many games before those of an iteration it learns from again.
        stages: parts of the run with values of their own; after the last one, those above hold.
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
    scout: int = 0
    candidates: int = 6
    precision: str = "float32"
    looks: int = 0
    epochs: int = 1
    memory: int = 0
    stages: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        """Refuse values that make no run.

        Raises:
            GammonError: naming the key, its value and what would be right.
        """
        get_variant(self.variant)
        _require(self.run_dir != "", "run_dir", self.run_dir, "the path of a folder")
        for key in _AT_LEAST_ONE:
            _require(getattr(self, key) >= 1, key, getattr(self, key), "1 or more")
        _require(
            len(self.hidden) > 0 and min(self.hidden) > 0, "hidden", self.hidden, "widths above 0"
        )
        for name in (self.precision, *(stage.precision for stage in self.stages)):
            _require(name in (*PRECISIONS, None), "precision", name, " or ".join(PRECISIONS))
        _require(0 <= self.lambda_ <= 1, "lambda_", self.lambda_, "from 0 to 1")
        for key in (
            "learning_rate",
            "final_learning_rate",
            "seed",
            "evaluate_every",
            "scout",
            "looks",
            "memory",
        ):
            value = getattr(self, key)
            _require(0 <= value < math.inf, key, value, "0 or more, and finite")
        for key in ("evaluation_games", "final_games"):
            games = getattr(self, key)
            _require(
                games % 2 == 0 and games != 2 and games >= 0, key, games, "0, or even and 4 or more"
            )
        ends = [0, *(stage.until for stage in self.stages)]
        _require(ends == sorted(set(ends)), "stages", ends[1:], "games that rise, from 1 on")
        hidden = [self._with(stage).hidden for stage in self.stages]
        for old, new in pairwise([*hidden, self.hidden]):
            _require(_grows(old, new), "hidden", new, f"no smaller than {old} of the stage before")

    def at(self, games: int) -> "TrainingConfig":
        """Return what holds after so many games: `games` is then the end of that stage."""
        for stage in self.stages:
            if games < stage.until:
                return self._with(stage)
        return replace(self, stages=())

    def learning_rate_at(self, games: int) -> float:
        """Return Adam's learning rate after so many games."""
        stage = self.at(games)
        begin = max((s.until for s in self.stages if s.until <= games), default=0)
        done = min((games - begin) / (stage.games - begin), 1.0) if stage.games > begin else 1.0
        return stage.learning_rate + done * (stage.final_learning_rate - stage.learning_rate)

    def _with(self, stage: Stage) -> "TrainingConfig":
        own = {key: value for key, value in asdict(stage).items() if value is not None}
        return replace(self, stages=(), games=own.pop("until"), **own)

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain numbers, texts and lists."""
        values = {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}
        return {**values, "stages": [_given(stage) for stage in self.stages]}

    def as_toml(self) -> str:
        """Return the configuration as a file that `--config` reads."""
        values = self.as_dict()
        stages = values.pop("stages")
        tables = [_toml_lines(values), *(f"\n[[stages]]\n{_toml_lines(s)}" for s in stages)]
        return "".join(tables)


_AT_LEAST_ONE = (
    "games",
    "games_per_iteration",
    "minibatch",
    "workers",
    "checkpoint_every",
    "candidates",
    "epochs",
)


def _given(stage: Stage) -> dict[str, Any]:
    """Return the keys that a stage has values for."""
    values = {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(stage).items()}
    return {key: value for key, value in values.items() if value is not None}


def _grows(old: Sequence[int], new: Sequence[int]) -> bool:
    """Say whether a network can become so large; a layer that is new copies the last one."""
    least = [*old, *[old[-1]] * (len(new) - len(old))]
    return len(least) == len(new) and all(a >= b for a, b in zip(new, least, strict=True))


def _require(right: bool, key: str, value: object, expected: str) -> None:
    if not right:
        raise GammonError(f"configuration key {key} is {value!r}; it must be {expected}")


def _toml_lines(values: dict[str, Any]) -> str:
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items())


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
        tuples["stages"] = _stages(tuples.get("stages", ()))
        return TrainingConfig(**tuples)
    except TypeError as error:
        raise GammonError(f"the configuration is incomplete: {error}") from error


def _stages(found: Any) -> tuple[Stage, ...]:
    """Return the stages that `as_dict` or the parser gave."""
    tables = found if isinstance(found, tuple) else (None,)
    known = all(isinstance(table, Mapping | Namespace) for table in tables)
    _require(known, "stages", found, "a list of tables")
    return tuple(_stage(t if isinstance(t, Mapping) else vars(t)) for t in tables)


def _stage(values: Mapping[str, Any]) -> Stage:
    own: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    return Stage(**own)


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
