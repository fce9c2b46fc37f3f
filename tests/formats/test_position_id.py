"""GNU Backgammon position IDs."""

import base64

import numpy as np
import pytest
from hypothesis import given, settings

from gammon_env.errors import GammonError
from gammon_env.formats import position_id
from gammon_env.rules.variant import BACKGAMMON
from tests import strategies
from tests.rules.boards import position

pytestmark = pytest.mark.small

START = "4HPwATDgc/ABMA"


def id_of_bits(bits):
    """Return the ID text of a bit string, the lowest bit of each byte first."""
    packed = int(bits.ljust(80, "0")[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(packed).decode().rstrip("=")


def test_the_start():
    assert position_id.encode(BACKGAMMON.start_board()) == START
    assert (position_id.decode(START) == BACKGAMMON.start_board()).all()


def test_the_side_that_is_not_on_roll_comes_first():
    assert position_id.encode(position({1: 1}, {24: 2}).board) == id_of_bits("110" + "0" * 24 + "1")


def test_missing_checkers_are_off():
    board = position_id.decode(id_of_bits("10" + "0" * 24 + "1110"))
    assert board[:, 25].tolist() == [12, 14]


def test_the_bar_comes_after_point_24():
    board = position_id.decode(id_of_bits("10" + "0" * 48 + "1"))
    assert board[0, 24] == 1
    assert board[1, 0] == 1


@settings(max_examples=200)
@given(strategies.boards())
def test_decoding_gives_back_what_was_encoded(board):
    text = position_id.encode(board)
    assert len(text) == position_id.LENGTH
    assert (position_id.decode(text) == board).all()


def test_space_and_padding_around_are_allowed():
    assert (position_id.decode(f" {START}==\n") == BACKGAMMON.start_board()).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a position ID"),
        ("4HPwATDgc/ABM", "is not a position ID"),
        ("4HPwATDgc/ABMAA", "is not a position ID"),
        ("4HPwATDgc-ABMA", "is not a position ID"),
        ("4HPwATDgc/ABMá", "is not a position ID"),
        ("4HPwATDgc/ABMB", "bits after its end; 4HPwATDgc/ABMA has not"),
        ("//////////////", "holds only 0 of the 50 counts"),
        (id_of_bits("1" * 16), "the opponent has 16 checkers, backgammon has 15 a side"),
        (id_of_bits("0" * 25 + "1" * 17), "player on roll has 17 checkers"),
        (id_of_bits("10" + "0" * 24 + "10" + "0" * 25 + "1"), "bits after its end"),
        (id_of_bits(""), "both sides have borne off"),
        (id_of_bits("10" + "0" * 47 + "1"), "point 24 is held by both sides"),
    ],
)
def test_what_is_no_id_of_a_possible_board_is_refused(text, message):
    with pytest.raises(GammonError, match=message):
        position_id.decode(text)


@pytest.mark.parametrize("text", [None, b"4HPwATDgc/ABMA", 14])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(GammonError, match="is not a position ID"):
        position_id.decode(text)


def test_a_board_with_too_many_checkers_has_no_id():
    with pytest.raises(GammonError, match="room for 30 checkers"):
        position_id.encode(np.full((2, 26), 2, np.int8))
