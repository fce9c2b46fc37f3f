"""The decision set that ships, its file, and what it says about known players."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from agents import decision_set as command
from agents.decision_set import (
    SHIPPED,
    DecisionSet,
    decisions_of,
    load_decisions,
    main,
    save_decisions,
)
from agents.kinds import KINDS, kinds_of
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.recording import joined, taken
from gammon_env import load_agent
from gammon_env.agent import BatchAgent, Choices, Decisions, FunctionAgent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import HYPERGAMMON
from tests.agents.players import decisions_of_random_games

# Published for such a set: 36 for Pubeval, 2.4 for GNU Backgammon 0-ply.
RATES = {"random": (200, 290), "pip-count": (22, 36), "pubeval": (30, 46), "gnubg-0ply": (1.5, 3)}


@pytest.fixture(scope="module")
def shipped() -> DecisionSet:
    return load_decisions()


@pytest.fixture
def small() -> DecisionSet:
    drawn = taken(joined(decisions_of_random_games(4, seed=8)), np.arange(30))
    decisions = decisions_of(drawn.boards, drawn.dice)
    equity = np.random.default_rng(0).uniform(-1, 1, len(decisions.afterstates))
    return DecisionSet(decisions, equity.astype(np.float32), {"reference": "noise"})


class Best(BatchAgent):
    """Plays what the labels of a set like best."""

    name = "best"

    def __init__(self, decision_set: DecisionSet) -> None:
        super().__init__()
        self._choices = decision_set.best()

    def select(self, decisions: Decisions) -> Choices:
        return self._choices[: len(decisions)]


def test_the_shipped_set_is_whole(shipped: DecisionSet) -> None:
    decisions = shipped.decisions
    assert len(decisions) == shipped.about["size"] == 2000
    assert len(shipped.equity) == len(decisions.afterstates)
    assert (np.abs(shipped.equity) <= 3).all()
    assert (decisions.counts > 1).all()
    assert SHIPPED.stat().st_size < 400_000


def test_the_shipped_set_covers_all_kinds_and_repeats_nothing(shipped: DecisionSet) -> None:
    boards, dice = shipped.decisions.boards, shipped.decisions.dice
    counts = np.bincount(kinds_of(boards), minlength=len(KINDS))
    assert counts.tolist() == [1200, 350, 250, 200]
    assert (dice[:, 0] >= dice[:, 1]).all()
    asked = {(b.tobytes(), d.tobytes()) for b, d in zip(boards, dice, strict=True)}
    assert len(asked) == len(boards)


def test_the_shipped_set_says_how_it_was_made(shipped: DecisionSet) -> None:
    assert shipped.about["reference"] == "gnubg-2ply"
    assert {"players", "games_of_each_pairing", "seed", "versions"} <= shipped.about.keys()
    assert "/" not in json.dumps(shipped.about["players"])


@pytest.mark.parametrize("name", RATES)
def test_known_players_err_as_much_as_they_should(name: str, shipped: DecisionSet) -> None:
    if name in ("pubeval", "gnubg-0ply"):
        pytest.importorskip("gnubg_nn")
    low, high = RATES[name]
    assert low < shipped.score(load_agent(name)).millipoints["all"].mean < high


def test_the_labels_are_gnubgs(shipped: DecisionSet) -> None:
    pytest.importorskip("gnubg_nn")
    from agents.decision_making import gnubg_equities

    few = taken(shipped.decisions, np.arange(3))
    labels = -gnubg_equities(2)(few.afterstates)
    assert labels == pytest.approx(shipped.equity[: len(labels)], abs=1e-4)


def test_losses_are_counted_from_the_best_label(small: DecisionSet) -> None:
    losses = small.score(RandomAgent())
    offsets = small.decisions.offsets
    for i, choice in enumerate(losses.choices):
        equity = small.equity[offsets[i] : offsets[i + 1]]
        assert losses.points[i] == pytest.approx(equity.max() - equity[choice], abs=1e-4)
    assert losses.reference == "noise"


def test_the_best_plays_lose_nothing(small: DecisionSet) -> None:
    assert not small.score(Best(small)).points.any()


def test_a_set_survives_its_file(small: DecisionSet, tmp_path: Path) -> None:
    save_decisions(small, tmp_path / "set.npz")
    loaded = load_decisions(tmp_path / "set.npz")
    assert (loaded.equity == small.equity).all()
    assert (loaded.decisions.boards == small.decisions.boards).all()
    assert (loaded.decisions.random == small.decisions.random).all()
    assert loaded.about == small.about
    first = (tmp_path / "set.npz").read_bytes()
    save_decisions(loaded, tmp_path / "set.npz")
    assert (tmp_path / "set.npz").read_bytes() == first


def test_damaged_files_are_refused(small: DecisionSet, tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    with pytest.raises(GammonError, match="is no decision set"):
        load_decisions(path)
    save_decisions(small, path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(GammonError, match="is no decision set"):
        load_decisions(path)
    np.savez(path, boards=np.zeros(3))
    with pytest.raises(GammonError, match="is no decision set"):
        load_decisions(path)


def test_another_numbering_of_plays_is_refused(
    small: DecisionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_decisions(small, tmp_path / "set.npz")

    def reversed_plays(boards: np.ndarray, dice: np.ndarray) -> Decisions:
        decisions = decisions_of(boards, dice)
        decisions.afterstates[:] = decisions.afterstates[::-1].copy()
        return decisions

    monkeypatch.setattr(command, "decisions_of", reversed_plays)
    with pytest.raises(GammonError, match="other plays"):
        load_decisions(tmp_path / "set.npz")


def test_players_of_other_games_are_refused(small: DecisionSet) -> None:
    with pytest.raises(GammonError, match="decisions are of backgammon"):
        small.score(RandomAgent(HYPERGAMMON))


def test_a_failing_player_is_told_where(small: DecisionSet) -> None:
    def fails(*_: object) -> None:
        raise ArithmeticError("no idea")

    where = small.decisions.describe(0)
    with pytest.raises(GammonError, match=f"{where}.*no idea"):
        small.score(FunctionAgent(fails, "hopeless"))  # type: ignore[arg-type]


def test_the_command_prints_and_reports(
    small: DecisionSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = tmp_path / "set.npz", tmp_path / "page.html"
    save_decisions(small, path)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    options = parser.parse_args(["--decision-set", str(path)])
    options.decisions, options.mistakes = "agents.pip_count_agent:PipCountAgent", page
    report = command.run(options)
    assert report["agent"] == PipCountAgent.name
    assert report["decision_set"] == {"reference": "noise"}
    assert "millipoints per decision" in capsys.readouterr().out
    assert page.exists()


def test_making_a_set_of_nonsense_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--make", str(tmp_path / "set.npz"), "--players", "nobody"]) == 2
    assert "no agent is called 'nobody'" in capsys.readouterr().err
