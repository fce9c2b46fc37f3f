"""The table of levels: what each version of each graded opponent is made of, as data.

A variant's table is the TOML file of its name beside the weights, a section for each version:

    ["level-3@2"]
    weights = "backgammon-small"   # the name of weights; see agents.weights
    sha256 = "..."                 # of their file
    temperature = 0.05             # see SoftmaxAgent; 0 plays what is best
    plies = 0                      # see SearchAgent, as the rest
    filters = []                   # plays and points of each ply, as in [[8, 0.16], [4, 0.08]]
    budget = 0                     # 0 for no limit
    bearoff = false
    candidates = 0                 # replies to a roll that the weights' scout picks; 0 for all

What is left out is 0, empty or false. A version that somebody may have played against is never
changed: another network or setting is a new version.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from agents import weights
from agents.files import write_atomically
from agents.lookahead import Filter
from gammon_env.errors import GammonError
from gammon_env.rules.variant import Variant

_HEADER = "# What the graded opponents are made of; see agents/level_table.py.\n"
_NAME = re.compile(r"level-(\d+)@(\d+)")


@dataclass(frozen=True)
class Level:
    """One version of a graded opponent.

    Attributes:
        number: 1 to 5.
        version: from 1; the highest is what the plain name stands for.
        weights: name of its weights.
        sha256: of their file.
        temperature: see `SoftmaxAgent`; 0 plays what is best.
        plies: how far it looks ahead.
        filters: see `SearchAgent`; none where it does not look ahead.
        budget: see `SearchAgent`; None for no limit.
        bearoff: whether it knows the bear-off tables.
        candidates: how many replies to each roll the scout of its weights picks inside the
            look-ahead; 0 for all.
    """

    number: int
    version: int
    weights: str
    sha256: str
    temperature: float = 0.0
    plies: int = 0
    filters: tuple[Filter, ...] = ()
    budget: int | None = None
    bearoff: bool = False
    candidates: int = 0

    @property
    def name(self) -> str:
        """The name of exactly this version."""
        return f"level-{self.number}@{self.version}"

    @property
    def identity(self) -> str:
        """What reports tell it from others by: the hash of its weights, and its settings."""
        settings = _settings(self)
        del settings["weights"]
        return " ".join([settings.pop("sha256"), *(f"{k}={v}" for k, v in settings.items())])


def load_levels(variant: Variant) -> tuple[Level, ...]:
    """Return all versions of all levels of a variant, as its table lists them.

    Raises:
        GammonError: if the variant has no table, or it holds something else.
    """
    path = table_path(variant)
    if not path.is_file():
        known = ", ".join(sorted(path.stem for path in weights.FOLDER.glob("*.toml")))
        raise GammonError(f"{variant.name} has no graded opponents; they play: {known}")
    return read_levels(path)


def table_path(variant: Variant) -> Path:
    """Return where the table of a variant lies, if it has one."""
    return weights.FOLDER / f"{variant.name}.toml"


def read_levels(path: Path) -> tuple[Level, ...]:
    """Return the levels of a table.

    Raises:
        GammonError: naming the file and what is wrong in it.
    """
    try:
        sections = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(_level(name, settings) for name, settings in sections.items())
    except (OSError, AttributeError, TypeError, ValueError) as error:
        raise GammonError(f"{path} is no table of levels: {error}") from error


def write_levels(path: Path, levels: Iterable[Level]) -> None:
    """Write a table atomically, in the order of numbers and versions."""
    ordered = sorted(levels, key=lambda level: (level.number, level.version))
    write_atomically(path, "\n".join([_HEADER, *map(_section, ordered)]))


def _level(name: str, settings: dict[str, Any]) -> Level:
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"section {name!r} is not named as in level-3@1")
    known = {field.name for field in fields(Level)} - {"number", "version"}
    if unknown := settings.keys() - known:
        raise ValueError(f"{name} has no setting {min(unknown)!r}; known: {sorted(known)}")
    read = settings | {
        "filters": tuple(Filter(*filter_) for filter_ in settings.get("filters", ())),
        "budget": settings.get("budget") or None,
    }
    return Level(int(match[1]), int(match[2]), **read)


def _section(level: Level) -> str:
    # What JSON writes of texts, numbers, booleans and lists of them is TOML too.
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in _settings(level).items())
    return f'["{level.name}"]\n{"".join(lines)}'


def _settings(level: Level) -> dict[str, Any]:
    """Return what a table says of a level: all but its name and what is 0, empty or false."""
    settings = asdict(level) | {"filters": [_filter(f) for f in level.filters]}
    return {k: v for k, v in settings.items() if v and k not in ("number", "version")}


def _filter(filter_: Filter) -> list[float]:
    return [filter_.plays, *([filter_.within] if math.isfinite(filter_.within) else [])]
