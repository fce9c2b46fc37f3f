"""The text board: an opening as a picture, and every drawing read back as the position it shows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env.actions import encode
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.render.ansi import CHECKERS, draw
from tests.strategies import boards, dice

IN_MID_TURN = """\
  ○ seat 1   167 pips
 ┌─13──14──15──16──17──18─┬─────┬─19──20──21──22──23──24─┬─────┐
 │ ●   ·   ·   ·   ○   ·  │     │ ○   ·   ·   ·   ·   ●  │     │
 │ ●               ○      │     │ ○                   ●  │     │
 │ ●               ○      │     │ ○                      │     │
 │ ●                      │     │ ○                      │     │
 │                        │     │ ○                      │     │
 │                        │ BAR │        (6) [1]         │ OFF │
 │ ○                      │     │ ●                      │     │
 │ ○                      │     │ ●                      │     │
 │ ○               ●      │     │ ●                      │     │
 │ ○               ●      │     │ ●                   ○  │     │
 │ ○   ·   ·   ·   ●   ●  │     │ ●   ·   ·   ·   ·   ○  │     │
 └─12──11──10──9───8───7──┴─────┴─6───5───4───3───2───1──┴─────┘
  ● seat 0   161 pips   on roll
  turn 1: ● seat 0 to play 1"""

CROWDED = """\
  ○ seat 1   224 pips   on roll
 ┌─13──14──15──16──17──18─┬─────┬─19──20──21──22──23──24─┬─────┐
 │ ·   ·   ·   ·   ·   ·  │     │ ○   ○   ·   ·   ·   ○  │     │
 │                        │     │ ○   ○               ○  │     │
 │                        │     │                     ○  │     │
 │                        │     │                        │     │
 │                        │  ●  │                        │     │
 │    [4] [4] [4] [4]     │ BAR │                        │ OFF │
 │                        │  ○  │ ●                      │     │
 │                        │  ○  │ ●                      │     │
 │                        │  ○  │ ●                      │     │
 │                        │  ○  │ ●                      │     │
 │ ·   ·   ·   ·   ·   ·  │  7  │ ●   ·   ·   ·   ·   ○  │ 9 ● │
 └─12──11──10──9───8───7──┴─────┴─6───5───4───3───2───1──┴─────┘
  ● seat 0   55 pips
  turn 1: ○ seat 1 to play 4 4 4 4"""

BAR_COLUMN, TRAY_COLUMN = 26, 57
TOP, BOTTOM = range(2, 7), range(12, 7, -1)


def column(index: int) -> int:
    """Return where the checkers of a board index stand in a line."""
    across = index - 12 if index >= 12 else 11 - index
    return 3 + 4 * across + (7 if across >= 6 else 0)


def read_stack(lines: list[str], rows: range, at: int) -> tuple[str, int]:
    """Read a stack from the edge of the board, or of the bar, inwards."""
    cells = [lines[row][at - 1 : at + 2].strip("│ ·") for row in rows]
    cells = [cell for cell in cells if cell]
    if not cells:
        return "", 0
    return cells[0], int(cells[-1]) if cells[-1].isdigit() else len(cells)


def read_board(text: str) -> np.ndarray:
    """Read a drawing from the side of seat 0: row 0 is seat 0, row 1 seat 1."""
    lines = text.splitlines()
    board = np.zeros((2, 26), np.int8)
    for index in range(24):
        checker, count = read_stack(lines, TOP if index >= 12 else BOTTOM, column(index))
        if checker:
            seat = CHECKERS.index(checker)
            board[seat, index if seat == 0 else 23 - index] = count
    for seat, rows in enumerate((TOP[::-1], BOTTOM[::-1])):
        board[seat, 24] = read_stack(lines, rows, BAR_COLUMN + 3)[1]
    for seat, row in enumerate((BOTTOM[0], TOP[0])):
        tray = lines[row][TRAY_COLUMN + 1 :].strip("│ " + CHECKERS[seat])
        board[seat, 25] = int(tray or 0)
    return board


def game_from(board: np.ndarray, roll: tuple[int, int], seat: int) -> GameState:
    game = GameState.from_position(Position(board), seat=seat)
    game.roll(roll)
    return game


def test_an_opening_in_mid_turn() -> None:
    game = GameState()
    game.roll((6, 1))
    game.move(encode(13, 6))
    assert draw(game) == IN_MID_TURN


def test_bars_tall_stacks_and_borne_off_checkers() -> None:
    crowded = Position.from_counts({24: 1, 6: 2, 5: 2, "bar": 7, 1: 3}, {6: 5, "bar": 1, "off": 9})
    assert draw(game_from(crowded.board, (4, 4), seat=1)) == CROWDED


@given(boards(), dice, st.sampled_from([0, 1]))
def test_a_drawing_shows_the_position(board: np.ndarray, roll: tuple[int, int], seat: int) -> None:
    if Position(board).is_over:
        return
    game = game_from(board, roll, seat)
    drawn = read_board(draw(game))
    np.testing.assert_array_equal(drawn[game.seat], game.board[0])
    np.testing.assert_array_equal(drawn[1 - game.seat], game.board[1])
    assert {len(line) for line in draw(game).splitlines()[1:-2]} == {64}


@given(boards(), st.sampled_from([0, 1]))
def test_from_the_other_side_it_is_the_same_board_turned_around(
    board: np.ndarray, seat: int
) -> None:
    if Position(board).is_over:
        return
    game, turned = (GameState.from_position(Position(board), seat=s) for s in (seat, 1 - seat))
    swapped = str.maketrans("●○", "○●")
    from_seat_1 = draw(game, view=1).splitlines()
    assert [line.translate(swapped) for line in from_seat_1[1:-2]] == draw(turned).splitlines()[
        1:-2
    ]


def test_played_dice_are_told_from_those_to_play() -> None:
    game = GameState.from_position(Position.start())
    game.roll((1, 1))
    for marked in ("[1] [1] [1] [1]", "[1] [1] [1] (1)", "[1] [1] (1) (1)", "[1] (1) (1) (1)"):
        assert marked in draw(game).splitlines()[7]
        game.move(game.legal_codes()[0])


@pytest.mark.parametrize(
    ("opponent", "words"),
    [
        ({13: 14, "off": 1}, "over: ○ seat 1 wins a single game, 1 point"),
        ({13: 15}, "over: ○ seat 1 wins a gammon, 2 points"),
        ({24: 15}, "over: ○ seat 1 wins a backgammon, 3 points"),
    ],
)
def test_the_last_line_says_how_it_ended(opponent: dict, words: str) -> None:
    last = Position.from_counts({2: 1, "off": 14}, opponent)
    game = game_from(last.board, (6, 5), seat=1)
    assert draw(game).splitlines()[0] == "  ○ seat 1   2 pips   on roll"
    game.play(0)
    assert draw(game).splitlines()[-1] == f"  {words}"
    assert "on roll" not in draw(game)


def test_a_forfeit_is_called_one() -> None:
    game = GameState()
    game.advance(0)
    game.forfeit()
    assert draw(game).endswith("over: ● seat 0 forfeits, ○ seat 1 wins 3 points")


def test_a_game_says_what_comes_next() -> None:
    game = GameState()
    assert draw(game).endswith("opening: each seat throws one die")
    game.roll((2, 1))
    game.play("13/10")
    assert draw(game).endswith("turn 2: ○ seat 1 to roll")


def test_printing_a_game_draws_it() -> None:
    assert str(GameState()) == draw(GameState())


def test_there_is_no_third_side_to_look_from() -> None:
    with pytest.raises(GammonError, match="no seat 2"):
        draw(GameState(), view=2)
