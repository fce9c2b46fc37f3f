"""The "value" encoder: what a value network reads of a position before the roll.

First what depends on one count of one place, so that a network can look it up in a table; then the
features of whole sides, of `gammon_env.side_features` and `gammon_env.race_features`.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.encoder import Encoder, Feature, Features
from gammon_env.race_features import RACE_FEATURES, race_features, write_race
from gammon_env.rules.board import BAR, OFF, Board, pip_count
from gammon_env.rules.jit import lean_kernel
from gammon_env.side_features import SIDES_FEATURES, sides_features, write_sides

POINT_UNITS = 4
POINT_HIGH = (1.0, 1.0, 1.0, 6.0)
PIPS_SCALE = np.float32(1 / 167)
SIDE_SIZE = 24 * POINT_UNITS + 3
WHOLE_FEATURES = SIDES_FEATURES + RACE_FEATURES
VALUE_SIZE = 2 * SIDE_SIZE + WHOLE_FEATURES
VALUE_NUMBER = 2


@lean_kernel
def point_unit(unit: int, checkers: int) -> float:
    """Return one of the four numbers that stand for the checkers on a point."""
    if unit == 0:
        return 1.0 if checkers == 1 else 0.0
    if unit == 1:
        return 1.0 if checkers >= 2 else 0.0
    if unit == 2:
        return 1.0 if checkers >= 3 else 0.0
    return (checkers - 3) / 2 if checkers > 3 else 0.0


@lean_kernel
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
    write_whole(board, out[2 * SIDE_SIZE :])


@lean_kernel
def write_whole(board: Board, out: Features) -> None:
    """Write the features of whole sides, out float32[WHOLE_FEATURES]."""
    write_sides(board, out)
    write_race(board, out, SIDES_FEATURES)


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
    )


VALUE = Encoder(
    name="value",
    version=3,
    features=(*_value_side("own"), *_value_side("opposing"), *sides_features(), *race_features()),
    write=write_value,
    number=VALUE_NUMBER,
    whole=WHOLE_FEATURES,
    earlier={2: 2 * SIDE_SIZE + SIDES_FEATURES},
)
