"""The statements and examples of the rules of long nardy, each a named test.

Points are in the mover's numbering, for both sides; checkers that are not named are off.
"""

import numpy as np
import pytest

from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.rules.dice import opening_roll
from gammon_env.rules.variant import NARDY
from tests.rules.nardy_boards import first_moves, position, texts

pytestmark = pytest.mark.small

START = Position.start(NARDY)


class TestBoard:
    def test_fifteen_checkers_a_side_start_on_the_head(self) -> None:
        assert START.own == START.opponent == {24: 15}

    @pytest.mark.parametrize("point", range(1, 25))
    def test_my_point_p_is_the_opponents_turned_by_half_a_board(self, point: int) -> None:
        theirs = point + 12 if point <= 12 else point - 12
        assert NARDY.opponent_point[point] == theirs
        with pytest.raises(GammonError, match=f"point {point} is held by both sides"):
            Position.from_counts({point: 15}, {theirs: 15}, NARDY)

    def test_the_opponents_head_is_my_12(self) -> None:
        assert first_moves(position({18: 1, 1: 14}), 6) == set(), "18/12 is closed"

    def test_there_is_no_bar(self) -> None:
        with pytest.raises(GammonError, match="nardy has no bar"):
            Position.from_counts({"bar": 1, 24: 14}, {24: 15}, NARDY)


class TestStart:
    def test_the_first_roll_is_no_double(self) -> None:
        rolls = [opening_roll(np.uint64(7), np.uint64(i)) for i in range(300)]
        assert all(a != b for a, b in rolls)
        with pytest.raises(GammonError, match="ties are thrown again"):
            GameState(NARDY).roll((3, 3))

    def test_the_higher_die_starts_and_plays_both(self) -> None:
        game = GameState(NARDY)
        game.roll((2, 5))
        assert (game.seat, game.dice_left) == (1, (5, 2))


class TestNoHitting:
    def test_one_opposing_checker_closes_a_point(self) -> None:
        assert first_moves(position({20: 1}, {15: 1, 1: 14}), 5, 3) == {(20, 3)}

    def test_also_as_a_stop_between_two_dice(self) -> None:
        stops = {15: 1, 17: 1, 1: 13}
        assert texts(position({20: 1}, stops), (5, 3)) == set()

    def test_own_checkers_stack_freely(self) -> None:
        after = position({13: 14, 16: 1}).parse_play("16/13 13/11", (3, 2)).afterstate
        assert after.opponent == {13: 14, 11: 1}

    def test_no_play_hits(self) -> None:
        for play in position({20: 8, 15: 7}, {14: 1, 19: 1, 12: 13}).legal_plays((2, 1)):
            assert not any(move.hit for move in play.checker_moves)
            assert play.afterstate.own == {2: 1, 7: 1, 24: 13}


class TestObligations:
    def test_doubles_are_four_moves(self) -> None:
        (play, *_) = position({23: 15}).legal_plays((1, 1))
        assert len(play.checker_moves) == 4

    def test_both_dice_must_be_played_if_any_way_allows_it(self) -> None:
        """7/5 would leave no 6, for 14 and 12 are closed."""
        start = position({20: 1, 7: 1, 1: 13}, {14: 1, 12: 14})
        assert first_moves(start, 6, 2) == {(20, 2), (7, 6)}
        assert texts(start, (6, 2)) == {"20/18 7/1"}

    def test_the_larger_die_must_be_played_if_only_one_can_be(self) -> None:
        start = position({20: 1, 1: 14}, {9: 1, 1 + 12: 14})
        assert texts(start, (6, 5)) == {"20/14"}


class TestHead:
    def test_one_checker_leaves_it_in_a_turn(self) -> None:
        assert texts(position({24: 14, 20: 1}), (2, 1)) == {
            "24/22 20/19",
            "24/23 20/18",
            "24/21",
            "20/17",
        }

    def test_the_second_die_may_be_lost_to_it(self) -> None:
        start = position({24: 15}, {18: 1, 12: 14})
        assert texts(start, (5, 1)) == {"24/19"}
        assert first_moves(start, 5, head_moves=0) == set()

    @pytest.mark.parametrize(("die", "results"), [(3, 2), (4, 1), (6, 1)])
    def test_from_the_start_some_doubles_let_two_leave(self, die: int, results: int) -> None:
        plays = START.legal_plays((die, die))
        assert len(plays) == results
        assert all(play.afterstate.opponent[24] == 13 for play in plays)

    @pytest.mark.parametrize("die", [1, 2, 5])
    def test_other_doubles_do_not(self, die: int) -> None:
        plays = START.legal_plays((die, die))
        assert {play.afterstate.opponent[24] for play in plays} == {14}

    @pytest.mark.parametrize("die", [3, 4, 6])
    def test_nor_do_they_once_a_checker_has_left(self, die: int) -> None:
        plays = position({24: 14, 23: 1}, {11: 1, 1: 14}).legal_plays((die, die))
        assert min(play.afterstate.opponent[24] for play in plays) == 13

    def test_never_more_than_two(self) -> None:
        plays = position({24: 15}, {1: 15}).legal_plays((3, 3))
        assert min(play.afterstate.opponent[24] for play in plays) == 13


def formed(own: dict[int, int], opponent: dict[int | str, int], last: int) -> bool:
    """Say whether a move of one to `last`, from a point that stays held, is legal there.

    Args:
        own: the block without that point; checkers left over stand one behind it.
        opponent: given on my points.
        last: the point that completes the block.
    """
    behind = last + 1
    start = position({**own, behind: own.get(behind, 0) + 15 - sum(own.values())}, opponent)
    return (behind, 1) in first_moves(start, 1)


class TestBlock:
    def test_six_in_a_row_before_all_opponents_are_illegal(self) -> None:
        assert not formed(dict.fromkeys((6, 7, 8, 9, 10), 1), {12: 15}, 5)

    def test_they_are_legal_with_one_opponent_beyond(self) -> None:
        assert formed(dict.fromkeys((6, 7, 8, 9, 10), 1), {12: 14, 3: 1}, 5)

    def test_not_with_one_still_behind(self) -> None:
        assert not formed(dict.fromkeys((6, 7, 8, 9, 10), 1), {12: 14, 11: 1}, 5)

    def test_they_are_legal_once_one_is_borne_off(self) -> None:
        assert formed(dict.fromkeys((6, 7, 8, 9, 10), 1), {12: 14, "off": 1}, 5)

    def test_my_seam_does_not_break_a_block(self) -> None:
        """Own 2, 1, 24, 23, 22, 21 are the opponent's 14 to 9; all of it stands on its 16."""
        assert not formed(dict.fromkeys((2, 24, 23, 22, 21), 1), {4: 15}, 1)

    def test_the_ends_of_the_opponents_route_are_not_joined(self) -> None:
        """Own 10, 11, 13, 14, 15, 16 are its 22, 23 and 1 to 4."""
        assert formed(dict.fromkeys((11, 13, 14, 15, 16), 1), {12: 15}, 10)

    def test_a_block_may_not_be_formed_and_reopened_within_a_turn(self) -> None:
        """10/8 opens the block that 6/5 would complete: it has to be the first of the two."""
        start = position({6: 2, 7: 1, 8: 1, 9: 1, 10: 1, 1: 9})
        assert (6, 1) not in first_moves(start, 2, 1)
        assert "10/8 6/5" in texts(start, (2, 1))
        (moves,) = (p.checker_moves for p in start.legal_plays((2, 1)) if str(p) == "10/8 6/5")
        assert [move.source for move in moves] == [10, 6]

    def test_shorter_plays_remain_where_longer_ones_break_the_rule(self) -> None:
        """18/13 and 19/13 would complete 13 to 18; nothing else could follow a move from 24."""
        own = {24: 5, **dict.fromkeys(range(14, 19), 2)}
        opponent = {12: 11, **dict.fromkeys(range(8, 12), 1)}
        assert texts(position(own, opponent), (6, 5)) == {"24/18"}
        beyond = {12: 10, **dict.fromkeys(range(8, 12), 1), "off": 1}
        assert texts(position(own, beyond), (6, 5)) == {"24/13", "18/7"}


class TestBearingOff:
    def test_only_with_all_at_home(self) -> None:
        assert texts(position({7: 1, 2: 1}), (6, 1)) == {"7/off", "7/1 2/1"}
        assert not any("off" in text for text in texts(position({13: 1, 6: 14}), (6, 1)))

    def test_exact_or_larger_from_the_highest_point(self) -> None:
        assert texts(position({3: 1, 2: 1}), (6, 5)) == {"3/off 2/off"}
        assert texts(position({5: 1, 3: 1}), (4, 2)) == {"5/off", "5/1 3/1"}

    def test_the_last_checker_off_ends_the_game(self) -> None:
        (play,) = position({6: 1}).legal_plays((6, 2))
        assert play.afterstate.is_over


class TestPoints:
    def test_one_if_the_loser_has_borne_off_a_checker(self) -> None:
        outcome = position({}, {12: 14}).outcome
        assert outcome is not None
        assert (outcome.winner, outcome.kind, outcome.points) == ("own", "single", 1)

    def test_two_for_a_mars(self) -> None:
        outcome = position({}, {12: 15}).outcome
        assert outcome is not None
        assert (outcome.winner, outcome.kind, outcome.points) == ("own", "mars", 2)

    def test_far_back_is_no_more_than_a_mars(self) -> None:
        assert NARDY.points == (1, 2)
        outcome = position({1: 15}, {}).outcome
        assert outcome is not None
        assert outcome.points == 2
