"""Dice: the 21 rolls, and a stream of rolls that is a pure function of a key and a counter.

A counter-based stream has no hidden state, so a game's dice depend on nothing but its key: not on
the worker, the batch or the order in which games are played. The mixing function is the finaliser
of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
"""

from operator import index
from typing import Any

import numpy as np

from gammon_env.errors import GammonError
from gammon_env.rules.jit import lean_kernel

ROLLS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
"""The 21 distinct rolls, larger die first."""

ROLL_WEIGHTS: tuple[int, ...] = tuple(1 if a == b else 2 for a, b in ROLLS)
"""How many of the 36 throws give each of `ROLLS`."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_ONE = np.uint64(1)
_THROWS = np.uint64(36)
_OPENINGS = np.uint64(30)


@lean_kernel
def random_word(key: np.uint64, counter: np.uint64) -> np.uint64:
    """Return the 64 random bits that stand at `counter` in the stream of `key`."""
    word = key + (counter + _ONE) * _STEP
    word = (word ^ (word >> _S30)) * _MIX1
    word = (word ^ (word >> _S27)) * _MIX2
    return word ^ (word >> _S31)


@lean_kernel
def stream_key(seed: np.uint64, game: np.uint64) -> np.uint64:
    """Return the key of one game's stream, from a run's seed and the game's number."""
    return random_word(random_word(seed, _STEP), game)


@lean_kernel
def roll(key: np.uint64, counter: np.uint64) -> tuple[int, int]:
    """Return two dice, each of the 36 throws equally likely."""
    throw = np.int64(((random_word(key, counter) >> _S32) * _THROWS) >> _S32)
    return int(throw // 6 + 1), int(throw % 6 + 1)


@lean_kernel
def opening_roll(key: np.uint64, counter: np.uint64) -> tuple[int, int]:
    """Return the dice of seat 0 and seat 1, never equal; the higher seat starts and plays both.

    Throwing ties again leaves each of the 30 unequal throws equally likely, so one draw does it.
    """
    throw = np.int64(((random_word(key, counter) >> _S32) * _OPENINGS) >> _S32)
    first = int(throw // 5 + 1)
    second = int(throw % 5 + 1)
    return first, second + 1 if second >= first else second


def checked_dice(dice: Any) -> tuple[int, int]:
    """Return two dice in the order given, as plain numbers.

    Raises:
        GammonError: if these are not two dice.
    """
    try:
        die1, die2 = map(index, dice)
    except (TypeError, ValueError):
        raise GammonError(f"dice are two whole numbers such as (3, 1), not {dice!r}") from None
    if not (1 <= die1 <= 6 and 1 <= die2 <= 6):
        raise GammonError(f"each die shows 1 to 6, not {die1} and {die2}")
    return die1, die2
