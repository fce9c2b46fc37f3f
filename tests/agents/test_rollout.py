"""Rollouts against exact values, and their intervals against how often they hold."""

import zlib
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from agents import rollout
from agents.lookahead import Filter, LookAhead
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.rollout import Rollout, rank_plays, roll_out
from agents.search import SearchAgent
from agents.statistics import Estimate
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON
from tests.agents.expectimax import (
    TWO_CHECKERS,
    Chances,
    Judge,
    equity,
    optimal,
    under_policy,
)
from tests.agents.networks import boards_of_random_games, random_network
from tests.reference import State, from_board, to_board

Boards = npt.NDArray[np.int8]
Doubles = npt.NDArray[np.float64]


def guess(state: State) -> Chances:
    """Judge a race by its pips, and by a whim."""
    whim = zlib.crc32(to_board(state).tobytes()) / 2**32 - 0.5
    own, opponent = (sum(p * n for p, n in enumerate(side)) for side in state)
    win = 1 / (1 + np.exp((own - opponent - 4) / 4 + whim))
    return win, 0.3 * win, 0.0, 0.3 * (1 - win), 0.0


GUESS = Judge(guess, TWO_CHECKERS)
EXACT = under_policy(guess)
PERFECT = Judge(optimal, TWO_CHECKERS)


def race(*, own: tuple[int, int], opponent: tuple[int, int]) -> Boards:
    """Return the board of a race of two checkers a side, from points in each one's numbering."""
    board = np.zeros((2, 26), np.int8)
    for side, points in enumerate((own, opponent)):
        np.add.at(board[side], np.array(points) - 1, 1)
    return board


RACES = np.array(
    [
        race(own=(6, 5), opponent=(6, 6)),
        race(own=(9, 4), opponent=(8, 2)),
        race(own=(3, 3), opponent=(1, 2)),
        race(own=(6, 4), opponent=(6, 5)),
    ]
)


def exact(boards: Boards) -> Doubles:
    return np.array([EXACT(from_board(board)) for board in boards])


@pytest.fixture(scope="module")
def rolled() -> Rollout:
    return roll_out(RACES, GUESS, trials=4000, plies=None, seed=1)


# --- what they estimate ---------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["outcomes", "unadjusted"])
def test_the_mean_is_the_exact_value_with_and_without_luck(rolled: Rollout, part: str) -> None:
    trials = getattr(rolled, part)
    errors = trials.std(axis=1, ddof=1) / np.sqrt(trials.shape[1])
    assert (np.abs(trials.mean(axis=1) - exact(RACES)) <= 3.5 * errors + 1e-6).all()
    assert errors.max() < 0.01


def test_luck_adjustment_shrinks_the_variance(rolled: Rollout) -> None:
    assert all(rolled.reduction(i) > 2 for i in range(len(RACES)))
    plain = roll_out(RACES, GUESS, trials=50, plies=None, seed=1, luck_adjusted=False)
    assert plain.outcomes.tobytes() == plain.unadjusted.tobytes()
    assert plain.reduction(0) == 1


def test_with_perfect_values_no_luck_is_left() -> None:
    rolled = roll_out(RACES, PERFECT, trials=20, plies=None, seed=2)
    truth = np.array([[optimal(from_board(board))] for board in RACES])
    assert np.abs(rolled.outcomes - truth).max() < 1e-5
    assert rolled.unadjusted.std(axis=1).max() > 0.1


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda variant: variant.name)
def test_one_ply_without_luck_is_one_ply_of_look_ahead(variant: object) -> None:
    agent = NetworkAgent(fast(random_network()), variant=variant)
    boards = boards_of_random_games(3) if variant is BACKGAMMON else agent.variant.start_board()
    boards = boards.reshape(-1, 2, 26)
    rolled = roll_out(boards, agent, trials=10, plies=1)
    ahead = LookAhead(agent).outcomes(boards, 1)
    assert rolled.outcomes == pytest.approx(np.repeat(ahead[:, np.newaxis], 10, axis=1), abs=1e-5)


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_truncated_trial_ends_in_the_value_of_the_player_on_roll_there(plies: int) -> None:
    agent = Judge(lambda state: (0.8, 0.2, 0.0, 0.1, 0.0))
    start = Position.start().board[np.newaxis].copy()
    rolled = roll_out(start, agent, trials=3, plies=plies, luck_adjusted=False)
    mine = [0.8, 0.2, 0, 0.1, 0] if plies % 2 == 0 else [0.2, 0.1, 0, 0.2, 0]
    assert rolled.chances[0].tolist() == pytest.approx(mine)


def test_a_finished_game_is_worth_what_it_ended_with() -> None:
    lost = np.zeros((1, 2, 26), np.int8)
    lost[0, 0, 23], lost[0, 0, 5], lost[0, 1, 25] = 1, 14, 15
    rolled = roll_out(lost, Judge(lambda state: (0.5, 0, 0, 0, 0)), trials=2)
    assert rolled.equity(0) == Estimate(-3, 0, 2)


def test_the_player_of_the_trials_decides_what_is_estimated() -> None:
    strong, weak = (
        roll_out(RACES[:2], GUESS, player=player, trials=2000, plies=None, seed=5)
        for player in (GUESS, RandomAgent(TWO_CHECKERS))
    )
    assert np.abs(strong.chances - exact(RACES[:2])).max() < 0.02
    assert (np.abs(weak.chances - exact(RACES[:2])).max(axis=1) > 0.03).all()


def test_a_player_that_looks_ahead_may_play_the_trials() -> None:
    agent = NetworkAgent(fast(random_network((6,))))
    start = Position.start().board[np.newaxis].copy()
    ahead = SearchAgent(agent, 1)
    rolled = roll_out(start, agent, player=ahead, trials=4, plies=2)
    assert rolled.outcomes.shape == (1, 4, 5)
    assert ahead.look_ahead.nodes > 0


# --- intervals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["outcomes", "unadjusted"])
def test_intervals_cover_the_exact_equity(part: str) -> None:
    board, truth = RACES[:1], equity(tuple(exact(RACES[:1])[0]))
    rolled = roll_out(board, GUESS, trials=12_000, plies=None, seed=7)
    groups = getattr(rolled, part)[0].reshape(300, 1, 40, 5)
    found = [Rollout(TWO_CHECKERS, group, group).equity(0) for group in groups]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in found])
    assert 0.92 <= covered <= 0.98


def test_the_interval_of_a_difference_is_that_of_the_pairs(rolled: Rollout) -> None:
    one, other = ((rolled.outcomes[i] * TWO_CHECKERS.weights).sum(axis=1) for i in (0, 3))
    expected = Estimate.of(one - other)
    found = rolled.difference(0, 3)
    assert found.mean == pytest.approx(expected.mean)
    assert found.margin == pytest.approx(expected.margin)
    assert rolled.difference(2, 2).margin == 0


# --- the same trials everywhere -------------------------------------------------------------------


def test_trials_depend_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = NetworkAgent(fast(random_network((6,))))
    boards = boards_of_random_games(4)
    run = partial(roll_out, value=agent, trials=6, plies=4)
    together = run(boards, seed=3).outcomes
    alone = np.concatenate([run(boards[i : i + 1], seed=3).outcomes for i in range(4)])
    assert alone.tobytes() == together.tobytes()
    monkeypatch.setattr(rollout, "LANES", 5)
    assert run(boards, seed=3).outcomes.tobytes() == together.tobytes()
    assert (run(boards, seed=4).outcomes != together).any()


# --- ranking --------------------------------------------------------------------------------------


def test_plays_are_ranked_by_what_they_are_worth() -> None:
    start, dice = Position(race(own=(6, 5), opponent=(2, 2)), TWO_CHECKERS), (3, 2)
    truth = {
        play: -equity(EXACT(from_board(play.afterstate.board))) for play in start.legal_plays(dice)
    }
    ranked = rank_plays(start, dice, GUESS, trials=400, plies=None, seed=1)
    assert len(ranked) == len(truth) > 2
    assert ranked[0].play == max(truth, key=truth.__getitem__)
    assert ranked[0].behind == Estimate(0, 0, 400)
    for one in ranked:
        assert one.equity.mean == pytest.approx(truth[one.play], abs=4 * one.equity.margin + 1e-5)
        assert one.behind.mean == pytest.approx(ranked[0].equity.mean - one.equity.mean)
    assert all(a.equity.mean >= b.equity.mean for a, b in pairwise(ranked))


def test_only_plays_that_pass_the_filter_are_rolled_out() -> None:
    agent = NetworkAgent(fast(random_network((6,))))
    equity = LookAhead(agent).equities
    plays = Position.start().legal_plays((3, 1))
    judged = equity(np.array([play.afterstate.board for play in plays]))
    ranked = rank_plays(
        Position.start(), (3, 1), agent, filter_=Filter(3), trials=2, plies=1, seed=1
    )
    assert {plays.index(one.play) for one in ranked} == set(np.argsort(judged)[:3].tolist())


def test_a_forced_pass_has_no_plays_to_rank() -> None:
    closed = Position.from_counts({"bar": 1, 3: 14}, dict.fromkeys(range(1, 7), 2) | {7: 3})
    with pytest.raises(GammonError, match="has no legal play"):
        rank_plays(closed, (2, 1), NetworkAgent(fast(random_network())))


@pytest.mark.parametrize("numbers", [{"trials": 1}, {"plies": 0}, {"seed": -1}])
def test_numbers_that_make_no_rollout_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(GammonError, match="at least 2 trials and 1 ply"):
        roll_out(RACES, GUESS, **numbers)


def test_a_player_of_another_game_is_refused() -> None:
    with pytest.raises(GammonError, match="random plays backgammon, not two checkers"):
        roll_out(RACES, GUESS, player=RandomAgent())
