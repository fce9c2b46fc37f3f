from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents import selfplay
from agents.forward import FastNetwork
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.selfplay import MAX_PLIES, Games, Players, begin, play
from gammon_env import batch
from gammon_env.agent import Decisions
from gammon_env.observation import VALUE
from gammon_env.rules import bearoff
from gammon_env.rules.backgammon import MAX_PLAYS
from gammon_env.rules.board import check_board
from gammon_env.rules.dice import opening_roll, roll, stream_key
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import HEADS, constant_network, random_network

Array = npt.NDArray[Any]

SEED = 2**64 - 5
NETWORK = fast(random_network((8,), seed=1, inputs=VALUE.sizes[2]))
SCOUT = fast(random_network((4,), seed=2, inputs=VALUE.looked_up))


def games_of(
    games: range, network: FastNetwork | Players = NETWORK, seed: int = SEED, **how: Any
) -> Games:
    players = network if isinstance(network, Players) else Players.alone(network)
    return play(players, seed, games, BACKGAMMON, **how)


def in_turn(games: Games) -> Iterator[tuple[Array, Array, Array]]:
    """Yield the boards, values and outcome of one game after another."""
    cuts = np.cumsum(games.lengths)[:-1]
    parts = np.split(games.boards, cuts), np.split(games.values, cuts)
    yield from zip(*parts, games.outcomes, strict=True)


def assert_same_games(one: Games, other: Games) -> None:
    for name in ("boards", "values", "lengths", "outcomes"):
        mine, others = getattr(one, name), getattr(other, name)
        assert mine.dtype == others.dtype
        assert mine.shape == others.shape
        assert mine.tobytes() == others.tobytes(), name


def dice_of(game: int, ply: int, seed: int = SEED) -> tuple[int, int]:
    key = np.uint64(stream_key(np.uint64(seed), np.uint64(game)))
    return opening_roll(key, np.uint64(0)) if ply == 0 else roll(key, np.uint64(ply))


# --- the games are the rules' games ---------------------------------------------------------------


@pytest.mark.parametrize("candidates", [MAX_PLAYS, 1, 3])
def test_every_play_is_the_agents_choice_among_the_candidates(candidates: int) -> None:
    agent, scout = NetworkAgent(NETWORK), NetworkAgent(SCOUT)
    judged = 0
    games = games_of(range(7, 15), Players(NETWORK, SCOUT, candidates))
    for number, (boards, values, outcome) in enumerate(in_turn(games), 7):
        rolls = np.array([dice_of(number, ply) for ply in range(len(boards))], np.int8)
        afterstates, offsets = batch.legal_afterstates(boards, rolls)
        for ply, board in enumerate(boards):
            legal = afterstates[offsets[ply] : offsets[ply + 1]]
            if len(legal):
                few = legal[_best_of(scout, legal, candidates)]
                chosen = few[_choice(agent, board, rolls[ply], few)]
            else:
                chosen, few = board[::-1], board[np.newaxis]
            judged += len(few)
            last = ply == len(boards) - 1
            value = agent.outcomes(chosen[np.newaxis].copy())[0]
            np.testing.assert_array_equal(value, outcome if last else values[ply + 1])
            assert is_over(chosen) if last else (chosen == boards[ply + 1]).all()
    assert games.evaluations == judged


def _best_of(scout: NetworkAgent, legal: Array, candidates: int) -> Array:
    """Return which afterstates are the worst for the next player, in their order."""
    equities = BACKGAMMON.equity(scout.outcomes(legal))
    return np.sort(np.argsort(equities, kind="stable")[:candidates])


def _choice(agent: NetworkAgent, board: Array, dice: Array, legal: Array) -> int:
    offsets = np.array([0, len(legal)])
    word = np.zeros(1, np.uint64)
    asked = Decisions(board[np.newaxis], dice[np.newaxis], legal, offsets, word, BACKGAMMON)
    return int(agent.select(asked)[0])


def is_over(board: Array) -> bool:
    """Say whether a game is finished, or both sides have only to bear off."""
    return signed_points(board.copy(), 3) != 0 or bool(bearoff.covers(board[np.newaxis])[0])


def test_games_begin_at_the_start_and_hold_no_position_after_their_end() -> None:
    for boards, _, _ in in_turn(games_of(range(60))):
        assert (boards[0] == BACKGAMMON.start_board()).all()
        for board in boards:
            check_board(board, BACKGAMMON)
            assert not is_over(board)


def test_games_end_finished_or_with_only_to_bear_off() -> None:
    """Where any legal end of the last position has the outcome, and most games have one."""
    finished, borne_off = 0, 0
    for number, (boards, _, outcome) in enumerate(in_turn(games_of(range(60)))):
        last, ply = boards[-1:], len(boards) - 1
        rolls = np.array([dice_of(number, ply)], np.int8)
        ends = [end for end in batch.legal_afterstates(last, rolls)[0] if is_over(end)]
        whole = {-signed_points(end, 3) for end in ends} - {0}
        tabled = [bearoff.outcomes(end[np.newaxis])[0] for end in ends if bearoff.covers(end[None])]
        if any((outcome == known).all() for known in tabled):
            borne_off += 1
        elif ply < MAX_PLIES - 1:
            finished += 1
            assert -BACKGAMMON.equity(outcome) in whole
    assert finished > 10
    assert borne_off > 10


def test_values_are_the_networks() -> None:
    games = games_of(range(5))
    assert games.values.tobytes() == NETWORK.outcomes(games.boards).tobytes()


def test_a_game_without_end_is_cut_and_judged_by_the_network() -> None:
    games = games_of(range(3), constant_network(1.0))
    cut = games.lengths == MAX_PLIES
    assert cut.any(), "choosing the first play always should not lead home"
    assert games.lengths.max() == MAX_PLIES
    assert (games.outcomes[cut] == NETWORK_OF_ONES.outcomes(games.boards[:1])).all()


NETWORK_OF_ONES = constant_network(1.0)


# --- the scout ------------------------------------------------------------------------------------


def test_a_scout_that_picks_all_is_no_scout() -> None:
    everything = Players(NETWORK, SCOUT, MAX_PLAYS)
    assert_same_games(games_of(range(20), everything), games_of(range(20)))


@pytest.mark.parametrize("candidates", [1, 2, 5, 60])
def test_a_scout_of_the_same_mind_changes_no_game(candidates: int) -> None:
    alone = games_of(range(20))
    scouted = games_of(range(20), Players(NETWORK, NETWORK, candidates))
    assert_same_games(alone, scouted)
    assert scouted.evaluations < alone.evaluations


def test_a_single_candidate_is_the_scouts_play() -> None:
    scouted = games_of(range(20), Players(NETWORK, SCOUT, 1))
    scouts = games_of(range(20), SCOUT)
    assert scouted.boards.tobytes() == scouts.boards.tobytes()
    assert scouted.lengths.tolist() == scouts.lengths.tolist()
    assert scouted.values.tobytes() == NETWORK.outcomes(scouted.boards).tobytes()
    assert scouted.evaluations == scouted.lengths.sum()


def test_a_scout_that_cannot_tell_picks_the_first_plays() -> None:
    scouted = games_of(range(4), Players(NETWORK, constant_network(), 1))
    first = games_of(range(4), constant_network())
    assert scouted.boards.tobytes() == first.boards.tobytes()


@pytest.mark.parametrize("candidates", [1, 4])
def test_a_scout_that_has_diverged_picks_all(candidates: int) -> None:
    scouted = games_of(range(4), Players(NETWORK, diverged(), candidates))
    assert scouted.lengths.max() <= MAX_PLIES
    assert np.isfinite(scouted.values).all()


# --- the same games, however they are played ------------------------------------------------------


@pytest.mark.parametrize("candidates", [2, MAX_PLAYS])
@pytest.mark.parametrize("workers", [2, 3, 7, 24, 40])
def test_workers_play_the_same_games(workers: int, candidates: int) -> None:
    players = Players(NETWORK, SCOUT, candidates)
    alone = games_of(range(10, 34), players)
    with ThreadPoolExecutor(2) as pool:
        shared = games_of(range(10, 34), players, pool=pool, workers=workers)
    assert_same_games(alone, shared)
    assert alone.evaluations == shared.evaluations
    assert_same_games(alone, games_of(range(10, 34), players, workers=workers))


def test_games_that_have_begun_are_played_meanwhile() -> None:
    players = Players.alone(NETWORK)
    with ThreadPoolExecutor(2) as pool:
        waiting = [
            begin(players, SEED, games, BACKGAMMON, pool, 2) for games in (range(6), range(6, 11))
        ]
        others = games_of(range(30, 33))
        found = [wait() for wait in waiting]
    assert_same_games(found[0], games_of(range(6)))
    assert_same_games(found[1], games_of(range(6, 11)))
    assert_same_games(others, games_of(range(30, 33)))


def test_what_fails_in_a_worker_is_raised_where_it_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> Games:
        raise RuntimeError("broken")

    monkeypatch.setattr(selfplay, "_play_share", broken)
    with ThreadPoolExecutor(1) as pool:
        wait = begin(Players.alone(NETWORK), SEED, range(2), BACKGAMMON, pool, 1)
        with pytest.raises(RuntimeError, match="broken"):
            wait()


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
    assert later.outcomes.tobytes() == together.outcomes[6:].tobytes()


def test_another_seed_plays_other_games() -> None:
    assert games_of(range(4)).lengths.tolist() != games_of(range(4), seed=1).lengths.tolist()


def test_a_network_that_has_diverged_still_ends() -> None:
    games = games_of(range(2), diverged())
    assert games.lengths.max() <= MAX_PLIES
    assert games.values.shape == (games.lengths.sum(), HEADS)


def diverged() -> FastNetwork:
    network = random_network()
    network.layers[-1].bias.data.fill_(float("nan"))
    return fast(network)
