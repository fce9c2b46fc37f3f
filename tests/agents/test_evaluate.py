"""The command line: what it prints, what it writes, what it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.evaluate import headline, main
from agents.lanes import GameRecord, Lanes
from agents.match import play_match
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from gammon_env.agent import Choices, Decisions
from gammon_env.rules.board import OFF

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


def test_luck_needs_somebody_who_judges_positions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MATCH, "--luck-adjusted"]) == 2
    error = capsys.readouterr().err
    assert "neither pip-count nor random judges positions" in error
    assert "--luck-by" in error
    assert main([*MATCH, "--luck-by", "random"]) == 2
    assert "random does not judge positions" in capsys.readouterr().err


def test_a_named_judge_adjusts_the_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "from agents.network import fast\n"
        "from agents.network_agent import NetworkAgent\n"
        "from tests.agents.networks import random_network\n"
        "JUDGE = NetworkAgent(fast(random_network()), 'judge')\n"
    )
    (tmp_path / "my_own_judge.py").write_text(code)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        report = written(tmp_path / "report.json", "--luck-by", "my_own_judge:JUDGE")
    assert report["luck_adjusted"]["by"] == "judge"
    assert report["points_per_game"] == written(tmp_path / "plain.json")["points_per_game"]
    printed = capsys.readouterr().out
    assert f"luck-adjusted {report['luck_adjusted']['mean']:+.3f}" in printed
    assert "Luck as judged by judge" in printed


def test_forfeits_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    lazy = "tests.agents.test_evaluate:Lazy"
    arguments = ["--agent", lazy, *MATCH[2:-3], "40", *MATCH[-2:]]
    assert main(arguments) == 2
    assert "error: agent pip-count failed at position" in capsys.readouterr().err
    assert main([*arguments, "--illegal", "forfeit"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "forfeited games" in printed
    assert "pairs with such games do not count above" in printed
    assert "RuntimeError('not today')" in printed


class Lazy(PipCountAgent):
    """Fails at double ones once checkers have been borne off."""

    def select(self, decisions: Decisions) -> Choices:
        ones = (decisions.dice == 1).all(axis=1)
        if (ones & (decisions.boards[:, 0, OFF] > 0)).any():
            raise RuntimeError("not today")
        return super().select(decisions)


@pytest.mark.parametrize("log", [True, False])
def test_ctrl_c_reports_what_was_played_and_says_how_to_go_on(
    log: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "match.log"
    arguments = [*MATCH, "--lanes", "4", *(["--log", str(path)] if log else [])]

    class Impatient(Lanes):
        def __iter__(self) -> Iterator[GameRecord]:
            for number, record in enumerate(super().__iter__()):
                if number == 12:
                    raise KeyboardInterrupt
                yield record

    with monkeypatch.context() as patch:
        patch.setattr("agents.match.Lanes", Impatient)
        assert main(arguments) == 130
    captured = capsys.readouterr()
    assert "stopped after 12 games" in captured.err
    assert "points per game" in captured.out
    if log:
        assert f"python -m agents.evaluate {' '.join(arguments)}" in captured.err
        assert main(arguments) == 0
        assert headline(play_match(PipCountAgent(), RandomAgent(), 20, seed=3)) in (
            capsys.readouterr().out
        )
    else:
        assert "with --log FILE" in captured.err


def test_one_measurement_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--position", "4HPwATDgc/ABMA", "--round-robin", "random", "pip-count"]) == 2
    assert "--round-robin and --position are different" in capsys.readouterr().err
    assert main(["--agent", "random"]) == 2
    assert "a match takes two players" in capsys.readouterr().err
    assert main(["--error-rate", "--agent", "random"]) == 2
    assert "an error rate takes two players" in capsys.readouterr().err
