"""The player that looks ahead: its plays, its filters, its budget, its names."""

import pickle
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agents.checkpoint import Counters, save_checkpoint
from agents.lookahead import ALL_PLAYS, BEST_PLAY, Filter, LookAhead
from agents.match import play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.search import NORMAL, SearchAgent, open_search
from gammon_env.agent import Decisions, ask, load_agent
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, Variant
from tests.agents.expectimax import Judge, equity, expectimax, replies, value_of
from tests.agents.networks import constant_network, random_network, short_run
from tests.agents.players import Recorder
from tests.reference import from_board
from tests.rules.boards import position

SHAPE = (6,)


def network(variant: Variant = BACKGAMMON, seed: int = 0) -> NetworkAgent:
    return NetworkAgent(fast(random_network(SHAPE, seed)), variant=variant)


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    """Return a hundred decisions of random games, with two plays or more each."""
    recorder = Recorder()
    play_match(recorder, Recorder(), 8, seed=3)
    return pick([d for asked in recorder.asked[:40] for d in singles(asked)][:100])


def singles(decisions: Decisions) -> list[Decisions]:
    return [Decisions.single(*decisions.question(i)) for i in range(len(decisions))]


def pick(every: Sequence[Decisions]) -> Decisions:
    """Return decisions in one batch."""
    ends = np.cumsum([0, *(len(one.afterstates) for one in every)])
    fields = (
        np.concatenate([getattr(one, name) for one in every])
        for name in ("boards", "dice", "afterstates")
    )
    return Decisions(*fields, ends, np.zeros(len(every), np.uint64), every[0].variant)


def hypergammon(dice: tuple[int, int], count: int = 3) -> list[Position]:
    rng, boards = np.random.default_rng(sum(dice)), np.zeros((count, 2, 26), np.int8)
    for board in boards:
        places = rng.permutation(24)[:6]
        board[0, places[:3]], board[1, 23 - places[3:]] = 1, 1
    positions = [Position(board, HYPERGAMMON) for board in boards]
    return [p for p in positions if len(p.legal_plays(dice)) > 1]


@pytest.mark.parametrize(
    ("depth", "dice"),
    [(0, (2, 1)), (0, (3, 3)), (1, (2, 1)), (1, (6, 5)), (1, (3, 3)), (2, (3, 3))],
)
def test_without_filters_the_play_is_that_of_expectimax(depth: int, dice: tuple[int, int]) -> None:
    agent = network(HYPERGAMMON)
    search = SearchAgent(agent, depth, (ALL_PLAYS,), (ALL_PLAYS,))
    positions = hypergammon(dice, 3 if depth < 2 else 1)
    assert positions
    for start in positions:
        judged = {
            reply: equity(expectimax(reply, depth, value_of(agent)))
            for reply in replies(from_board(start.board), dice)
        }
        chosen = search.choose(start, dice).afterstate.board
        assert judged[from_board(chosen)] <= min(judged.values()) + 1e-5


def test_filters_leave_the_best_of_those_that_each_ply_lets_through(decisions: Decisions) -> None:
    filters = Filter(5, 0.3), Filter(2, 0.2)
    search, look = SearchAgent(network(), 2, filters), LookAhead(network())
    chosen = ask(search, decisions)
    for i, one in enumerate(singles(decisions)[:12]):
        left = list(range(len(one.afterstates)))
        for ply, filter_ in enumerate(filters):
            judged = dict(zip(left, look.equities(one.afterstates[left], ply), strict=True))
            ranked = sorted(left, key=judged.__getitem__)[: filter_.plays]
            best = judged[ranked[0]] + np.float32(filter_.within)
            left = sorted(play for play in ranked if judged[play] <= best)
        final = look.equities(one.afterstates[left], 2)
        assert chosen[i] == left[int(final.argmin())]


def test_a_wider_filter_never_plays_worse_at_the_same_depth(decisions: Decisions) -> None:
    look = LookAhead(network())
    equity = look.equities(decisions.afterstates, 1)
    widths = [Filter(1), Filter(2), Filter(4), ALL_PLAYS]
    got = [
        equity[decisions.offsets[:-1] + ask(SearchAgent(network(), 1, (filter_,)), decisions)]
        for filter_ in widths
    ]
    assert all((wide <= narrow).all() for narrow, wide in pairwise(got))
    assert (got[-1] < got[0]).any()


def test_a_filter_of_one_play_is_the_player_without_look_ahead(decisions: Decisions) -> None:
    one = SearchAgent(network(), 2, (BEST_PLAY,))
    assert ask(one, decisions).tolist() == ask(network(), decisions).tolist()
    assert one.look_ahead.nodes == 0


def test_depth_0_is_the_player_without_look_ahead(decisions: Decisions) -> None:
    assert (ask(SearchAgent(network(), 0), decisions) == ask(network(), decisions)).all()


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_among_equals_the_first_is_played(decisions: Decisions, depth: int) -> None:
    few = pick(singles(decisions)[:10])
    agent = SearchAgent(NetworkAgent(constant_network()), depth)
    assert ask(agent, few).tolist() == [0] * len(few)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_winning_play_is_found_whatever_the_value_function(depth: int) -> None:
    start = Position.from_counts(own={1: 1, 2: 1, "off": 13}, opponent={6: 14, "off": 1})
    hopeless = Judge(lambda state: (1.0, 1.0, 1.0, 0.0, 0.0))
    assert SearchAgent(hopeless, depth).choose(start, (2, 1)).afterstate.is_over


def test_a_gammon_is_preferred_to_a_plain_win() -> None:
    # One play bears off the last two checkers, before the opponent has borne off any.
    start = position({1: 1, 3: 1}, {19: 15})
    agent = SearchAgent(NetworkAgent(constant_network()), 2)
    play = agent.choose(start, (3, 1))
    assert play.afterstate.is_over
    assert agent.look_ahead.equities(play.afterstate.board[np.newaxis].copy()).tolist() == [-2]


def test_a_network_that_has_diverged_still_plays_legally(decisions: Decisions) -> None:
    broken = random_network(SHAPE)
    broken.layers[-1].bias.data.fill_(float("nan"))
    few = pick(singles(decisions)[:10])
    assert ask(SearchAgent(NetworkAgent(fast(broken)), 2), few).tolist() == [0] * 10


# --- the same play everywhere ---------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "budget"), [(1, None), (2, None), (1, 3), (2, 60)])
def test_a_choice_depends_neither_on_the_batch_nor_on_what_was_asked_before(
    decisions: Decisions, depth: int, budget: int | None
) -> None:
    few = pick(singles(decisions)[::8])
    together = ask(SearchAgent(network(), depth, budget=budget), few).tolist()
    for slots in (0, 16, 1 << 16):
        agent = SearchAgent(network(), depth, budget=budget, slots=slots)
        alone = [int(ask(agent, one)[0]) for one in singles(few)[::-1]][::-1]
        assert alone == together
        assert ask(agent, few).tolist() == together


def test_both_seats_play_alike() -> None:
    search, plain = SearchAgent(network(seed=3), 1), network(seed=3)
    first, second = play_match(search, plain, 4, 1), play_match(plain, search, 4, 1)
    # Game 2k of one match is game 2k + 1 of the other, with the players' points exchanged.
    swapped = np.array(second.points).reshape(-1, 2)[:, ::-1].ravel()
    assert first.points == tuple((-swapped).tolist())


def test_it_pickles(decisions: Decisions) -> None:
    few = pick(singles(decisions)[:5])
    agent = SearchAgent(network(), 1)
    assert ask(pickle.loads(pickle.dumps(agent)), few).tolist() == ask(agent, few).tolist()


# --- the budget -----------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 8, 30, 46, 69, 96])
def test_no_decision_spends_more_than_its_budget(decisions: Decisions, budget: int) -> None:
    agent = SearchAgent(network(), 2, (Filter(8), Filter(4)), budget=budget, slots=0)
    for one in singles(decisions)[::10]:
        before = agent.look_ahead.nodes
        ask(agent, one)
        assert agent.look_ahead.nodes - before <= budget


def test_a_budget_decides_how_deep_and_how_wide(decisions: Decisions) -> None:
    def plays(depth: int, budget: int | None, filters: tuple[Filter, ...] = NORMAL) -> list[int]:
        return ask(SearchAgent(network(), depth, filters, budget=budget), few).tolist()

    few = pick(singles(decisions)[::4])
    assert plays(2, 0) == plays(2, 1) == plays(0, None)
    assert plays(2, 8) == plays(1, None)
    assert plays(2, 8 + 4 * 22) == plays(2, None)
    assert plays(1, 3) == plays(1, None, (Filter(3, NORMAL[0].within),))


def test_values_too_look_only_as_deep_as_the_budget_pays_for(decisions: Decisions) -> None:
    boards, look = decisions.boards[:5], LookAhead(network())
    for budget, ply in ((None, 2), (22, 2), (21, 1), (1, 1), (0, 0)):
        agent = SearchAgent(network(), 2, budget=budget)
        assert agent.outcomes(boards).tobytes() == look.outcomes(boards, ply).tobytes()


@pytest.mark.parametrize("numbers", [{"depth": -1}, {"budget": -1}])
def test_negative_numbers_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(GammonError, match="depth and budget are 0 or more"):
        SearchAgent(network(), **numbers)


def test_no_filters_are_refused() -> None:
    with pytest.raises(GammonError, match="a search needs a filter"):
        SearchAgent(network(), 1, ())


# --- names ----------------------------------------------------------------------------------------


def my_agent(variant: Variant) -> NetworkAgent:
    return network(variant, seed=8)


def no_values(position: Position, dice: tuple[int, int]) -> object:
    return position.legal_plays(dice)[0]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_checkpoint_looks_ahead_by_name(tmp_path: Path, depth: int) -> None:
    path, shape = tmp_path / "mine.safetensors", random_network(SHAPE, seed=8)
    save_checkpoint(path, shape, {}, short_run(tmp_path).as_dict(), Counters())
    agent = load_agent(f"{path}.{depth}ply")
    assert isinstance(agent, SearchAgent)
    assert (agent.name, agent.depth) == (f"{path}.{depth}ply", depth)
    board = Position.start().board[np.newaxis].copy()
    expected: npt.NDArray[np.float32] = my_agent(BACKGAMMON).outcomes(board)
    assert agent.look_ahead.outcomes(board).tobytes() == expected.tobytes()


def test_any_agent_with_values_looks_ahead_by_name() -> None:
    agent = load_agent(f"{__name__}:my_agent.1ply")
    assert isinstance(agent, SearchAgent)
    assert agent.depth == 1


@pytest.mark.parametrize("name", ["random", f"{__name__}:no_values"])
def test_an_agent_without_values_is_refused_by_name(name: str) -> None:
    with pytest.raises(GammonError, match=f"{name} does not judge positions"):
        load_agent(f"{name}.1ply")


def test_a_name_without_a_number_of_plies_is_refused() -> None:
    with pytest.raises(GammonError, match=r"random\.ply does not end in a number of plies"):
        open_search(Path("random.ply"))
