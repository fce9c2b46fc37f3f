"""What an encoder is: a named, versioned way to write a board, with a table of its features."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import Board

Features = npt.NDArray[np.float32]

NUMBERS = 6
"""How many encoders there are."""

Code = tuple[int | None, ...]
"""An encoder's number in its own place, None in those of the others."""


@dataclass(frozen=True)
class Feature:
    """One line of an encoder's table.

    Attributes:
        name: what it is called.
        size: how many numbers in a row it takes.
        low: the least value any of them can have.
        high: the greatest; several where they differ, repeated over the size.
        meaning: what it says.
    """

    name: str
    size: int
    low: float
    high: float | tuple[float, ...]
    meaning: str


@dataclass(frozen=True)
class Encoder:
    """A named, versioned way to write a board as float32 numbers.

    Attributes:
        name: how users ask for it.
        version: raised whenever what it writes changes.
        features: its table, in order.
        write: kernel (board, dice left int8[4], out float32[size]) that fills `out`.
        number: how kernels that know all encoders are told this one.
        whole: how many features at the end are of whole sides. Each of those before them is a sum
            over the places of a board of what the checkers there add, so a network can look it up.
        earlier: by version, the sizes of those of which this one begins with all features.
    """

    name: str
    version: int
    features: tuple[Feature, ...]
    write: Callable[[Board, npt.NDArray[np.int8], Features], None]
    number: int
    whole: int = 0
    earlier: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """How many numbers a board becomes."""
        return sum(feature.size for feature in self.features)

    @property
    def sizes(self) -> dict[int, int]:
        """The versions a network may be made for, and how many of the first features it reads."""
        return {**self.earlier, self.version: self.size}

    @cached_property
    def code(self) -> Code:
        """What tells kernels this encoder by its type, so that numba leaves the others out."""
        return tuple(number if number == self.number else None for number in range(NUMBERS))

    @property
    def looked_up(self) -> int:
        """How many features come before those of whole sides."""
        return self.size - self.whole

    @property
    def low(self) -> Features:
        """The least value of each number, float32[size]."""
        return np.concatenate([_spread(feature.low, feature.size) for feature in self.features])

    @property
    def high(self) -> Features:
        """The greatest value of each number, float32[size]."""
        return np.concatenate([_spread(feature.high, feature.size) for feature in self.features])

    @property
    def table(self) -> str:
        """The features as a Markdown table."""
        lines = ["| from | size | low | high | feature | meaning |", "|---|---|---|---|---|---|"]
        start = 0
        for f in self.features:
            high = ", ".join(f"{bound:.4g}" for bound in np.atleast_1d(f.high))
            lines.append(f"| {start} | {f.size} | {f.low:g} | {high} | {f.name} | {f.meaning} |")
            start += f.size
        return "\n".join(lines)


def _spread(bound: float | tuple[float, ...], size: int) -> Features:
    """Return a bound for each of `size` numbers."""
    return np.resize(np.asarray(bound, np.float32), size)
