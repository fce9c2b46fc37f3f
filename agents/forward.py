"""The fast forward of a value network on the CPU: compiled, exact at game end, one board at a time.

Most features of a position depend on one count of one point, so the first layer is a sum of table
rows, one for each occupied point; hidden units are rectified, so the later layers skip those at
zero. Each position is computed alone, in a fixed order: its value does not depend on its neighbours
in a batch.

Once both sides have only to bear off, the tables of `gammon_env.rules.bearoff` answer instead of
the network.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon_env.observation import MOST_WHOLE, write_whole_features
from gammon_env.rules.bearoff import is_bearoff, load_tables, write_outcomes
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.jit import kernel, lean_kernel
from gammon_env.rules.outcome import is_bare, win_points

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.uint64]

MAX_COUNT = 16
MAX_HEADS = 8

_1, _2, _3, _4, _5, _6, _7 = (np.uint64(n) for n in range(1, 8))


class FastNetwork(NamedTuple):
    """A frozen copy of a `ValueNetwork` for the compiled forward; see `agents.network.fast`.

    Attributes:
        points: float32[2 x 26 x 16 x width], what `n` checkers on an index of a side add.
        whole: float32[n x width], the first layer's rows of the features of whole sides; empty for
            a network that does not read them.
        bias: float32[width] of the first layer.
        sizes: int64[layers + 1], widths from the first hidden layer to the heads.
        dense: float32[...], the later layers one after another: weights [in, out], then bias [out].
        encoder: the number of the encoder whose features it reads.
        rolls: of the bear-off tables, see `gammon_env.rules.bearoff.Tables`.
        first: of the bear-off tables.
        win: of the bear-off tables.
    """

    points: Floats
    whole: Floats
    bias: Floats
    sizes: npt.NDArray[np.int64]
    dense: Floats
    encoder: int
    rolls: Floats
    first: Floats
    win: Floats

    def __reduce__(self) -> tuple[Callable[..., "FastNetwork"], tuple[Any, ...]]:
        """Pickle without the tables, which are the same everywhere."""
        return _with_tables, self[:-3]

    def outcomes(self, boards: Board) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], of boards int8[N, 2, 26]."""
        out = np.empty((len(boards), self.sizes[-1]), np.float32)
        evaluate(boards, self, out)
        return out


def _with_tables(*layers: Any) -> FastNetwork:
    return FastNetwork._make([*layers, *load_tables()])


@kernel
def evaluate(boards: Board, network: FastNetwork, out: Floats) -> None:
    """Write the chances of the player on roll of each board, out float32[N, heads]."""
    layer, rows = scratch(network.sizes)
    _evaluate_all(boards, network, layer, rows, out)


@lean_kernel
def _evaluate_all(
    boards: Board, network: FastNetwork, layer: Floats, rows: Rows, out: Floats
) -> None:
    for i in range(len(boards)):
        evaluate_one(boards[i], network, layer, rows, out[i])


@lean_kernel
def write_loss(points: int, out: Floats) -> None:
    """Write the certain chances of a side that has lost so many points.

    Heads are cumulative, in the order win, win gammon, ..., lose gammon, ...: a loss of two points
    sets the first losing head, one of three the second as well.
    """
    first_losing = len(out) // 2 + 1
    for h in range(len(out)):
        out[h] = np.float32(first_losing <= h < first_losing + points - 1)


@kernel
def scratch(sizes: npt.NDArray[np.int64]) -> tuple[Floats, Rows]:
    """Return the working memory of `evaluate_one` for layers of these sizes."""
    width = max(int(np.max(sizes)), MOST_WHOLE)
    return np.empty((2, width), np.float32), np.empty(max(width, 2 * WIDTH) + 4, np.uint64)


@lean_kernel
def evaluate_one(
    board: Board, network: FastNetwork, layer: Floats, rows: Rows, out: Floats
) -> None:
    """Write the chances of the player on roll of one board, out float32[heads].

    A game that the last play has finished takes its exact outcome, a bear-off that of the tables.
    """
    kinds = len(out) // 2 + 1
    if is_bare(board[1]):
        write_loss(win_points(board[0], kinds), out)
        return
    if is_bearoff(board):
        write_outcomes(board, kinds, network.rolls, network.first, network.win, out)
        return
    _first_layer(board, network, rows, layer)
    sizes, dense = network.sizes, network.dense
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


@lean_kernel
def _first_layer(board: Board, network: FastNetwork, rows: Rows, layer: Floats) -> None:
    """Write the first layer of one board before rectifying, in layer[0]; layer[1] is scratch."""
    out, features = layer[0], layer[1]
    width = np.uint64(len(network.bias))
    for k in range(width):
        out[k] = network.bias[k]
    held = 0
    for side in range(2):
        for index in range(WIDTH):
            count = int(board[side, index])
            rows[held] = np.uint64((side * WIDTH + index) * MAX_COUNT + count) * width
            held += count > 0
    _add_rows(network.points, rows, held, width, out)
    if len(network.whole):
        write_whole_features(network.encoder, board, features)
        count = len(network.whole) // len(network.bias)
        _add_scaled(features, count, network.whole, np.uint64(0), width, rows, out)


@lean_kernel
def _add_rows(table: Floats, rows: Rows, held: int, width: np.uint64, out: Floats) -> None:
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


@lean_kernel
def _later_layer(
    source: Floats,
    inputs: int,
    dense: Floats,
    start: int,
    outputs: int,
    rows: Rows,
    target: Floats,
) -> None:
    """Rectify one layer and multiply it into the next, skipping the units at zero."""
    width = np.uint64(outputs)
    first = np.uint64(start)
    bias = first + np.uint64(inputs) * width
    for k in range(width):
        target[k] = dense[bias + k]
    _add_scaled(source, inputs, dense, first, width, rows, target)


@lean_kernel
def _add_scaled(
    source: Floats,
    inputs: int,
    weights: Floats,
    first: np.uint64,
    width: np.uint64,
    rows: Rows,
    target: Floats,
) -> None:
    """Add the rows of flat weights from `first` on, each times its input, if that is above zero."""
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
                + u0 * weights[r0 + k]
                + u1 * weights[r1 + k]
                + u2 * weights[r2 + k]
                + u3 * weights[r3 + k]
            )
    for q in range(fours, active):
        j0 = rows[q]
        u0 = source[j0]
        r0 = first + j0 * width
        for k in range(width):
            target[k] += u0 * weights[r0 + k]


@lean_kernel
def _heads(
    source: Floats,
    inputs: int,
    dense: Floats,
    start: int,
    rows: Rows,
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


@lean_kernel
def _active(source: Floats, inputs: int, rows: Rows) -> int:
    """List the units above zero in `rows` and return how many there are."""
    active = 0
    for j in range(inputs):
        rows[active] = np.uint64(j)
        active += source[j] > 0
    return active
