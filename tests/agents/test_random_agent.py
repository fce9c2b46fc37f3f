import numpy as np
import pytest

from agents.random_agent import RandomAgent
from gammon_env.agent import Decisions
from gammon_env.position import Position
from gammon_env.rules.dice import random_word

START = Position.start()


def choices(dice: tuple[int, int], asked: int) -> list[int]:
    words = (random_word(np.uint64(9), np.uint64(i)) for i in range(asked))
    singles = (Decisions.single(START, dice, int(word)) for word in words)
    return [int(RandomAgent().select(single)[0]) for single in singles]


def test_each_distinct_play_is_equally_likely() -> None:
    counts = np.bincount(choices((3, 1), 3200), minlength=16)
    # The sum of squared deviations has 15 degrees of freedom: above 37.7 once in a thousand tries.
    assert ((counts - 200) ** 2 / 200).sum() < 37.7


@pytest.mark.small
def test_the_extreme_words_stay_in_range() -> None:
    ends = [Decisions.single(START, (6, 5), word) for word in (0, 2**64 - 1)]
    assert [int(RandomAgent().select(end)[0]) for end in ends] == [0, 6]


@pytest.mark.small
def test_the_word_decides() -> None:
    single = Decisions.single(START, (3, 1), 0x9E3779B97F4A7C15)
    assert RandomAgent(seed=1).select(single) == RandomAgent(seed=2).select(single)
