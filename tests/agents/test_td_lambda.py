"""Lambda-returns against a plain TD(lambda) that walks through games with eligibility traces."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from agents.td_lambda import Swap, lambda_returns, one_sided, swap_of
from gammon_env.rules.variant import BACKGAMMON

Array = npt.NDArray[Any]

SWAP = swap_of(BACKGAMMON)
HEADS = len(BACKGAMMON.heads)

LOST_SINGLE = [0, 0, 0, 0, 0]
LOST_GAMMON = [0, 0, 0, 1, 0]
LOST_BACKGAMMON = [0, 0, 0, 1, 1]
LOSSES = [LOST_SINGLE, LOST_GAMMON, LOST_BACKGAMMON]

lambdas = st.floats(0, 1, width=32)
lengths_of_games = st.lists(st.integers(1, 12), min_size=1, max_size=8)


def other_side(chances: Sequence[float]) -> list[float]:
    """Say the five chances as the other side says them."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return [1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon]


def other_sides_gradient(gradient: Array) -> Array:
    """Return the gradient of `other_side` of chances with this gradient, one row a head."""
    return np.array([-gradient[0], gradient[3], gradient[4], gradient[1], gradient[2]])


def backward_view(
    values: Array, gradients: Array, outcome: Array, lambda_: float, gamma: float = 1.0
) -> Array:
    """Return the sum of weight changes of one game, for a step size of 1 and fixed weights.

    Args:
        values: [T, heads], all seen by the same side.
        gradients: [T, heads, weights].
        outcome: [heads], the reward of the last step, seen by that side.
        lambda_: decay of the traces.
        gamma: discount.
    """
    trace = np.zeros_like(gradients[0])
    change = np.zeros(gradients.shape[-1])
    for t in range(len(values)):
        trace = gamma * lambda_ * trace + gradients[t]
        last = t == len(values) - 1
        error = outcome - values[t] if last else gamma * values[t + 1] - values[t]
        for head in range(len(error)):
            change += error[head] * trace[head]
    return change


def forward_view(values: Array, gradients: Array, returns: Array) -> Array:
    """Return the same sum from the returns: every value moves towards its own."""
    change = np.zeros(gradients.shape[-1])
    for t in range(len(values)):
        for head in range(values.shape[1]):
            change += (returns[t, head] - values[t, head]) * gradients[t, head]
    return change


def seen_by_the_first_mover(
    values: Array, gradients: Array, outcome: Sequence[float]
) -> tuple[Array, Array, Array]:
    """Turn what each player on roll says into what the first mover says."""
    turned = [values[t] if t % 2 == 0 else other_side(values[t]) for t in range(len(values))]
    slopes = [
        gradients[t] if t % 2 == 0 else other_sides_gradient(gradients[t])
        for t in range(len(values))
    ]
    end = outcome if len(values) % 2 == 0 else other_side(outcome)
    return np.array(turned, float), np.array(slopes, float), np.array(end, float)


def returns_of(
    values: Array,
    lengths: Sequence[int],
    outcomes: Sequence[Sequence[float]],
    lambda_: float,
    gamma: float = 1.0,
    swap: Swap = SWAP,
) -> Array:
    return lambda_returns(
        np.asarray(values, np.float32),
        np.asarray(lengths, np.int64),
        np.asarray(outcomes, np.float32),
        swap,
        lambda_,
        gamma,
    )


@pytest.mark.small
def test_two_one_hot_states() -> None:
    weights, alpha, gamma = np.zeros(2), 0.1, 0.9
    states = np.eye(2)
    values = (states @ weights).reshape(2, 1)
    returns = returns_of(values, [2], [[1.0]], 1.0, gamma, one_sided(1))
    gradients = states.reshape(2, 1, 2)
    by_returns = weights + alpha * forward_view(values, gradients, returns)
    by_traces = weights + alpha * backward_view(values, gradients, np.ones(1), 1.0, gamma)
    np.testing.assert_allclose(by_returns, [0.09, 0.10], rtol=1e-6)
    np.testing.assert_allclose(by_traces, [0.09, 0.10], rtol=1e-12)


@pytest.mark.small
@pytest.mark.parametrize("gamma", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.7, 1.0])
def test_a_linear_chain_seen_by_one_side_learns_as_with_traces(
    lambda_: float, gamma: float
) -> None:
    rng = np.random.default_rng(5)
    states = rng.normal(size=(9, 4))
    weights = rng.normal(size=(2, 4))
    values = states @ weights.T
    gradients = np.array([np.kron(np.eye(2), state) for state in states])
    outcome = rng.normal(size=2)
    returns = returns_of(values, [9], [list(outcome)], lambda_, gamma, one_sided(2))
    np.testing.assert_allclose(
        forward_view(values, gradients, returns),
        backward_view(values, gradients, outcome, lambda_, gamma),
        atol=1e-5,
    )


@pytest.mark.small
@given(
    plies=st.integers(1, 15),
    outcome=st.sampled_from(LOSSES),
    lambda_=lambdas,
    seed=st.integers(0, 2**32 - 1),
)
def test_a_linear_game_between_two_sides_learns_as_with_traces(
    plies: int, outcome: list[float], lambda_: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    states = rng.normal(size=(plies, 3))
    weights = rng.normal(size=(HEADS, 3)) / 3
    values = states @ weights.T
    gradients = np.array([np.kron(np.eye(HEADS), state) for state in states])
    returns = returns_of(values, [plies], [outcome], lambda_)
    np.testing.assert_allclose(
        forward_view(values, gradients, returns),
        backward_view(*seen_by_the_first_mover(values, gradients, outcome), lambda_),
        atol=1e-4,
    )


@pytest.mark.parametrize("plies", [1, 2, 7, 12])
@pytest.mark.parametrize("lambda_", [0.0, 0.7, 1.0])
def test_a_network_learns_as_with_traces(plies: int, lambda_: float) -> None:
    generator = torch.Generator().manual_seed(plies)
    network = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, HEADS), nn.Sigmoid()).double()
    for parameter in network.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.double)
    states = torch.randn((plies, 4), generator=generator, dtype=torch.double)
    chances = network(states)
    gradients = _gradients(network, chances)
    values = chances.detach().numpy()
    returns = returns_of(values, [plies], [LOST_GAMMON], lambda_)
    by_traces = backward_view(*seen_by_the_first_mover(values, gradients, LOST_GAMMON), lambda_)
    np.testing.assert_allclose(
        forward_view(values, gradients, returns), by_traces, rtol=1e-5, atol=1e-6
    )
    loss = ((torch.from_numpy(returns).double() - network(states)) ** 2).sum() / 2
    descent = torch.autograd.grad(-loss, list(network.parameters()))
    by_autograd = torch.cat([part.ravel() for part in descent]).numpy()
    np.testing.assert_allclose(by_autograd, by_traces, rtol=1e-5, atol=1e-6)


def _gradients(network: nn.Module, chances: torch.Tensor) -> Array:
    """Return [T, heads, weights]: the gradient of every chance by all weights."""
    parameters = list(network.parameters())
    rows = [
        torch.cat(
            [part.ravel() for part in torch.autograd.grad(value, parameters, retain_graph=True)]
        ).numpy()
        for value in chances.ravel()
    ]
    return np.array(rows).reshape(*chances.shape, -1)


@pytest.mark.small
@given(lengths=lengths_of_games, seed=st.integers(0, 2**32 - 1))
def test_lambda_0_learns_from_the_next_position_alone(lengths: list[int], seed: int) -> None:
    values, outcomes = _random_games(lengths, seed)
    returns = returns_of(values, lengths, outcomes, 0.0)
    ends = set(np.cumsum(lengths) - 1)
    for t in range(len(values)):
        game = int(np.searchsorted(np.cumsum(lengths), t, side="right"))
        ahead = outcomes[game] if t in ends else values[t + 1]
        np.testing.assert_array_equal(returns[t], np.array(other_side(ahead), np.float32))


@pytest.mark.small
@given(lengths=lengths_of_games, seed=st.integers(0, 2**32 - 1))
def test_lambda_1_learns_from_the_outcome_alone(lengths: list[int], seed: int) -> None:
    values, outcomes = _random_games(lengths, seed)
    returns = iter(returns_of(values, lengths, outcomes, 1.0))
    for length, outcome in zip(lengths, outcomes, strict=True):
        for plies_to_go in range(length, 0, -1):
            expected = other_side(outcome) if plies_to_go % 2 else outcome
            np.testing.assert_allclose(next(returns), expected, atol=1e-6)


@pytest.mark.small
@given(lengths=lengths_of_games, seed=st.integers(0, 2**32 - 1), lambda_=lambdas)
def test_games_do_not_leak_into_one_another(lengths: list[int], seed: int, lambda_: float) -> None:
    values, outcomes = _random_games(lengths, seed)
    together = returns_of(values, lengths, outcomes, lambda_)
    alone = [
        returns_of(part, [len(part)], [outcome], lambda_)
        for part, outcome in zip(np.split(values, np.cumsum(lengths)[:-1]), outcomes, strict=True)
    ]
    np.testing.assert_array_equal(together, np.concatenate(alone))


@given(lengths=lengths_of_games, seed=st.integers(0, 2**32 - 1), lambda_=lambdas)
def test_returns_of_chances_are_chances(lengths: list[int], seed: int, lambda_: float) -> None:
    returns = returns_of(*_games_in_order(lengths, seed), lambda_)
    assert returns.min() >= -1e-6
    assert returns.max() <= 1 + 1e-6


@pytest.mark.small
@pytest.mark.parametrize(
    ("lost", "won"),
    [
        (LOST_SINGLE, [1, 0, 0, 0, 0]),
        (LOST_GAMMON, [1, 1, 0, 0, 0]),
        (LOST_BACKGAMMON, [1, 1, 1, 0, 0]),
    ],
)
def test_the_last_mover_learns_that_it_won(lost: list[float], won: list[float]) -> None:
    values = np.full((2, HEADS), 0.5)
    returns = returns_of(values, [2], [lost], 0.5)
    np.testing.assert_array_equal(returns[1], np.array(won, np.float32))
    between = (np.array(lost) + 0.5) / 2
    np.testing.assert_allclose(returns[0], between, atol=1e-6)


@given(chances=st.lists(st.floats(0, 1, width=32), min_size=HEADS, max_size=HEADS))
def test_the_swap_is_the_other_sides_view_and_its_own_inverse(chances: list[float]) -> None:
    array = np.array(chances, np.float32)
    np.testing.assert_allclose(SWAP(array), other_side(chances), atol=1e-6)
    np.testing.assert_allclose(SWAP(SWAP(array)), array, atol=1e-6)
    assert BACKGAMMON.equity(SWAP(array)) == pytest.approx(-BACKGAMMON.equity(array), abs=1e-5)


def _random_games(lengths: Sequence[int], seed: int) -> tuple[Array, list[list[float]]]:
    rng = np.random.default_rng(seed)
    values = rng.random((sum(lengths), HEADS), np.float32)
    return values, [LOSSES[rng.integers(3)] for _ in lengths]


def _games_in_order(
    lengths: Sequence[int], seed: int
) -> tuple[Array, Sequence[int], list[list[float]]]:
    values, outcomes = _random_games(lengths, seed)
    return values, lengths, outcomes
