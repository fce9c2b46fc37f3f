"""Encoders of long nardy, under the names that backgammon's have.

A board has no bar, and the sides run one behind the other: what a learner has to see is where each
side stands on its own finite route, who is blocked by whom, and what is left on the head.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.encoder import Encoder, Feature, Features
from gammon_env.rules.board import HOME, OFF, Board, pip_count, rearmost
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.moves import HEADS, MAX_MOVES
from gammon_env.rules.nardy_steps import has_contact

POINTS = 24
POINT_UNITS = 4
POINT_HIGH = (1.0, 1.0, 1.0, 6.0)
CHECKERS = 15
PIPS = CHECKERS * POINTS
SIDE_EXTRAS = 6
EXTRAS = 2 * SIDE_EXTRAS + 1
SIDE_SIZE = POINTS * POINT_UNITS + 2
TESAURO_NUMBER, BOARD_NUMBER, VALUE_NUMBER = 3, 4, 5

_HALF = 12
_ALL = (1 << POINTS) - 1


@lean_kernel
def point_unit(unit: int, checkers: int) -> float:
    """Return one of the four numbers that stand for the checkers on a point; one holds it."""
    if unit < 3:
        return 1.0 if checkers > unit else 0.0
    return (checkers - 3) / 2 if checkers > 3 else 0.0


@lean_kernel
def held_points(row: Board) -> int:
    """Return the points of a side as bits, bit 0 for point 1."""
    held = 0
    for index in range(POINTS):
        held |= (row[index] > 0) << index
    return held


@lean_kernel
def turned(held: int) -> int:
    """Return a side's points in the numbering of the other side."""
    return (held >> _HALF | held << _HALF) & _ALL


@lean_kernel
def foremost(row: Board) -> int:
    """Return the number of a side's foremost point, 0 if a checker is off."""
    if row[OFF] > 0:
        return 0
    for index in range(POINTS):
        if row[index] > 0:
            return index + 1
    return 0


@lean_kernel
def longest_row(held: int) -> tuple[int, int]:
    """Return how long the longest row of points is, and the index of its lowest point.

    Args:
        held: points as bits; of rows of equal length the one nearest home counts.
    """
    length, ends = 0, 0
    while held:
        length, ends = length + 1, held
        held &= held >> 1
    lowest = 0
    while ends and not ends >> lowest & 1:
        lowest += 1
    return length, lowest


@lean_kernel
def held_ahead(back: int, others: int) -> int:
    """Return how many of the six points ahead of a point are among the other side's.

    Args:
        back: the number of the point.
        others: the other side's points, in the numbering of this side.
    """
    held = 0
    for index in range(max(back - 1 - HOME, 0), back - 1):
        held += others >> index & 1
    return held


@lean_kernel
def usable_dice(held: int, others: int) -> int:
    """Return how many of the six dice move some checker to a point, blocks and head left aside."""
    usable = 0
    for die in range(1, 7):
        usable += held >> die & ~others != 0
    return usable


@lean_kernel
def write_extras(board: Board, out: Features) -> None:
    """Write what a side is as a whole: `SIDE_EXTRAS` numbers for each side, then contact."""
    for side in range(2):
        row, other = board[side], board[1 - side]
        held, others = held_points(row), turned(held_points(other))
        length, lowest = longest_row(turned(held))
        behind = 0
        for index in range(lowest, POINTS):
            behind += other[index]
        start, back = side * SIDE_EXTRAS, rearmost(row)
        out[start] = back / POINTS
        out[start + 1] = foremost(row) / POINTS
        out[start + 2] = min(length, HOME) / HOME
        out[start + 3] = behind / CHECKERS if length else 0.0
        out[start + 4] = held_ahead(back, others) / HOME
        out[start + 5] = usable_dice(held, others) / 6
    out[2 * SIDE_EXTRAS] = 1.0 if has_contact(board) else 0.0


@lean_kernel
def _write_points(row: Board, out: Features) -> None:
    """Write the units of all points of a side."""
    for index in range(POINTS):
        for unit in range(POINT_UNITS):
            out[index * POINT_UNITS + unit] = point_unit(unit, row[index])


@lean_kernel
def write_value(board: Board, _left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "value" features of a board; the dice are not among them."""
    for side in range(2):
        start = side * SIDE_SIZE
        _write_points(board[side], out[start:])
        out[start + POINTS * POINT_UNITS] = board[side, OFF] / CHECKERS
        out[start + POINTS * POINT_UNITS + 1] = pip_count(board[side]) / PIPS
    write_extras(board, out[2 * SIDE_SIZE :])


@lean_kernel
def _dice_of(left: npt.NDArray[np.int8], value: int) -> int:
    """Return how many dice of one value are still to play."""
    dice = 0
    for i in range(MAX_MOVES):
        dice += left[i] == value
    return dice


@lean_kernel
def write_tesauro(board: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "tesauro" features of a board in mid-turn."""
    size = POINTS * POINT_UNITS
    for side in range(2):
        start = side * (size + 1)
        _write_points(board[side], out[start:])
        out[start + size] = board[side, OFF] / CHECKERS
    start = 2 * (size + 1)
    for value in range(1, 7):
        dice = _dice_of(left, value)
        for unit in range(MAX_MOVES):
            out[start + (value - 1) * MAX_MOVES + unit] = 1.0 if dice > unit else 0.0
    out[start + 6 * MAX_MOVES] = left[HEADS] / 2


@lean_kernel
def write_board(board: Board, left: npt.NDArray[np.int8], out: Features) -> None:
    """Write the "board" features of a board in mid-turn."""
    for side in range(2):
        start = side * (POINTS + 1)
        for index in range(POINTS):
            out[start + index] = board[side, index]
        out[start + POINTS] = board[side, OFF]
    start = 2 * (POINTS + 1)
    for value in range(1, 7):
        out[start + value - 1] = _dice_of(left, value)
    out[start + 6] = left[HEADS]


def _points(side: str) -> Feature:
    meaning = "each point 1..24: 1+, 2+, 3+, (n - 3) / 2 above 3"
    return Feature(f"{side} points", POINTS * POINT_UNITS, 0, POINT_HIGH, meaning)


def _off(side: str) -> Feature:
    return Feature(f"{side} off", 1, 0, 1, "checkers borne off / 15")


def _value_side(side: str) -> tuple[Feature, ...]:
    return (
        _points(side),
        _off(side),
        Feature(f"{side} pips", 1, 0, 1, "pip count / 360"),
    )


def _extras_side(side: str) -> tuple[Feature, ...]:
    return (
        Feature(f"{side} rearmost", 1, 0, 1, "rearmost point / 24, 0 if all are off"),
        Feature(f"{side} foremost", 1, 0, 1, "foremost point / 24, 0 if a checker is off"),
        Feature(
            f"{side} row", 1, 0, 1, "longest row of points on the other's route, 6 at most / 6"
        ),
        Feature(
            f"{side} row ahead of", 1, 0, 1, "the other's checkers that have not passed it / 15"
        ),
        Feature(
            f"{side} blocked ahead", 1, 0, 1, "of six points ahead of the rearmost, closed / 6"
        ),
        Feature(f"{side} dice", 1, 0, 1, "dice 1..6 that can move some checker to a point / 6"),
    )


TESAURO = Encoder(
    name="tesauro",
    version=1,
    features=(
        *(_points("own"), _off("own")),
        *(_points("opposing"), _off("opposing")),
        Feature("dice left", 24, 0, 1, "each die 1..6: 1+, 2+, 3+, 4 of it still to play"),
        Feature("head moves left", 1, 0, 1, "checkers that may still leave point 24 / 2"),
    ),
    write=write_tesauro,
    number=TESAURO_NUMBER,
)

BOARD = Encoder(
    name="board",
    version=1,
    features=(
        Feature("own points", POINTS, 0, CHECKERS, "checkers on each point 1..24"),
        Feature("own off", 1, 0, CHECKERS, "checkers borne off"),
        Feature("opposing points", POINTS, 0, CHECKERS, "checkers on each point 1..24"),
        Feature("opposing off", 1, 0, CHECKERS, "checkers borne off"),
        Feature("dice left", 6, 0, 4, "how many of each die 1..6 are still to play"),
        Feature("head moves left", 1, 0, 2, "checkers that may still leave point 24"),
    ),
    write=write_board,
    number=BOARD_NUMBER,
)

VALUE = Encoder(
    name="value",
    version=1,
    features=(
        *_value_side("own"),
        *_value_side("opposing"),
        *_extras_side("own"),
        *_extras_side("opposing"),
        Feature("contact", 1, 0, 1, "the sides can still stand in each other's way"),
    ),
    write=write_value,
    number=VALUE_NUMBER,
    whole=EXTRAS,
)
