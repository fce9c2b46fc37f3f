"""The questions of `Position`, asked of many boards at once: arrays in, arrays out."""

import numpy as np
import numpy.typing as npt

from gammon_env.observation import encode
from gammon_env.rules.backgammon import MAX_PLAYS, legal_plays
from gammon_env.rules.board import Board
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import BACKGAMMON, Variant

__all__ = ["encode", "fill_pool", "legal_afterstates", "legal_plays_of"]

Offsets = npt.NDArray[np.int64]


def legal_afterstates(
    boards: Board, dice: npt.NDArray[np.int8], variant: Variant = BACKGAMMON
) -> tuple[Board, Offsets]:
    """Return all distinct afterstates of one roll on each board.

    Args:
        boards: int8[N, 2, 26], the player on roll in row 0.
        dice: int8[N, 2].
        variant: the game.

    Returns:
        Afterstates int8[M, 2, 26] as the next player sees them, in canonical order, and offsets
        int64[N + 1]: those of board i are `afterstates[offsets[i]:offsets[i + 1]]`. A forced pass
        has none.
    """
    afterstates, _, offsets = legal_plays_of(boards, dice)
    return afterstates, offsets


def legal_plays_of(
    boards: Board, dice: npt.NDArray[np.int8]
) -> tuple[Board, npt.NDArray[np.uint32], Offsets]:
    """Return the afterstates of `legal_afterstates` with the path of each (see `legal_plays`)."""
    offsets = np.zeros(len(boards) + 1, np.int64)
    pool = np.empty((MAX_PLAYS + 64 * len(boards), 2, 26), np.int8)
    paths = np.empty(len(pool), np.uint32)
    done = fill_pool(boards, dice, 0, pool, paths, offsets)
    while done < len(boards):
        pool = np.concatenate([pool, np.empty_like(pool)])
        paths = np.concatenate([paths, np.empty_like(paths)])
        done = fill_pool(boards, dice, done, pool, paths, offsets)
    return pool[: offsets[-1]], paths[: offsets[-1]], offsets


@kernel
def fill_pool(
    boards: Board,
    dice: npt.NDArray[np.int8],
    begin: int,
    pool: Board,
    paths: npt.NDArray[np.uint32],
    offsets: Offsets,
) -> int:
    """Generate from board `begin` on, until all are done or the pool may not hold the next one.

    Returns:
        The index of the first board not done.
    """
    for i in range(begin, len(boards)):
        start = offsets[i]
        if start + MAX_PLAYS > len(pool):
            return i
        die1, die2 = int(dice[i, 0]), int(dice[i, 1])
        moves = 4 if die1 == die2 else 2
        offsets[i + 1] = start + legal_plays(
            boards[i], die1, die2, moves, pool[start:], paths[start:]
        )
    return len(boards)
