"""Encoders: what a learner sees of a board, by name, each with a table of its features.

Every encoder has a version. A change of what it writes is a new version, so that a network trained
on another is refused instead of silently playing worse. A version that only adds features at the
end can say so: a network of the one before reads the first features, and plays as ever.
"""

import numpy as np
import numpy.typing as npt

from gammon_env import nardy_encoder
from gammon_env.encoder import Code, Encoder, Feature, Features
from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, OFF, WIDTH, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.moves import LEFT, MAX_MOVES
from gammon_env.rules.variant import BACKGAMMON, BACKGAMMON_RULES, NARDY_RULES, Variant
from gammon_env.value_encoder import (
    POINT_HIGH,
    POINT_UNITS,
    VALUE,
    VALUE_NUMBER,
    WHOLE_FEATURES,
    point_unit,
    write_value,
    write_whole,
)

__all__ = [
    "BOARD",
    "ENCODERS",
    "POINT_UNITS",
    "TESAURO",
    "VALUE",
    "encode",
    "get_encoder",
    "point_unit",
    "write_features",
    "write_whole_features",
]

TESAURO_SIDE = 24 * POINT_UNITS + 2
DICE_UNITS = 4
MAX_CHECKERS = 15
TESAURO_NUMBER, BOARD_NUMBER = 0, 1

MOST_WHOLE = max(WHOLE_FEATURES, nardy_encoder.EXTRAS)
"""The most features of whole sides that an encoder has."""


@lean_kernel
def dice_of(left: npt.NDArray[np.int8], value: int) -> int:
    """Return how many dice of one value are still to play."""
    dice = 0
    for i in range(MAX_MOVES):
        dice += left[i] == value
    return dice


@lean_kernel
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


@lean_kernel
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
    number=TESAURO_NUMBER,
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
    number=BOARD_NUMBER,
)

ENCODERS: dict[str, Encoder] = {encoder.name: encoder for encoder in (TESAURO, BOARD, VALUE)}
"""Those of backgammon; other games have theirs under the same names."""

_ENCODERS: dict[int, dict[str, Encoder]] = {
    BACKGAMMON_RULES: ENCODERS,
    NARDY_RULES: {
        encoder.name: encoder
        for encoder in (nardy_encoder.TESAURO, nardy_encoder.BOARD, nardy_encoder.VALUE)
    },
}


def get_encoder(name: str, variant: Variant = BACKGAMMON) -> Encoder:
    """Return the encoder called `name`.

    Args:
        name: "tesauro", "board" or "value".
        variant: the game, since boards of its family differ from others.

    Raises:
        GammonError: if there is none; the message lists those there are.
    """
    if not isinstance(name, str) or name not in ENCODERS:
        raise GammonError(f"no encoder is called {name!r}; there are: {', '.join(ENCODERS)}")
    return _ENCODERS[variant.family][name]


@lean_kernel
def write_features(code: Code, board: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the features of the encoder of this code."""
    _write_features(code[0], code[1], code[2], code[3], code[4], code[5], board, left, out)


@lean_kernel
def _write_features(
    tesauro: int | None,
    counts: int | None,
    value: int | None,
    nardy_tesauro: int | None,
    nardy_counts: int | None,
    nardy_value: int | None,
    board: Board,
    left: npt.NDArray[np.int8],
    out: Features,
) -> None:
    if tesauro is not None:
        write_tesauro(board, left, out)
    if counts is not None:
        write_board(board, left, out)
    if value is not None:
        write_value(board, left, out)
    if nardy_tesauro is not None:
        nardy_encoder.write_tesauro(board, left, out)
    if nardy_counts is not None:
        nardy_encoder.write_board(board, left, out)
    if nardy_value is not None:
        nardy_encoder.write_value(board, left, out)


@lean_kernel
def write_whole_features(number: int, board: Board, out: Features) -> None:
    """Write the features of whole sides of the "value" encoder of this number."""
    if number == VALUE_NUMBER:
        write_whole(board, out)
    else:
        nardy_encoder.write_extras(board, out)


@lean_kernel
def _write_all(code: Code, boards: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    for i in range(len(boards)):
        write_features(code, boards[i], left[i], out[i])


def encode(
    boards: Board, name: str, variant: Variant, left: npt.NDArray[np.int8] | None = None
) -> Features:
    """Encode many boards.

    Args:
        boards: int8[N, 2, 26], the player on roll in row 0.
        name: of the encoder.
        variant: the game.
        left: int8[N, 5], the dice still to play and the head moves left; none by default.

    Returns:
        float32[N, size].

    Raises:
        GammonError: if no encoder has that name.
    """
    encoder = get_encoder(name, variant)
    out = np.empty((len(boards), encoder.size), np.float32)
    dice = np.zeros((len(boards), LEFT), np.int8) if left is None else left
    _write_all(encoder.code, boards, dice, out)
    return out
