"""Plays as text, both ways."""

import pytest
from hypothesis import given, settings

from gammon_env import notation
from gammon_env.errors import GammonError
from gammon_env.position import CheckerMove, Position
from gammon_env.rules.variant import BACKGAMMON
from tests import strategies
from tests.rules.boards import position, texts

START = Position.start()
FAR = {1: 15}
"""Opponents out of the way of checkers on the mover's 24."""

TWO_WAYS = position({"bar": 1, 6: 3}, {22: 1})
"""With 3-2 the checker enters by way of 22, where it hits, or of 23."""


@pytest.mark.small
class TestWriting:
    @pytest.mark.parametrize(
        ("start", "roll", "text"),
        [
            (START, (3, 1), "8/5 6/5"),
            (START, (6, 5), "24/13"),
            (START, (6, 5), "13/8 13/7"),
            (position({"bar": 1}, {21: 2, 19: 1}), (4, 2), "bar/19*"),
            (position({9: 1}, {5: 1}), (4, 2), "9/5*/3"),
            (position({8: 2, 6: 2}, {5: 1}), (1, 1), "8/7(2) 6/5*(2)"),
            (position({5: 1, 3: 1}), (4, 2), "5/off"),
            (position({6: 4}), (6, 6), "6/off(4)"),
            (position({24: 2}, FAR), (2, 2), "24/18 24/22"),
            (position({24: 1, 19: 1}, {18: 1}), (6, 1), "24/18* 19/18"),
            (position({13: 2}, {11: 1}), (2, 2), "13/11*/9(2)"),
            (position({13: 2}, {11: 1}), (2, 2), "13/11*/7 13/11"),
            (position({13: 2}, {11: 1, 9: 1}), (2, 2), "13/11*/9*(2)"),
            (position({"bar": 2}, {22: 1}), (3, 3), "bar/22*/19(2)"),
        ],
    )
    def test_is_as_gnu_backgammon_writes(self, start, roll, text):
        assert text in texts(start, roll)

    def test_shows_a_stop_only_where_it_hits(self):
        assert texts(TWO_WAYS, (3, 2)) >= {"bar/22*/20", "bar/20"}

    def test_whites_numbering_for_white_is_the_movers(self):
        play = START.parse_play("8/5 6/5", (3, 1))
        assert play.text(perspective="white", mover="white") == play.text() == str(play)

    def test_in_whites_numbering_black_moves_up_and_enters_on_1_to_6(self):
        play = TWO_WAYS.parse_play("bar/22*/20", (3, 2))
        assert play.text(perspective="white", mover="black") == "bar/3*/5"
        play = START.parse_play("8/5 6/5", (3, 1))
        assert play.text(perspective="white", mover="black") == "17/20 19/20"
        (play,) = position({2: 1}).legal_plays((6, 5))
        assert play.text(perspective="white", mover="black") == "23/off"

    def test_one_checker_move_has_a_text_too(self):
        assert str(CheckerMove(25, 22, 3, True)) == "bar/22*"
        assert str(CheckerMove(2, 0, 6, False)) == "2/off"

    @pytest.mark.parametrize(("perspective", "mover"), [("black", "white"), ("mover", "red")])
    def test_an_unknown_perspective_or_colour_is_refused(self, perspective, mover):
        with pytest.raises(GammonError, match=r'perspective is "mover"|mover is "white"'):
            START.legal_plays((3, 1))[0].text(perspective=perspective, mover=mover)


@pytest.mark.small
class TestReading:
    @pytest.mark.parametrize(
        "text", ["6/5 8/5", "8/5,6/5", "  8/5 ,  6/5 ", "8/5 6/5\n", "08/05 6/5"]
    )
    def test_steps_stand_in_any_order_between_spaces_or_commas(self, text):
        assert str(START.parse_play(text, (3, 1))) == "8/5 6/5"

    @pytest.mark.parametrize("text", ["24/13", "24/18/13", "24/18 18/13", "18/13 24/18"])
    def test_stops_are_shown_or_not(self, text):
        assert str(START.parse_play(text, (6, 5))) == "24/13"

    @pytest.mark.parametrize("text", ["BAR/22*/20", "Bar/22*/20", "25/22*/20", "25/22/20"])
    def test_bar_in_any_case_or_25_and_with_or_without_a_star(self, text):
        assert str(TWO_WAYS.parse_play(text, (3, 2))) == "bar/22*/20"

    @pytest.mark.parametrize("text", ["5/OFF", "5/0", "5/3/off", "5/3 3/0"])
    def test_off_in_any_case_or_0(self, text):
        assert str(position({5: 1, 3: 1}).parse_play(text, (4, 2))) == "5/off"

    @pytest.mark.parametrize("text", ["6/5*/4(2)", "6/5/4 6/5*/4", "6/4(2)", "6/5(2) 5/4(2)"])
    def test_repeats_are_counted_or_written_out(self, text):
        assert str(position({6: 2}, {5: 1}).parse_play(text, (1, 1))) == "6/5*/4(2)"

    def test_the_board_decides_what_is_hit(self):
        start = position({6: 2}, {5: 1})
        assert str(start.parse_play("6/5 6/3", (3, 1))) == "6/5* 6/3"

    def test_a_star_that_is_written_must_be_true(self):
        with pytest.raises(GammonError, match=r"nothing is hit on 5; write no \* there"):
            START.parse_play("8/5* 6/5", (3, 1))

    def test_any_checker_on_the_way_may_be_the_one_that_hits(self):
        start = position({24: 1, 19: 1}, {18: 1})
        assert str(start.parse_play("24/18 19/18*", (6, 1))) == "24/18* 19/18"

    def test_without_stops_the_reading_that_does_not_hit_on_the_way_is_preferred(self):
        quiet = TWO_WAYS.parse_play("bar/20", (3, 2))
        assert "bar" not in quiet.afterstate.own
        assert quiet == TWO_WAYS.parse_play("bar/23/20", (3, 2))

    def test_if_only_the_reading_that_hits_is_legal_it_is_meant(self):
        start = position({"bar": 1, 6: 3}, {22: 1, 23: 2})
        assert str(start.parse_play("bar/20", (3, 2))) == "bar/22*/20"

    def test_bar_22_20_and_bar_23_20_are_different_plays_when_22_holds_a_blot(self):
        hitting = TWO_WAYS.parse_play("bar/22*/20", (3, 2))
        quiet = TWO_WAYS.parse_play("bar/23/20", (3, 2))
        assert hitting.afterstate.opponent == quiet.afterstate.opponent
        assert hitting != quiet

    def test_two_readings_that_hit_as_much_on_the_way_are_not_guessed_at(self):
        start = position({"bar": 1, 6: 3}, {22: 1, 23: 1})
        with pytest.raises(GammonError, match=r"more than one way: write bar/.* or bar/"):
            start.parse_play("bar/20", (3, 2))

    def test_whites_numbering_for_black(self):
        play = START.parse_play("17/20 19/20", (3, 1), perspective="white", mover="black")
        assert str(play) == "8/5 6/5"
        play = TWO_WAYS.parse_play("BAR/3/5", (3, 2), perspective="white", mover="black")
        assert str(play) == "bar/22*/20"


@pytest.mark.small
class TestRefusal:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("8/5", r"'8/5' is only a part of a play of 3-1; legal: .*8/5 6/5"),
            ("6/5", "only a part of a play"),
            ("8/5 6/5 24/23", "not a legal play of 3-1; legal: .*8/5 6/5.* and 13 more"),
            ("8/6 6/4", "not a legal play of 3-1"),
            ("8/5(2)", "not a legal play of 3-1"),
            ("13/8", "not a legal play of 3-1"),
            ("24/23 24/20/17", "not a legal play of 3-1"),
            ("9/6 6/5", "moves a checker from 9, but none is there"),
            ("bar/22 6/5", "moves a checker from bar, but none is there"),
            ("6/off", "not a legal play of 3-1"),
            ("5/8", "'5/8' does not move forward"),
            ("8/8", "does not move forward"),
            ("26/23", "no point 26"),
            ("6/off*", "nothing can be hit off the board"),
            ("8-5 6-5", "cannot read '8-5'"),
            ("8/5 and 6/5", "cannot read 'and'"),
            ("8/5(x) 6/5", "cannot read"),
            ("8/5(0) 6/5", "cannot read"),
            ("8 6/5", "cannot read '8'"),
            ("8//5", "cannot read"),
            ("\u0668/5 6/5", "cannot read"),
            ("", "an empty text is no play"),
            (" , ", "an empty text is no play"),
        ],
    )
    def test_says_what_is_wrong_and_what_would_be_right(self, text, message):
        with pytest.raises(GammonError, match=message):
            START.parse_play(text, (3, 1))

    def test_the_last_step_of_a_double_is_missed_too(self):
        with pytest.raises(GammonError, match="only a part of a play of 2-2"):
            START.parse_play("13/11(2) 6/4", (2, 2))

    def test_plays_are_named_in_the_numbering_of_the_text(self):
        with pytest.raises(GammonError, match=r"from 16, but none is there; legal: .*17/20 19/20"):
            START.parse_play("16/19 19/20", (3, 1), perspective="white", mover="black")

    def test_a_forced_pass_has_no_play_to_read(self):
        with pytest.raises(GammonError, match="no play of 6-6 is legal here; the turn passes"):
            position({"bar": 1}, {19: 2}).parse_play("bar/19", (6, 6))

    @pytest.mark.parametrize("text", [None, b"8/5 6/5", 8])
    def test_what_is_no_text_is_refused(self, text):
        with pytest.raises(GammonError, match="a play is a text such as 8/5 6/5, not"):
            Position.start().parse_play(text, (3, 1))

    def test_nor_has_a_finished_game(self):
        with pytest.raises(GammonError, match="the game is over"):
            position({6: 1}, {}).parse_play("6/off", (6, 6))


def agrees(board, roll, perspective, mover):
    """Read back every play of a roll; say whether each has a text of its own."""
    plays = Position(board).legal_plays(roll)
    renumber = notation.renumbering(perspective, mover, BACKGAMMON)
    written = [play.text(perspective, mover) for play in plays]
    assert [notation.read(text, plays, renumber) for text in written] == plays
    return len(set(written)) == len(plays)


@settings(max_examples=500)
@given(strategies.boards(), strategies.dice)
def test_reading_what_was_written_gives_the_same_play(board, roll):
    assert agrees(board, roll, "mover", "white")


@settings(max_examples=100)
@given(strategies.boards(), strategies.dice)
def test_also_in_whites_numbering(board, roll):
    assert agrees(board, roll, "white", "black")
