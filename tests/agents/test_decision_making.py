"""Making a decision set: the sample, and labelling that can be interrupted."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from agents import decision_making
from agents.decision_making import decisions_of_games, distinct, parser, run, sample
from agents.decision_set import load_decisions
from agents.kinds import kinds_of
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.recording import joined, taken
from gammon_env.agent import Decisions
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from tests.agents.players import decisions_of_random_games


@pytest.fixture(scope="module")
def played() -> Decisions:
    return decisions_of_games([PipCountAgent(), RandomAgent()], games=40, seed=0)


def lumps(boards: Board) -> np.ndarray:
    """Judge boards by weights that no two places share, so that in all kinds something matters."""
    places = np.cos(np.arange(52)).reshape(2, 26)
    return ((boards * places).sum(axis=(1, 2)) / 100).astype(np.float32)


def test_every_pairing_is_played(played: Decisions) -> None:
    alone = decisions_of_games([PipCountAgent()], games=40, seed=0)
    assert (played.boards[: len(alone)] == alone.boards).all()
    assert len(played) > 2 * len(alone)


def test_a_roll_counts_once_however_the_dice_lie() -> None:
    few = taken(joined(decisions_of_random_games(4, seed=8)), np.arange(40))
    turned = Decisions(
        few.boards, few.dice[:, ::-1], few.afterstates, few.offsets, few.random, few.variant
    )
    once = distinct(joined([few, turned, few]))
    assert len(once) == len(distinct(few))
    assert (once.dice[:, 0] >= once.dice[:, 1]).all()
    assert (once.boards[0] == few.boards[0]).all()


def test_a_sample_has_its_share_of_every_kind(played: Decisions) -> None:
    chosen = sample(distinct(played), 40, seed=3)
    assert np.bincount(kinds_of(chosen.boards)).tolist() == [24, 7, 5, 4]
    assert (chosen.boards == sample(distinct(played), 40, seed=3).boards).all()
    assert (chosen.boards != sample(distinct(played), 40, seed=4).boards).any()


def test_too_few_games_are_too_few(played: Decisions) -> None:
    with pytest.raises(GammonError, match="play more games"):
        sample(distinct(played), 100_000, seed=0)


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    pytest.importorskip("gnubg_nn")  # its version is part of the file
    monkeypatch.setattr(decision_making, "gnubg_equities", lambda _: lumps)
    arguments = ["--players", "pip-count", "random", "--games", "40", "--size", "60"]
    return parser().parse_args(["--make", str(tmp_path / "set.npz"), *arguments])


def test_every_play_is_labelled_from_the_movers_side(options: Namespace) -> None:
    run(options)
    made = load_decisions(options.make)
    assert len(made.decisions) == 60
    assert made.equity == pytest.approx(-lumps(made.decisions.afterstates))
    assert made.about["players"] == ["pip-count", "random"]
    assert [path.name for path in options.make.parent.iterdir()] == ["set.npz"]


def test_interrupted_labelling_goes_on(options: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    run(options)
    whole = options.make.read_bytes()
    options.make.unlink()
    asked = []

    def tiring(boards: Board) -> np.ndarray:
        asked.append(len(boards))
        if len(asked) == 3:  # after those at stake, and the first part
            raise KeyboardInterrupt
        return lumps(boards)

    monkeypatch.setattr(decision_making, "gnubg_equities", lambda _: tiring)
    with pytest.raises(KeyboardInterrupt):
        run(options)
    assert not options.make.exists()
    run(options)
    assert options.make.read_bytes() == whole
    assert sum(asked[3:]) < len(load_decisions(options.make).equity)


def test_the_beginnings_of_another_set_are_refused(
    options: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(decision_making, "print", interrupted, raising=False)
        with pytest.raises(KeyboardInterrupt):
            run(options)
    options.seed = 5
    with pytest.raises(GammonError, match="made with other arguments"):
        run(options)


def test_a_checkpoint_is_known_by_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    path.write_bytes(b"weights")
    assert decision_making.identity(str(path)).startswith("net.safetensors sha256:")
    assert decision_making.identity("gnubg-0ply") == "gnubg-0ply"
