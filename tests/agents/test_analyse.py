import json
from pathlib import Path

import numpy as np
import pytest

from agents import analyse
from agents.analyse import judge_plays
from agents.evaluate import main
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.search import SearchAgent
from gammon_env.errors import GammonError
from gammon_env.position import Position
from tests.agents.networks import random_network

START = Position.start()
NETWORK = NetworkAgent(fast(random_network()), "small")
CLOSED_OUT = Position.from_counts({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {"off": 3})


def test_plays_are_ranked_by_what_the_agent_leaves_the_opponent() -> None:
    judged = judge_plays(NETWORK, START, (3, 1))
    assert sorted(str(one.play) for one in judged) == sorted(map(str, START.legal_plays((3, 1))))
    assert [one.equity for one in judged] == sorted((one.equity for one in judged), reverse=True)
    for one in judged:
        theirs = NETWORK.outcomes(one.play.afterstate.board[np.newaxis])[0]
        win, gammon, backgammon, lost_gammon, lost_backgammon = theirs
        assert one.outcomes == pytest.approx(
            (1 - win, lost_gammon, lost_backgammon, gammon, backgammon)
        )
        assert one.equity == pytest.approx(-float(START.variant.equity(theirs)), abs=1e-6)
    assert [one.chosen for one in judged] == [True] + [False] * (len(judged) - 1)


def test_the_end_of_the_game_is_worth_what_it_is() -> None:
    position = Position.from_counts({1: 2, "off": 13}, {23: 15})
    best = judge_plays(NETWORK, position, (2, 1))[0]
    assert best.equity == 3
    assert best.outcomes == (1, 1, 1, 0, 0)


def test_a_play_that_search_likes_is_marked_where_it_stands() -> None:
    search = SearchAgent(NETWORK, 1)
    judged = judge_plays(search, START, (6, 4))
    assert sum(one.chosen for one in judged) == 1
    chosen = next(one.play for one in judged if one.chosen)
    assert str(chosen) == str(search.choose(START, (6, 4)))


@pytest.mark.parametrize(
    ("agent", "position", "message"),
    [
        (NETWORK, CLOSED_OUT, "has no legal play: the turn passes"),
        (RandomAgent(), START, "random does not judge positions"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    agent: NetworkAgent, position: Position, message: str
) -> None:
    with pytest.raises(GammonError, match=message):
        judge_plays(agent, position, (6, 5))


def test_the_command_draws_the_board_and_lists_the_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(analyse, "load_agent", lambda *_: NETWORK)
    command = ["--position", START.position_id, "--dice", "31", "--agent", "small"]
    assert main([*command, "--report", str(tmp_path / "start")]) == 0
    printed = capsys.readouterr().out
    best = judge_plays(NETWORK, START, (3, 1))[0]
    assert "●" in printed
    assert f"small likes {best.play} best: equity {best.equity:+.4f}" in printed
    data = json.loads((tmp_path / "start.json").read_text())
    assert data["plays"][0]["play"] == str(best.play)
    assert data["plays"][0]["equity"] == best.equity
    assert len(data["plays"]) == 16
    assert "<svg" in (tmp_path / "start.html").read_text()
    assert "●" in (tmp_path / "start.md").read_text()


def test_the_first_analyst_that_is_there_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse, "ANALYSTS", ("nobody", "random", "pip-count"))
    assert analyse.analyst(None, START.variant).name == "random"
    assert analyse.analyst("pip-count", START.variant).name == "pip-count"
    with pytest.raises(GammonError, match="no agent is called 'nobody'"):
        analyse.analyst("nobody", START.variant)
    monkeypatch.setattr(analyse, "ANALYSTS", ("nobody",))
    with pytest.raises(GammonError, match="name an agent that judges positions"):
        analyse.analyst(None, START.variant)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--position", START.position_id], "takes a position and a roll"),
        (["--position", "nonsense", "--dice", "31"], "nonsense"),
        (
            ["--position", START.position_id, "--dice", "31", "--agent", "pip-count"],
            "pip-count does not judge positions",
        ),
    ],
)
def test_a_wrong_analysis_is_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
