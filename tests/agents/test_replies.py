import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.replies import ROLL_CHANCES, equities, least, mean_over_rolls, narrow, replies, settle
from gammon_env.position import Position
from gammon_env.rules.dice import ROLLS
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import boards_of_random_games
from tests.rules.boards import position

pytestmark = pytest.mark.small

Floats = npt.NDArray[np.float32]


def test_every_roll_is_answered_by_its_legal_plays_and_a_pass_by_the_swapped_board() -> None:
    four_points = position({"bar": 1, 6: 2}, {18: 7, 19: 2, 20: 2, 21: 2, 22: 2})
    positions = [Position.start(), four_points, Position.start()]
    found, offsets = replies(np.array([p.board for p in positions]), BACKGAMMON)
    assert len(offsets) == 3 * len(ROLLS) + 1
    passes = 0
    for number, (p, roll) in enumerate((p, roll) for p in positions for roll in ROLLS):
        expected = [play.afterstate.board for play in p.legal_plays(roll)] or [p.board[::-1]]
        passes += not p.legal_plays(roll)
        assert (found[offsets[number] : offsets[number + 1]] == np.array(expected)).all()
    assert passes == 10  # the rolls without a 1 and without a 2


def test_the_chances_of_the_rolls_are_those_of_two_dice() -> None:
    assert sum(ROLL_CHANCES) == pytest.approx(1)
    for (die1, die2), chance in zip(ROLLS, ROLL_CHANCES, strict=True):
        assert chance == pytest.approx(1 / 36 if die1 == die2 else 2 / 36)


def test_equities_are_those_of_the_variant() -> None:
    outcomes = np.random.default_rng(0).random((50, 5), np.float32)
    found = np.empty(50, np.float32)
    equities(outcomes, np.asarray(BACKGAMMON.weights, np.float32), found)
    assert found == pytest.approx(BACKGAMMON.equity(outcomes), abs=1e-6)


def test_the_mean_over_rolls_is_weighted() -> None:
    values = np.random.default_rng(0).random((7, 21, 5), np.float32)
    found = np.empty((7, 5), np.float32)
    mean_over_rolls(values, ROLL_CHANCES, found)
    assert found == pytest.approx(np.average(values, axis=1, weights=ROLL_CHANCES), abs=1e-6)


@pytest.mark.parametrize(
    ("own", "opponent", "chances"),
    [
        ({24: 14}, {}, [0, 0, 0, 0, 0]),
        ({6: 15}, {}, [0, 0, 0, 1, 0]),
        ({24: 1, 6: 14}, {}, [0, 0, 0, 1, 1]),
        ({}, {1: 14}, [1, 0, 0, 0, 0]),
        ({}, {18: 15}, [1, 1, 0, 0, 0]),
        ({}, {1: 1, 18: 14}, [1, 1, 1, 0, 0]),
    ],
)
def test_finished_games_are_settled(own: dict, opponent: dict, chances: list[float]) -> None:
    boards = np.array([position(own, opponent).board, Position.start().board])
    out, playing = np.full((2, 5), 9, np.float32), np.empty(2, np.bool_)
    settle(boards, 3, out, playing)
    assert playing.tolist() == [False, True]
    assert out.tolist() == [chances, [9] * 5]


decisions = st.lists(
    st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 1.0]), min_size=1, max_size=12),
    min_size=1,
    max_size=5,
)


def flat(every: list[list[float]]) -> tuple[Floats, npt.NDArray[np.int64]]:
    equity = np.array([value for mine in every for value in mine], np.float32)
    return equity, np.cumsum([0, *map(len, every)])


@given(every=decisions)
def test_the_least_equity_is_chosen_and_the_first_of_equals(every: list[list[float]]) -> None:
    equity, offsets = flat(every)
    chosen = np.empty(len(every), np.int64)
    least(equity, offsets, chosen)
    assert (chosen - offsets[:-1]).tolist() == [mine.index(min(mine)) for mine in every]


@given(every=decisions, within=st.sampled_from([0.0, 0.25, 0.7, np.inf]), data=st.data())
def test_plays_are_kept_by_rank_and_by_distance_from_the_best(
    every: list[list[float]], within: float, data: st.DataObject
) -> None:
    equity, offsets = flat(every)
    plays = np.array([data.draw(st.integers(1, 13)) for _ in every])
    kept, kept_offsets = np.empty(len(equity), np.int64), np.empty_like(offsets)
    count = narrow(equity, offsets, plays, within, kept, kept_offsets)
    expected = []
    for mine, begin, limit in zip(every, offsets, plays, strict=False):
        ranked = sorted(range(len(mine)), key=mine.__getitem__)[:limit]
        near = [i for i in ranked if mine[i] <= min(mine) + within]
        expected.append([int(begin) + i for i in sorted(near)])
    assert kept_offsets[-1] == count
    assert [part.tolist() for part in np.split(kept[:count], kept_offsets[1:-1])] == expected


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_rank_nothing_keep_the_first_play(value: float) -> None:
    equity, offsets = np.full(5, value, np.float32), np.array([0, 2, 5])
    kept, kept_offsets = np.empty(5, np.int64), np.empty(3, np.int64)
    narrow(equity, offsets, np.array([1, 2]), 0.1, kept, kept_offsets)
    chosen = np.empty(2, np.int64)
    least(equity, offsets, chosen)
    assert chosen.tolist() == [0, 2]
    assert {0, 2} <= set(kept[: kept_offsets[-1]].tolist())


def test_replies_do_not_depend_on_the_other_boards() -> None:
    boards = boards_of_random_games(12)
    playing = np.empty(12, np.bool_)
    settle(boards, 3, np.empty((12, 5), np.float32), playing)
    boards = boards[playing]
    found, offsets = replies(boards, BACKGAMMON)
    for i in range(len(boards)):
        alone, _ = replies(boards[i : i + 1], BACKGAMMON)
        begin, end = offsets[21 * i], offsets[21 * (i + 1)]
        assert (found[begin:end] == alone).all()
