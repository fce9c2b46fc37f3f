import json
from pathlib import Path
from typing import Any

import pytest

from agents import contest
from agents.evaluate import main
from agents.match import MatchInterrupted, play_match
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.round_robin import RoundRobin, cross_table, round_robin_report
from gammon_env.agent import FunctionAgent

PLAYERS = [
    PipCountAgent(),
    RandomAgent(),
    FunctionAgent(lambda position, dice: position.legal_plays(dice)[-1], "last"),
]
COMMAND = ["--round-robin", "pip-count", "random", "tests.agents.test_round_robin:last_play"]


def last_play(position: Any, dice: Any) -> Any:
    return position.legal_plays(dice)[-1]


@pytest.fixture(scope="module")
def league() -> RoundRobin:
    matches = {
        (i, j): play_match(PLAYERS[i], PLAYERS[j], 20, seed=1)
        for i in range(3)
        for j in range(i + 1, 3)
    }
    return RoundRobin(tuple(player.name for player in PLAYERS), 1, matches)


def test_what_one_wins_the_other_loses(league: RoundRobin) -> None:
    cells = league.points_per_game
    assert len(cells) == 6
    for (i, j), cell in cells.items():
        assert cell.mean == -cells[j, i].mean
        assert cell.margin == cells[j, i].margin
    assert cells[0, 1] == league.matches[0, 1].points_per_game


def test_the_best_player_is_rated_best(league: RoundRobin) -> None:
    assert league.elo[0].mean == max(elo.mean for elo in league.elo)
    assert "pip-count is ahead" in round_robin_report(league, {}).summary


def test_the_table_has_a_row_and_a_column_for_each(league: RoundRobin) -> None:
    table = cross_table(league)
    assert [row[0] for row in table.rows] == ["1. pip-count", "2. random", "3. last"]
    assert len(table.header) == 5
    cell = league.points_per_game[0, 2]
    assert table.rows[0][3] == f"{cell.mean:+.3f} ± {cell.margin:.3f}"
    assert [table.rows[i][i + 1] for i in range(3)] == ["-"] * 3


def test_the_command_plays_the_same_matches(tmp_path: Path, league: RoundRobin) -> None:
    arguments = [*COMMAND, "--games", "20", "--seed", "1", "--report", str(tmp_path / "league")]
    assert main(arguments) == 0
    data = json.loads((tmp_path / "league.json").read_text())
    assert data["players"] == ["pip-count", "random", "tests.agents.test_round_robin:last_play"]
    assert data["seed"] == 1
    points = [match["points"] for match in data["matches"]]
    assert points == [list(result.points) for result in league.matches.values()]
    assert (tmp_path / "league.html").read_text().count("<svg") == 1


def test_an_interrupted_round_robin_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*COMMAND, "--games", "20", "--seed", "1", "--log", str(tmp_path / "league.log")]
    asked = []

    def interrupted(agent: Any, opponent: Any, *more: Any, **options: Any) -> Any:
        asked.append((agent.name, opponent.name))
        result = play_match(agent, opponent, *more, **options)
        if len(asked) == 2:
            raise MatchInterrupted(result.games, result)
        return result

    monkeypatch.setattr(contest, "play_match", interrupted)
    assert main(arguments) == 130
    captured = capsys.readouterr()
    assert "stopped after 40 games" in captured.err
    assert "go on with the same command: python -m agents.evaluate" in captured.err
    assert "after 40 games" in captured.out
    assert main(arguments) == 0
    assert "after 60 games" in capsys.readouterr().out
    logs = sorted(path.name for path in tmp_path.iterdir())
    assert logs == ["league-1-2.log", "league-1-3.log", "league-2-3.log"]


@pytest.mark.parametrize("players", [["random"], ["random", "pip-count", "random"]])
def test_a_round_robin_takes_different_players(
    players: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--round-robin", *players]) == 2
    assert "takes different players, at least 2" in capsys.readouterr().err
