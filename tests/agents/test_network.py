from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings

from agents.forward import evaluate
from agents.network import ValueNetwork, fast
from gammon_env.observation import VALUE, encode
from gammon_env.rules.board import BAR, OFF
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import (
    HEADS,
    boards_of_random_games,
    constant_network,
    random_network,
)
from tests.strategies import boards

Array = npt.NDArray[Any]

SHAPES = [(1,), (4,), (7,), (64,), (16, 8), (3, 17), (33, 7, 5), (8, 7, 6, 5)]


def slow_outcomes(network: ValueNetwork, boards: Array) -> Array:
    """Return the chances by way of the features and torch."""
    features = torch.from_numpy(encode(boards, "value", BACKGAMMON))
    with torch.no_grad():
        return torch.sigmoid(network(features)).numpy()


def unfinished(boards: Array) -> Array:
    return boards[boards[:, 1, OFF] < BACKGAMMON.checkers]


# --- the fast forward -----------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", SHAPES)
def test_fast_forward_equals_torch(hidden: Sequence[int]) -> None:
    network = random_network(hidden, seed=len(hidden))
    positions = unfinished(boards_of_random_games())
    slow = slow_outcomes(network, positions)
    np.testing.assert_allclose(fast(network).outcomes(positions), slow, atol=1e-5)
    assert slow.std(axis=0).max() > 1e-2, "a network that sees no difference proves nothing"


def test_fast_forward_equals_torch_with_torchs_own_first_weights() -> None:
    network = ValueNetwork(VALUE.size, (40, 20), HEADS)
    positions = unfinished(boards_of_random_games())
    np.testing.assert_allclose(
        fast(network).outcomes(positions), slow_outcomes(network, positions), atol=1e-5
    )


@settings(max_examples=300)
@given(board=boards())
def test_fast_forward_equals_torch_on_any_board(board: Array) -> None:
    network = _NETWORK
    batch = unfinished(board[np.newaxis])
    np.testing.assert_allclose(
        fast(network).outcomes(batch), slow_outcomes(network, batch), atol=1e-5
    )


_NETWORK = random_network((12, 6), seed=11)


@pytest.mark.small
def test_fast_forward_equals_torch_on_a_few_boards() -> None:
    network = random_network((4, 3), seed=2)
    positions = np.array([BACKGAMMON.start_board(), _DEEP, _RACE])
    np.testing.assert_allclose(
        fast(network).outcomes(positions), slow_outcomes(network, positions), atol=1e-5
    )


@pytest.mark.parametrize("hidden", [(9,), (24, 10)])
def test_a_value_does_not_depend_on_its_neighbours(hidden: Sequence[int]) -> None:
    network = fast(random_network(hidden))
    positions = boards_of_random_games()[:400]
    together = network.outcomes(positions)
    alone = np.concatenate([network.outcomes(board[np.newaxis]) for board in positions])
    order = np.random.default_rng(1).permutation(len(positions))
    assert together.tobytes() == alone.tobytes()
    assert together[order].tobytes() == network.outcomes(positions[order]).tobytes()
    assert together[37:101].tobytes() == network.outcomes(positions[37:101]).tobytes()


def test_the_fast_copy_is_frozen() -> None:
    network = random_network()
    frozen = fast(network)
    positions = boards_of_random_games()[:20]
    before = frozen.outcomes(positions)
    for parameter in network.parameters():
        parameter.data += 1
    assert frozen.outcomes(positions).tobytes() == before.tobytes()
    assert fast(network).outcomes(positions).tobytes() != before.tobytes()


def test_a_fast_copy_leaves_the_network_alone() -> None:
    network = random_network((6, 5))
    before = [parameter.clone() for parameter in network.parameters()]
    fast(network)
    for old, parameter in zip(before, network.parameters(), strict=True):
        assert torch.equal(old, parameter)
        assert parameter.requires_grad


@pytest.mark.parametrize(("logit", "chance"), [(-500.0, 0.0), (0.0, 0.5), (500.0, 1.0)])
def test_extreme_logits_are_certain_chances(logit: float, chance: float) -> None:
    outcomes = constant_network(logit).outcomes(unfinished(boards_of_random_games())[:3])
    assert (outcomes == np.float32(chance)).all()


def test_no_boards_have_no_outcomes() -> None:
    assert constant_network().outcomes(np.empty((0, 2, 26), np.int8)).shape == (0, HEADS)


def test_hidden_tells_the_widths() -> None:
    assert random_network((33, 7)).hidden == [33, 7]


# --- finished games -------------------------------------------------------------------------------


def lost(*places: int, off: int = 0) -> Array:
    """Return the board after the winner's last play: the loser on roll has one checker on each."""
    board = np.zeros((2, 26), np.int8)
    board[1, OFF] = 15
    board[0, OFF] = off
    np.add.at(board[0], list(places), 1)
    board[0, 6] += 15 - board[0].sum()
    return board


@pytest.mark.small
@pytest.mark.parametrize(
    ("board", "outcomes"),
    [
        pytest.param(lost(off=1), [0, 0, 0, 0, 0], id="single"),
        pytest.param(lost(off=14), [0, 0, 0, 0, 0], id="single with one checker left"),
        pytest.param(lost(BAR, off=1), [0, 0, 0, 0, 0], id="single from the bar"),
        pytest.param(lost(0), [0, 0, 0, 1, 0], id="gammon"),
        pytest.param(lost(17), [0, 0, 0, 1, 0], id="gammon from point 18"),
        pytest.param(lost(18), [0, 0, 0, 1, 1], id="backgammon from point 19"),
        pytest.param(lost(23), [0, 0, 0, 1, 1], id="backgammon from point 24"),
        pytest.param(lost(BAR), [0, 0, 0, 1, 1], id="backgammon from the bar"),
    ],
)
def test_a_finished_game_is_exact(board: Array, outcomes: list[int]) -> None:
    out = np.empty((1, HEADS), np.float32)
    evaluate(board[np.newaxis], *constant_network(3.0), out)
    assert out[0].tolist() == outcomes


# --- what the network reads -----------------------------------------------------------------------


def features_by_the_table(board: Array) -> list[float]:
    """Write the features of a position from the words of the table, as slowly as they are read."""
    own, opposing = ([*row[:24]] for row in board.tolist())
    pips = [sum((i + 1) * n for i, n in enumerate(row[:25])) for row in board.tolist()]
    rear = [max((i + 1 for i, n in enumerate(row[:25]) if n), default=0) for row in board.tolist()]
    features: list[float] = []
    for side, (points, others) in enumerate([(own, opposing), (opposing, own)]):
        for n in points:
            features += [float(n == 1), float(n >= 2), float(n >= 3), (n - 3) / 2 if n > 3 else 0]
        features += [board[side, BAR] / 2, board[side, OFF] / 15, pips[side] / 167]
        home = sum(n >= 2 for n in points[:6])
        ahead = range(max(rear[side] - 6, 1), rear[side])
        blocked = sum(others[24 - point] >= 2 for point in ahead)
        features += [rear[side] / 25, home / 6, blocked / 6]
    return [*features, float(sum(rear) > 25)]


@settings(max_examples=300)
@given(board=boards())
def test_features_are_what_the_table_says(board: Array) -> None:
    features = encode(board[np.newaxis], "value", BACKGAMMON)[0]
    np.testing.assert_allclose(features, features_by_the_table(board), rtol=1e-6)
    assert (features >= VALUE.low).all()
    assert (features <= VALUE.high * (1 + 1e-6)).all()


@pytest.mark.small
def test_the_table_covers_every_feature() -> None:
    assert VALUE.size == sum(feature.size for feature in VALUE.features) == 205
    assert len(VALUE.low) == len(VALUE.high) == VALUE.size
    assert VALUE.table.count("\n") == 1 + len(VALUE.features)


@pytest.mark.small
def test_features_of_the_start() -> None:
    features = encode(BACKGAMMON.start_board()[np.newaxis], "value", BACKGAMMON)[0]
    own, opposing, contact = features[:102], features[102:204], features[204]
    np.testing.assert_array_equal(own, opposing)
    np.testing.assert_allclose(own[5 * 4 : 6 * 4], [0, 1, 1, 1])  # five on point 6
    np.testing.assert_allclose(own[7 * 4 : 8 * 4], [0, 1, 1, 0])  # three on point 8
    np.testing.assert_allclose(own[23 * 4 : 24 * 4], [0, 1, 0, 0])  # two on point 24
    np.testing.assert_allclose(own[96:], [0, 0, 1, 24 / 25, 1 / 6, 1 / 6])
    assert contact == 1


def _board(own: dict[int, int], opposing: dict[int, int]) -> Array:
    board = np.zeros((2, 26), np.int8)
    for row, side in zip(board, (own, opposing), strict=True):
        row[list(side)] = list(side.values())
    return board


_DEEP = _board({BAR: 2, 5: 13}, {5: 2, 4: 2, 3: 2, 2: 3, 1: 3, 0: 1, 23: 2})
_RACE = _board({0: 4, 3: 6, OFF: 5}, {0: 15})
