"""Cases that other programs got wrong, each a named test; points in the mover's numbering."""

import pytest

from gammon_env.position import Outcome, Position
from gammon_env.rules.backgammon import MAX_PLAYS
from tests.rules.boards import first_moves, position, texts

pytestmark = pytest.mark.small

STARTING_PLAYS = {
    (1, 1): 42, (2, 2): 75, (3, 3): 73, (4, 4): 52, (5, 5): 4, (6, 6): 11, (2, 1): 15,
    (3, 1): 16, (4, 1): 14, (5, 1): 8, (6, 1): 10, (3, 2): 17, (4, 2): 18, (5, 2): 8,
    (6, 2): 14, (4, 3): 17, (5, 3): 9, (6, 3): 14, (5, 4): 9, (6, 4): 14, (6, 5): 7,
}  # fmt: skip


@pytest.mark.parametrize("roll", STARTING_PLAYS)
def test_distinct_results_from_the_start(roll):
    assert len(Position.start().legal_plays(roll)) == STARTING_PLAYS[roll]


def test_the_smaller_die_must_not_strand_the_six():
    start = position({24: 1, 8: 1, 6: 13}, {4: 2, 16: 2, 18: 3, 19: 4, 20: 4})
    assert texts(start, (6, 2)) == {"24/22 8/2"}


def test_a_race_off_the_back_with_one_way_to_play_both_dice():
    start = position({24: 5, 3: 4, 2: 4, 1: 2}, {23: 3, 22: 4, 21: 3, 19: 4, 12: 1})
    (play,) = start.legal_plays((6, 3))
    assert [str(move) for move in play.checker_moves] == ["24/18", "18/15"]


def test_either_die_enters_but_not_both_so_it_is_the_higher():
    assert texts(position({"bar": 1}, {20: 2}), (3, 2)) == {"bar/22"}


def test_two_on_the_bar_and_only_one_can_enter():
    start = position({"bar": 2, 10: 2}, {22: 2})
    (play,) = start.legal_plays((5, 3))
    assert str(play) == "bar/20"
    assert play.afterstate.opponent["bar"] == 1


def test_two_on_the_bar_and_none_can_enter():
    assert position({"bar": 2, 10: 2}, {22: 2, 20: 2}).legal_plays((5, 3)) == []


def test_a_double_of_which_only_two_moves_can_be_played():
    opponent = {22: 2, 20: 2, 17: 3, 11: 2, 6: 1, 2: 2}
    start = position({"bar": 1, 15: 1, 10: 1, 4: 1}, opponent)
    assert texts(start, (4, 4)) == {"bar/21 10/6*"}


def test_a_double_of_which_only_three_moves_can_be_played():
    plays = position({8: 1, 6: 1, 4: 1}, {2: 2, 24: 3}).legal_plays((2, 2))
    assert {len(play.checker_moves) for play in plays} == {3}


def test_the_checker_just_home_bears_off_with_the_six():
    (play,) = position({9: 1, 5: 3, 3: 2}, {24: 10, 23: 3, 1: 2}).legal_plays((6, 4))
    assert [str(move) for move in play.checker_moves] == ["9/5", "5/off"]


def test_two_ways_to_bear_off_with_one_distinct_result():
    assert len(position({4: 1, 2: 4}, {24: 1, 1: 1}).legal_plays((6, 4))) == 1


def test_bearing_off_either_checker_is_two_results():
    start = position({5: 1, 2: 1})
    assert texts(start, (4, 2)) == {"5/1 2/off", "5/off"}
    assert str(start.parse_play("5/3/off", (4, 2))) == "5/off"


def test_three_aces_with_1_1_is_one_play_that_ends_the_game():
    (play,) = position({1: 3}).legal_plays((1, 1))
    assert len(play.checker_moves) == 3
    assert play.afterstate.outcome == Outcome("opponent", "gammon", 2)
    assert play.afterstate.legal_plays((1, 1)) == []


def test_the_most_results_known_of_one_roll():
    start = Position.from_id("AACAkCRJqqoAAA")
    assert len(start.legal_plays((1, 1))) == 2220 < MAX_PLAYS


def test_one_die_at_a_time_looks_ahead():
    start = position({24: 1, 1: 14}, {18: 1, 15: 2, 16: 2, 12: 10})
    assert first_moves(start, 6, 3) == {(24, 6)}
    assert all(play.text().startswith("24/18*") for play in start.legal_plays((6, 3)))
