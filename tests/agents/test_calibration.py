"""The ladder of levels: who plays whom, what is reported, and that it can be repeated."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.calibration import decision_times, some_decisions
from agents.evaluate import main
from agents.level_table import Level
from agents.levels import open_level
from agents.match import play_match
from agents.random_agent import RandomAgent
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.level_folder import level_folder
from tests.agents.players import Recorder

COMMAND = ["--calibrate-levels", "--games", "4", "--seed", "7"]


@pytest.fixture(autouse=True)
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Level, ...]:
    monkeypatch.setattr("agents.calibration.TIMED", 5)
    return level_folder(tmp_path, monkeypatch)


def calibrated(path: Path, *more: str) -> dict[str, Any]:
    assert main([*COMMAND, *more, "--json", str(path)]) == 0
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def test_each_plays_the_one_below_and_the_lowest_plays_chance(
    made: tuple[Level, ...], tmp_path: Path
) -> None:
    report = calibrated(tmp_path / "report.json")
    matches = [step["match"] for step in report["steps"]]
    pairs = [(match["agent"]["name"], match["opponent"]["name"]) for match in matches]
    names = ["random", *(level.name for level in made)]
    assert pairs == list(zip(names[1:], names, strict=False))
    assert report["weights"] == {level.name: level.identity for level in made}
    assert matches[0]["points"] == list(play_match(open_level(1), RandomAgent(), 4, 7).points)


def test_it_prints_a_row_for_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    printed = capsys.readouterr().out
    assert "the closest neighbours are level-" in printed
    assert all(f"level-{number}@1" in printed for number in range(1, 6))


def test_a_log_makes_it_go_on(tmp_path: Path) -> None:
    log = ["--log", str(tmp_path / "ladder.log")]
    first, second = (calibrated(tmp_path / name, *log) for name in ("a", "b"))
    assert len(list(tmp_path.glob("ladder-level-*.log"))) == 5
    points = [[step["match"]["points"] for step in report["steps"]] for report in (first, second)]
    assert points[0] == points[1]


def test_times_are_those_of_single_decisions() -> None:
    player = Recorder()
    times = decision_times(player, some_decisions(RandomAgent(), BACKGAMMON, size=6))
    assert [len(asked) for asked in player.asked] == [1] * 7
    assert times.shape == (6,)
    assert np.all(times > 0)


def test_a_variant_without_levels_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--variant", "chess"]) == 2
    assert "no variant is called 'chess'" in capsys.readouterr().err
