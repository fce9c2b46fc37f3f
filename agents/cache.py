"""A memory of judged positions: each row is computed once, however often it is asked for.

The key is the whole board, so a remembered row is exactly the one that was computed: the cache
changes how long an answer takes, never the answer. It has a fixed number of slots; a board that
falls on a taken slot replaces the one there.
"""

from collections.abc import Callable
from threading import Lock

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.jit import lean_kernel

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

Judge = Callable[[Board], Floats]

_READY = -1
_KNOWN = -1

_FACTORS = np.random.default_rng(0).integers(1 << 63, size=2 * WIDTH, dtype=np.uint64)
_FACTORS = (_FACTORS << np.uint64(1)) | np.uint64(1)
_FOLD = np.uint64(32)


class Cache:
    """Remembers rows of numbers by board. Threads may share one.

    A pickled copy begins empty.

    Args:
        width: numbers in a row.
        slots: how many rows it can hold, a power of two; 0 remembers nothing.

    Raises:
        GammonError: for another number of slots.
    """

    def __init__(self, width: int, slots: int) -> None:
        if slots < 0 or slots & (slots - 1):
            raise GammonError(f"a cache has a power of two of slots, or 0, not {slots}")
        self.width, self.slots = width, slots
        self._lock = Lock()
        self._batch = 0
        self._boards = np.zeros((slots, 2, WIDTH), np.int8)
        self._rows = np.zeros((slots, width), np.float32)
        # Of the board in a slot: the batch that asks for its row, and where it stands among the
        # boards that batch has to compute; _READY once the row is there.
        self._owner = np.zeros(slots, np.int64)
        self._place = np.zeros(slots, np.int64)

    def __reduce__(self) -> tuple[type["Cache"], tuple[int, int]]:
        return Cache, (self.width, self.slots)

    def rows(self, boards: Board, judge: Judge) -> Floats:
        """Return `judge(boards)`, calling it only for boards that are not remembered.

        Args:
            boards: int8[N, 2, 26].
            judge: gives float32[N, width], each row a function of its board alone.
        """
        if not self.slots:
            return judge(boards)
        with self._lock:
            return self._rows_of(boards, judge)

    def _rows_of(self, boards: Board, judge: Judge) -> Floats:
        self._batch += 1
        out = np.empty((len(boards), self.width), np.float32)
        place = np.empty(len(boards), np.int64)
        slots, fresh = np.empty((2, len(boards)), np.int64)
        table = self._boards, self._rows, self._owner, self._place
        count = look_up(boards, self._batch, *table, out, place, slots, fresh)
        if count:
            missing = boards if count == len(boards) else boards[fresh[:count]]
            fill_in(judge(missing), fresh, place, slots, self._rows, self._owner, out)
        return out


@lean_kernel
def look_up(
    boards: Board,
    batch: int,
    table: Board,
    rows: Floats,
    owner: Ints,
    places: Ints,
    out: Floats,
    place: Ints,
    slots: Ints,
    fresh: Ints,
) -> int:
    """Copy the rows that are known, and list the boards to compute, each once.

    Args:
        boards: those asked for.
        batch: number of this call, from 1.
        table: boards by slot.
        rows: their rows.
        owner: their batches.
        places: their places.
        out: filled where a row is known.
        place: for each board its place in the list, -1 where its row is known.
        slots: for each board its slot.
        fresh: the list.

    Returns:
        How many boards are to be computed.
    """
    count = 0
    last = np.uint64(len(table) - 1)
    for i in range(len(boards)):
        slot = int(np.int64(_hash(boards[i]) & last))
        slots[i] = slot
        same = owner[slot] != 0 and _equal(table[slot], boards[i])
        if same and owner[slot] == _READY:
            place[i] = _KNOWN
            _copy_row(rows, slot, out, i)
        elif same and owner[slot] == batch:
            place[i] = places[slot]
        else:
            place[i] = count
            fresh[count] = i
            for side in range(2):
                for index in range(WIDTH):
                    table[slot, side, index] = boards[i, side, index]
            owner[slot], places[slot] = batch, count
            count += 1
    return count


@lean_kernel
def fill_in(
    computed: Floats,
    fresh: Ints,
    place: Ints,
    slots: Ints,
    rows: Floats,
    owner: Ints,
    out: Floats,
) -> None:
    """Remember the computed rows, and copy them to all who asked; arguments as in `look_up`.

    Where boards took a slot one after another, the last of them is also the last to write its row.
    """
    for k in range(len(computed)):
        slot = slots[fresh[k]]
        _copy_row(computed, k, rows, slot)
        owner[slot] = _READY
    for i in range(len(place)):
        if place[i] >= 0:
            _copy_row(computed, int(place[i]), out, i)


@lean_kernel
def _copy_row(source: Floats, i: int, target: Floats, j: int) -> None:
    for k in range(source.shape[1]):
        target[j, k] = source[i, k]


@lean_kernel
def _hash(board: Board) -> np.uint64:
    total = np.uint64(0)
    for side in range(2):
        for index in range(WIDTH):
            total += np.uint64(board[side, index]) * _FACTORS[side * WIDTH + index]
    return total ^ (total >> _FOLD)


@lean_kernel
def _equal(one: Board, other: Board) -> bool:
    for side in range(2):
        for index in range(WIDTH):
            if one[side, index] != other[side, index]:
                return False
    return True
