"""Encoders: what a learner sees of a board, by name, each with a table of its features.

Every encoder has a version. A change of what it writes is a new version, so that a network trained
on the old one is refused instead of silently playing worse.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, HOME, OFF, Board, has_contact, pip_count, rearmost
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import Variant

Features = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Feature:
    """One line of an encoder's table.

    Attributes:
        name: what it is called.
        size: how many numbers in a row it takes.
        low: the least value any of them can have.
        high: the greatest.
        meaning: what it says.
    """

    name: str
    size: int
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Encoder:
    """A named, versioned way to write a board as float32 numbers.

    Attributes:
        name: how users ask for it.
        version: raised whenever what it writes changes.
        features: its table, in order.
        write: kernel (board, dice left int8[4], out float32[size]) that fills `out`.
    """

    name: str
    version: int
    features: tuple[Feature, ...]
    write: Callable[[Board, npt.NDArray[np.int8], Features], None]

    @property
    def size(self) -> int:
        """How many numbers a board becomes."""
        return sum(feature.size for feature in self.features)

    @property
    def low(self) -> Features:
        """The least value of each number, float32[size]."""
        return np.concatenate([np.full(f.size, f.low, np.float32) for f in self.features])

    @property
    def high(self) -> Features:
        """The greatest value of each number, float32[size]."""
        return np.concatenate([np.full(f.size, f.high, np.float32) for f in self.features])

    @property
    def table(self) -> str:
        """The features as a Markdown table."""
        lines = ["| from | size | low | high | feature | meaning |", "|---|---|---|---|---|---|"]
        start = 0
        for f in self.features:
            lines.append(f"| {start} | {f.size} | {f.low:g} | {f.high:.4g} | {f.name} | {f.meaning} |")
            start += f.size
        return "\n".join(lines)


# --- "value": what the value network reads, for a position before the roll ----------------------

POINT_UNITS = 4
PIPS_SCALE = np.float32(1 / 167)
SIDE_SIZE = 24 * POINT_UNITS + 6
VALUE_SIZE = 2 * SIDE_SIZE + 1


@kernel
def point_unit(unit: int, checkers: int) -> float:
    """Return one of the four numbers that stand for the checkers on a point."""
    if unit == 0:
        return 1.0 if checkers == 1 else 0.0
    if unit == 1:
        return 1.0 if checkers >= 2 else 0.0
    if unit == 2:
        return 1.0 if checkers >= 3 else 0.0
    return (checkers - 3) / 2 if checkers > 3 else 0.0


@kernel
def home_points(row: Board) -> int:
    """Return how many of its home points a side has made."""
    made = 0
    for index in range(HOME):
        made += row[index] >= 2
    return made


@kernel
def blocked_ahead(row: Board, other: Board) -> int:
    """Return how many of the six points ahead of a side's rearmost checker the other has made."""
    back = rearmost(row) - 1
    blocked = 0
    for index in range(max(back - 6, 0), back):
        blocked += other[23 - index] >= 2
    return blocked


@kernel
def write_value(board: Board, _left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "value" features of a board; the dice are not among them."""
    for side in range(2):
        row = board[side]
        start = side * SIDE_SIZE
        for index in range(24):
            for unit in range(POINT_UNITS):
                out[start + index * POINT_UNITS + unit] = point_unit(unit, row[index])
        start += 24 * POINT_UNITS
        out[start] = row[BAR] / 2
        out[start + 1] = row[OFF] / 15
        out[start + 2] = pip_count(row) * PIPS_SCALE
        out[start + 3] = rearmost(row) / 25
        out[start + 4] = home_points(row) / 6
        out[start + 5] = blocked_ahead(row, board[1 - side]) / 6
    out[2 * SIDE_SIZE] = 1.0 if has_contact(board) else 0.0


@kernel
def write_values(boards: Board, out: Features) -> None:
    """Write the "value" features of many boards, out float32[N, VALUE_SIZE]."""
    left = np.zeros(4, np.int8)
    for i in range(len(boards)):
        write_value(boards[i], left, out[i])


def _value_side(side: str) -> tuple[Feature, ...]:
    return (
        Feature(f"{side} points", 96, 0, 6, "each point 1..24: blot, 2+, 3+, (n - 3) / 2 above 3"),
        Feature(f"{side} bar", 1, 0, 7.5, "checkers on the bar / 2"),
        Feature(f"{side} off", 1, 0, 1, "checkers borne off / 15"),
        Feature(f"{side} pips", 1, 0, 375 / 167, "pip count / 167"),
        Feature(f"{side} rearmost", 1, 0, 1, "rearmost point / 25"),
        Feature(f"{side} home points", 1, 0, 1, "home points made / 6"),
        Feature(f"{side} blocked ahead", 1, 0, 1, "of six points ahead of the rearmost, blocked / 6"),
    )


VALUE = Encoder(
    name="value",
    version=1,
    features=(
        *_value_side("own"),
        *_value_side("opposing"),
        Feature("contact", 1, 0, 1, "the sides can still block or hit each other"),
    ),
    write=write_value,
)

ENCODERS: dict[str, Encoder] = {encoder.name: encoder for encoder in (VALUE,)}


def get_encoder(name: str) -> Encoder:
    """Return the encoder called `name`.

    Raises:
        GammonError: if there is none; the message lists those there are.
    """
    if name not in ENCODERS:
        raise GammonError(f"no encoder is called {name!r}; there are: {', '.join(ENCODERS)}")
    return ENCODERS[name]


def encode(boards: Board, name: str, variant: Variant, left: npt.NDArray[np.int8] | None = None) -> Features:
    """Encode many boards.

    Args:
        boards: int8[N, 2, 26], the player on roll in row 0.
        name: of the encoder.
        variant: the game.
        left: int8[N, 4], dice still to play, larger first, zeros after; none by default.

    Returns:
        float32[N, size].

    Raises:
        GammonError: if no encoder has that name.
    """
    encoder = get_encoder(name)
    out = np.empty((len(boards), encoder.size), np.float32)
    if encoder is VALUE:
        write_values(boards, out)
        return out
    dice = np.zeros((len(boards), 4), np.int8) if left is None else left
    for board, row_left, row in zip(boards, dice, out, strict=True):
        encoder.write(board, row_left, row)
    return out
