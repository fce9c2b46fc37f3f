from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents import selfplay
from agents.network import FastNetwork, fast
from agents.network_agent import NetworkAgent
from agents.selfplay import MAX_PLIES, Games, play
from gammon_env import batch
from gammon_env.agent import Decisions
from gammon_env.rules.board import check_board
from gammon_env.rules.dice import opening_roll, roll, stream_key
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import HEADS, constant_network, random_network

Array = npt.NDArray[Any]

SEED = 2**64 - 5
NETWORK = fast(random_network((8,), seed=1))


def games_of(games: range, network: FastNetwork = NETWORK, seed: int = SEED, **how: Any) -> Games:
    return play(network, seed, games, BACKGAMMON, **how)


def in_turn(games: Games) -> Iterator[tuple[Array, Array, int, Array]]:
    """Yield the boards, values, points and outcome of one game after another."""
    cuts = np.cumsum(games.lengths)[:-1]
    parts = np.split(games.boards, cuts), np.split(games.values, cuts)
    yield from zip(*parts, games.points.tolist(), games.outcomes, strict=True)


def assert_same_games(one: Games, other: Games) -> None:
    for name in ("boards", "values", "lengths", "points", "outcomes"):
        mine, others = getattr(one, name), getattr(other, name)
        assert mine.dtype == others.dtype
        assert mine.shape == others.shape
        assert mine.tobytes() == others.tobytes(), name


def dice_of(game: int, ply: int, seed: int = SEED) -> tuple[int, int]:
    key = np.uint64(stream_key(np.uint64(seed), np.uint64(game)))
    return opening_roll(key, np.uint64(0)) if ply == 0 else roll(key, np.uint64(ply))


# --- the games are the rules' games ---------------------------------------------------------------


def test_every_play_is_the_agents_choice_among_the_legal_ones() -> None:
    agent = NetworkAgent(NETWORK)
    judged = 0
    games = games_of(range(7, 15))
    for number, (boards, values, _, outcome) in enumerate(in_turn(games), 7):
        rolls = np.array([dice_of(number, ply) for ply in range(len(boards))], np.int8)
        afterstates, offsets = batch.legal_afterstates(boards, rolls)
        for ply, board in enumerate(boards):
            legal = afterstates[offsets[ply] : offsets[ply + 1]]
            if len(legal):
                chosen = legal[_choice(agent, board, rolls[ply], legal)]
            else:
                chosen, legal = board[::-1], board[np.newaxis]
            judged += len(legal)
            last = ply == len(boards) - 1
            value = agent.outcomes(chosen[np.newaxis].copy())[0]
            np.testing.assert_array_equal(value, outcome if last else values[ply + 1])
            assert signed_points(chosen.copy(), 3) if last else (chosen == boards[ply + 1]).all()
    assert games.evaluations == judged


def _choice(agent: NetworkAgent, board: Array, dice: Array, legal: Array) -> int:
    offsets = np.array([0, len(legal)])
    word = np.zeros(1, np.uint64)
    asked = Decisions(board[np.newaxis], dice[np.newaxis], legal, offsets, word, BACKGAMMON)
    return int(agent.select(asked)[0])


def test_games_begin_at_the_start_and_end_when_they_are_over() -> None:
    games = games_of(range(60))
    finished = 0
    for boards, _, points, outcome in in_turn(games):
        assert (boards[0] == BACKGAMMON.start_board()).all()
        for board in boards:
            check_board(board, BACKGAMMON)
            assert signed_points(board, 3) == 0
        if points:
            finished += 1
            assert BACKGAMMON.equity(outcome) == -points
    assert finished > 50
    assert set(games.points[games.points > 0].tolist()) == {1, 2, 3}


def test_points_match_the_final_board() -> None:
    for number, (boards, _, points, _) in enumerate(in_turn(games_of(range(40)))):
        last, ply = boards[-1:], len(boards) - 1
        rolls = np.array([dice_of(number, ply)], np.int8)
        endings = {signed_points(board, 3) for board in batch.legal_afterstates(last, rolls)[0]}
        assert ply == MAX_PLIES - 1 or (points > 0 and -points in endings)


def test_values_are_the_networks() -> None:
    games = games_of(range(5))
    assert games.values.tobytes() == NETWORK.outcomes(games.boards).tobytes()


def test_a_game_without_end_is_cut_and_judged_by_the_network() -> None:
    games = games_of(range(3), constant_network(1.0))
    cut = games.lengths == MAX_PLIES
    assert cut.any(), "choosing the first play always should not lead home"
    assert games.lengths.max() == MAX_PLIES
    assert not games.points[cut].any()
    assert (games.outcomes[cut] == NETWORK_OF_ONES.outcomes(games.boards[:1])).all()


NETWORK_OF_ONES = constant_network(1.0)


# --- the same games, however they are played ------------------------------------------------------


@pytest.mark.parametrize("workers", [2, 3, 7, 24, 40])
def test_workers_play_the_same_games(workers: int) -> None:
    alone = games_of(range(10, 34))
    with ThreadPoolExecutor(2) as pool:
        shared = games_of(range(10, 34), pool=pool, workers=workers)
    assert_same_games(alone, shared)
    assert alone.evaluations == shared.evaluations
    assert_same_games(alone, games_of(range(10, 34), workers=workers))


def test_shares_are_even_and_cover_all_games() -> None:
    assert len(games_of(range(5, 16), workers=4).lengths) == 11


def test_fewer_games_than_workers() -> None:
    assert_same_games(games_of(range(3, 4)), games_of(range(3, 4), workers=2))


def test_growing_buffers_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    plenty = games_of(range(200))
    assert len(plenty.boards) > 8000, "or the buffers below would hold all at once"
    monkeypatch.setattr(selfplay, "POSITIONS_PER_GAME", 0)
    assert_same_games(plenty, games_of(range(200)))
    assert_same_games(plenty, games_of(range(200), workers=3))


def test_a_game_does_not_depend_on_those_before_it() -> None:
    together = games_of(range(20, 30))
    cut = int(together.lengths[:6].sum())
    later = games_of(range(26, 30))
    assert later.boards.tobytes() == together.boards[cut:].tobytes()
    assert later.points.tolist() == together.points[6:].tolist()


def test_another_seed_plays_other_games() -> None:
    assert games_of(range(4)).lengths.tolist() != games_of(range(4), seed=1).lengths.tolist()


def test_a_network_that_has_diverged_still_ends() -> None:
    network = random_network()
    network.layers[-1].bias.data.fill_(float("nan"))
    games = games_of(range(2), fast(network))
    assert games.lengths.max() <= MAX_PLIES
    assert games.values.shape == (games.lengths.sum(), HEADS)
