"""Bearing off, the end of the game, and the odds of finishing in one roll, each a named test.

Points are in the mover's numbering, for both sides; checkers that are not named are off.
"""

import pytest

from gammon_env.position import Outcome
from tests.rules.boards import first_moves, position, texts

pytestmark = pytest.mark.small

FOURTEEN_HOME = {6: 5, 5: 5, 4: 4}


class TestBearingOff:
    def test_waits_until_all_checkers_are_home(self):
        assert texts(position({7: 2, 2: 3}), (3, 2)) == {"7/2", "7/5 7/4"}

    def test_may_begin_in_mid_turn(self):
        assert texts(position({7: 1, 3: 1}), (3, 1)) == {"7/3", "7/4 3/2", "7/6 3/off"}

    def test_waits_for_a_checker_on_the_bar(self):
        assert texts(position({"bar": 1, 2: 1}, {23: 2, 19: 2}), (6, 2)) == set()

    def test_a_die_bears_off_from_its_own_point(self):
        assert "4/off 2/off" in texts(position({6: 1, 4: 1, 2: 1}), (4, 2))

    def test_a_larger_die_bears_off_from_the_highest_point_only(self):
        assert first_moves(position({4: 1, 3: 1}), 6) == {(4, 6)}
        assert first_moves(position({6: 1, 3: 2}, {2: 2}), 4) == set()

    def test_moving_inside_home_is_always_allowed(self):
        assert first_moves(position({6: 1, 5: 1, 2: 1}), 2) == {(6, 2), (5, 2), (2, 2)}

    def test_after_a_hit_it_stops_until_that_checker_is_home_again(self):
        start = position({"bar": 1, 1: 5})
        assert start.own["off"] == 9
        assert texts(start, (2, 1)) == {"bar/22"}

    def test_checkers_already_off_stay_off(self):
        start = position({20: 1, 3: 1}, {24: 1, 1: 1})
        assert start.parse_play("20/19 3/1*", (2, 1)).afterstate.own == {"bar": 1, 1: 1, "off": 13}

    def test_nothing_comes_off_while_one_of_fifteen_is_on_7(self):
        assert first_moves(position({7: 1, **FOURTEEN_HOME}), 6) == {(7, 6)}

    def test_nothing_comes_off_while_one_of_fifteen_is_on_23(self):
        straggling = position({23: 1, **FOURTEEN_HOME}, {12: 15})
        assert first_moves(straggling, 4) == {(23, 4), (6, 4), (5, 4)}

    def test_the_last_checker_home_may_be_followed_by_a_bear_off(self):
        assert "8/6 5/off" in texts(position({8: 1, 5: 1}), (5, 2))
        assert texts(position({6: 1}), (4, 2)) == {"6/off"}
        assert position({6: 1}).parse_play("6/2/off", (4, 2)).afterstate.is_over

    def test_5_and_3_with_4_2(self):
        assert texts(position({5: 1, 3: 1}), (4, 2)) == {"5/1 3/1", "5/off"}
        assert first_moves(position({5: 1, 3: 1}), 4) == {(5, 4)}

    def test_if_the_higher_checker_is_blocked_the_die_is_not_playable(self):
        assert first_moves(position({5: 1, 3: 1}, {1: 2}), 4) == set()

    def test_3_and_2_with_6_5_are_both_off(self):
        assert texts(position({3: 1, 2: 1}), (6, 5)) == {"3/off 2/off"}

    def test_6_5_4_and_3_with_5_3_two_one_or_none_off(self):
        plays = position({6: 1, 5: 1, 4: 1, 3: 1}).legal_plays((5, 3))
        assert {play.afterstate.opponent["off"] - 11 for play in plays} == {0, 1, 2}

    def test_4_2_and_1_with_5_5_are_all_off(self):
        (play,) = position({4: 1, 2: 1, 1: 1}).legal_plays((5, 5))
        assert str(play) == "4/off 2/off 1/off"
        assert play.afterstate.is_over


class TestEnd:
    def test_bearing_off_the_last_checker_is_a_complete_play_whichever_way(self):
        start = position({3: 1})
        (play,) = start.legal_plays((3, 1))
        assert first_moves(start, 3, 1) == {(3, 3), (3, 1)}
        assert start.parse_play("3/off", (3, 1)) == start.parse_play("3/2/off", (3, 1)) == play

    def test_unused_dice_are_void(self):
        (play,) = position({1: 1}).legal_plays((6, 6))
        assert len(play.checker_moves) == 1
        assert play.afterstate.legal_plays((6, 6)) == []

    @pytest.mark.parametrize(
        ("loser", "kind", "points"),
        [
            ({18: 14}, "single", 1),
            ({7: 15}, "gammon", 2),
            ({24: 15}, "gammon", 2),
            ({6: 1, 7: 14}, "backgammon", 3),
            ({1: 15}, "backgammon", 3),
            ({"bar": 1, 18: 14}, "backgammon", 3),
            ({"bar": 1, 18: 13}, "single", 1),
            ({1: 14}, "single", 1),
        ],
    )
    def test_points(self, loser, kind, points):
        lost = position({}, loser)
        assert lost.outcome == Outcome("own", kind, points)
        assert lost.swapped().outcome == Outcome("opponent", kind, points)

    def test_it_goes_on_until_then(self):
        assert position({1: 1}, {24: 1}).outcome is None


class TestOdds:
    @pytest.mark.parametrize(
        ("point", "rolls"), [(1, 36), (2, 36), (3, 36), (4, 34), (5, 31), (6, 27)]
    )
    def test_one_checker_left(self, point, rolls):
        assert len(position({point: 1}).rolls_that_finish()) == rolls

    @pytest.mark.parametrize(
        ("own", "rolls"),
        [
            ({2: 1, 1: 1}, 36),
            ({3: 1, 1: 1}, 34),
            ({2: 2}, 26),
            ({4: 1, 1: 1}, 29),
            ({3: 1, 2: 1}, 25),
            ({3: 2}, 17),
            ({5: 1, 1: 1}, 23),
            ({6: 1, 1: 1}, 15),
            ({4: 2}, 11),
            ({6: 1, 5: 1}, 6),
            ({6: 2}, 4),
        ],
    )
    def test_two_checkers_left(self, own, rolls):
        assert len(position(own).rolls_that_finish()) == rolls

    def test_6_and_6_need_a_double_from_3(self):
        assert position({6: 2}).rolls_that_finish() == {(3, 3), (4, 4), (5, 5), (6, 6)}

    def test_2_and_2_fail_with_the_ten_rolls_that_have_a_single_1(self):
        every = {(a, b) for a in range(1, 7) for b in range(1, 7)}
        fails = every - position({2: 2}).rolls_that_finish()
        assert fails == {roll for roll in every if roll.count(1) == 1}
        assert len(fails) == 10
