"""Long nardy as people use it: positions, games in mid-turn, texts, pictures, bearing off."""

import numpy as np
import pytest
from hypothesis import given

import gammon_env
from gammon_env import BACKGAMMON, HYPERGAMMON, NARDY, GameState, GammonError, Position, batch
from gammon_env.actions import encode
from gammon_env.render import ansi, svg
from gammon_env.rules import bearoff
from tests.nardy_strategies import boards
from tests.rules.nardy_boards import position

START = Position.start(NARDY)


class TestPositionText:
    def test_it_tells_the_game(self) -> None:
        assert START.position_id.startswith("nardy:")
        assert Position.from_id(START.position_id) == START
        assert Position.from_id(START.position_id, NARDY) == START
        assert Position.from_id("4HPwATDgc/ABMA").variant == BACKGAMMON

    @given(boards())
    def test_it_survives_writing_and_reading(self, board: np.ndarray) -> None:
        start = Position(board, NARDY)
        assert Position.from_id(start.position_id) == start
        assert eval(repr(start), {"Position": Position}) == start

    def test_neither_text_is_taken_for_the_other(self) -> None:
        with pytest.raises(GammonError, match="no position ID of nardy, which looks like nardy:"):
            Position.from_id("4HPwATDgc/ABMA", NARDY)
        with pytest.raises(GammonError, match="is not a position ID"):
            Position.from_id("narde:4HPwATDgc/ABMA==x")
        with pytest.raises(
            GammonError, match="no position ID of backgammon, which looks like 4HPw"
        ):
            Position.from_id("narde:4HPwATDgc/ABMA")

    def test_the_bar_of_backgammon_is_refused_there(self) -> None:
        entering = Position.from_counts({"bar": 1, 24: 14}, {24: 15}).position_id
        with pytest.raises(GammonError, match="nardy has no bar"):
            Position.from_id(f"nardy:{entering}")


class TestGame:
    def test_head_moves_are_used_up(self) -> None:
        game = GameState.from_position(START)
        game.roll((3, 3))
        assert game.head_moves_left == 2
        game.move(encode(24, 3))
        assert (game.head_moves_left, game.dice_left) == (1, (3, 3, 3))
        game.move(encode(24, 3))
        assert game.head_moves_left == 0
        assert all(code // 6 + 1 != 24 for code in game.legal_codes())

    def test_they_belong_to_the_state(self) -> None:
        game = GameState.from_position(position({24: 10, 20: 5}))
        game.roll((2, 1))
        twin = game.clone()
        game.move(encode(20, 2))
        twin.move(encode(20, 2))
        assert twin == game
        twin._left[4] = 0
        assert twin != game
        assert twin.mask().sum() < game.mask().sum()

    def test_other_games_have_none(self) -> None:
        game = GameState(key=1)
        game.advance()
        assert game.head_moves_left == 0

    def test_a_replay_of_texts(self) -> None:
        turns = [((6, 5), "24/13"), ((3, 3), "24/15 24/21"), ((6, 6), "13/1 24/18")]
        *_, last = GameState(NARDY).replay(turns[:2])
        assert (last.position.own, last.position.opponent) == (
            {24: 14, 13: 1},
            {24: 13, 21: 1, 15: 1},
        )

    def test_a_whole_game_of_random_moves_ends(self) -> None:
        for key in range(1, 6):
            game, chooser = GameState(NARDY, key=key), np.random.default_rng(key)
            game.advance()
            while not game.is_over:
                game.move(int(chooser.choice(game.legal_codes())))
                game.advance()
            assert game.outcome is not None
            assert game.outcome.kind in NARDY.kinds
            assert game.position.outcome == game.outcome

    def test_a_forfeit_costs_a_mars(self) -> None:
        game = GameState(NARDY, key=1)
        game.advance()
        seat = game.seat
        game.forfeit()
        assert game.rewards[seat] == -2

    def test_contact_ends_in_the_second_half_of_both_routes(self) -> None:
        assert START.contact
        assert Position.from_counts({12: 15}, {13: 1, 5: 14}, NARDY).contact
        assert not Position.from_counts({12: 15}, {11: 15}, NARDY).contact


class TestText:
    def test_whites_numbers_turn_by_half_a_board(self) -> None:
        play = position({13: 1, 6: 14}).parse_play("13/7 6/5", (6, 1))
        assert play.text(perspective="white", mover="black") == "1/19 18/17"
        again = play.position.parse_play("1/19 18/17", (6, 1), perspective="white", mover="black")
        assert again == play

    def test_off_is_off_for_both(self) -> None:
        (play,) = position({6: 1}).legal_plays((6, 2))
        assert play.text(perspective="white", mover="black") == "18/off"
        for text in ("18/off", "18/0"):
            read = play.position.parse_play(text, (6, 2), perspective="white", mover="black")
            assert read == play

    @given(boards())
    def test_reading_what_was_written_gives_the_play(self, board: np.ndarray) -> None:
        start = Position(board, NARDY)
        plays = start.legal_plays((4, 2))[:20]
        assert [start.parse_play(str(play), (4, 2)) for play in plays] == plays


class TestPictures:
    def test_the_opponents_points_are_turned(self) -> None:
        game = GameState.from_position(Position.from_counts({24: 15}, {24: 14, 20: 1}, NARDY))
        lines = ansi.draw(game).splitlines()
        upper, lower = lines[2].split("│"), lines[12].split("│")
        assert upper[3].split() == ["·"] * 5 + ["●"], "my 24, upper right"
        assert lower[1].split() == ["○", "·", "·", "·", "○", "·"], "my 12 and 8, lower left"
        assert "BAR" not in ansi.draw(game)

    def test_a_picture_has_a_tray_beside_each_side_of_the_end(self) -> None:
        drawn = svg.draw(GameState.from_position(position({1: 14}, {13: 14})))
        assert drawn.count('class="off-count"') == 2
        assert "nardy" in drawn


class TestBearOff:
    def test_the_tables_serve(self) -> None:
        race = Position.from_counts({1: 1, "off": 14}, {1: 2, "off": 13}, NARDY)
        assert bearoff.outcomes(race.board[None], NARDY).tolist() == [[1, 0, 0]]
        mars = Position.from_counts({2: 1, "off": 14}, {6: 15}, NARDY)
        win, win_mars, lose_mars = bearoff.outcomes(mars.board[None], NARDY)[0]
        assert (win, win_mars, lose_mars) == (1, 1, 0)

    def test_the_equity_counts_a_mars_twice(self) -> None:
        assert NARDY.equity(np.array([1, 1, 0])) == 2
        assert NARDY.equity(np.array([0, 0, 1])) == -2


def test_a_third_game_is_a_value() -> None:
    assert Position.start(HYPERGAMMON).own == {24: 1, 23: 1, 22: 1}
    assert HYPERGAMMON.rules == BACKGAMMON.rules
    assert gammon_env.HYPERGAMMON.checkers == 3


def test_a_batch_refuses_a_bar() -> None:
    board = START.board.copy()
    board[0, 23], board[0, 24] = 14, 1
    with pytest.raises(GammonError, match="board 0: 1 on the bar; nardy has no bar"):
        batch.legal_afterstates(board[None], np.array([[2, 1]]), NARDY)
