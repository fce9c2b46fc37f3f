"""Error rates: losses against a slow plain loop, references of every sort, and the reports."""

import argparse
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from agents import error_rate as command
from agents.error_rate import error_rate, error_rate_on
from agents.error_report import headline, mistakes_page
from agents.kinds import KINDS
from agents.lookahead import ALL_PLAYS, Filter
from agents.losses import Losses
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.recording import joined, taken
from agents.reference import Reference, load_reference, rollout_reference, search_reference
from agents.search import SearchAgent
from gammon_env.agent import Agent, Decisions, FunctionAgent, ask
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.board import Board
from tests.agents.networks import random_network
from tests.agents.players import decisions_of_random_games


def lumps(boards: Board) -> np.ndarray:
    """Judge boards by weights of a sort, so that plays differ by hundredths of a point."""
    places = np.cos(np.arange(52)).reshape(2, 26)
    return np.round((boards * places).sum(axis=(1, 2)) / 100, 6)


def agent_of(judge: object) -> Agent:
    """Return the player that follows a judge."""

    def choose(position: Position, dice: tuple[int, int]) -> object:
        plays = position.legal_plays(dice)
        boards = np.array([play.afterstate.board for play in plays])
        return plays[int(np.argmin(judge(boards)))]  # type: ignore[operator]

    return FunctionAgent(choose, "follower")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return taken(joined(decisions_of_random_games(6, seed=5)), np.arange(120))


@pytest.fixture(scope="module")
def network() -> NetworkAgent:
    return NetworkAgent(fast(random_network()))


def slow_losses(decisions: Decisions, choices: np.ndarray) -> list[float]:
    losses = []
    for i, choice in enumerate(choices):
        equity = -lumps(decisions.afterstates[decisions.offsets[i] : decisions.offsets[i + 1]])
        losses.append(equity.max() - equity[choice])
    return losses


def test_losses_are_what_a_plain_loop_finds(decisions: Decisions) -> None:
    reference = Reference("lumps", lumps, lumps, ALL_PLAYS)
    losses = error_rate_on(RandomAgent(), reference, decisions)
    assert losses.points == pytest.approx(slow_losses(decisions, losses.choices), abs=1e-4)
    assert losses.points.max() > 0.01
    assert (losses.choices == ask(RandomAgent(), decisions)).all()


def test_who_agrees_with_the_reference_loses_nothing(decisions: Decisions) -> None:
    losses = error_rate_on(agent_of(lumps), Reference("lumps", lumps, lumps), decisions)
    assert not losses.points.any()
    assert losses.share_of_best() == 1
    assert losses.worst(5) == []


def test_a_play_that_was_made_is_judged_however_bad_it_looks(decisions: Decisions) -> None:
    worst = agent_of(lambda boards: -lumps(boards))
    narrow = Reference("lumps", lumps, lumps, Filter(1))
    losses = error_rate_on(worst, narrow, decisions)
    assert losses.points == pytest.approx(slow_losses(decisions, losses.choices), abs=1e-4)


def test_the_slow_judge_decides_among_the_promising_plays(decisions: Decisions) -> None:
    def contrary(boards: Board) -> np.ndarray:
        return -lumps(boards)

    losses = error_rate_on(agent_of(lumps), Reference("x", lumps, contrary, Filter(2)), decisions)
    for i in np.flatnonzero(losses.points > 0):
        equity = lumps(decisions.afterstates[decisions.offsets[i] : decisions.offsets[i + 1]])
        assert losses.points[i] == pytest.approx(np.diff(np.sort(equity)[:2])[0], abs=1e-4)


def test_a_searching_player_makes_no_errors_by_its_own_judgement(
    decisions: Decisions, network: NetworkAgent
) -> None:
    few, player = taken(decisions, np.arange(0, 60, 5)), SearchAgent(network, 1, (ALL_PLAYS,))
    reference = search_reference(player, ALL_PLAYS)
    assert not error_rate_on(player, reference, few).points.any()
    assert error_rate_on(RandomAgent(), reference, few).points.any()


def test_rollouts_judge_finished_games_exactly(network: NetworkAgent) -> None:
    position = Position.from_counts({3: 1, 1: 1, "off": 13}, {6: 15})
    reference = rollout_reference(network, trials=4)
    finished = Decisions.single(position, (3, 1))
    assert reference.slow(finished.afterstates[:1])[0] == -2
    losses = reference.judge(finished, np.array([0]))
    assert losses[1].tolist() == [0]


def test_rollouts_find_the_odds_of_the_last_roll(network: NetworkAgent) -> None:
    # The opponent misses with 9 rolls of 36. Then 3/off leaves a checker on 6, which 27 rolls bear
    # off, and 6/3 two on 3, which 17 do.
    position = Position.from_counts({6: 1, 3: 1, "off": 13}, {6: 1, "off": 14})
    texts = [str(play) for play in position.legal_plays((2, 1))]
    worse, better = texts.index("6/3"), texts.index("3/off")
    reference = rollout_reference(network, trials=1296, promising=ALL_PLAYS)
    best, points = reference.judge(Decisions.single(position, (2, 1)), np.array([worse]))
    assert best[0] == better
    assert points[0] == pytest.approx(2 * 9 / 36 * (27 - 17) / 36, abs=0.03)


@pytest.mark.parametrize("name", ["random", "pip-count", "rollout:random"])
def test_a_player_that_judges_nothing_is_no_reference(name: str) -> None:
    with pytest.raises(GammonError, match="does not judge positions"):
        load_reference(name)


def rate_in_games(reference: Reference, **options: int) -> Losses:
    return error_rate(PipCountAgent(), RandomAgent(), reference, games=6, seed=3, **options)


def test_decisions_of_the_opponent_and_forced_plays_are_not_judged() -> None:
    shown: list[tuple[int, int]] = []
    reference = Reference("lumps", lumps, lumps)
    losses = error_rate(
        PipCountAgent(), RandomAgent(), reference, 6, 3, on_judged=lambda *at: shown.append(at)
    )
    decisions = losses.decisions
    assert (ask(PipCountAgent(), decisions) == losses.choices).all()
    assert (decisions.counts > 1).all()
    assert shown[-1] == (len(decisions), len(decisions))


def test_a_limit_draws_a_sample_of_the_same_decisions() -> None:
    reference = Reference("lumps", lumps, lumps)
    whole, part = rate_in_games(reference), rate_in_games(reference, limit=40)
    everything = {board.tobytes() for board in whole.decisions.boards}
    assert len(part.decisions) == 40
    assert all(board.tobytes() in everything for board in part.decisions.boards)


@pytest.fixture(scope="module")
def losses() -> Losses:
    return rate_in_games(Reference("lumps <1>", lumps, lumps))


def test_rates_by_kind_make_up_the_whole(losses: Losses) -> None:
    rates = losses.millipoints
    parts = [rates[kind] for kind in KINDS if kind in rates]
    assert rates["all"].samples == len(losses.decisions) == sum(part.samples for part in parts)
    total = sum(part.mean * part.samples for part in parts)
    assert rates["all"].mean == pytest.approx(total / len(losses.decisions))
    assert rates["all"].mean == pytest.approx(1000 * losses.points.mean())


def test_the_report_is_plain_data(losses: Losses) -> None:
    report = json.loads(json.dumps(losses.as_dict()))
    assert report["reference"] == "lumps <1>"
    costs = [mistake["millipoints"] for mistake in report["mistakes"]]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] == pytest.approx(1000 * losses.points.max())
    assert set(report["millipoints_per_decision"]) <= {"all", *KINDS}


def test_a_mistake_can_be_looked_up(losses: Losses) -> None:
    mistake = losses.worst(1)[0].as_dict()
    position, dice = Position.from_id(mistake["position"]), tuple(mistake["dice"])
    played, best = (position.parse_play(mistake[key], dice) for key in ("played", "best"))
    boards = np.array([play.afterstate.board for play in (played, best)])
    worse, better = lumps(boards)
    assert 1000 * (worse - better) == pytest.approx(mistake["millipoints"], abs=0.1)


def test_the_page_of_mistakes_is_well_formed(losses: Losses) -> None:
    page = mistakes_page(losses, 3)
    assert page.count("<svg") == 9
    assert "lumps &lt;1&gt;" in page
    body = page[page.index("<h1>") : page.index("</html>")]
    ElementTree.fromstring(f"<body>{body}</body>")


def test_unknown_kinds_are_named(losses: Losses) -> None:
    with pytest.raises(GammonError, match="contact, crashed, race, bear-off; not 'holding'"):
        losses.share_of_best("holding")


def test_the_command_prints_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = Reference("lumps", lumps, lumps)
    monkeypatch.setattr(command, "load_reference", lambda *_: reference)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    options = parser.parse_args(["--limit", "50", "--mistakes", str(tmp_path / "page.html")])
    match = {"agent": "pip-count", "opponent": "random", "games": 4, "seed": 1}
    vars(options).update(match, variant="backgammon")
    report = command.run(options)
    assert report["millipoints_per_decision"]["all"]["samples"] == 50
    assert report["opponent"] == "random"
    assert "pip-count: " in capsys.readouterr().out
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_the_headline_says_all_that_matters(losses: Losses) -> None:
    assert headline(losses).startswith("pip-count: ")
    assert "millipoints per decision" in headline(losses)
    assert "judged by lumps" in headline(losses)


def test_gnubg_judges_itself_right_and_pubeval_about_as_published() -> None:
    pytest.importorskip("gnubg_nn")
    from agents.gnubg_agent import Gnubg0PlyAgent, PubevalAgent

    reference = load_reference("gnubg-0ply")
    gnubg = error_rate(Gnubg0PlyAgent(), PubevalAgent(), reference, 20, 1)
    pubeval = error_rate(PubevalAgent(), Gnubg0PlyAgent(), reference, 20, 1)
    assert not gnubg.points.any()
    # Published: about 36 against 2-ply.
    assert 20 < pubeval.millipoints["all"].mean < 60
