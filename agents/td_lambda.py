"""Lambda-returns: what TD(lambda) learns towards, computed over finished games.

With the network frozen while its games are played, accumulating eligibility traces over a game and
moving each value towards its lambda-return change the weights by exactly the same sum (Sutton and
Barto, "Reinforcement Learning", 2nd ed., section 12.1), and the second needs no traces to clear.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import Variant

Floats = npt.NDArray[np.float32]


class Swap(NamedTuple):
    """How chances read from the other side: out[h] = base[h] + sign[h] * chances[source[h]].

    Attributes:
        source: int64[heads].
        base: float32[heads].
        sign: float32[heads].
    """

    source: npt.NDArray[np.int64]
    base: Floats
    sign: Floats

    def __call__(self, chances: Floats) -> Floats:
        """Return chances of shape (..., heads) as the other side reads them."""
        swapped: Floats = self.base + self.sign * chances[..., self.source]
        return swapped


def swap_of(variant: Variant) -> Swap:
    """Return how the outcome chances of a variant read from the other side.

    My win is the opponent's loss; my winning a gammon is the opponent's losing one.
    """
    heads = variant.heads
    source = [heads.index(_mirrored(head)) for head in heads]
    is_win = np.array([head == "win" for head in heads])
    sign = np.where(is_win, -1, 1).astype(np.float32)
    return Swap(np.array(source, np.int64), is_win.astype(np.float32), sign)


def _mirrored(head: str) -> str:
    if head == "win":
        return head
    return head.replace("win_", "lose_") if "win_" in head else head.replace("lose_", "win_")


def one_sided(heads: int) -> Swap:
    """Return the swap that changes nothing, for a chain of states seen by one side."""
    return Swap(np.arange(heads), np.zeros(heads, np.float32), np.ones(heads, np.float32))


def lambda_returns(
    values: Floats,
    lengths: npt.NDArray[np.int64],
    outcomes: Floats,
    swap: Swap,
    lambda_: float,
    gamma: float = 1.0,
) -> Floats:
    """Return the target of every position of many finished games.

    The return of position t is gamma x [(1 - lambda) x value(t + 1) + lambda x return(t + 1)], read
    from the other side; that of the last position is the outcome, the reward of the last play.

    Args:
        values: float32[M, heads], chances of the player on roll in each position, game after game.
        lengths: int64[G], positions in each game.
        outcomes: float32[G, heads], exact, as the player who would be on roll next sees them.
        swap: how chances read from the other side.
        lambda_: 0 looks one ply ahead, 1 learns from the outcome alone.
        gamma: discount of each ply; games of chance between two players take 1.

    Returns:
        float32[M, heads].
    """
    returns = np.empty_like(values)
    _fill_returns(values, lengths, outcomes, swap, lambda_, gamma, returns)
    return returns


@kernel
def _fill_returns(
    values: Floats,
    lengths: npt.NDArray[np.int64],
    outcomes: Floats,
    swap: Swap,
    lambda_: float,
    gamma: float,
    returns: Floats,
) -> None:
    source, base, sign = swap
    end = 0
    for game in range(len(lengths)):
        end += lengths[game]
        for t in range(end - 1, end - lengths[game] - 1, -1):
            for h in range(len(source)):
                if t == end - 1:
                    returns[t, h] = base[h] + sign[h] * outcomes[game, source[h]]
                else:
                    step = values[t + 1, source[h]]
                    ahead = step + lambda_ * (returns[t + 1, source[h]] - step)
                    returns[t, h] = gamma * (base[h] + sign[h] * ahead)
