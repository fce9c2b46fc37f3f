"""The questions of `Position`, asked of many boards at once: arrays in, arrays out."""

import numpy as np
import numpy.typing as npt

from gammon_env.observation import encode
from gammon_env.rules.backgammon import MAX_PLAYS, legal_plays
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import BACKGAMMON, Variant

__all__ = ["PlayPool", "dice_left", "encode", "fill_pool", "legal_afterstates", "legal_plays_of"]

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
    pool = PlayPool(MAX_PLAYS + 64 * len(boards))
    pool.find(boards, dice_left(dice))
    return pool.afterstates, pool.paths, pool.offsets


def dice_left(dice: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return int8[N, 4], the dice still to play at the start of each turn, from int8[N, 2]."""
    first, second = dice.T
    double = np.where(first == second, first, np.int8(0))
    return np.stack([np.maximum(first, second), np.minimum(first, second), double, double], axis=1)


class PlayPool:
    """The plays of many rolls, those of one behind those of the other, in one buffer.

    The buffer grows to what has been needed and is used again by the next `find`.

    Args:
        capacity: plays to have room for at first.

    Attributes:
        offsets: int64[N + 1]; the plays of board i are offsets[i] to offsets[i + 1] - 1.
    """

    def __init__(self, capacity: int = MAX_PLAYS) -> None:
        self._afterstates = np.empty((capacity, 2, WIDTH), np.int8)
        self._paths = np.empty(capacity, np.uint32)
        self.offsets = np.zeros(1, np.int64)

    @property
    def afterstates(self) -> Board:
        """int8[M, 2, 26], as the next players see them; overwritten by the next `find`."""
        return self._afterstates[: self.offsets[-1]]

    @property
    def paths(self) -> npt.NDArray[np.uint32]:
        """uint32[M], the checker moves of each play; see `rules.backgammon.legal_plays`."""
        return self._paths[: self.offsets[-1]]

    def find(self, boards: Board, left: npt.NDArray[np.int8]) -> None:
        """Find all distinct plays of the dice left on each board, in canonical order.

        Args:
            boards: int8[N, 2, 26], also in mid-turn.
            left: int8[N, 4], the dice still to play, larger first, zeros behind; none has no play.
        """
        self.offsets = np.zeros(len(boards) + 1, np.int64)
        done = 0
        while True:
            done = fill_pool(boards, left, done, self._afterstates, self._paths, self.offsets)
            if done == len(boards):
                return
            self._afterstates = np.concatenate([self._afterstates] * 2)
            self._paths = np.concatenate([self._paths] * 2)


@kernel
def fill_pool(
    boards: Board,
    left: npt.NDArray[np.int8],
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
        offsets[i + 1] = start
        if left[i, 0] == 0:
            continue
        if start + MAX_PLAYS > len(pool):
            return i
        moves = 0
        for die in left[i]:
            moves += die > 0
        offsets[i + 1] += legal_plays(
            boards[i], int(left[i, 0]), int(left[i, moves - 1]), moves, pool[start:], paths[start:]
        )
    return len(boards)
