"""Weights and their cards: made of training runs, measured by reports."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from agents import weights
from agents.checkpoint import load_checkpoint
from agents.config import TrainingConfig
from agents.evaluate import main as evaluate
from agents.files import digest
from agents.levels import open_level
from agents.network_agent import open_checkpoint
from agents.trainer import Trainer
from agents.weights import weights_names, weights_path
from agents.weights.__main__ import add, main
from agents.weights.card import Card, read_card, write_card
from gammon_env.errors import GammonError
from gammon_env.observation import VALUE
from tests.agents.level_folder import DONE, SHAPE, empty_folder, level_folder, run_folder
from tests.agents.networks import assert_same_tensors, short_run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return empty_folder(tmp_path, monkeypatch)


@pytest.fixture
def card(folder: Path, tmp_path: Path) -> Card:
    return add(run_folder(tmp_path / "run", seed=3), "one")


def report(agent: str, opponent: str, identity: str, **changes: Any) -> dict[str, Any]:
    points = {"mean": 0.25, "low": 0.125, "high": 0.5}
    return {
        "agent": {"name": agent},
        "opponent": {"name": opponent},
        "weights": {"mine": identity},
        "games": 8,
        "seed": 5,
        "points_per_game": points,
    } | changes


def test_weights_are_the_network_of_the_run_and_nothing_else(card: Card, tmp_path: Path) -> None:
    run, made = load_checkpoint(tmp_path / "run"), load_checkpoint(weights_path("one"))
    assert_same_tensors(made.network.state_dict(), run.network.state_dict())
    assert run.training
    assert not made.training
    assert made.is_weights
    assert made.config["run_dir"] == "runs/run"
    assert (
        weights_path("one").stat().st_size
        < (tmp_path / "run/checkpoint.safetensors").stat().st_size
    )
    assert open_checkpoint(weights_path("one")).identity == card.sha256


def test_training_goes_on_from_weights(folder: Path, tmp_path: Path) -> None:
    config = short_run(tmp_path / "run", scout=4, candidates=2, games=64)
    trained(config)
    add(tmp_path / "run", "two")
    made = load_checkpoint(weights_path("two"))
    before = {name: tensor.clone() for name, tensor in made.network.state_dict().items()}
    longer = replace(config, run_dir=str(tmp_path / "on"), games=96)
    trainer = Trainer(longer, made)
    assert trainer.counters.games == 64
    trainer.iterate()
    trainer.save()
    trainer.close()
    after = load_checkpoint(tmp_path / "on")
    assert after.counters.games == 80
    assert not after.is_weights
    assert any(not torch.equal(before[k], v) for k, v in after.network.state_dict().items())
    assert after.network.hidden == made.network.hidden


def trained(config: TrainingConfig) -> None:
    trainer = Trainer(config)
    while not trainer.done:
        trainer.iterate()
    trainer.save()
    trainer.close()


def test_the_card_says_how_they_were_trained(card: Card) -> None:
    assert card.sha256 == digest(weights_path("one"))
    assert (card.variant, card.hidden, card.seed) == ("backgammon", SHAPE, 3)
    assert (card.encoder, card.encoder_version) == (VALUE.name, VALUE.version)
    assert (card.games, card.positions, card.hours) == (DONE.games, DONE.positions, 2)
    assert {"lambda_", "learning_rate", "minibatch"} <= card.recipe.keys()
    assert not {"run_dir", "seed", "hidden", "workers"} & card.recipe.keys()
    assert read_card(weights_path("one").with_suffix(".json")) == card


def test_the_same_run_gives_the_same_file(card: Card, tmp_path: Path) -> None:
    assert add(tmp_path / "run", "two").sha256 == card.sha256
    assert weights_names() == ["one", "two"]


@pytest.mark.usefixtures("card")
def test_weights_are_replaced_only_on_request(tmp_path: Path) -> None:
    other = run_folder(tmp_path / "other", seed=4)
    before = weights_path("one").read_bytes()
    with pytest.raises(GammonError, match=r"one\.safetensors is there already"):
        add(other, "one")
    assert weights_path("one").read_bytes() == before
    assert add(other, "one", replace=True).seed == 4


def test_names_that_are_not_there_are_refused(card: Card) -> None:
    with pytest.raises(
        GammonError, match=f"there are no weights 'two' in .*; there are: {card.name}"
    ):
        weights_path("two")


# --- strength -------------------------------------------------------------------------------------


def test_a_match_goes_onto_the_card(card: Card, tmp_path: Path) -> None:
    measured = card.measured(report("mine", "other", card.sha256))
    (strength,) = measured.strength
    assert (strength.player, strength.opponent, strength.games) == ("mine", "other", 8)
    assert strength.points_per_game == (0.25, 0.125, 0.5)
    assert strength.luck_adjusted is None
    write_card(tmp_path / "card.json", measured)
    assert read_card(tmp_path / "card.json") == measured


def test_as_the_opponent_the_points_are_turned_round(card: Card) -> None:
    adjusted = {"mean": 0.1, "low": -0.1, "high": 0.3, "by": "x"}
    found = report("other", "mine", card.sha256, luck_adjusted=adjusted)
    (strength,) = card.measured(found).strength
    assert (strength.player, strength.opponent) == ("mine", "other")
    assert strength.points_per_game == (-0.25, -0.5, -0.125)
    assert strength.luck_adjusted == (-0.1, -0.3, 0.1)


def test_a_later_match_of_the_same_players_replaces_the_earlier(card: Card) -> None:
    for games in (8, 400):
        card = card.measured(report("mine", "other", card.sha256, games=games))
    card = card.measured(report("mine", "third", card.sha256))
    assert [(s.opponent, s.games) for s in card.strength] == [("other", 400), ("third", 8)]


def test_a_match_of_others_is_refused(card: Card) -> None:
    with pytest.raises(GammonError, match="neither mine nor other played with one"):
        card.measured(report("mine", "other", "0" * 64))


@pytest.mark.parametrize("wrong", [{}, {"agent": "me"}, {"players": []}])
def test_what_is_no_match_is_refused(card: Card, wrong: dict[str, Any]) -> None:
    with pytest.raises(GammonError, match="this is no report of a match"):
        card.measured(wrong)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"strength": []}', '{"strength": [{"x": 1}]}'])
def test_what_is_no_card_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(GammonError, match=r"card\.json is no card of weights, which has name, sha"):
        read_card(tmp_path / "card.json")


# --- the command ----------------------------------------------------------------------------------


def test_the_command_adds_measures_and_lists(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, match = run_folder(tmp_path / "run"), tmp_path / "match.json"
    assert main(["add", str(run), "one"]) == 0
    path = str(weights_path("one"))
    played = ["--agent", "random", "--opponent", path, "--games", "4", "--json", str(match)]
    assert evaluate(played) == 0
    assert main(["measured", "one", str(match)]) == 0
    points = json.loads(match.read_text())["points_per_game"]["mean"]
    (strength,) = read_card(folder / "one.json").strength
    assert strength.points_per_game[0] == -points
    capsys.readouterr()
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("one: backgammon, hidden [6], 90 games in 2 h, value@")
    assert f"{-points:+.3f} as {path} against random" in listed


def test_what_a_level_plays_counts_for_its_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level_folder(tmp_path, monkeypatch)
    card = read_card(weights.FOLDER / "one.json")
    level = open_level(1)
    measured = card.measured(report(level.name, "x", "", weights={level.name: level.identity}))
    assert measured.strength[0].player == "level-1@1"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["add", "nowhere", "one"], "there is no checkpoint nowhere"),
        (["measured", "one", "report.json"], "there are no weights 'one'"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_report_that_cannot_be_read_is_refused(
    card: Card, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measured", card.name, str(tmp_path / "none.json")]) == 2
    assert "none.json is no report in JSON" in capsys.readouterr().err
