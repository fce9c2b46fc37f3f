"""The statements and plain examples of the rules before bearing off, each a named test.

Points are in the mover's numbering, for both sides; checkers that are not named are off.
"""

import pytest

from gammon_env.errors import GammonError
from gammon_env.position import Position
from tests.rules.boards import first_moves, position, texts

pytestmark = pytest.mark.small


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
