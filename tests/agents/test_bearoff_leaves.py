"""Look-ahead that takes its leaves from the bear-off tables."""

import pickle

import numpy as np
import numpy.typing as npt
import pytest

from agents.lookahead import LookAhead
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.search import SearchAgent
from gammon_env.agent import Decisions, ask
from gammon_env.position import Position
from gammon_env.rules import bearoff
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.expectimax import Judge
from tests.agents.networks import boards_of_random_games, random_network

Boards = npt.NDArray[np.int8]


def network() -> NetworkAgent:
    return NetworkAgent(fast(random_network((6,))))


def unasked(_: object) -> tuple[float, ...]:
    raise AssertionError("the tables know this position")


def bearoffs(most: int, count: int = 40, seed: int = 0) -> Boards:
    """Return bear-offs with 1 to `most` checkers a side, the others borne off."""
    rng, boards = np.random.default_rng(seed), np.zeros((count, 2, 26), np.int8)
    for row in boards.reshape(-1, 26):
        left = rng.integers(1, most + 1)
        row[:6] = rng.multinomial(left, np.full(6, 1 / 6))
        row[25] = 15 - left
    return boards


@pytest.mark.parametrize("most", [6, 15])
@pytest.mark.parametrize("ply", [0, 1, 2])
def test_bear_offs_are_judged_by_the_table_at_every_ply(most: int, ply: int) -> None:
    look, boards = LookAhead(Judge(unasked), bearoff=True), bearoffs(most)
    assert look.outcomes(boards, ply).tobytes() == bearoff.outcomes(boards).tobytes()
    assert look.nodes == 0


def test_without_the_option_the_network_is_asked() -> None:
    boards, plain = bearoffs(6), network()
    assert LookAhead(plain).outcomes(boards).tobytes() == plain.outcomes(boards).tobytes()


def test_other_positions_are_judged_by_the_network_and_finished_games_exactly() -> None:
    boards = np.concatenate([boards_of_random_games(300), bearoffs(15)])
    tabled, plain = (LookAhead(network(), bearoff=on).outcomes(boards) for on in (True, False))
    known = bearoff.covers(boards) & boards[:, :, :25].any(axis=2).all(axis=1)
    assert known.any()
    assert not known.all()
    assert tabled[~known].tobytes() == plain[~known].tobytes()
    assert tabled[known].tobytes() == bearoff.outcomes(boards[known]).tobytes()


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_play_is_perfect_where_the_table_is_exact(depth: int) -> None:
    player = SearchAgent(Judge(unasked), depth, bearoff=True)
    for board in bearoffs(6, 12, seed=depth):
        decision = Decisions.single(Position(board), (2, 1))
        equity = BACKGAMMON.equity(bearoff.outcomes(decision.afterstates))
        assert equity[ask(player, decision)[0]] == equity.min()


def test_one_ply_before_the_tables_is_their_mean() -> None:
    """The last checker comes home: the table must be what one ply ahead of the bear-off sees."""
    boards = bearoffs(5, 10)
    boards[:, 0, 25] -= 1
    boards[:, 0, 6] = 1
    asked = [Position(board) for board in boards]
    found = LookAhead(network(), bearoff=True).equities(boards, 1)
    for position, equity in zip(asked, found, strict=True):
        assert equity == pytest.approx(_mean(position), abs=1e-5)


def _mean(position: Position) -> float:
    """Return the mean over all 36 throws of the best play, taken from the table or the network."""
    look, total = LookAhead(network(), bearoff=True), 0.0
    for first in range(1, 7):
        for second in range(1, 7):
            plays = position.legal_plays((first, second))
            after = np.array([play.afterstate.board for play in plays])
            total -= float(look.equities(after).min())
    return total / 36


def test_it_pickles_without_the_tables() -> None:
    agent, board = SearchAgent(network(), 1, bearoff=True), bearoffs(6, 3)
    data = pickle.dumps(agent)
    assert len(data) < 100_000
    assert pickle.loads(data).outcomes(board).tobytes() == agent.outcomes(board).tobytes()
