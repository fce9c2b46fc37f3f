"""The statements and plain examples of the rules of backgammon, each a named test.

Points are in the mover's numbering, for both sides; checkers that are not named are off.
"""

import pytest

from gammon_env.errors import GammonError
from gammon_env.position import Outcome, Position
from tests.rules.boards import first_moves, position, texts

pytestmark = pytest.mark.small

FOURTEEN_HOME = {6: 5, 5: 5, 4: 4}


class TestBoard:
    def test_the_start(self):
        start = Position.start()
        assert start.own == start.opponent == {24: 2, 13: 5, 8: 3, 6: 5}

    @pytest.mark.parametrize("point", range(1, 24))
    def test_my_point_p_is_the_opponents_25_minus_p(self, point):
        start = Position.from_counts({point + 1: 1, "off": 14}, {25 - point: 1, "off": 14})
        assert start.legal_plays((1, 1))[0].checker_moves[0].hit

    def test_a_point_takes_more_than_five_checkers(self):
        after = position({8: 1, 6: 14}).parse_play("8/6 6/5", (2, 1)).afterstate
        assert after.opponent == {6: 14, 5: 1}


class TestCheckerMove:
    def test_moves_by_exactly_one_die(self):
        assert first_moves(position({20: 1}), 6, 1) == {(20, 6), (20, 1)}
        assert texts(position({20: 1}), (6, 1)) == {"20/13"}

    def test_lands_on_an_empty_point_an_own_point_or_a_blot(self):
        start = position({10: 1, 8: 1}, {7: 1, 24: 2})
        assert texts(start, (3, 2)) == {"10/5", "10/7*/5", "10/7* 8/6", "8/3"}

    def test_is_blocked_by_two_opposing_checkers(self):
        assert texts(position({20: 1, 10: 1}, {17: 2, 7: 3}), (3, 3)) == set()

    def test_has_no_stop_between_two_dice_on_a_blocked_point(self):
        assert texts(position({20: 1}, {17: 2, 19: 2}), (3, 1)) == set()
        assert texts(position({20: 1}, {17: 2}), (3, 1)) == {"20/16"}

    def test_passes_over_anything(self):
        start = position({20: 1}, {19: 2, 18: 1, 17: 2, 16: 2, 15: 2, 13: 1})
        assert texts(start, (6, 5)) == {"20/9"}

    def test_hits_where_it_lands_and_not_what_it_passes(self):
        start = position({10: 1}, {9: 2, 8: 1, 6: 1, 5: 2})
        (play,) = start.legal_plays((4, 1))
        assert str(play) == "10/6*"
        assert play.afterstate.own == {"bar": 1, 16: 2, 17: 1, 20: 2, "off": 9}


class TestBar:
    def test_a_hit_checker_goes_there(self):
        after = position({8: 1, 6: 1}, {5: 1, 24: 14}).parse_play("8/5* 6/5", (3, 1)).afterstate
        assert after.own == {"bar": 1, 1: 14}

    def test_nothing_else_moves_while_a_checker_is_there(self):
        assert texts(position({"bar": 1, 8: 1}, {24: 2, 23: 2}), (2, 1)) == set()

    @pytest.mark.parametrize("die", range(1, 7))
    def test_a_checker_enters_on_25_minus_die(self, die):
        (play, *_) = position({"bar": 1}, {12: 15}).legal_plays((die, die))
        first = play.checker_moves[0]
        assert (first.source, first.target) == (25, 25 - die)

    def test_two_checkers_enter_before_any_other_move(self):
        assert texts(position({"bar": 2, 8: 1}), (3, 2)) == {"bar/23 bar/22"}

    def test_the_remaining_dice_are_ordinary_moves(self):
        assert texts(position({"bar": 1, 8: 1}), (3, 2)) == {"bar/20", "bar/22 8/6", "bar/23 8/5"}

    def test_a_checker_enters_and_hits_with_the_other_die(self):
        start = position({"bar": 1}, {21: 2, 19: 1})
        assert texts(start, (4, 2)) == {"bar/19*"}
        assert start.parse_play("bar/23 23/19*", (4, 2)).afterstate.own["bar"] == 1

    def test_of_two_one_enters_and_the_turn_ends(self):
        start = position({"bar": 2}, {21: 2, 19: 1})
        assert texts(start, (4, 2)) == {"bar/23"}
        with pytest.raises(GammonError, match="not a legal play"):
            start.parse_play("bar/23 23/19*", (4, 2))

    def test_with_doubles_each_entry_uses_one_of_the_four(self):
        assert texts(position({"bar": 2, 8: 1}), (2, 2)) == {
            "bar/23(2) 8/4",
            "bar/21 bar/23 8/6",
            "bar/21(2)",
            "bar/19 bar/23",
        }

    @pytest.mark.parametrize(
        ("own", "blot", "roll", "text"),
        [
            ({20: 1, 13: 1}, 17, (3, 1), "20/17*/16"),
            ({6: 1, 13: 1}, 5, (3, 1), "6/5*/2"),
            ({"bar": 1}, 22, (3, 2), "bar/22*/20"),
        ],
    )
    def test_hit_and_run_is_legal_everywhere(self, own, blot, roll, text):
        assert text in texts(position(own, {blot: 1}), roll)


class TestObligations:
    def test_doubles_are_four_moves(self):
        assert {len(play.checker_moves) for play in Position.start().legal_plays((1, 1))} == {4}

    def test_a_play_uses_as_many_dice_as_any_play_can(self):
        start = position({12: 1, 7: 1}, {11: 2, 1: 2})
        assert texts(start, (5, 1)) == {"12/6"}, "7/2 would strand the one"

    def test_if_either_die_can_be_played_but_not_both_it_is_the_higher(self):
        assert texts(position({20: 1}, {11: 2}), (6, 3)) == {"20/14"}

    def test_if_only_the_lower_die_can_be_played_it_is(self):
        assert texts(position({20: 1}, {14: 2, 11: 2}), (6, 3)) == {"20/17"}

    def test_without_a_move_the_turn_passes(self):
        assert position({"bar": 1, 8: 5}, {19: 2}).legal_plays((6, 6)) == []


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


class TestImpossibleBoards:
    @pytest.mark.parametrize(
        ("own", "opponent", "message"),
        [
            ({4: 2, 8: 13}, {21: 1, 6: 14}, "point 4 is held by both sides: 2 own, 1 opposing"),
            ({24: 2, 13: 12}, {6: 15}, "own has 14 checkers"),
            ({6: 15}, {24: 2, 13: 14}, "opponent has 16 checkers"),
            ({6: 16, 5: -1}, {6: 15}, "own has -1 checkers on point 5"),
            ({"off": 15}, {"off": 15}, "both sides have borne off"),
        ],
    )
    def test_are_refused(self, own, opponent, message):
        with pytest.raises(GammonError, match=message):
            Position.from_counts(own, opponent)

    def test_both_on_the_bar_against_closed_boards_is_refused(self):
        closed = dict.fromkeys(range(1, 7), 2)
        with pytest.raises(GammonError, match="both sides are on the bar against closed boards"):
            Position.from_counts({**closed, "bar": 3}, {**closed, "bar": 1, "off": 2})

    def test_one_closed_board_is_possible(self):
        closed = dict.fromkeys(range(1, 7), 2)
        start = Position.from_counts({**closed, "bar": 3}, {"bar": 15})
        assert len(start.legal_plays((2, 1))) > 0
        assert start.swapped().legal_plays((2, 1)) == []
