"""The board: one array, one convention, used everywhere.

A board is `int8[2, 26]`. Row 0 is the player on roll, row 1 the opponent, each in its own
numbering: index 0..23 are points 1..24, index 24 the bar, index 25 off. Every row sums to
`variant.checkers`. After a play the rows swap: an afterstate is written as the next player sees it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.variant import Variant

Board = npt.NDArray[np.int8]

BAR = 24
OFF = 25
WIDTH = 26
HOME = 6


@lean_kernel
def pip_count(row: Board) -> int:
    """Return the pips one side still has to move; a checker on the bar counts 25."""
    pips = 0
    for index in range(BAR + 1):
        pips += int(row[index]) * (index + 1)
    return pips


@lean_kernel
def rearmost(row: Board) -> int:
    """Return the number of a side's rearmost point in its own numbering: 25 bar, 0 all off."""
    for index in range(BAR, -1, -1):
        if row[index] > 0:
            return index + 1
    return 0


@lean_kernel
def has_contact(board: Board) -> bool:
    """Say whether the sides can still block or hit each other (backgammon numbering)."""
    return rearmost(board[0]) + rearmost(board[1]) > 25


def check_board(board: npt.NDArray[Any], variant: Variant) -> None:
    """Refuse a board that no game can reach.

    Args:
        board: array of shape (2, 26) in the convention above.
        variant: the game it belongs to.

    Raises:
        GammonError: naming the first thing that is wrong and what would be right.
    """
    if board.shape != (2, WIDTH):
        raise GammonError(f"a board has shape (2, {WIDTH}), not {board.shape}")
    for side, row in zip(("own", "opponent"), board, strict=True):
        _check_row(side, row, variant)
    for point in range(1, 25):
        own, theirs = board[0, point - 1], board[1, variant.opponent_point[point] - 1]
        if own and theirs:
            raise GammonError(f"point {point} is held by both sides: {own} own, {theirs} opposing")
    if (board[:, OFF] == variant.checkers).all():
        raise GammonError("both sides have borne off all their checkers; only one can finish")
    if board[:, BAR].any() and not variant.has_bar:
        raise GammonError(f"{int(board[:, BAR].sum())} on the bar; {variant.name} has no bar")
    if board[:, BAR].all() and (board[:, :HOME] >= 2).all():
        raise GammonError("both sides are on the bar against closed boards; nobody could ever move")


def _check_row(side: str, row: npt.NDArray[Any], variant: Variant) -> None:
    if (row < 0).any():
        index = int(np.argmin(row))
        raise GammonError(
            f"{side} has {row[index]} checkers on {place_name(index)}; counts are >= 0"
        )
    total = sum(row.tolist())  # Python's integers: a sum of the array's own could wrap around
    if total != variant.checkers:
        raise GammonError(
            f"{side} has {total} checkers in all (points, bar and off); "
            f"{variant.name} has {variant.checkers} a side"
        )


def place_name(index: int) -> str:
    """Return the name of a board index: "point 1" to "point 24", "bar" or "off"."""
    return {BAR: "bar", OFF: "off"}.get(index, f"point {index + 1}")
