"""Temperatures fitted to a margin, and what becomes of the table."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from agents.fit_levels import HOTTEST, fit_levels, fit_temperature, main, with_levels
from agents.level_table import Level, load_levels
from agents.levels import open_level, player_of
from agents.match import play_match
from agents.weights.__main__ import add
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.level_folder import level_folder, run_folder


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Level, ...]:
    return level_folder(tmp_path, monkeypatch)


@pytest.mark.small
@pytest.mark.parametrize("margin", [0.1, 0.3, 0.9])
def test_the_temperature_gives_the_margin(margin: float) -> None:
    assert fit_temperature(math.sqrt, margin) == pytest.approx(margin**2, rel=0.02)


@pytest.mark.small
def test_weights_too_weak_for_the_margin_are_refused() -> None:
    with pytest.raises(GammonError, match=r"lose 0\.504 points per game .* a stronger network"):
        fit_temperature(lambda temperature: 0.5 + temperature, 0.3)


@pytest.mark.small
def test_a_margin_out_of_reach_is_refused() -> None:
    with pytest.raises(GammonError, match=r"out of reach: the most is 1\.000"):
        fit_temperature(lambda temperature: temperature, HOTTEST + 1)


@pytest.mark.small
def test_what_has_changed_is_a_new_version_and_the_rest_stays() -> None:
    old = [Level(1, 1, "a", "x"), Level(1, 2, "a", "y"), Level(2, 1, "a", "x")]
    hotter = replace(old[1], temperature=0.5)
    assert with_levels(old, [hotter, old[2]], in_place=False) == [*old, replace(hotter, version=3)]
    assert with_levels(old, [hotter, old[2]], in_place=True) == [old[0], hotter, old[2]]


def test_the_command_takes_new_weights_into_new_versions(
    made: tuple[Level, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.fit_levels.fit_temperature", lambda lost, margin: margin / 4)
    sha256 = add(run_folder(tmp_path / "other", seed=1), "two").sha256
    assert main(["--margin", "0.4", "--games", "4", "--weights", "1=two", "2=two", "5=two"]) == 0
    assert {level for level in load_levels(BACKGAMMON) if level.version == 1} == set(made)
    newest = [open_level(number) for number in range(1, 6)]
    assert [player.name for player in newest] == [f"level-{n}@{2}" for n in range(1, 6)]
    others = [str(player.identity).startswith(sha256) for player in newest]
    assert others == [True, True, False, False, True]
    assert newest[1].identity == f"{sha256} temperature=0.1"
    assert [open_level(level.number, version="1").identity for level in made] == [
        level.identity for level in made
    ]


@pytest.mark.usefixtures("made")
def test_replaced_weights_take_only_the_place_of_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("agents.fit_levels.fit_temperature", lambda lost, margin: margin / 4)
    sha256 = add(run_folder(tmp_path / "other", seed=1), "one", replace=True).sha256
    before = load_levels(BACKGAMMON)
    assert main(["--games", "4"]) == 2
    assert "level-1@1 could no longer be loaded: one has other weights" in capsys.readouterr().err
    assert load_levels(BACKGAMMON) == before
    assert main(["--games", "4", "--replace"]) == 0
    assert {(level.version, level.sha256) for level in load_levels(BACKGAMMON)} == {(1, sha256)}


def test_each_level_is_measured_against_the_one_above(
    made: tuple[Level, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def fit(lost, margin):
        asked.append(lost(0.1))
        return 0.1

    monkeypatch.setattr("agents.fit_levels.fit_temperature", fit)
    fitted = fit_levels(made, BACKGAMMON, 0.3, 4, seed=2)
    top = player_of(replace(made[-1], plies=0, bearoff=False))
    first = play_match(top, player_of(fitted[3]), 4, 2)
    second = play_match(player_of(fitted[3]), player_of(fitted[2]), 4, 2)
    assert asked[:2] == [first.points_per_game.mean, second.points_per_game.mean]
    assert [level.temperature for level in fitted] == [0.1] * 4 + [0.0]


def test_nothing_is_written_where_a_margin_cannot_be_had(
    made: tuple[Level, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--margin", "9", "--games", "4"]) == 2
    assert "a margin of 9 is out of reach" in capsys.readouterr().err
    assert load_levels(BACKGAMMON) == made
