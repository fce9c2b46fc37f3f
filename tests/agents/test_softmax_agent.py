"""The player that draws by softmax over equity."""

import math

import numpy as np
import pytest

from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.softmax_agent import SoftmaxAgent, draw
from gammon_env.agent import Decisions, ask
from gammon_env.errors import GammonError
from gammon_env.rules.dice import random_word
from tests.agents.networks import constant_network, random_network
from tests.agents.players import decisions_of_random_games

LAST_WORD = 2**64 - 1


def agent(temperature: float) -> SoftmaxAgent:
    return SoftmaxAgent(NetworkAgent(fast(random_network((6,)))), temperature)


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return decisions_of_random_games(40, seed=5)[3]


def drawn(equity: list[float], temperature: float, words: list[int]) -> list[int]:
    choices = np.empty(len(words), np.int64)
    every = np.tile(np.array(equity, np.float32), len(words))
    offsets = np.arange(len(words) + 1) * len(equity)
    draw(every, offsets, temperature, np.array(words, np.uint64), choices)
    return choices.tolist()


@pytest.mark.small
def test_plays_come_up_as_often_as_softmax_says() -> None:
    # For the next player: the first play is best, by 0.1 and by 0.3 points.
    words = [int(random_word(np.uint64(4), np.uint64(i))) for i in range(4000)]
    counts = np.bincount(drawn([-0.1, 0.0, 0.2], 0.1, words), minlength=3)
    likelihood = np.array([1, math.exp(-1), math.exp(-3)])
    expected = len(words) * likelihood / likelihood.sum()
    # Two degrees of freedom: above 13.8 once in a thousand tries.
    assert ((counts - expected) ** 2 / expected).sum() < 13.8


@pytest.mark.small
def test_each_play_has_its_share_of_the_words_in_canonical_order() -> None:
    shares = [0.25, 0.5, 0.25]
    equity = [-math.log(share) for share in shares]
    words = [int(part * 2**64) for part in (0.0, 0.24, 0.26, 0.74, 0.76)] + [LAST_WORD]
    assert drawn(equity, 1.0, words) == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_values_that_rank_nothing_give_a_legal_play(value: float) -> None:
    assert drawn([value] * 3, 0.1, [0, LAST_WORD]) == [0, 0]


@pytest.mark.small
def test_a_far_worse_play_is_never_drawn_and_overflows_nothing() -> None:
    assert drawn([3.0, -3.0, 2.0], 1e-4, [0, 1 << 63, LAST_WORD]) == [1, 1, 1]


def test_a_low_temperature_plays_as_the_network_does(decisions: Decisions) -> None:
    cold = agent(1e-7)
    assert ask(cold, decisions).tolist() == ask(cold.value, decisions).tolist()


def test_a_high_temperature_plays_all_alike(decisions: Decisions) -> None:
    hot = SoftmaxAgent(NetworkAgent(constant_network()), 1.0)
    unfinished = ~(decisions.afterstates[:, 1, 25] == 15).any()
    assert unfinished
    assert ask(hot, decisions).tolist() == ask(RandomAgent(), decisions).tolist()


def test_a_choice_does_not_depend_on_the_batch(decisions: Decisions) -> None:
    alone = [
        Decisions.single(*decisions.question(i), random=int(decisions.random[i]))
        for i in range(len(decisions))
    ]
    together = ask(agent(0.2), decisions).tolist()
    assert [int(ask(agent(0.2), one)[0]) for one in alone] == together
    assert together != ask(agent(1e-7), decisions).tolist()


def test_it_judges_as_its_network_does(decisions: Decisions) -> None:
    player = agent(0.3)
    found, expected = (each.outcomes(decisions.boards) for each in (player, player.value))
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.inf, math.nan])
def test_other_temperatures_are_refused(temperature: float) -> None:
    with pytest.raises(GammonError, match="a temperature is above 0 points and finite, not"):
        agent(temperature)


def test_an_agent_without_values_is_refused() -> None:
    with pytest.raises(GammonError, match="random does not judge positions"):
        SoftmaxAgent(RandomAgent(), 0.1)  # type: ignore[arg-type]
