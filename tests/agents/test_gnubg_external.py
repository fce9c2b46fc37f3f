"""The program GNU Backgammon over its socket: questions, failures, and agreement with gnubg-nn."""

from pathlib import Path

import numpy as np
import pytest

from agents import gnubg_external
from agents.gnubg_agent import Gnubg0PlyAgent
from agents.gnubg_external import GnubgExternalAgent, fibs_board, find_program
from agents.kinds import CONTACT, CRASHED, kinds_of
from agents.match import play_match
from agents.recording import Recorded, joined, taken
from gammon_env.agent import Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON
from tests.agents.players import artificial

START = Position.start()
AGREEMENT = 0.98
DECISIONS = 500
TIE = 1e-4


@pytest.fixture(scope="module")
def program() -> GnubgExternalAgent:
    try:
        find_program()
    except GammonError as error:
        pytest.skip(str(error))
    return GnubgExternalAgent(plies=0)


def pretend(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a program of that name that does what a script says."""
    path = folder / "gnubg"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(gnubg_external, "PLACES", str(folder))


def test_a_missing_program_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gnubg_external, "PLACES", str(tmp_path))
    with pytest.raises(GammonError, match="apt install gnubg"):
        GnubgExternalAgent()


def test_a_program_that_ends_at_once_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, "echo no weights; exit 1", monkeypatch)
    with pytest.raises(GammonError, match=r"does not listen .*: no weights"):
        GnubgExternalAgent()


def test_a_program_that_never_listens_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, "exec sleep 60", monkeypatch)
    monkeypatch.setattr(gnubg_external, "SECONDS_TO_START", 0.2)
    with pytest.raises(GammonError, match="does not listen"):
        GnubgExternalAgent()


def test_other_games_are_refused() -> None:
    with pytest.raises(GammonError, match="gnubg-external-2ply plays backgammon, not hypergammon"):
        GnubgExternalAgent(HYPERGAMMON)


def test_the_board_as_fibs_writes_it() -> None:
    position = Position.from_counts(
        {"bar": 1, 24: 1, 6: 5, "off": 8}, {"bar": 2, 20: 1, 5: 3, "off": 9}
    )
    fields = fibs_board(position, (6, 3)).split(":")
    assert fields[:6] == ["board", "own", "opponent", "0", "0", "0"]
    points = [int(field) for field in fields[6:32]]
    assert {p: n for p, n in enumerate(points) if n} == {0: -2, 5: -1, 6: 5, 20: -3, 24: 1, 25: 1}
    assert fields[32:35] == ["1", "6", "3"]
    assert fields[45:49] == ["8", "9", "1", "2"]


@pytest.mark.parametrize(
    ("dice", "play"), [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7")]
)
def test_the_book_openings(program: GnubgExternalAgent, dice: tuple[int, int], play: str) -> None:
    assert program.choose(START, dice) == START.parse_play(play, dice)


def test_a_play_that_is_not_among_the_afterstates_is_reported(program: GnubgExternalAgent) -> None:
    with pytest.raises(GammonError, match="at position 4HPwATDgc/ABMA with 3-1"):
        program.select(artificial([START.board], (3, 1)))


def test_a_program_that_has_ended_is_reported() -> None:
    try:
        ending = GnubgExternalAgent(plies=0)
    except GammonError as error:
        pytest.skip(str(error))
    ending.program.close()
    with pytest.raises(GammonError, match=r"failed at position 4HPwATDgc/ABMA with 3-1: gnubg"):
        ending.choose(START, (3, 1))


def contact_decisions() -> Decisions:
    recorded = Recorded(Gnubg0PlyAgent())
    play_match(recorded, Gnubg0PlyAgent(), 30, seed=7)
    decisions = joined([recorded.decisions])
    contact = np.isin(kinds_of(decisions.boards), [CONTACT, CRASHED])
    return taken(decisions, np.flatnonzero(contact)[:DECISIONS])


def test_our_0_ply_decisions_are_the_programs(program: GnubgExternalAgent) -> None:
    pytest.importorskip("gnubg_nn")
    decisions, ours = contact_decisions(), Gnubg0PlyAgent()
    begins = decisions.offsets[:-1]
    equity = BACKGAMMON.equity(ours.outcomes(decisions.afterstates))
    theirs, best = program.select(decisions), ours.select(decisions)
    same = (theirs == best) | (equity[begins + theirs] - equity[begins + best] < TIE)
    assert len(decisions) == DECISIONS
    assert same.mean() >= AGREEMENT
