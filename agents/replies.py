"""The replies to every roll: what look-ahead and luck are made of.

A reply is an afterstate, and like every afterstate is written and judged as the next player sees
it: the best reply is the one with the least equity. A pass is a reply too, the board with its sides
swapped. The kernels work one decision after another in a fixed order of sums, so that a result does
not depend on the neighbours in a batch.
"""

import numpy as np
import numpy.typing as npt

from agents.forward import write_loss
from gammon_env import batch
from gammon_env.rules.bearoff import Tables, is_bearoff, write_outcomes
from gammon_env.rules.board import Board
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import Variant

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

ROLL_CHANCES = np.array(ROLL_WEIGHTS) / sum(ROLL_WEIGHTS)
"""float64[21], how likely each of `ROLLS` is."""

_DICE = np.array(ROLLS, np.int8)


def replies(boards: Board, variant: Variant) -> tuple[Board, Ints]:
    """Return all replies to all 21 rolls of unfinished games.

    Returns:
        Replies int8[M, 2, 26] and offsets int64[21 x N + 1]: those of board i to roll r are
        numbers offsets[21 x i + r] to offsets[21 x i + r + 1] - 1, at least one.
    """
    rolled = np.repeat(boards, len(ROLLS), axis=0)
    dice = np.tile(_DICE, (len(boards), 1))
    afterstates, offsets = batch.legal_afterstates(rolled, dice, variant)
    is_pass = np.diff(offsets) == 0
    if is_pass.any():
        swapped = rolled[is_pass, ::-1]
        afterstates = np.insert(afterstates, offsets[:-1][is_pass], swapped, axis=0)
        offsets[1:] += np.cumsum(is_pass)
    return afterstates, offsets


@lean_kernel
def settle(boards: Board, kinds: int, out: Floats, playing: Bools) -> None:
    """Write the exact chances of finished games, and which games are still going on."""
    for i in range(len(boards)):
        points = signed_points(boards[i], kinds)
        playing[i] = points == 0
        if points < 0:
            write_loss(-points, out[i])
        elif points > 0:  # only where somebody asks: the side that has just moved is row 1
            for h in range(len(out[i])):
                out[i, h] = np.float32(h < points)


@lean_kernel
def settle_bearoffs(boards: Board, kinds: int, tables: Tables, out: Floats, playing: Bools) -> None:
    """Write the chances of unfinished games that the bear-off tables know; they count as settled.

    Args:
        boards: int8[N, 2, 26].
        kinds: how many kinds of win the variant has.
        tables: of bear-offs.
        out: filled for the boards that are settled here, and for no others.
        playing: which games are not settled yet.
    """
    rolls, first, win = tables
    for i in range(len(boards)):
        if playing[i] and is_bearoff(boards[i]):
            write_outcomes(boards[i], kinds, rolls, first, win, out[i])
            playing[i] = False


@lean_kernel
def equities(outcomes: Floats, weights: Floats, out: Floats) -> None:
    """Write the equity of each row of chances; see `Variant.equity`."""
    for i in range(len(outcomes)):
        equity = np.float32(-1)
        for h in range(len(weights)):
            equity += weights[h] * outcomes[i, h]
        out[i] = equity


@lean_kernel
def mean_over_rolls(values: Floats, chances: npt.NDArray[np.float64], out: Floats) -> None:
    """Write the mean over the rolls of values float32[N, 21, heads]."""
    for i in range(len(values)):
        for h in range(values.shape[2]):
            total = 0.0
            for roll in range(len(chances)):
                total += chances[roll] * values[i, roll, h]
            out[i, h] = total


@lean_kernel
def least(equity: Floats, offsets: Ints, chosen: Ints) -> None:
    """Write for each decision the index of its least equity, the first of equals."""
    for i in range(len(chosen)):
        chosen[i] = offsets[i]
        lowest = np.float32(np.inf)
        for j in range(offsets[i], offsets[i + 1]):
            if equity[j] < lowest:
                lowest = equity[j]
                chosen[i] = j


@lean_kernel
def narrow(
    equity: Floats, offsets: Ints, plays: Ints, within: float, kept: Ints, kept_offsets: Ints
) -> int:
    """List the plays of each decision that are worth a closer look, in canonical order.

    Args:
        equity: of each play, for the next player.
        offsets: where each decision's plays begin.
        plays: how many may stay, for each decision; at least one does.
        within: how much worse than the best they may be.
        kept: filled with their indices.
        kept_offsets: filled with where each decision's begin among them.

    Returns:
        How many stay in all.
    """
    count = 0
    kept_offsets[0] = 0
    for i in range(len(plays)):
        begin, end = offsets[i], offsets[i + 1]
        worst, last = last_place(equity, begin, end, plays[i])
        limit = np.float32(np.inf)
        for j in range(begin, end):
            limit = min(limit, equity[j] + np.float32(within))
        for j in range(begin, end):
            in_rank = equity[j] < worst or (equity[j] == worst and j <= last)
            if in_rank and equity[j] <= limit:
                kept[count] = j
                count += 1
        if count == kept_offsets[i]:  # a network that has diverged ranks nothing
            kept[count] = begin
            count += 1
        kept_offsets[i + 1] = count
    return count


@lean_kernel
def last_place(equity: Floats, begin: int, end: int, plays: int) -> tuple[np.float32, int]:
    """Return equity and index of the last of the best `plays`, ranked by both."""
    worst, last = np.float32(-np.inf), begin
    if plays >= end - begin:
        return np.float32(np.inf), end
    for _ in range(plays):
        following, at = np.float32(np.inf), end
        for j in range(begin, end):
            behind = equity[j] > worst or (equity[j] == worst and j > last)
            if behind and equity[j] < following:
                following, at = equity[j], j
        worst, last = following, at
    return worst, last
