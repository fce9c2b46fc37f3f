"""Encoders: what a learner sees of a board, by name, each with a table of its features.

Every encoder has a version. A change of what it writes is a new version, so that a network trained
on the old one is refused instead of silently playing worse.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.encoder import Encoder, Feature, Features
from gammon_env.errors import GammonError
from gammon_env.rules.board import (
    BAR,
    HOME,
    OFF,
    WIDTH,
    Board,
    has_contact,
    pip_count,
    rearmost,
)
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import Variant

# --- "value": what the value network reads, for a position before the roll ----------------------

POINT_UNITS = 4
POINT_HIGH = (1.0, 1.0, 1.0, 6.0)
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
        Feature(
            f"{side} points",
            96,
            0,
            POINT_HIGH,
            "each point 1..24: blot, 2+, 3+, (n - 3) / 2 above 3",
        ),
        Feature(f"{side} bar", 1, 0, 7.5, "checkers on the bar / 2"),
        Feature(f"{side} off", 1, 0, 1, "checkers borne off / 15"),
        Feature(f"{side} pips", 1, 0, 375 * float(PIPS_SCALE), "pip count / 167"),
        Feature(f"{side} rearmost", 1, 0, 1, "rearmost point / 25"),
        Feature(f"{side} home points", 1, 0, 1, "home points made / 6"),
        Feature(
            f"{side} blocked ahead", 1, 0, 1, "of six points ahead of the rearmost, blocked / 6"
        ),
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

# --- "tesauro" and "board": what an environment shows, the dice still to play included ----------

TESAURO_SIDE = 24 * POINT_UNITS + 2
DICE_UNITS = 4
MAX_CHECKERS = 15


@kernel
def dice_of(left: npt.NDArray[np.int8], value: int) -> int:
    """Return how many dice of one value are still to play."""
    dice = 0
    for die in left:
        dice += die == value
    return dice


@kernel
def write_tesauro(board: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "tesauro" features of a board in mid-turn."""
    for side in range(2):
        start = side * TESAURO_SIDE
        for index in range(24):
            for unit in range(POINT_UNITS):
                out[start + index * POINT_UNITS + unit] = point_unit(unit, board[side, index])
        out[start + 24 * POINT_UNITS] = float(board[side, BAR]) / 2
        out[start + 24 * POINT_UNITS + 1] = float(board[side, OFF]) / MAX_CHECKERS
    for value in range(1, 7):
        dice = dice_of(left, value)
        for unit in range(DICE_UNITS):
            out[2 * TESAURO_SIDE + (value - 1) * DICE_UNITS + unit] = 1.0 if dice > unit else 0.0


@kernel
def write_board(board: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "board" features of a board in mid-turn."""
    for side in range(2):
        for index in range(WIDTH):
            out[side * WIDTH + index] = board[side, index]
    for value in range(1, 7):
        out[2 * WIDTH + value - 1] = dice_of(left, value)


def _tesauro_side(side: str) -> tuple[Feature, ...]:
    return (
        Feature(
            f"{side} points",
            96,
            0,
            POINT_HIGH,
            "each point 1..24: blot, 2+, 3+, (n - 3) / 2 above 3",
        ),
        Feature(f"{side} bar", 1, 0, 7.5, "checkers on the bar / 2"),
        Feature(f"{side} off", 1, 0, 1, "checkers borne off / 15"),
    )


def _board_side(side: str) -> tuple[Feature, ...]:
    return (
        Feature(f"{side} points", 24, 0, MAX_CHECKERS, "checkers on each point 1..24"),
        Feature(f"{side} bar", 1, 0, MAX_CHECKERS, "checkers on the bar"),
        Feature(f"{side} off", 1, 0, MAX_CHECKERS, "checkers borne off"),
    )


TESAURO = Encoder(
    name="tesauro",
    version=1,
    features=(
        *_tesauro_side("own"),
        *_tesauro_side("opposing"),
        Feature("dice left", 24, 0, 1, "each die 1..6: 1+, 2+, 3+, 4 of it still to play"),
    ),
    write=write_tesauro,
)

BOARD = Encoder(
    name="board",
    version=1,
    features=(
        *_board_side("own"),
        *_board_side("opposing"),
        Feature("dice left", 6, 0, 4, "how many of each die 1..6 are still to play"),
    ),
    write=write_board,
)

ENCODERS: dict[str, Encoder] = {encoder.name: encoder for encoder in (TESAURO, BOARD, VALUE)}


def get_encoder(name: str) -> Encoder:
    """Return the encoder called `name`.

    Raises:
        GammonError: if there is none; the message lists those there are.
    """
    if name not in ENCODERS:
        raise GammonError(f"no encoder is called {name!r}; there are: {', '.join(ENCODERS)}")
    return ENCODERS[name]


def encode(
    boards: Board, name: str, variant: Variant, left: npt.NDArray[np.int8] | None = None
) -> Features:
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
