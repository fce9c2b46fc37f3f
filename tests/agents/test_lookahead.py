"""Look-ahead against expectimax in plain Python, and what must not change it."""

import pickle

import numpy as np
import numpy.typing as npt
import pytest

from agents import lookahead
from agents.lookahead import ALL_PLAYS, BEST_PLAY, Filter, LookAhead, Scout
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.random_agent import RandomAgent
from agents.replies import ROLL_CHANCES
from gammon_env.agent import ValueAgent
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.backgammon import MAX_PLAYS
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, Variant
from tests.agents.expectimax import Judge, expectimax, value_of
from tests.agents.networks import boards_of_random_games, random_network
from tests.reference import from_board
from tests.rules.boards import position

Boards = npt.NDArray[np.int8]


def network(variant: Variant = BACKGAMMON, seed: int = 0) -> NetworkAgent:
    return NetworkAgent(fast(random_network((6,), seed)), variant=variant)


def slow(boards: Boards, ply: int, agent: ValueAgent) -> npt.NDArray[np.float64]:
    value = value_of(agent)
    return np.array([expectimax(from_board(board), ply, value) for board in boards])


def small_boards(seed: int, count: int = 2) -> Boards:
    """Return positions of hypergammon: contact, hits and bars with few plays."""
    rng, boards = np.random.default_rng(seed), np.zeros((count, 2, 26), np.int8)
    for board in boards:
        places = rng.permutation(24)[:6]
        board[0, places[:3]], board[1, 23 - places[3:]] = 1, 1
    return boards


BEAR_OFFS = [
    position({1: 2, 2: 1}, {24: 2, 23: 1}),
    position({6: 1, 5: 1}, {19: 2}),
    position({2: 2}, {24: 1, 18: 14}),
    position({1: 1, 3: 1}, {1: 0, 22: 15}),
]


@pytest.mark.parametrize("seed", range(3))
def test_one_ply_is_expectimax_in_contact(seed: int) -> None:
    agent = network(seed=seed)
    boards = boards_of_random_games(400)[100 * seed :][:3]
    assert LookAhead(agent).outcomes(boards, 1) == pytest.approx(slow(boards, 1, agent), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_two_plies_are_expectimax_in_contact(seed: int) -> None:
    agent, boards = network(HYPERGAMMON, seed), small_boards(seed)
    look = LookAhead(agent, (ALL_PLAYS,))
    assert look.outcomes(boards, 2) == pytest.approx(slow(boards, 2, agent), abs=1e-5)
    assert look.outcomes(boards, 1) == pytest.approx(slow(boards, 1, agent), abs=1e-5)


@pytest.mark.parametrize("start", BEAR_OFFS, ids=str)
def test_two_plies_are_expectimax_at_the_end_of_the_game(start: Position) -> None:
    agent, boards = network(seed=4), start.board[np.newaxis].copy()
    look = LookAhead(agent, (ALL_PLAYS,))
    assert look.outcomes(boards, 2) == pytest.approx(slow(boards, 2, agent), abs=1e-5)


def test_the_end_of_the_game_is_exact_at_any_depth_whatever_the_value_function() -> None:
    wrong = Judge(lambda state: (0.5, 0.1, 0.0, 0.1, 0.0))
    won = position({1: 1}, {24: 2})  # every roll bears off the last checker
    lost = position({6: 15}, {})
    far = position({24: 1, 6: 14}, {})
    boards = np.array([won.board, lost.board, far.board])
    for ply in (1, 2, 3):
        equity = LookAhead(wrong).equities(boards, ply)
        assert equity.tolist() == [1, -2, -3]
    assert LookAhead(wrong).equities(boards[1:]).tolist() == [-2, -3]


def test_a_value_function_is_not_asked_about_finished_games() -> None:
    judge = Judge(lambda state: (0.5, 0.1, 0.0, 0.1, 0.0))
    look = LookAhead(judge)
    look.outcomes(position({6: 15}, {}).board[np.newaxis].copy())
    look.outcomes(position({1: 1}, {24: 2}).board[np.newaxis].copy(), 1)
    assert judge.judged == 0


def test_the_rolls_of_a_position_average_to_one_ply_more() -> None:
    look, boards = LookAhead(network(HYPERGAMMON), slots=0), small_boards(9)
    for ply in (0, 1):
        rolls = look.roll_outcomes(boards, ply)
        mean = np.average(rolls, axis=1, weights=ROLL_CHANCES)
        assert mean == pytest.approx(look.outcomes(boards, ply + 1), abs=1e-6)


def test_a_pass_hands_the_same_board_over() -> None:
    closed = position({"bar": 1, 3: 14}, dict.fromkeys(range(19, 25), 2) | {18: 3})
    agent, board = network(seed=2), closed.board[np.newaxis].copy()
    win, *gammons = agent.outcomes(board[:, ::-1].copy())[0].tolist()
    expected = [1 - win, gammons[2], gammons[3], gammons[0], gammons[1]]
    assert LookAhead(agent).outcomes(board, 1)[0].tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("filters", [(BEST_PLAY,), (Filter(2, 0.3),), (ALL_PLAYS,)])
@pytest.mark.parametrize("slots", [0, 64])
def test_neither_neighbours_nor_memory_change_a_bit(
    monkeypatch: pytest.MonkeyPatch, filters: tuple[Filter, ...], slots: int
) -> None:
    agent, boards = network(HYPERGAMMON), small_boards(5, count=12)
    together = LookAhead(agent, filters).outcomes(boards, 2)
    look = LookAhead(agent, filters, slots)
    alone = [look.outcomes(boards[i : i + 1], 2)[0] for i in (11, 0, 5, 0)]
    assert np.array(alone).tobytes() == together[[11, 0, 5, 0]].tobytes()
    monkeypatch.setattr(lookahead, "PART", 7)
    assert LookAhead(agent, filters, slots).outcomes(boards, 2).tobytes() == together.tobytes()


def test_filters_choose_the_reply_at_the_depth_they_let_it_reach() -> None:
    agent, boards = network(HYPERGAMMON, 1), small_boards(6, count=20)
    every, best, two = (
        LookAhead(agent, (filter_,)).equities(boards, 2)
        for filter_ in (ALL_PLAYS, BEST_PLAY, Filter(2))
    )
    # The player on roll picks among more replies: that can only be as good or better.
    assert (every >= two - 1e-6).all()
    assert (two >= best - 1e-6).all()
    assert (every > best + 1e-4).any()


def test_one_filter_serves_all_further_plies() -> None:
    agent, boards = network(HYPERGAMMON, 1), small_boards(7, count=1)
    narrow = Filter(2, 0.5)
    one, three = (LookAhead(agent, (narrow,) * n).outcomes(boards, 3) for n in (1, 3))
    assert one.tobytes() == three.tobytes()


def test_nodes_stay_below_the_cost_that_is_foretold() -> None:
    boards = small_boards(8, count=1)
    for filters in ((BEST_PLAY,), (Filter(2),), (Filter(3), BEST_PLAY)):
        for ply in (0, 1, 2, 3):
            look = LookAhead(network(HYPERGAMMON), filters, slots=0)
            look.outcomes(boards, ply)
            assert look.nodes <= look.cost(ply)
    assert [LookAhead(network()).cost(ply) for ply in range(4)] == [0, 1, 22, 463]


def test_what_is_remembered_is_not_looked_ahead_from_again() -> None:
    look, boards = LookAhead(network()), boards_of_random_games(3)
    look.outcomes(boards, 1)
    assert look.nodes == 3
    look.outcomes(boards, 1)
    assert look.nodes == 3


def test_a_scout_that_judges_alike_changes_nothing_and_spares_work() -> None:
    agent, boards = network(), boards_of_random_games(40)
    asked: list[int] = []
    counting = Judge(lambda state: (0.0,))
    counting.variant = BACKGAMMON

    def outcomes(some: Boards) -> npt.NDArray[np.float32]:
        asked.append(len(some))
        return agent.outcomes(some)

    counting.outcomes = outcomes  # type: ignore[method-assign]
    look = LookAhead(counting, scout=Scout(agent, 1))
    assert look.outcomes(boards, 1).tobytes() == LookAhead(agent).outcomes(boards, 1).tobytes()
    assert sum(asked) <= 21 * len(boards)


def test_every_roll_is_answered_by_a_candidate_of_the_scout() -> None:
    agent, scout, boards = network(), network(seed=9), boards_of_random_games(40)
    free = LookAhead(agent).equities(boards, 1)
    worse = LookAhead(agent, scout=Scout(scout, 2)).equities(boards, 1)
    assert (worse <= free + 1e-6).all()
    assert (worse < free - 0.01).any()
    most = Scout(scout, MAX_PLAYS)
    assert LookAhead(agent, scout=most).equities(boards, 1).tobytes() == free.tobytes()


def test_a_scout_that_picks_nothing_is_refused() -> None:
    with pytest.raises(GammonError, match="picks 1 reply or more, not 0"):
        Scout(network(), 0)


def test_it_pickles() -> None:
    look, boards = LookAhead(network()), boards_of_random_games(5)
    look.outcomes(boards, 1)
    copy = pickle.loads(pickle.dumps(look))
    assert copy.outcomes(boards, 1).tobytes() == look.outcomes(boards, 1).tobytes()


# --- what is refused ------------------------------------------------------------------------------


def test_an_agent_without_values_is_refused() -> None:
    with pytest.raises(GammonError, match="random does not judge positions"):
        LookAhead(RandomAgent())  # type: ignore[arg-type]


def test_values_of_another_shape_are_refused() -> None:
    judge = Judge(lambda state: (0.5, 0.1))
    judge.outcomes = lambda boards: np.zeros((len(boards), 2), np.float32)  # type: ignore[method-assign]
    with pytest.raises(GammonError, match=r"judge judged 1 positions by float32\[1, 2\]; expected"):
        LookAhead(judge).outcomes(Position.start().board[np.newaxis].copy())


@pytest.mark.parametrize(("plays", "within"), [(0, 1.0), (1, -0.1), (1, np.nan)])
def test_filters_that_keep_nothing_are_refused(plays: int, within: float) -> None:
    with pytest.raises(GammonError, match="keeps 1 play or more"):
        Filter(plays, within)


def test_no_filters_are_refused() -> None:
    with pytest.raises(GammonError, match="needs a filter"):
        LookAhead(network(), ())
