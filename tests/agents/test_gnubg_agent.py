"""The adapters to gnubg-nn: its numbers read from the right side, its plays found among ours."""

import sys

import numpy as np
import pytest

from agents.gnubg_agent import (
    GNUBG_AGENTS,
    Gnubg0PlyAgent,
    Gnubg1PlyAgent,
    Gnubg2PlyAgent,
    GnubgAgent,
    PubevalAgent,
    engine,
)
from agents.lookahead import LookAhead
from agents.match import play_match
from agents.random_agent import RandomAgent
from agents.recording import joined, taken
from gammon_env.agent import Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON
from tests.agents.players import artificial, decisions_of_random_games

START = Position.start()


@pytest.fixture
def without_gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    engine.cache_clear()


@pytest.mark.usefixtures("without_gnubg")
@pytest.mark.parametrize("kind", [*GNUBG_AGENTS, PubevalAgent])
def test_a_missing_engine_says_what_to_install(kind: type[GnubgAgent]) -> None:
    with pytest.raises(GammonError, match=r'pip install "gammon-env\[gnubg\]"'):
        kind()


@pytest.fixture(autouse=True)
def needs_gnubg(request: pytest.FixtureRequest) -> None:
    if "without_gnubg" not in request.fixturenames:
        pytest.importorskip("gnubg_nn")


@pytest.fixture(scope="module")
def batches() -> list[Decisions]:
    return decisions_of_random_games(12, seed=3)


@pytest.mark.parametrize(
    ("dice", "play"),
    [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((6, 5), "24/13")],
)
def test_the_book_openings(dice: tuple[int, int], play: str) -> None:
    for player in (Gnubg0PlyAgent(), PubevalAgent()):
        assert player.choose(START, dice) == START.parse_play(play, dice)


def test_0_ply_plays_the_afterstate_its_net_likes_best(batches: list[Decisions]) -> None:
    player = Gnubg0PlyAgent()
    for batch in batches:
        equities = BACKGAMMON.equity(player.outcomes(batch.afterstates))
        chosen = equities[batch.offsets[:-1] + player.select(batch)]
        # What is worst for the next player is best for the mover.
        assert chosen == pytest.approx(np.minimum.reduceat(equities, batch.offsets[:-1]), abs=1e-6)


@pytest.mark.parametrize(("kind", "asked"), [(Gnubg1PlyAgent, 20), (Gnubg2PlyAgent, 3)])
def test_looking_ahead_it_plays_the_afterstate_it_judges_best(
    kind: type[Gnubg0PlyAgent], asked: int, batches: list[Decisions]
) -> None:
    player, few = kind(), taken(joined(batches), np.arange(10, 10 + asked))
    equities = BACKGAMMON.equity(player.outcomes(few.afterstates))
    chosen = equities[few.offsets[:-1] + player.select(few)]
    best = np.minimum.reduceat(equities, few.offsets[:-1])
    # Its filters of moves may drop a play that deeper looks as good.
    assert chosen == pytest.approx(best, abs=0.02)
    assert (chosen < best + 1e-5).mean() > 0.9


def test_one_ply_is_the_mean_over_the_rolls_of_the_best_replies() -> None:
    boards = START.board[np.newaxis]
    mean = LookAhead(Gnubg0PlyAgent()).equities(boards, 1)
    assert BACKGAMMON.equity(Gnubg1PlyAgent().outcomes(boards)) == pytest.approx(mean, abs=2e-3)


def test_pubeval_scores_its_choice_highest(batches: list[Decisions]) -> None:
    player, score = PubevalAgent(), engine().pub_eval_score
    best = asked = 0
    for batch in batches:
        scores = np.array([score(board[::-1, :25].tolist()) for board in batch.afterstates])
        chosen = scores[batch.offsets[:-1] + player.select(batch)]
        best += (chosen >= np.maximum.reduceat(scores, batch.offsets[:-1]) - 1e-6).sum()
        asked += len(batch)
    # It chooses its race or contact weights before the play, the score after it.
    assert asked > 300
    assert best >= 0.98 * asked


SURE_BACKGAMMON = Position.from_counts({1: 2, "off": 13}, {23: 15})
ONE_ON_SIX = Position.from_counts({6: 1, "off": 14}, {1: 1, "off": 14})
LOST_GAMMON = Position.from_counts({6: 15}, {"off": 15})
LOST = Position.from_counts({6: 1, "off": 14}, {"off": 15})


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        (SURE_BACKGAMMON, [1, 1, 1, 0, 0]),
        (SURE_BACKGAMMON.swapped(), [0, 0, 0, 1, 1]),
        (ONE_ON_SIX, [27 / 36, 0, 0, 0, 0]),
        (ONE_ON_SIX.swapped(), [1, 0, 0, 0, 0]),
        (LOST_GAMMON, [0, 0, 0, 1, 0]),
        (LOST_GAMMON.swapped(), [1, 1, 0, 0, 0]),
        (LOST, [0, 0, 0, 0, 0]),
    ],
)
def test_outcomes_are_those_of_the_player_on_roll(judged: Position, expected: list[float]) -> None:
    outcomes = Gnubg0PlyAgent().outcomes(judged.board[np.newaxis])
    assert outcomes.dtype == np.float32
    assert outcomes[0] == pytest.approx(expected, abs=1e-3)


def test_no_boards_have_no_outcomes() -> None:
    assert Gnubg0PlyAgent().outcomes(np.empty((0, 2, 26), np.int8)).shape == (0, 5)


@pytest.mark.parametrize("kind", [Gnubg0PlyAgent, PubevalAgent])
def test_an_answer_that_is_not_among_the_plays_is_reported(kind: type[GnubgAgent]) -> None:
    with pytest.raises(GammonError, match="at position 4HPwATDgc/ABMA with 3-1 that is no legal"):
        kind().select(artificial([START.board], (3, 1)))


def test_other_games_are_refused() -> None:
    with pytest.raises(GammonError, match="gnubg-0ply plays backgammon, not hypergammon"):
        Gnubg0PlyAgent(HYPERGAMMON)


def test_strengths_are_the_published_ones() -> None:
    pubeval = PubevalAgent()
    against_random = play_match(pubeval, RandomAgent(), 400, seed=1).points_per_game
    against_gnubg = play_match(Gnubg0PlyAgent(), pubeval, 400, seed=1).points_per_game
    # Published: +2.49 and +0.64; the margins are four standard errors of these short matches.
    assert against_random.mean == pytest.approx(2.49, abs=4 * against_random.standard_error)
    assert against_gnubg.mean == pytest.approx(0.64, abs=4 * against_gnubg.standard_error)
    assert against_random.standard_error < 0.04
    assert against_gnubg.standard_error < 0.08
