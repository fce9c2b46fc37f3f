from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from agents.checkpoint import Checkpoint, Counters, load_checkpoint, with_prefix
from agents.config import PRECISIONS, Stage, TrainingConfig
from agents.exact import Lessons, begin_exact
from agents.forward import FastNetwork
from agents.learner import Learner
from agents.match import play_match
from agents.network import ValueNetwork, fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.selfplay import Games, Players, begin, play
from agents.td_lambda import lambda_returns, swap_of
from agents.trainer import Report, Trainer
from gammon_env.errors import GammonError
from gammon_env.observation import VALUE, encode
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import (
    assert_same_state,
    assert_same_tensors,
    boards_of_random_games,
    exact_run,
    random_network,
    short_run,
    staged_run,
)

ITERATIONS = 6
"""Of a `short_run`."""

STAGED_GAMES = [10, 20, 24, 40, 56, 60, 76, 90]
"""Learned from after each iteration of a `staged_run`."""
STAGED_ITERATIONS = len(STAGED_GAMES)


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


def playing(checkpoint: Checkpoint) -> Players:
    """Return who plays a checkpoint's next games, by the weights that it holds."""
    states = [with_prefix(f"playing.{name}.", checkpoint.training) for name in ("network", "scout")]
    network, *scout = [fast(ValueNetwork.from_state(state)) for state in states if state]
    return (
        Players(network, *scout, checkpoint.config["candidates"])
        if scout
        else (Players.alone(network))
    )


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Players, range, Games]]:
    """Return a list that fills with all games that trainers ask for, in order."""
    found: list[tuple[Players, range, Games]] = []

    def remembering(players: Players, seed: int, games: range, *rest: Any) -> Any:
        found.append((players, games, play(players, seed, games, BACKGAMMON)))
        return begin(players, seed, games, *rest)

    monkeypatch.setattr("agents.trainer.begin", remembering)
    return found


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return trained(short_run(tmp_path_factory.mktemp("uninterrupted")))


@pytest.fixture(scope="module")
def in_stages(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return trained(staged_run(tmp_path_factory.mktemp("staged")))


@pytest.fixture(scope="module")
def exactly(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return trained(exact_run(tmp_path_factory.mktemp("exact")))


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
    seconds = half.counters.seconds
    torch.rand(at)  # what another program draws in between
    resumed = trained(config, half)
    assert_same_state(uninterrupted, resumed)
    assert resumed.counters.seconds >= seconds


@pytest.mark.parametrize("at", range(STAGED_ITERATIONS + 1))
def test_a_run_resumed_in_any_stage_is_the_uninterrupted_one(
    tmp_path: Path, in_stages: Checkpoint, at: int
) -> None:
    config = staged_run(tmp_path)
    half = trained(config, iterations=at)
    assert half.counters.games == ([0, *STAGED_GAMES])[at]
    torch.rand(at)
    assert_same_state(in_stages, trained(config, half))


@pytest.mark.parametrize("workers", [3])
def test_workers_do_not_change_a_staged_run(
    tmp_path: Path, in_stages: Checkpoint, workers: int
) -> None:
    assert_same_state(in_stages, trained(staged_run(tmp_path, workers=workers)))


@pytest.mark.parametrize("at", range(5))
def test_a_run_of_exact_backups_resumed_is_the_uninterrupted_one(
    tmp_path: Path, exactly: Checkpoint, at: int
) -> None:
    config = exact_run(tmp_path, workers=1 + at % 2)
    half = trained(config, iterations=at)
    assert half.counters.games == [0, 4, 7, 8, 10][at]
    assert_same_state(exactly, trained(config, half))


def test_a_run_resumed_again_and_again_is_the_uninterrupted_one(
    tmp_path: Path, uninterrupted: Checkpoint
) -> None:
    config = short_run(tmp_path)
    checkpoint = trained(config, iterations=0)
    for _ in range(ITERATIONS):
        checkpoint = trained(config, checkpoint, iterations=1)
    assert_same_state(uninterrupted, checkpoint)


def test_a_staged_run_resumed_again_and_again_is_the_uninterrupted_one(
    tmp_path: Path, in_stages: Checkpoint
) -> None:
    config = staged_run(tmp_path)
    checkpoint = trained(config, iterations=0)
    for _ in range(STAGED_ITERATIONS):
        checkpoint = trained(config, checkpoint, iterations=1)
    assert_same_state(in_stages, checkpoint)


def test_saving_changes_nothing(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    with training(short_run(tmp_path)) as trainer:
        while not trainer.done:
            trainer.save()
            trainer.iterate()
        assert_same_state(uninterrupted, load_checkpoint(trainer.save()))


def test_a_resumed_network_comes_to_read_all_features(tmp_path: Path) -> None:
    config, info = short_run(tmp_path), {"weights_only": True, "variant": "backgammon"}
    weights = Checkpoint(config.as_dict(), Counters(), random_network(inputs=221), {}, info)
    with training(config, weights) as trainer:
        trainer.iterate()
    assert trainer.network.inputs == VALUE.size
    assert trainer.network.layers[0].weight[:, 221:].detach().abs().max() > 0


@pytest.mark.parametrize("precision", PRECISIONS)
def test_either_precision_learns_the_same_thing(tmp_path: Path, precision: str) -> None:
    exact, rounded = short_run(tmp_path), short_run(tmp_path, precision=precision)
    with training(exact) as ours, training(rounded) as theirs:
        losses = [[trainer.iterate().loss for _ in range(5)] for trainer in (ours, theirs)]
    np.testing.assert_allclose(*losses, rtol=0.05)
    assert (losses[0] == losses[1]) == (precision == "float32")
    assert {parameter.dtype for parameter in theirs.network.parameters()} == {torch.float32}


def test_another_network_is_not_resumed(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    with pytest.raises(GammonError, match=r"hidden layers \[8\]; after 90 games .* has \[9\]"):
        Trainer(short_run(tmp_path, hidden=(9,)), uninterrupted)


def test_another_scout_is_not_resumed(
    tmp_path: Path, uninterrupted: Checkpoint, in_stages: Checkpoint
) -> None:
    with pytest.raises(GammonError, match=r"scout has 0 units, not 5"):
        Trainer(short_run(tmp_path, scout=5), uninterrupted)
    for units in (0, 4):
        with pytest.raises(GammonError, match=rf"scout has 3 units, not {units}"):
            Trainer(replace(staged_run(tmp_path), scout=units), in_stages)


def test_a_network_of_another_stage_is_not_resumed(tmp_path: Path) -> None:
    config = staged_run(tmp_path)
    half = trained(config, iterations=4)
    other = replace(config, stages=(replace(config.stages[0], until=50), *config.stages[1:]))
    told = r"hidden layers \[8, 6\]; after 40 games of backgammon this run has \[6\]"
    with pytest.raises(GammonError, match=told):
        Trainer(other, half)


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
    tmp_path: Path, remembered: list[tuple[Players, range, Games]]
) -> None:
    found = reports(short_run(tmp_path, games=200, games_per_iteration=100))
    for report, (_, asked, games) in zip(found, remembered, strict=True):
        assert report.games == len(asked)
        assert report.positions == len(games.boards) == games.lengths.sum()
        assert report.plies == pytest.approx(games.lengths.mean())
        first = first_movers(games)
        assert report.first_mover_wins == pytest.approx(first[:, 0].mean(), abs=1e-5)
        assert report.gammons == pytest.approx((first[:, 1] + first[:, 3]).mean(), abs=1e-5)
        assert 0.2 < report.first_mover_wins < 0.8
        assert report.seconds == report.waiting + report.encoding + report.learning > 0
        assert 0 < report.loss < 5 * np.log(2) + 2


def first_movers(games: Games) -> npt.NDArray[np.float32]:
    """Return how each game ended as the side that moved first sees it, one ply after another."""
    chances = []
    for outcome, length in zip(games.outcomes, games.lengths, strict=True):
        for _ in range(length):
            outcome = swap_of(BACKGAMMON)(outcome)
        chances.append(outcome)
    return np.array(chances)


def test_a_game_is_learned_from_once(
    tmp_path: Path, remembered: list[tuple[Players, range, Games]]
) -> None:
    trained(short_run(tmp_path))
    assert [game for _, games, _ in remembered for game in games] == list(range(90))


@pytest.mark.parametrize("at", [0, 1, 3, 5])
def test_a_resumed_run_plays_the_games_that_were_not_learned_from(
    tmp_path: Path, remembered: list[tuple[Players, range, Games]], at: int
) -> None:
    half = trained(short_run(tmp_path), iterations=at)
    remembered.clear()
    trained(short_run(tmp_path), half)
    assert [game for _, games, _ in remembered for game in games] == list(range(16 * at, 90))


# --- who plays ------------------------------------------------------------------------------------


def same_player(one: FastNetwork, other: FastNetwork) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("run", [short_run, staged_run])
def test_games_are_played_by_the_weights_of_one_iteration_before(
    tmp_path: Path, remembered: list[tuple[Players, range, Games]], run: Any
) -> None:
    """The network that has learned from games 1 to k plays the games k + 2; growth comes first."""
    with training(run(tmp_path)) as trainer:
        learned = [fast(trainer.network)]
        while not trainer.done:
            trainer.iterate()
            learned.append(fast(trainer.network))
    boards = boards_of_random_games(50)
    players = [network for (network, _, _), _, _ in remembered]
    assert len(players) == len(learned) - 1
    assert same_player(players[0], learned[0])
    for player, network in zip(players[1:], learned, strict=False):
        np.testing.assert_allclose(player.outcomes(boards), network.outcomes(boards), atol=1e-5)
    assert not same_player(players[1], players[2])


@pytest.mark.parametrize("run", [short_run, staged_run])
def test_a_checkpoint_holds_the_weights_that_play(
    tmp_path: Path, remembered: list[tuple[Players, range, Games]], run: Any
) -> None:
    with training(run(tmp_path)) as trainer:
        expected = [playing(load_checkpoint(trainer.save()))]
        while not trainer.done:
            trainer.iterate()
            expected.append(playing(load_checkpoint(trainer.save())))
    for (players, _, _), held in zip(remembered, expected, strict=False):
        assert players.candidates == held.candidates
        assert same_player(players.network, held.network)
        assert same_player(players.scout, held.scout)


def test_the_scout_learns_with_the_network(tmp_path: Path, in_stages: Checkpoint) -> None:
    first = trained(staged_run(tmp_path), iterations=0)
    begun, ended = (with_prefix("scout.", c.training) for c in (first, in_stages))
    assert begun.keys() == ended.keys()
    assert not any(torch.equal(begun[name], ended[name]) for name in begun)
    assert ended["layers.0.weight"].shape == (3, VALUE.looked_up)


def test_a_run_without_a_scout_keeps_none(uninterrupted: Checkpoint) -> None:
    assert not [name for name in uninterrupted.training if "scout" in name]


# --- stages ---------------------------------------------------------------------------------------


def test_an_iteration_does_not_cross_the_end_of_a_stage(tmp_path: Path) -> None:
    games = np.cumsum([report.games for report in reports(staged_run(tmp_path))])
    assert games.tolist() == STAGED_GAMES


def test_the_network_grows_with_the_first_iteration_of_a_stage(tmp_path: Path) -> None:
    with training(staged_run(tmp_path)) as trainer:
        hidden = []
        while not trainer.done:
            trainer.iterate()
            hidden.append(tuple(trainer.network.hidden))
    assert hidden == [(6,)] * 3 + [(8, 6)] * 3 + [(9, 6)] * 2


def test_every_stage_has_its_own_lambda_rate_and_minibatch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lambdas, sizes, rates = [], [], []

    def returns(*args: Any) -> Any:
        lambdas.append(args[-1])
        return lambda_returns(*args)

    step = Learner.step

    def stepped(self: Learner, features: torch.Tensor, targets: torch.Tensor) -> float:
        sizes[-1].add(len(features))
        rates[-1].update(group["lr"] for group in self.optimiser.param_groups)
        return step(self, features, targets)

    monkeypatch.setattr("agents.trainer.lambda_returns", returns)
    monkeypatch.setattr(Learner, "step", stepped)
    found = []
    with training(staged_run(tmp_path)) as trainer:
        while not trainer.done:
            sizes.append(set[int]())
            rates.append(set[float]())
            found.append(trainer.iterate().learning_rate)
    assert lambdas == [0.4] * 3 + [0.7] * 5
    assert [max(some) for some in sizes] == [100] * 3 + [256] * 5
    falling = [0.01 * (1 - done / 24) for done in (0, 10, 20)]
    slower = [0.006 - 0.003 * done / 36 for done in (0, 16, 32)]
    last = [0.002 * (1 - done / 30) for done in (0, 16)]
    assert found == pytest.approx([*falling, *slower, *last])
    assert rates == [{rate} for rate in found]


def test_a_run_may_end_within_a_stage(tmp_path: Path) -> None:
    config = short_run(tmp_path, games=40, stages=(Stage(100, learning_rate=0.01),))
    found = reports(config)
    assert [report.games for report in found] == [16, 16, 8]
    assert found[1].learning_rate == pytest.approx(0.01 * 0.84)


def test_a_run_may_end_with_a_stage(tmp_path: Path) -> None:
    config = short_run(tmp_path, games=20, stages=(Stage(20, learning_rate=0.01),))
    assert [report.games for report in reports(config)] == [16, 4]


def test_a_finished_run_goes_on_with_a_larger_network(tmp_path: Path) -> None:
    first = trained(short_run(tmp_path, games=32))
    longer = short_run(tmp_path, games=64, hidden=(12, 9), stages=(Stage(32, (8,)),))
    with training(longer, first) as trainer:
        assert trainer.network.hidden == [8]
        trainer.iterate()
        assert trainer.network.hidden == [12, 9]
        assert trainer.counters.games == 48


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
            groups = trainer.learners["network"].optimiser.param_groups
            assert [group["lr"] for group in groups] == [report.learning_rate]


def test_at_a_rate_of_zero_nothing_is_learned(tmp_path: Path) -> None:
    config = short_run(tmp_path, learning_rate=0.0, final_learning_rate=0.0)
    before, after = trained(config, iterations=0), trained(config, iterations=2)
    assert_same_tensors(before.network.state_dict(), after.network.state_dict())
    assert after.counters.games == 32


def test_a_resumed_run_may_be_made_longer(tmp_path: Path, uninterrupted: Checkpoint) -> None:
    longer = replace(short_run(tmp_path), games=120)
    with training(longer, deepcopy(uninterrupted)) as trainer:
        report = trainer.iterate()
        assert report.learning_rate == pytest.approx(0.002 * (1 - 90 / 120))
        assert trainer.counters.games == 106


# --- learning -------------------------------------------------------------------------------------


def test_an_iteration_is_one_epoch_of_cross_entropy_towards_the_lambda_returns(
    tmp_path: Path, remembered: list[tuple[Players, range, Games]]
) -> None:
    config = short_run(tmp_path, minibatch=10**6, learning_rate=0.01, lambda_=0.6)
    with training(config) as trainer:
        network = deepcopy(trainer.network)
        report = trainer.iterate()
    games = remembered[0][2]
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


def test_exact_backups_are_learned_from_for_some_epochs(tmp_path: Path) -> None:
    """In every stage as many looks, and in every epoch all lessons once, in another order."""
    config = exact_run(tmp_path, memory=0)
    lessons: list[Lessons] = []
    shown: list[tuple[torch.Tensor, torch.Tensor]] = []

    def kept(*args: Any) -> Any:
        waiting = begin_exact(*args)
        lessons.append(waiting())
        return waiting

    step = Learner.step

    def stepped(self: Learner, features: torch.Tensor, targets: torch.Tensor) -> float:
        if self.network.hidden == [8]:
            shown.append((features, targets))
        return step(self, features, targets)

    with pytest.MonkeyPatch.context() as patch, training(config) as trainer:
        patch.setattr("agents.trainer.begin_exact", kept)
        patch.setattr(Learner, "step", stepped)
        trainer.iterate()
        assert not lessons or lessons[0].lengths.shape == (3,)
        shown.clear()
        report = trainer.iterate()
    learned = lessons[0]
    assert report.positions == len(learned.boards)
    features, targets = (torch.cat(parts) for parts in zip(*shown, strict=True))
    epochs = torch.split(targets, len(learned.boards))
    assert len(epochs) == config.epochs
    assert not torch.equal(*epochs)
    expected = torch.from_numpy(encode(learned.boards, "value", BACKGAMMON))
    both = torch.cat([expected, torch.from_numpy(learned.targets)], dim=1)
    for seen in torch.split(torch.cat([features, targets], dim=1), len(learned.boards)):
        assert sorted(map(tuple, seen.tolist())) == sorted(map(tuple, both.tolist()))


def test_an_iteration_learns_again_from_the_games_before(tmp_path: Path) -> None:
    """Games come in fours, and once in threes: five before are the last iteration's."""
    with training(exact_run(tmp_path, memory=5)) as trainer:
        positions = [trainer.iterate().positions for _ in range(3)]
        held = [len(boards) for boards in trainer._memory.boards]
    assert held == positions[1:]


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


@pytest.mark.parametrize("part", ["adam.network.", "adam.scout.", "playing.network."])
@pytest.mark.parametrize("name", ["layers.0.weight", "layers.1.bias"])
def test_a_checkpoint_that_lacks_a_part_is_not_gone_on_from(
    in_stages: Checkpoint, tmp_path: Path, part: str, name: str
) -> None:
    full = in_stages.training
    lost = {key for key in full if key.startswith(part)}
    one = {key for key in lost if key.startswith(f"{part}{name}")}
    assert one
    assert one < lost
    for missing in (lost, one, set(full) - {key for key in full if key.startswith("scout.")}):
        kept = {key: tensor for key, tensor in full.items() if key not in missing}
        with pytest.raises(GammonError, match=r"the checkpoint lacks .* can play"):
            Trainer(staged_run(tmp_path), replace(in_stages, training=kept))


@pytest.mark.parametrize("lost", ["layers.0.weight.exp_avg_sq", "layers.1.bias.step"])
def test_adams_state_of_another_shape_is_not_gone_on_from(
    uninterrupted: Checkpoint, tmp_path: Path, lost: str
) -> None:
    shrunk = {**uninterrupted.training, f"adam.network.{lost}": torch.zeros(3)}
    with pytest.raises(GammonError, match=r"the checkpoint lacks Adam's .* can play"):
        Trainer(short_run(tmp_path), replace(uninterrupted, training=shrunk))


def test_without_training_tensors_nothing_is_gone_on_from(
    uninterrupted: Checkpoint, tmp_path: Path
) -> None:
    for counters in (uninterrupted.counters, Counters()):
        bare = replace(uninterrupted, training={}, counters=counters)
        with pytest.raises(GammonError, match=r"the checkpoint lacks .* can play"):
            Trainer(short_run(tmp_path), bare)
