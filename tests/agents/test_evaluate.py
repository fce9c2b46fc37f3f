"""The command line: what it prints, what it writes, what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.evaluate import headline, main
from agents.match import play_match
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent

MATCH = ["--agent", "pip-count", "--opponent", "random", "--games", "20", "--seed", "3"]


def written(path: Path, *more: str) -> dict[str, Any]:
    assert main([*MATCH, *more, "--json", str(path)]) == 0
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def without_speed(report: dict[str, Any]) -> dict[str, Any]:
    del report["command"]
    for side in ("agent", "opponent"):
        assert report[side].pop("decisions_per_second") > 0
    return report


def test_the_report_holds_the_match_and_how_to_repeat_it(tmp_path: Path) -> None:
    report = written(tmp_path / "report.json")
    result = play_match(PipCountAgent(), RandomAgent(), 20, seed=3)
    assert report["points"] == list(result.points)
    assert report["points_per_game"] == result.points_per_game.as_dict()
    assert report["agent"]["rates"] == result.rates(result.agent)
    assert report["agent"]["name"] == "pip-count"
    assert report["seed"] == 3
    assert report["command"] == (
        "python -m agents.evaluate --agent pip-count --opponent random --games 20 --seed 3 "
        f"--json {tmp_path / 'report.json'}"
    )
    assert {"python", "numpy", "numba"} <= set(report["versions"])


def test_the_same_command_gives_the_same_games(tmp_path: Path) -> None:
    first, second = written(tmp_path / "a"), written(tmp_path / "b", "--lanes", "3")
    assert without_speed(first) == without_speed(second)


def test_it_prints_points_rates_and_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(MATCH) == 0
    printed = capsys.readouterr().out
    result = play_match(PipCountAgent(), RandomAgent(), 20, seed=3)
    assert headline(result) in printed
    assert f"{-result.points_per_game.mean:+.3f}" in printed
    for label in ("points per game", "wins", "gammons or better", "decisions per second"):
        assert label in printed
    assert f"{result.rates(result.agent)['gammon']:.1%}" in printed


def test_the_headline_says_all_that_matters() -> None:
    result = play_match(PipCountAgent(), RandomAgent(), 20, seed=3)
    points = result.points_per_game
    assert headline(result) == (
        f"pip-count against random: +{points.mean:.3f} points per game, 95% interval "
        f"+{points.low:.3f} to +{points.high:.3f} (20 paired games, seed 3)"
    )


def test_a_player_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "def play(position, dice):\n    return position.legal_plays(dice)[-1]\n"
    (tmp_path / "my_own_player.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    assert main([*MATCH[2:], "--agent", "my_own_player:play"]) == 0
    assert "my_own_player:play against random" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--agent", "nobody"], "error: no agent is called 'nobody'"),
        (["--games", "7"], "error: a paired match has an even number of games"),
        (["--variant", "chess"], "error: no variant is called 'chess'"),
        (["--json", "no/such/folder/report.json"], "error: there is no folder no/such/folder"),
        (["--json", "."], "error: . is a folder; name the file to write the report in"),
        (["--json", ""], "error: . is a folder"),
    ],
)
def test_a_wrong_argument_is_explained(
    more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*MATCH, *more]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.out == ""
