import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings

from agents.forward import evaluate
from agents.network import ValueNetwork, fast, grown
from gammon_env.errors import GammonError
from gammon_env.observation import VALUE, encode
from gammon_env.rules import bearoff
from gammon_env.rules.board import BAR, OFF
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import (
    HEADS,
    assert_same_tensors,
    boards_of_random_games,
    constant_network,
    random_network,
    undecided,
)
from tests.strategies import boards
from tests.whole_sides import features_of_the_race, features_of_whole_sides

Array = npt.NDArray[Any]

SHAPES = [(1,), (4,), (7,), (64,), (16, 8), (3, 17), (33, 7, 5), (8, 7, 6, 5)]


def slow_outcomes(network: ValueNetwork, boards: Array) -> Array:
    """Return the chances by way of the features and torch."""
    features = torch.from_numpy(encode(boards, "value", BACKGAMMON))
    with torch.no_grad():
        return torch.sigmoid(network(features[:, : network.inputs])).numpy()


# --- the fast forward -----------------------------------------------------------------------------


@pytest.mark.parametrize("inputs", [VALUE.size, VALUE.looked_up], ids=["all", "counts"])
@pytest.mark.parametrize("hidden", SHAPES)
def test_fast_forward_equals_torch(hidden: Sequence[int], inputs: int) -> None:
    network = random_network(hidden, inputs=inputs)
    positions = undecided(boards_of_random_games())
    slow = slow_outcomes(network, positions)
    np.testing.assert_allclose(fast(network).outcomes(positions), slow, atol=1e-5)
    assert slow.std(axis=0).max() > 5e-3, "a network that sees no difference proves nothing"


def test_fast_forward_equals_torch_with_torchs_own_first_weights() -> None:
    network = ValueNetwork(VALUE.size, (40, 20), HEADS)
    positions = undecided(boards_of_random_games())
    np.testing.assert_allclose(
        fast(network).outcomes(positions), slow_outcomes(network, positions), atol=1e-5
    )


@settings(max_examples=300)
@given(board=boards())
def test_fast_forward_equals_torch_on_any_board(board: Array) -> None:
    network = _NETWORK
    batch = undecided(board[np.newaxis])
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


@pytest.mark.small
def test_a_network_that_reads_only_counts_sees_nothing_else() -> None:
    network = fast(random_network((4, 3), inputs=VALUE.looked_up))
    assert network.whole.size == 0
    outcomes = network.outcomes(np.array([BACKGAMMON.start_board(), _DEEP, _RACE]))
    assert len(np.unique(outcomes[:, 0])) == 3


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
    outcomes = constant_network(logit).outcomes(undecided(boards_of_random_games())[:3])
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
    evaluate(board[np.newaxis], constant_network(3.0), out)
    assert out[0].tolist() == outcomes


# --- bear-offs ------------------------------------------------------------------------------------


def bearoffs(count: int, seed: int) -> Array:
    """Return boards where both sides have one to fifteen checkers left, all at home."""
    rng = np.random.default_rng(seed)
    found = np.zeros((count, 2, 26), np.int8)
    for board in found:
        for row in board:
            row[:6] = rng.multinomial(rng.integers(1, 16), rng.dirichlet(np.ones(6)))
            row[OFF] = BACKGAMMON.checkers - row[:6].sum()
    return found


@pytest.mark.parametrize("inputs", [VALUE.size, VALUE.looked_up], ids=["all", "counts"])
def test_a_bear_off_is_judged_by_the_tables(inputs: int) -> None:
    positions = bearoffs(500, seed=4)
    known = bearoff.outcomes(positions)
    assert fast(random_network((5, 4), inputs=inputs)).outcomes(positions).tobytes() == (
        known.tobytes()
    )
    assert (known[:, 1] > 0).any()
    assert (known[:, 3] > 0).any()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("place", [6, 23, BAR])
def test_a_checker_outside_makes_it_the_networks_again(side: int, place: int) -> None:
    network = random_network((5, 4))
    positions = bearoffs(20, seed=5)
    positions[:, side] = 0
    positions[:, side, [0, place]] = 14, 1
    if place < BAR:
        positions = positions[positions[:, 1 - side, 23 - place] == 0]
    slow = slow_outcomes(network, positions)
    assert len(positions) > 3
    np.testing.assert_allclose(fast(network).outcomes(positions), slow, atol=1e-5)


# --- larger networks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "hidden"),
    [
        ((8,), (8,)),
        ((8,), (9,)),
        ((8,), (40,)),
        ((8,), (8, 8)),
        ((8,), (12, 10)),
        ((8,), (9, 8, 11)),
        ((8, 6), (8, 7)),
        ((8, 6), (20, 6, 6)),
    ],
    ids=str,
)
def test_a_grown_network_gives_the_same_chances(old: list[int], hidden: list[int]) -> None:
    network = random_network(old)
    before = [parameter.clone() for parameter in network.parameters()]
    torch.manual_seed(3)
    larger = grown(network, hidden)
    assert larger.hidden == list(hidden)
    assert larger.inputs == network.inputs
    positions = boards_of_random_games()
    slow = slow_outcomes(network, positions)
    np.testing.assert_allclose(slow_outcomes(larger, positions), slow, atol=1e-6)
    quick = fast(network).outcomes(positions)
    np.testing.assert_allclose(fast(larger).outcomes(positions), quick, atol=1e-6)
    assert slow.std(axis=0).max() > 1e-2
    for parameter, expected in zip(network.parameters(), before, strict=True):
        assert torch.equal(parameter, expected)


def test_a_network_that_comes_to_read_more_gives_the_same_chances() -> None:
    network = random_network((9, 5), inputs=221)
    torch.manual_seed(3)
    larger = grown(network, (12, 5), VALUE.size)
    positions = boards_of_random_games()
    assert larger.inputs == VALUE.size
    quick = fast(network).outcomes(positions)
    np.testing.assert_allclose(fast(larger).outcomes(positions), quick, atol=1e-6)
    assert larger.layers[0].weight[9:, 221:].abs().min() > 0, "new units read the new features too"


def test_grown_twice_gives_the_same_chances() -> None:
    network = random_network((6,))
    positions = boards_of_random_games(200)
    larger = grown(grown(network, (9, 7)), (12, 8, 8))
    np.testing.assert_allclose(
        slow_outcomes(larger, positions), slow_outcomes(network, positions), atol=1e-6
    )


def test_new_units_can_learn() -> None:
    larger = grown(random_network((6,)), (10, 9))
    features = torch.from_numpy(encode(boards_of_random_games(300), "value", BACKGAMMON))
    larger(features).square().sum().backward()
    heads = larger.layers[-1].weight.grad
    assert heads is not None
    assert (heads[:, 6:] != 0).any(dim=0).all(), "or the heads would never listen to them"


@pytest.mark.parametrize(
    ("old", "hidden"),
    [
        ((8,), (7,)),
        ((8, 6), (8,)),
        ((8, 6), (8, 5)),
        ((8, 6), (9, 6, 5)),
        ((8,), (8, 7)),
        ((8,), ()),
    ],
    ids=str,
)
def test_a_network_does_not_shrink(old: list[int], hidden: list[int]) -> None:
    told = re.escape(f"{list(old)} can grow but not shrink; {list(hidden)} does")
    with pytest.raises(GammonError, match=told):
        grown(random_network(old), hidden)


@pytest.mark.parametrize("hidden", SHAPES)
def test_a_network_comes_back_from_its_state(hidden: Sequence[int]) -> None:
    network = random_network(hidden, inputs=VALUE.looked_up)
    copy = ValueNetwork.from_state(network.state_dict())
    assert (copy.inputs, copy.hidden) == (network.inputs, network.hidden)
    assert_same_tensors(copy.state_dict(), network.state_dict())
    copy.layers[0].bias.data += 1
    assert not torch.equal(copy.layers[0].bias, network.layers[0].bias)


# --- what the network reads -----------------------------------------------------------------------


def features_by_the_table(board: Array) -> list[float]:
    """Write the features of a position from the words of the table, as slowly as they are read."""
    features: list[float] = []
    for row in board.tolist():
        for n in row[:24]:
            features += [float(n == 1), float(n >= 2), float(n >= 3), (n - 3) / 2 if n > 3 else 0]
        pips = sum((i + 1) * n for i, n in enumerate(row[:25]))
        features += [row[BAR] / 2, row[OFF] / 15, pips / 167]
    return [*features, *features_of_whole_sides(board), *features_of_the_race(board)]


@settings(max_examples=100)
@given(board=boards())
def test_features_are_what_the_table_says(board: Array) -> None:
    features = encode(board[np.newaxis], "value", BACKGAMMON)[0]
    np.testing.assert_allclose(features, features_by_the_table(board), rtol=1e-6)
    assert (features >= VALUE.low).all()
    assert (features <= VALUE.high * (1 + 1e-6)).all()


@pytest.mark.small
def test_the_table_covers_every_feature() -> None:
    assert VALUE.size == sum(feature.size for feature in VALUE.features) == 233
    assert len(VALUE.low) == len(VALUE.high) == VALUE.size
    assert VALUE.table.count("\n") == 1 + len(VALUE.features)


@pytest.mark.small
def test_features_of_the_start() -> None:
    features = encode(BACKGAMMON.start_board()[np.newaxis], "value", BACKGAMMON)[0]
    own, opposing, whole = features[:99], features[99:198], features[198:]
    np.testing.assert_array_equal(own, opposing)
    np.testing.assert_allclose(own[5 * 4 : 6 * 4], [0, 1, 1, 1])  # five on point 6
    np.testing.assert_allclose(own[7 * 4 : 8 * 4], [0, 1, 1, 0])  # three on point 8
    np.testing.assert_allclose(own[23 * 4 : 24 * 4], [0, 1, 0, 0])  # two on point 24
    np.testing.assert_allclose(own[96:], [0, 0, 1])
    np.testing.assert_array_equal(whole[:11], whole[11:22])
    np.testing.assert_allclose(whole[:4], [24 / 25, 1 / 6, 1 / 6, 15 / 36])
    assert whole[22] == 1, "contact"


def _board(own: dict[int, int], opposing: dict[int, int]) -> Array:
    board = np.zeros((2, 26), np.int8)
    for row, side in zip(board, (own, opposing), strict=True):
        row[list(side)] = list(side.values())
    return board


_DEEP = _board({BAR: 2, 5: 13}, {5: 2, 4: 2, 3: 2, 2: 3, 1: 3, 0: 1, 23: 2})
_RACE = _board({0: 4, 3: 6, 10: 1, OFF: 4}, {0: 15})
