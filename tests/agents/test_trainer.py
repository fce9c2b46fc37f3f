from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.checkpoint import Checkpoint, Counters, load_checkpoint
from agents.config import TrainingConfig
from agents.match import play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.selfplay import Games, play
from agents.td_lambda import lambda_returns, swap_of
from agents.trainer import Report, Trainer
from gammon_env.errors import GammonError
from gammon_env.observation import encode
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import assert_same_state, assert_same_tensors, short_run

ITERATIONS = 6
"""Of a `short_run`."""


@contextmanager
def training(config: TrainingConfig, checkpoint: Checkpoint | None = None) -> Iterator[Trainer]:
    trainer = Trainer(config, checkpoint)
    try:
        yield trainer
    finally:
        trainer.close()


def trained(
    config: TrainingConfig, checkpoint: Checkpoint | None = None, iterations: int | None = None
) -> Checkpoint:
    """Train to the end, or for some iterations, and return the checkpoint then saved."""
    with training(config, checkpoint) as trainer:
        while not trainer.done and iterations != 0:
            trainer.iterate()
            iterations = None if iterations is None else iterations - 1
        return load_checkpoint(trainer.save())


def reports(config: TrainingConfig) -> list[Report]:
    with training(config) as trainer:
        found = []
        while not trainer.done:
            found.append(trainer.iterate())
        return found


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return trained(short_run(tmp_path_factory.mktemp("uninterrupted")))


# --- the same run, bit for bit --------------------------------------------------------------------


def test_the_same_seed_gives_the_same_weights(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    torch.manual_seed(99)
    np.random.default_rng(99)
    assert_same_state(uninterrupted, trained(short_run(tmp_path)))


def test_another_seed_gives_other_weights(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    other = trained(short_run(tmp_path, seed=2), iterations=0)
    first = trained(short_run(tmp_path), iterations=0)
    name = "layers.0.weight"
    assert not torch.equal(first.network.state_dict()[name], other.network.state_dict()[name])


@pytest.mark.parametrize("workers", [2, 20])
def test_workers_do_not_change_the_weights(
    tmp_path: Path, uninterrupted: Checkpoint, workers: int
) -> None:
    assert_same_state(uninterrupted, trained(short_run(tmp_path, workers=workers)))


@pytest.mark.parametrize("at", range(ITERATIONS + 1))
def test_a_resumed_run_is_the_uninterrupted_one(
    tmp_path: Path, uninterrupted: Checkpoint, at: int
) -> None:
    config = short_run(tmp_path)
    half = trained(config, iterations=at)
    assert half.counters.iterations == at
    torch.rand(at)  # what another program draws in between
    resumed = trained(config, half)
    assert_same_state(uninterrupted, resumed)
    assert resumed.counters.seconds >= half.counters.seconds


def test_a_run_resumed_again_and_again_is_the_uninterrupted_one(
    tmp_path: Path, uninterrupted: Checkpoint
) -> None:
    config = short_run(tmp_path)
    checkpoint = trained(config, iterations=0)
    for _ in range(ITERATIONS):
        checkpoint = trained(config, checkpoint, iterations=1)
    assert_same_state(uninterrupted, checkpoint)


def test_saving_changes_nothing(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    with training(short_run(tmp_path)) as trainer:
        while not trainer.done:
            trainer.save()
            trainer.iterate()
        assert_same_state(uninterrupted, load_checkpoint(trainer.save()))


def test_another_network_is_not_resumed(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    with pytest.raises(GammonError, match=r"hidden layers \[8\]; it can't go on .* \[9\]"):
        Trainer(short_run(tmp_path, hidden=(9,)), uninterrupted)


# --- counters and reports -------------------------------------------------------------------------


def test_counters_tell_how_far_the_run_is(tmp_path: Path) -> None:
    with training(short_run(tmp_path)) as trainer:
        assert trainer.counters == Counters()
        first, second = trainer.iterate(), trainer.iterate()
        assert trainer.counters == Counters(
            games=32,
            positions=first.positions + second.positions,
            iterations=2,
            seconds=first.seconds + second.seconds,
        )
        assert not trainer.done


def test_the_last_iteration_plays_what_is_left(tmp_path: Path) -> None:
    assert [report.games for report in reports(short_run(tmp_path))] == [16] * 5 + [10]
    assert [report.games for report in reports(short_run(tmp_path, games=17))] == [16, 1]


def test_fewer_games_left_than_workers(tmp_path: Path) -> None:
    assert [r.games for r in reports(short_run(tmp_path, games=17, workers=3))] == [16, 1]


def test_a_report_counts_the_games_that_were_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def remembered(*args: Any) -> Any:
        played.append(play(*args))
        return played[-1]

    monkeypatch.setattr("agents.trainer.play", remembered)
    for report, games in zip(reports(short_run(tmp_path, games=32)), played, strict=True):
        assert report.positions == len(games.boards) == games.lengths.sum()
        assert report.plies == pytest.approx(games.lengths.mean())
        assert report.gammons == pytest.approx((games.points >= 2).mean())
        firsts = [length % 2 == 1 for length in games.lengths]
        assert report.first_mover_wins == pytest.approx(np.mean(firsts))
        assert report.seconds > 0
        assert 0 < report.loss < 5 * np.log(2) + 2


def test_a_game_is_learned_from_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[range] = []

    def remembered(network: Any, seed: int, games: range, *rest: Any) -> Any:
        asked.append(games)
        return play(network, seed, games, *rest)

    monkeypatch.setattr("agents.trainer.play", remembered)
    trained(short_run(tmp_path), trained(short_run(tmp_path), iterations=2))
    assert [game for games in asked for game in games] == list(range(90))


# --- the learning rate ----------------------------------------------------------------------------


@pytest.mark.parametrize("games_per_iteration", [10, 20])
def test_the_learning_rate_is_counted_in_games(tmp_path: Path, games_per_iteration: int) -> None:
    config = short_run(
        tmp_path,
        games=60,
        games_per_iteration=games_per_iteration,
        learning_rate=0.006,
        final_learning_rate=0.0,
    )
    expected = [0.006 - 0.0001 * game for game in range(0, 60, games_per_iteration)]
    assert [r.learning_rate for r in reports(config)] == pytest.approx(expected)


def test_adam_learns_at_the_rate_of_the_schedule(tmp_path: Path) -> None:
    with training(short_run(tmp_path, final_learning_rate=0.001)) as trainer:
        while not trainer.done:
            report = trainer.iterate()
            rates = [group["lr"] for group in trainer.optimiser.param_groups]
            assert rates == [report.learning_rate]


def test_at_a_rate_of_zero_nothing_is_learned(tmp_path: Path) -> None:
    config = short_run(tmp_path, learning_rate=0.0, final_learning_rate=0.0)
    before, after = trained(config, iterations=0), trained(config, iterations=2)
    assert_same_tensors(before.network.state_dict(), after.network.state_dict())
    assert after.counters.games == 32


def test_a_resumed_run_may_be_made_longer(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    longer = replace(short_run(tmp_path), games=120)
    with training(longer, uninterrupted) as trainer:
        report = trainer.iterate()
        assert report.learning_rate == pytest.approx(0.002 * (1 - 90 / 120))
        assert trainer.counters.games == 106


# --- learning -------------------------------------------------------------------------------------


def test_an_iteration_is_one_epoch_of_cross_entropy_towards_the_lambda_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Games] = []

    def remembered(*args: Any) -> Games:
        played.append(play(*args))
        return played[-1]

    monkeypatch.setattr("agents.trainer.play", remembered)
    config = short_run(tmp_path, minibatch=10**6, learning_rate=0.01, lambda_=0.6)
    with training(config) as trainer:
        network = deepcopy(trainer.network)
        report = trainer.iterate()
    games = played[0]
    returns = lambda_returns(
        games.values, games.lengths, games.outcomes, swap_of(BACKGAMMON), config.lambda_
    )
    chances = torch.sigmoid(network(torch.from_numpy(encode(games.boards, "value", BACKGAMMON))))
    targets = torch.from_numpy(returns)
    entropy = -(targets * chances.log() + (1 - targets) * (1 - chances).log()).sum(dim=1).mean()
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    entropy.backward()
    optimiser.step()
    assert report.loss == pytest.approx(entropy.item(), rel=1e-4)
    for learned, expected in zip(trainer.network.parameters(), network.parameters(), strict=True):
        torch.testing.assert_close(learned, expected, rtol=1e-3, atol=2e-4)


def test_it_learns_to_beat_the_random_player(tmp_path: Path) -> None:
    config = short_run(
        tmp_path, games=3000, hidden=(24,), games_per_iteration=50, learning_rate=0.005
    )
    with training(config) as trainer:
        losses = []
        while not trainer.done:
            losses.append(trainer.iterate().loss)
        player = NetworkAgent(fast(trainer.network))
    result = play_match(player, RandomAgent(), 400, seed=1)
    assert result.points_per_game.low > 1
    assert np.mean(losses[-10:]) < np.mean(losses[:10])


def test_diverged_learning_stops(tmp_path: Path) -> None:
    config = short_run(tmp_path, learning_rate=1e38)
    with pytest.raises(GammonError, match=r"learning diverged .* lower learning_rate"):
        trained(config)
    assert not list(tmp_path.iterdir()), "weights that are no numbers are not saved"


def test_the_variants_heads_are_the_networks(uninterrupted: Checkpoint) -> None:
    assert uninterrupted.variant == BACKGAMMON
    assert uninterrupted.network.layers[-1].out_features == len(BACKGAMMON.heads)


@pytest.mark.parametrize("lost", ["layers.0.weight.exp_avg_sq", "layers.1.bias.step"])
def test_a_checkpoint_without_adams_state_is_not_gone_on_from(
    uninterrupted: Checkpoint, tmp_path: Path, lost: str
) -> None:
    config = short_run(tmp_path)
    kept = {name: tensor for name, tensor in uninterrupted.optimiser.items() if name != lost}
    shrunk = {**uninterrupted.optimiser, lost: torch.zeros(3)}
    for optimiser in ({}, kept, shrunk):
        with (
            pytest.raises(GammonError, match=r"the checkpoint lacks Adam's .* can play"),
            training(config, replace(uninterrupted, optimiser=optimiser)),
        ):
            pass
