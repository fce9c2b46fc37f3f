"""The questions of `Position`, asked of many boards at once: arrays in, arrays out."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env import observation
from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, OFF, WIDTH, Board, check_board
from gammon_env.rules.jit import kernel, lean_kernel
from gammon_env.rules.moves import (
    LEFT,
    MAX_MOVES,
    MAX_PLAYS,
    WORKSPACE,
    dice_count,
    legal_plays,
    put_dice,
)
from gammon_env.rules.variant import BACKGAMMON, Rules, Variant, checked_variant

__all__ = [
    "PlayPool",
    "checked_boards",
    "dice_left",
    "encode",
    "fill_pool",
    "legal_afterstates",
    "legal_plays_of",
]

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
        has none, and neither has a finished game.

    Raises:
        GammonError: naming the first board or roll that is impossible.
    """
    checked = checked_boards(boards, variant)
    rolls = _checked_rolls(dice, len(checked))
    afterstates, _, offsets = legal_plays_of(checked, rolls, variant)
    return afterstates, offsets


def encode(
    boards: Board,
    name: str,
    variant: Variant = BACKGAMMON,
    left: npt.NDArray[np.int8] | None = None,
) -> npt.NDArray[np.float32]:
    """Encode many boards.

    Args:
        boards: int8[N, 2, 26], the player on roll in row 0.
        name: of the encoder: "value", "tesauro" or "board".
        variant: the game.
        left: int8[N, 4], dice still to play, larger first, zeros after; none by default. A fifth
            number says how many checkers may still leave the head.

    Returns:
        float32[N, features].

    Raises:
        GammonError: if no encoder has that name, or naming the first board or dice that are
            impossible.
    """
    checked = checked_boards(boards, variant)
    dice = None if left is None else _checked_left(left, len(checked))
    return observation.encode(checked, name, variant, dice)


def checked_boards(boards: Any, variant: Variant) -> Board:
    """Return boards as kernels may read them: a new int8[N, 2, 26] of possible ones.

    Raises:
        GammonError: naming the first board that is impossible.
    """
    given = np.asarray(boards)
    if given.ndim != 3 or given.shape[1:] != (2, WIDTH) or given.dtype.kind not in "iu":
        raise GammonError(f"boards are int8[N, 2, {WIDTH}], not {given.dtype}{list(given.shape)}")
    checked_variant(variant)
    rows: Board = np.array(given, np.int8, order="C")
    others = np.array(variant.opponent_point[1:]) - 1
    bad = first_impossible(rows, others, variant.checkers, variant.has_bar)
    if given.dtype != np.int8 and (rows != given).any():
        bad = int(np.argmax((rows != given).any(axis=(1, 2))))
    if bad >= 0:
        try:
            check_board(given[bad], variant)
        except GammonError as error:
            raise GammonError(f"board {bad}: {error}") from error
    return rows


@lean_kernel
def first_impossible(
    boards: Board, others: npt.NDArray[np.int64], checkers: int, has_bar: bool
) -> int:
    """Return the index of the first board with wrong sums or a point held by both, -1 if none."""
    for i in range(len(boards)):
        for side in range(2):
            total = 0
            for index in range(WIDTH):
                if boards[i, side, index] < 0:
                    return i
                total += boards[i, side, index]
            if total != checkers or (boards[i, side, BAR] > 0 and not has_bar):
                return i
        for index in range(len(others)):
            if boards[i, 0, index] > 0 and boards[i, 1, others[index]] > 0:
                return i
    return -1


def _checked_left(left: Any, count: int) -> npt.NDArray[np.int8]:
    """Return dice and head moves left as kernels may read them, a new int8[count, 5]."""
    dice = np.asarray(left)
    if dice.shape not in ((count, MAX_MOVES), (count, LEFT)) or dice.dtype.kind not in "iu":
        raise GammonError(
            f"dice left are int8[{count}, 4], a row a board, not {dice.dtype}{list(dice.shape)}"
        )
    bad = np.flatnonzero(((dice < 0) | (dice > 6)).any(axis=1))
    if len(bad):
        raise GammonError(f"dice left {bad[0]}: 1 to 6, or 0 for none, not {dice[bad[0]].tolist()}")
    padded: npt.NDArray[np.int8] = np.zeros((count, LEFT), np.int8)
    padded[:, : dice.shape[1]] = dice
    return padded


def _checked_rolls(dice: Any, count: int) -> npt.NDArray[np.int8]:
    """Return rolls as kernels may read them, a new int8[count, 2]."""
    rolls = np.asarray(dice)
    if rolls.shape != (count, 2) or rolls.dtype.kind not in "iu":
        raise GammonError(
            f"dice are int8[{count}, 2], as many rolls as boards, "
            f"not {rolls.dtype}{list(rolls.shape)}"
        )
    bad = np.flatnonzero(((rolls < 1) | (rolls > 6)).any(axis=1))
    if len(bad):
        die1, die2 = rolls[bad[0]]
        raise GammonError(f"roll {bad[0]}: each die shows 1 to 6, not {die1} and {die2}")
    return np.array(rolls, np.int8, order="C")


def legal_plays_of(
    boards: Board, dice: npt.NDArray[np.int8], variant: Variant = BACKGAMMON
) -> tuple[Board, npt.NDArray[np.uint32], Offsets]:
    """Return the afterstates of `legal_afterstates` with the path of each (see `legal_plays`).

    Nothing is checked: an impossible board or roll can write anywhere in memory.
    """
    pool = PlayPool(variant.rules, MAX_PLAYS + 64 * len(boards))
    left = dice_left(boards, dice, variant)
    left[boards[:, 1, OFF] == variant.checkers] = 0  # finished: nothing is left to play
    pool.find(boards, left)
    return pool.afterstates, pool.paths, pool.offsets


def dice_left(
    boards: Board, dice: npt.NDArray[np.int8], variant: Variant = BACKGAMMON
) -> npt.NDArray[np.int8]:
    """Return int8[N, 5], what is to be played at the start of each turn; see `rules.moves`.

    Args:
        boards: int8[N, 2, 26].
        dice: int8[N, 2].
        variant: the game.
    """
    left = np.empty((len(boards), LEFT), np.int8)
    fill_left(variant.rules, boards, dice, left)
    return left


@lean_kernel
def fill_left(
    rules: Rules, boards: Board, dice: npt.NDArray[np.int8], left: npt.NDArray[np.int8]
) -> None:
    """Write what is to be played with each roll."""
    for i in range(len(boards)):
        put_dice(rules, boards[i], int(np.int64(dice[i, 0])), int(np.int64(dice[i, 1])), left[i])


class PlayPool:
    """The plays of many rolls, those of one behind those of the other, in one buffer.

    The buffer grows to what has been needed and is used again by the next `find`.

    Args:
        rules: of the game.
        capacity: plays to have room for at first.

    Attributes:
        offsets: int64[N + 1]; the plays of board i are offsets[i] to offsets[i + 1] - 1.
    """

    def __init__(self, rules: Rules = BACKGAMMON.rules, capacity: int = MAX_PLAYS) -> None:
        self._rules = rules
        self._afterstates = np.empty((capacity, 2, WIDTH), np.int8)
        self._paths = np.empty(capacity, np.uint32)
        self.offsets = np.zeros(1, np.int64)

    @property
    def afterstates(self) -> Board:
        """int8[M, 2, 26], as the next players see them; overwritten by the next `find`."""
        return self._afterstates[: self.offsets[-1]]

    @property
    def paths(self) -> npt.NDArray[np.uint32]:
        """uint32[M], the checker moves of each play; see `rules.moves.legal_plays`."""
        return self._paths[: self.offsets[-1]]

    def find(self, boards: Board, left: npt.NDArray[np.int8]) -> None:
        """Find all distinct plays of the dice left on each board, in canonical order.

        Args:
            boards: int8[N, 2, 26], also in mid-turn.
            left: int8[N, 5], the dice still to play and the head moves left; no die, no play.
        """
        self.offsets = np.zeros(len(boards) + 1, np.int64)
        done = 0
        while True:
            found = self._afterstates, self._paths, self.offsets
            done = fill_pool(self._rules, boards, left, done, *found)
            if done == len(boards):
                return
            self._grow()

    def _grow(self) -> None:
        more = max(len(self._paths), MAX_PLAYS)
        spare = np.empty((more, 2, WIDTH), np.int8)
        self._afterstates = np.concatenate([self._afterstates, spare])
        self._paths = np.concatenate([self._paths, np.empty(more, np.uint32)])

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the plays found, not the buffers they lie in."""
        afterstates, paths = self.afterstates.copy(), self.paths.copy()
        return self.__dict__ | {"_afterstates": afterstates, "_paths": paths}


@kernel
def fill_pool(
    rules: Rules,
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
    plays = np.empty((WORKSPACE, 3), np.uint64)
    for i in range(begin, len(boards)):
        start = offsets[i]
        offsets[i + 1] = start
        if dice_count(left[i]) == 0:
            continue
        if start + MAX_PLAYS > len(pool):
            return i
        found = pool[start:], paths[start:]
        offsets[i + 1] += legal_plays(rules, boards[i], left[i], plays, *found)
    return len(boards)
