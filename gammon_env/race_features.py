"""What the "value" encoder says of the race between two sides, whether they are in contact or not.

Who wins a race follows from its lead in pips over the root of all the pips still to go (E.
Kleinman, "Vision Laughs at Counting", 1980), and who saves the gammon from the same measure of the
pips that still have to be played for it. What has no gradient is said outright: that no checker is
off, so that a gammon can be lost, and that a checker is on the bar.
"""

import math

from gammon_env.encoder import Feature, Features
from gammon_env.rules.board import BAR, OFF, Board
from gammon_env.rules.jit import lean_kernel

RACE_FEATURES = 12
"""Six for each side."""

HOME = 6
ON_ROLL = 4.0
"""Pips that being on roll is worth: half a roll."""
PIPS_PER_CHECKER = 49 / 12
"""A roll, of 49 / 6 pips, bears off two checkers or more."""
FURTHEST = 4.0
"""Beyond so many roots of the pips to go nothing is open any more."""


@lean_kernel
def write_race(board: Board, out: Features, start: int) -> None:
    """Write the features of the race from `out[start]` on; see `race_features`."""
    pips, to_save = race_pips(board[0])
    others_pips, others_to_save = race_pips(board[1])
    _write_side(board[0], board[1], pips, to_save, others_pips, ON_ROLL, out, start)
    half = start + RACE_FEATURES // 2
    _write_side(board[1], board[0], others_pips, others_to_save, pips, -ON_ROLL, out, half)


@lean_kernel
def _write_side(
    row: Board,
    other: Board,
    pips: int,
    to_save: int,
    others_pips: int,
    on_roll: float,
    out: Features,
    start: int,
) -> None:
    out[start] = _lead(others_pips + on_roll, pips)
    out[start + 1] = out[start + 2] = out[start + 3] = 0.0
    if row[OFF] == 0:
        left = 0
        for index in range(BAR + 1):
            left += int(other[index])
        to_go = max(float(others_pips), PIPS_PER_CHECKER * left)
        out[start + 1] = 1.0
        out[start + 2] = _lead(to_go + on_roll, to_save)
        out[start + 3] = _lead(to_save - on_roll, to_go)
    out[start + 4] = 1.0 if row[BAR] > 0 else 0.0
    out[start + 5] = 1.0 if row[BAR] > 1 else 0.0


@lean_kernel
def race_pips(row: Board) -> tuple[int, int]:
    """Return a side's pip count, and the pips until all are at home and one is off."""
    pips, to_save, lowest = 0, 0, HOME
    for index in range(BAR + 1):
        count = int(row[index])
        if count:
            pips += count * (index + 1)
            to_save += count * max(index + 1 - HOME, 0)
            lowest = min(lowest, index + 1)
    return pips, to_save + lowest


@lean_kernel
def _lead(others_pips: float, pips: float) -> float:
    """Return by how much fewer pips lead, of `FURTHEST` roots of all; 0 for a side that trails."""
    lead = others_pips - pips
    if lead <= 0:
        return 0.0
    return min(lead / math.sqrt(others_pips + pips), FURTHEST) / FURTHEST


def race_features() -> tuple[Feature, ...]:
    """Return the table of these features, in order."""
    return (*_side("own"), *_side("opposing"))


def _side(side: str) -> tuple[Feature, ...]:
    lines = (
        ("lead", "pips ahead / root of all pips / 4, at most 1; on roll 4 pips"),
        ("none off", "no checker is off"),
        ("saving", "the same lead in bearing one off before the other ends; 0 once one is off"),
        ("gammon", "how far that is behind"),
        ("one on the bar", "1 or more on the bar"),
        ("two on the bar", "2 or more on the bar"),
    )
    return tuple(Feature(f"{side} {name}", 1, 0, 1, meaning) for name, meaning in lines)
