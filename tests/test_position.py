"""Positions as immutable values, and the questions they answer."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings

from gammon_env.errors import GammonError
from gammon_env.position import CheckerMove, Outcome, Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON
from tests import strategies
from tests.rules.boards import position

pytestmark = pytest.mark.small


class TestMaking:
    def test_from_counts_is_what_own_and_opponent_show(self):
        own = {24: 2, 13: 5, "off": 8}
        opponent = {6: 5, "bar": 1, "off": 9}
        made = Position.from_counts(own, opponent)
        assert made.own == own
        assert made.opponent == opponent

    @settings(max_examples=100)
    @given(strategies.boards())
    def test_from_its_own_counts_and_from_its_id_it_is_the_same(self, board):
        made = Position(board)
        assert Position.from_counts(made.own, made.opponent) == made
        assert Position.from_id(made.position_id) == made

    def test_start_is_that_of_the_variant(self):
        assert Position.start().position_id == "4HPwATDgc/ABMA"
        assert Position.start(HYPERGAMMON).own == {24: 1, 23: 1, 22: 1}

    @pytest.mark.parametrize(
        ("own", "message"),
        [
            ({0: 15}, "own: 0 is no place; use points 1 to 24"),
            ({25: 15}, "own: 25 is no place"),
            ({"6": 15}, "own: '6' is no place"),
            ({6: 15.0}, "own: 15.0 on 6 is not a whole number"),
            ({6: 14}, "own has 14 checkers in all"),
            ({6: 16, 5: -1}, "own has -1 checkers on point 5"),
            ({}, "own has 0 checkers"),
            ({19: 15}, "point 19 is held by both sides: 15 own, 15 opposing"),
        ],
    )
    def test_counts_that_are_wrong_are_named(self, own, message):
        with pytest.raises(GammonError, match=message):
            Position.from_counts(own, {6: 15})

    def test_a_wrong_opponent_is_named(self):
        with pytest.raises(GammonError, match="opponent: 'home' is no place"):
            Position.from_counts({6: 15}, {"home": 15})

    @pytest.mark.parametrize("counts", [None, 15, [6, 15], "6"])
    def test_counts_that_are_no_mapping_are_refused(self, counts):
        with pytest.raises(GammonError, match="opponent: expected checkers by place such as"):
            Position.from_counts({6: 15}, counts)

    def test_rows_of_unequal_length_are_refused(self):
        with pytest.raises(GammonError, match=r"shape \(2, 26\), not rows of unequal length"):
            Position([[1, 14], [15]])

    @pytest.mark.parametrize(
        "make",
        [
            Position.start,
            lambda variant: Position(BACKGAMMON.start_board(), variant),
            lambda variant: Position.from_id("4HPwATDgc/ABMA", variant),
            lambda variant: Position.from_counts({6: 15}, {6: 15}, variant),
        ],
    )
    @pytest.mark.parametrize("variant", [None, "backgammon", 15])
    def test_what_is_no_variant_is_refused(self, make, variant):
        with pytest.raises(GammonError, match="a variant is a Variant such as BACKGAMMON, not"):
            make(variant)

    @pytest.mark.parametrize("board", [np.zeros((2, 26)), [["6", "5"]], None])
    def test_a_board_that_is_not_of_whole_numbers_is_refused(self, board):
        with pytest.raises(GammonError, match="whole numbers"):
            Position(board)

    def test_a_count_beyond_int8_is_refused_not_wrapped(self):
        board = BACKGAMMON.start_board().astype(np.int64)
        board[0, 5] += 256
        with pytest.raises(GammonError, match="own has 271 checkers"):
            Position(board)


class TestValue:
    def test_equal_by_board_and_variant(self):
        start = Position.start()
        assert start == Position.from_id("4HPwATDgc/ABMA")
        assert hash(start) == hash(Position.from_id("4HPwATDgc/ABMA"))
        assert start != position({6: 15})
        assert start != replace(start, variant=replace(BACKGAMMON, name="other"))
        assert start != start.position_id

    def test_pickle_and_copies_reproduce_it(self):
        start = Position.start()
        for twin in (pickle.loads(pickle.dumps(start)), copy.copy(start), copy.deepcopy(start)):
            assert twin == start
            assert not twin.board.flags.writeable

    def test_plays_pickle_with_it(self):
        play = Position.start().legal_plays((3, 1))[0]
        assert pickle.loads(pickle.dumps(play)) == play
        assert len({play, copy.deepcopy(play)}) == 1

    def test_nothing_can_be_changed(self):
        start = Position.start()
        with pytest.raises(FrozenInstanceError):
            start.board = BACKGAMMON.start_board()
        with pytest.raises(ValueError, match="read-only"):
            start.board[0, 0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            start.board.flags.writeable = True
        with pytest.raises(TypeError):
            start.own[6] = 4

    def test_it_keeps_a_copy(self):
        board = BACKGAMMON.start_board()
        made = Position(board)
        board[0, 5] = 0
        assert made == Position.start()

    def test_repr_makes_it_again(self):
        assert repr(Position.start()) == "Position.from_id('4HPwATDgc/ABMA')"
        assert "get_variant('hypergammon')" in repr(Position.start(HYPERGAMMON))

    def test_swapped_is_the_same_board_with_the_other_side_on_roll(self):
        made = position({13: 2, 6: 1}, {5: 3})
        assert (made.swapped().own, made.swapped().opponent) == (made.opponent, made.own)
        assert made.swapped().swapped() == made


class TestQuestions:
    def test_pip_counts(self):
        made = Position.from_counts({"bar": 1, 6: 2, "off": 12}, {24: 1, 1: 14})
        assert (made.pip_count, made.opponent_pip_count) == (37, 38)

    def test_contact(self):
        assert Position.start().contact
        assert not position({6: 15}, {12: 15}).contact

    def test_outcome_of_a_game_still_going_on(self):
        assert Position.start().outcome is None
        assert not Position.start().is_over

    def test_outcome_after_the_last_play_is_the_moves(self):
        (play,) = position({1: 1}, {24: 15}).legal_plays((6, 5))
        assert play.afterstate.outcome == Outcome("opponent", "gammon", 2)
        assert play.afterstate.is_over

    def test_rolls_that_finish_of_a_finished_game(self):
        assert position({}, {24: 1}).rolls_that_finish() == frozenset()

    def test_rolls_that_finish_when_the_points_between_are_blocked(self):
        free, blocked = position({6: 1}), position({6: 1}, {5: 2, 1: 2})
        stopped = free.rolls_that_finish() - blocked.rolls_that_finish()
        assert stopped == {(5, 1), (1, 5), (5, 5)}

    def test_rolls_that_finish_from_the_bar(self):
        assert position({"bar": 1}).rolls_that_finish() == frozenset()
        assert position({7: 1}).rolls_that_finish() >= {(6, 1), (4, 3), (2, 2)}


class TestLegalPlays:
    def test_the_order_of_the_dice_does_not_matter(self):
        start = Position.start()
        assert start.legal_plays((1, 3)) == start.legal_plays((3, 1))
        assert start.legal_plays((1, 3))[0].dice == (3, 1)

    def test_a_play_tells_what_was_moved_and_hit(self):
        start = position({8: 1, 6: 1}, {5: 1})
        play = start.parse_play("6/5*/2", (3, 1))
        assert play.position == start
        assert play.checker_moves == (CheckerMove(6, 5, 1, True), CheckerMove(5, 2, 3, False))
        assert play.afterstate == Position.from_counts(
            {"bar": 1, "off": 14}, {8: 1, 2: 1, "off": 13}
        )

    def test_bar_and_off_are_25_and_0(self):
        (entering,) = position({"bar": 1}, {20: 2}).legal_plays((3, 2))
        (leaving,) = position({2: 1}).legal_plays((6, 5))
        assert entering.checker_moves == (CheckerMove(25, 22, 3, False),)
        assert leaving.checker_moves == (CheckerMove(2, 0, 6, False),)

    def test_of_the_orders_of_a_play_the_one_that_hits_first_is_shown(self):
        play = position({20: 1, 6: 1}, {5: 1}).parse_play("20/17 6/5*", (3, 1))
        assert [move.hit for move in play.checker_moves] == [True, False]

    def test_else_the_larger_die_is_shown_first(self):
        for play in Position.start().legal_plays((3, 1)):
            assert [move.die for move in play.checker_moves] == [3, 1]

    def test_doubles_are_shown_from_the_highest_point_down(self):
        for play in Position.start().legal_plays((2, 2)):
            sources = [move.source for move in play.checker_moves]
            assert sources == sorted(sources, reverse=True)

    def test_a_finished_game_has_none(self):
        over = position({6: 2}, {})
        assert over.legal_plays((6, 6)) == over.swapped().legal_plays((6, 6)) == []

    def test_dice_may_be_numpy_numbers(self):
        dice = tuple(np.array([3, 1], np.int8))
        assert Position.start().legal_plays(dice) == Position.start().legal_plays((3, 1))

    def test_of_a_variant_with_three_checkers(self):
        plays = Position.start(HYPERGAMMON).legal_plays((6, 5))
        assert all(play.afterstate.variant == HYPERGAMMON for play in plays)
        assert "24/13" in map(str, plays)

    @pytest.mark.parametrize(
        ("dice", "message"),
        [
            ((0, 1), "each die shows 1 to 6, not 0 and 1"),
            ((3, 7), "each die shows 1 to 6, not 3 and 7"),
            ((3,), "dice are two whole numbers"),
            ((3, 1, 1), "dice are two whole numbers"),
            ((3.0, 1), "dice are two whole numbers"),
            ("31", "dice are two whole numbers"),
            (None, "dice are two whole numbers"),
        ],
    )
    def test_what_is_no_roll_is_refused(self, dice, message):
        with pytest.raises(GammonError, match=message):
            Position.start().legal_plays(dice)
