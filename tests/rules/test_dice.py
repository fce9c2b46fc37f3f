"""The dice: the 21 rolls, and a stream that depends on nothing but its key and counter."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from gammon_env.rules.dice import (
    ROLL_WEIGHTS,
    ROLLS,
    opening_roll,
    random_word,
    roll,
    stream_key,
)

THROWS = 36_000
CHI_SQUARED_LIMIT = {29: 58.3, 35: 66.6}
"""By degrees of freedom: a fair stream stays below it 999 times in 1,000."""


def throws(throw, game, count=THROWS):
    key = np.uint64(stream_key(np.uint64(7), np.uint64(game)))
    return [tuple(map(int, throw(key, np.uint64(counter)))) for counter in range(count)]


def chi_squared(counts, kinds, total):
    expected = total / kinds
    return sum((count - expected) ** 2 for count in counts.values()) / expected


class TestRolls:
    pytestmark = pytest.mark.small

    def test_there_are_21_larger_die_first(self):
        assert len(set(ROLLS)) == 21
        assert all(1 <= smaller <= larger <= 6 for larger, smaller in ROLLS)

    def test_their_weights_are_out_of_36(self):
        assert sum(ROLL_WEIGHTS) == 36
        assert {
            r: weight for r, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True) if r[0] == r[1]
        } == dict.fromkeys(((die, die) for die in range(1, 7)), 1)


class TestRoll:
    def test_each_of_the_36_throws_is_equally_likely(self):
        counts = Counter(throws(roll, game=1))
        assert len(counts) == 36
        assert chi_squared(counts, 36, THROWS) < CHI_SQUARED_LIMIT[35]

    def test_a_throw_says_nothing_about_the_next(self):
        dice = [die for die, _ in throws(roll, game=2)]
        pairs = Counter(pairwise(dice))
        assert chi_squared(pairs, 36, THROWS - 1) < CHI_SQUARED_LIMIT[35]

    def test_neighbouring_games_throw_independently(self):
        first, second = throws(roll, game=3), throws(roll, game=4)
        pairs = Counter((a[0], b[0]) for a, b in zip(first, second, strict=True))
        assert chi_squared(pairs, 36, THROWS) < CHI_SQUARED_LIMIT[35]


class TestOpeningRoll:
    def test_is_never_a_double(self):
        assert all(a != b for a, b in throws(opening_roll, game=5))

    def test_each_of_the_30_unequal_throws_is_equally_likely(self):
        """So each of the 15 combinations is, and each side starts half the games."""
        counts = Counter(throws(opening_roll, game=6))
        assert len(counts) == 30
        assert chi_squared(counts, 30, THROWS) < CHI_SQUARED_LIMIT[29]


class TestStream:
    pytestmark = pytest.mark.small

    def test_a_word_depends_on_nothing_but_key_and_counter(self):
        words = [int(random_word(np.uint64(5), np.uint64(n))) for n in range(4)]
        again = [int(random_word(np.uint64(5), np.uint64(n))) for n in reversed(range(4))]
        assert words == again[::-1]
        assert len(set(words)) == 4

    def test_is_splitmix64(self):
        """The first words for seed 0, as the published algorithm gives them."""
        words = [int(random_word(np.uint64(0), np.uint64(n))) for n in range(3)]
        assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]

    def test_seeds_and_games_have_keys_of_their_own(self):
        keys = {
            int(stream_key(np.uint64(seed), np.uint64(game)))
            for seed in range(20)
            for game in range(20)
        }
        assert len(keys) == 400
