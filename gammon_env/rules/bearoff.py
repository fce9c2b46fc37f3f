"""Bear-off tables as the end of every look-ahead: chances of a race where both sides are home.

Positions covered are those with every checker of both sides at home or off. There is no contact
then in any game of the family, so one table serves all.

What is exact:

- `one_sided`: the distributions are exact for the play they describe, which minimises the mean.
- Both sides have borne off and have at most six checkers each: exact (both sides play perfectly).

What is approximate: everything else. Both sides play as if alone, each to minimise its own mean
number of rolls, and the side that has none off is given the quickest way to its first checker for
the chance of a gammon. Where the exact table can tell, the chance to win is 0.001 off on average
and 0.014 at worst; gammons are 0.003 off at worst in a game of three checkers, solved to compare.
A backgammon is impossible: no checker stands in the other's home board.

The tables are computed in about a second when first needed, and kept in the user's cache folder.
Kernels of search and training take the arrays of `load_tables` and call `write_outcomes`.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError
from gammon_env.rules import bearoff_one_sided, bearoff_two_sided
from gammon_env.rules.bearoff_moves import MAX_CHECKERS, position_number
from gammon_env.rules.board import BAR, HOME, OFF, Board
from gammon_env.rules.cache import Arrays, cached_arrays
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.variant import BACKGAMMON, Variant

Floats = npt.NDArray[np.float32]


class Tables(NamedTuple):
    """The arrays that kernels need.

    Attributes:
        rolls: float32[54264, 31]: chance that exactly n rolls bear off everything.
        first: float32[54264, 11]: chance that the first checker comes off on roll n.
        win: float32[M, M]: exact chances to win, by the positions of the side on roll and the
            other; M is 924, or 0 where only one-sided tables are wanted.
    """

    rolls: Floats
    first: Floats
    win: Floats


class OneSided(NamedTuple):
    """How long one side needs if nobody disturbs it.

    Attributes:
        rolls: float32[31]: at index n the chance that exactly n rolls bear off everything.
        first: float32[11]: at index n the chance that the first checker comes off on roll n.
        mean: rolls to bear off everything, on average.
    """

    rolls: Floats
    first: Floats
    mean: float


def one_sided(row: Board) -> OneSided:
    """Return how many rolls a side needs, under the play that minimises the mean.

    Args:
        row: int8[26], one row of a board; all its checkers are at home or off.

    Raises:
        GammonError: if a checker is elsewhere.
    """
    if not covers(np.stack([row, row])[np.newaxis])[0]:
        raise GammonError(
            f"a side bears off when all its checkers, {MAX_CHECKERS} at most, are on its points "
            f"1 to {HOME} or off"
        )
    number = position_number(np.array(row, np.int8))
    tables = load_tables(two_sided=False)
    rolls = tables.rolls[number].copy()
    return OneSided(rolls, tables.first[number].copy(), float(rolls @ np.arange(len(rolls))))


def covers(boards: Board) -> npt.NDArray[np.bool_]:
    """Say for each board, int8[N, 2, 26], whether `outcomes` can judge it."""
    home, away = boards[:, :, :HOME], boards[:, :, HOME : BAR + 1]
    counted = (home >= 0).all(axis=2) & (home.sum(axis=2) <= MAX_CHECKERS)
    covered: npt.NDArray[np.bool_] = (counted & (away == 0).all(axis=2)).all(axis=1)
    return covered


def outcomes(boards: Board, variant: Variant = BACKGAMMON, two_sided: bool = True) -> Floats:
    """Return the chances of the player on roll.

    Args:
        boards: int8[N, 2, 26], all of which `covers` accepts; finished games are judged as such.
        variant: the game.
        two_sided: take exact chances where there are few checkers.

    Returns:
        float32[N, heads], in the order of `variant.heads`.

    Raises:
        GammonError: naming the first board that is not covered.
    """
    covered = covers(boards)
    if not covered.all():
        where = int(np.argmin(covered))
        raise GammonError(f"board {where} is no bear-off: a checker is outside its home board")
    out = np.empty((len(boards), len(variant.heads)), np.float32)
    tables = load_tables(two_sided)
    write_all_outcomes(np.array(boards, np.int8), len(variant.kinds), *tables, out)
    return out


def load_tables(two_sided: bool = True) -> Tables:
    """Return the tables, from the user's cache folder if they are there; else they are built."""
    one = _load_one_sided()
    win = _load_two_sided()["win"] if two_sided else np.empty((0, 0), np.float32)
    return Tables(one["rolls"], one["first"], win)


@lru_cache
def _load_one_sided() -> Arrays:
    module = bearoff_one_sided
    return cached_arrays("bearoff-one-sided", module.SOURCES, module.one_sided_table)


@lru_cache
def _load_two_sided() -> Arrays:
    module = bearoff_two_sided
    return cached_arrays("bearoff-two-sided", module.SOURCES, module.two_sided_table)


@lean_kernel
def is_bearoff(board: Board) -> bool:
    """Say whether all checkers of both sides are at home or off."""
    for side in range(2):
        for index in range(HOME, BAR + 1):
            if board[side, index] > 0:
                return False
    return True


@lean_kernel
def write_all_outcomes(
    boards: Board, kinds: int, rolls: Floats, first: Floats, win: Floats, out: Floats
) -> None:
    """Write the outcomes of many boards, out float32[N, heads]; see `write_outcomes`."""
    for i in range(len(boards)):
        write_outcomes(boards[i], kinds, rolls, first, win, out[i])


@lean_kernel
def write_outcomes(
    board: Board, kinds: int, rolls: Floats, first: Floats, win: Floats, out: Floats
) -> None:
    """Write the chances of the player on roll in the order of a variant's heads.

    Args:
        board: int8[2, 26] for which `is_bearoff` holds.
        kinds: how many kinds of win the variant has.
        rolls: of `Tables`.
        first: of `Tables`.
        win: of `Tables`.
        out: float32[2 * kinds - 1]: a win, a win of each better kind, a loss of each worse kind.
    """
    own, other = position_number(board[0]), position_number(board[1])
    own_off, other_off = board[0, OFF] > 0, board[1, OFF] > 0
    out[:] = 0.0
    if own_off and other_off and own < len(win) and other < len(win):
        out[0] = win[own, other]
        return
    out[0] = min(1.0, chance_in_time(rolls[own], rolls[other]))
    if not other_off:
        out[1] = min(out[0], chance_in_time(rolls[own], first[other]))
    if not own_off:
        out[kinds] = min(1 - out[0], chance_too_late(first[own], rolls[other]))


@lean_kernel
def chance_in_time(own: Floats, other: Floats) -> float:
    """Return the chance that the side on roll needs no more rolls than the other."""
    chance, other_needs = 0.0, 0.0
    for n in range(len(own) - 1, -1, -1):
        if n < len(other):
            other_needs += other[n]
        chance += own[n] * other_needs
    return chance


@lean_kernel
def chance_too_late(own: Floats, other: Floats) -> float:
    """Return the chance that the side on roll needs more rolls than the other has."""
    chance, own_needs = 0.0, 0.0
    for n in range(len(own) - 1, -1, -1):
        chance += other[n] * own_needs
        own_needs += own[n]
    return chance
