"""The fast forward of a value network on the CPU: compiled, exact at game end, one board at a time.

Most features of a position depend on one count of one point, so the first layer is a sum of table
rows, one for each occupied point; hidden units are rectified, so the later layers skip those at
zero. Each position is computed alone, in a fixed order: its value does not depend on its neighbours
in a batch. The arrays are those of `agents.network.FastNetwork`.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, WIDTH, Board
from gammon_env.rules.jit import kernel
from gammon_env.rules.outcome import is_bare, win_points

Floats = npt.NDArray[np.float32]

MAX_COUNT = 16
MAX_HEADS = 8

_SIX = 63
_1, _2, _3, _4, _5, _6, _7 = (np.uint64(n) for n in range(1, 8))
_BITS = np.array([bin(mask).count("1") for mask in range(64)], np.int64)


@kernel
def evaluate(
    boards: Board,
    points: Floats,
    extras: Floats,
    bias: Floats,
    sizes: npt.NDArray[np.int64],
    dense: Floats,
    out: Floats,
) -> None:
    """Write the chances of the player on roll of each board, out float32[N, heads]."""
    layer, rows = scratch(sizes)
    for i in range(len(boards)):
        evaluate_one(boards[i], points, extras, bias, sizes, dense, layer, rows, out[i])


@kernel
def write_loss(points: int, out: Floats) -> None:
    """Write the certain chances of a side that has lost so many points.

    Heads are cumulative, in the order win, win gammon, ..., lose gammon, ...: a loss of two points
    sets the first losing head, one of three the second as well.
    """
    first_losing = len(out) // 2 + 1
    for h in range(len(out)):
        out[h] = np.float32(first_losing <= h < first_losing + points - 1)


@kernel
def scratch(sizes: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.uint64]]:
    """Return the working memory of `evaluate_one` for layers of these sizes."""
    width = int(np.max(sizes))
    return np.empty((2, width), np.float32), np.empty(max(width, 2 * WIDTH) + 4, np.uint64)


@kernel
def evaluate_one(
    board: Board,
    points: Floats,
    extras: Floats,
    bias: Floats,
    sizes: npt.NDArray[np.int64],
    dense: Floats,
    layer: Floats,
    rows: npt.NDArray[np.uint64],
    out: Floats,
) -> None:
    """Write the chances of the player on roll of one board, out float32[heads].

    A game that the last play has finished takes its exact outcome.
    """
    if is_bare(board[1]):
        write_loss(win_points(board[0], len(out) // 2 + 1), out)
        return
    _first_layer(board, points, extras, bias, rows, layer[0])
    start = 0
    last = len(sizes) - 2
    for depth in range(last):
        source, target = layer[depth % 2], layer[(depth + 1) % 2]
        _later_layer(source, sizes[depth], dense, start, sizes[depth + 1], rows, target)
        start += (sizes[depth] + 1) * sizes[depth + 1]
    _heads(layer[last % 2], sizes[last], dense, start, rows, out)


# Below, indices that run in the innermost loops are unsigned: a signed one could count from the end
# of an array, and the compiler would not vectorise. Rows are added four at a time, which saves
# loads and stores; the order of the sum is that of the rows.


@kernel
def _first_layer(
    board: Board,
    points: Floats,
    extras: Floats,
    bias: Floats,
    rows: npt.NDArray[np.uint64],
    out: Floats,
) -> None:
    """Write the first layer of one board before rectifying, summed from the tables."""
    width = np.uint64(len(bias))
    for k in range(width):
        out[k] = bias[k]
    held = 0
    back = np.zeros(2, np.int64)
    made = np.zeros(2, np.int64)
    for side in range(2):
        for index in range(WIDTH):
            count = int(board[side, index])
            rows[held] = np.uint64((side * WIDTH + index) * MAX_COUNT + count) * width
            held += count > 0
            if index <= BAR and count > 0:
                back[side] = index + 1
            if index < BAR and count > 1:
                made[side] |= 1 << index
    _add_rows(points, rows, held, width, out)
    e0, e1, e2 = _side_extras(back[0], made[0], made[1])
    e3, e4, e5 = _side_extras(back[1], made[1], made[0])
    e6 = np.float32(1) if back[0] + back[1] > 25 else np.float32(0)
    w1, w2, w3 = width, width + width, width + width + width
    w4, w5, w6 = w2 + w2, w2 + w3, w3 + w3
    for k in range(width):
        out[k] += (
            e0 * extras[k]
            + e1 * extras[w1 + k]
            + e2 * extras[w2 + k]
            + e3 * extras[w3 + k]
            + e4 * extras[w4 + k]
            + e5 * extras[w5 + k]
            + e6 * extras[w6 + k]
        )


@kernel
def _side_extras(
    back: int, made: int, others_made: int
) -> tuple[np.float32, np.float32, np.float32]:
    """Return rearmost, home points and blocked ahead as features, from masks of made points."""
    ahead = (others_made >> (25 - back)) & _SIX
    return (
        np.float32(back / 25),
        np.float32(_BITS[made & _SIX] / 6),
        np.float32(_BITS[ahead] / 6),
    )


@kernel
def _add_rows(
    table: Floats, rows: npt.NDArray[np.uint64], held: int, width: np.uint64, out: Floats
) -> None:
    """Add the rows of a flat table that begin at the first `held` of `rows`."""
    fours = held - held % 4
    for q in range(0, fours, 4):
        r0, r1, r2, r3 = rows[q], rows[q + 1], rows[q + 2], rows[q + 3]
        for k in range(width):
            out[k] = out[k] + table[r0 + k] + table[r1 + k] + table[r2 + k] + table[r3 + k]
    for q in range(fours, held):
        r0 = rows[q]
        for k in range(width):
            out[k] += table[r0 + k]


@kernel
def _later_layer(
    source: Floats,
    inputs: int,
    dense: Floats,
    start: int,
    outputs: int,
    rows: npt.NDArray[np.uint64],
    target: Floats,
) -> None:
    """Rectify one layer and multiply it into the next, skipping the units at zero."""
    width = np.uint64(outputs)
    first = np.uint64(start)
    bias = first + np.uint64(inputs) * width
    for k in range(width):
        target[k] = dense[bias + k]
    active = _active(source, inputs, rows)
    fours = active - active % 4
    for q in range(0, fours, 4):
        j0, j1, j2, j3 = rows[q], rows[q + 1], rows[q + 2], rows[q + 3]
        u0, u1, u2, u3 = source[j0], source[j1], source[j2], source[j3]
        r0, r1, r2, r3 = (
            first + j0 * width,
            first + j1 * width,
            first + j2 * width,
            first + j3 * width,
        )
        for k in range(width):
            target[k] = (
                target[k]
                + u0 * dense[r0 + k]
                + u1 * dense[r1 + k]
                + u2 * dense[r2 + k]
                + u3 * dense[r3 + k]
            )
    for q in range(fours, active):
        j0 = rows[q]
        u0 = source[j0]
        r0 = first + j0 * width
        for k in range(width):
            target[k] += u0 * dense[r0 + k]


@kernel
def _heads(
    source: Floats,
    inputs: int,
    dense: Floats,
    start: int,
    rows: npt.NDArray[np.uint64],
    out: Floats,
) -> None:
    """Rectify the last hidden layer and write the chances; rows of `dense` are MAX_HEADS wide."""
    first = np.uint64(start)
    width = np.uint64(MAX_HEADS)
    bias = first + np.uint64(inputs) * width
    a0, a1, a2, a3 = dense[bias], dense[bias + _1], dense[bias + _2], dense[bias + _3]
    a4, a5, a6, a7 = dense[bias + _4], dense[bias + _5], dense[bias + _6], dense[bias + _7]
    active = _active(source, inputs, rows)
    for q in range(active):
        unit = source[rows[q]]
        r = first + rows[q] * width
        a0 += unit * dense[r]
        a1 += unit * dense[r + _1]
        a2 += unit * dense[r + _2]
        a3 += unit * dense[r + _3]
        a4 += unit * dense[r + _4]
        a5 += unit * dense[r + _5]
        a6 += unit * dense[r + _6]
        a7 += unit * dense[r + _7]
    logits = (a0, a1, a2, a3, a4, a5, a6, a7)
    for h in range(len(out)):
        out[h] = np.float32(1) / (np.float32(1) + np.exp(-logits[h]))


@kernel
def _active(source: Floats, inputs: int, rows: npt.NDArray[np.uint64]) -> int:
    """List the units above zero in `rows` and return how many there are."""
    active = 0
    for j in range(inputs):
        rows[active] = np.uint64(j)
        active += source[j] > 0
    return active
