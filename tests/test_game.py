"""GameState: openings, turns move by move, passes, ends, copies, records."""

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env.actions import encode
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Outcome, Position
from gammon_env.rules.backgammon import CODES
from gammon_env.rules.dice import opening_roll, roll
from tests.playout import play_out
from tests.rules.boards import position
from tests.strategies import boards, dice

CLOSED_OUT = Position.from_counts({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {"off": 3})
KEYS = st.integers(0, 2**64 - 1)


def started(key: int = 0, starter: int | None = None) -> GameState:
    game = GameState(key=key)
    game.advance(starter)
    return game


def to_play(start: Position, roll: tuple[int, int], seat: int = 0) -> GameState:
    game = GameState.from_position(start, seat=seat)
    assert game.roll(roll)
    return game


def play_on(game: GameState, moves: int, seed: int = 0) -> list[str]:
    """Make random checker moves, and return what the game looked like after each."""
    chooser = random.Random(seed)
    seen = []
    while len(seen) < moves and not game.is_over:
        if not game.move(chooser.choice(game.legal_codes())):
            game.advance()
        seen.append(repr(game))
    return seen


class TestOpening:
    def test_a_new_game_has_thrown_nothing(self) -> None:
        game = GameState()
        assert (game.phase, game.dice, game.dice_left, game.turn) == ("opening", None, (), 1)
        assert game.position == Position.start()
        assert game.legal_codes() == []

    @given(KEYS)
    def test_the_higher_die_starts_and_plays_both(self, key: int) -> None:
        game = started(key)
        own, other = opening_roll(np.uint64(key), np.uint64(0))
        assert game.seat == (0 if own > other else 1)
        assert game.dice == (max(own, other), min(own, other))
        assert game.dice_left == game.dice
        assert game.phase == "to play"

    @pytest.mark.parametrize("seat", [0, 1])
    def test_the_starter_can_be_fixed_without_changing_the_dice(self, seat: int) -> None:
        assert {started(key, seat).seat for key in range(20)} == {seat}
        assert started(5, seat).dice == started(5).dice

    @pytest.mark.parametrize(("dice", "seat"), [((6, 2), 0), ((2, 6), 1)])
    def test_given_dice_are_those_of_seat_0_and_seat_1(
        self, dice: tuple[int, int], seat: int
    ) -> None:
        game = GameState()
        assert game.roll(dice)
        assert (game.seat, game.dice) == (seat, (6, 2))

    def test_a_double_opens_no_game(self) -> None:
        game = GameState()
        with pytest.raises(GammonError, match="3-3 cannot open the game: ties are thrown again"):
            game.roll((3, 3))
        assert game == GameState()

    def test_the_next_rolls_are_those_of_the_stream(self) -> None:
        game = started(key=9)
        for counter in range(1, 4):
            game.play(0)
            assert game.roll()
            a, b = roll(np.uint64(9), np.uint64(counter))
            assert game.dice == (max(a, b), min(a, b))
        assert game.stream == (9, 4, 0)


class TestTurns:
    def test_a_turn_moves_checkers_and_hands_over(self) -> None:
        game = to_play(Position.start(), (3, 1))
        assert game.move(encode(8, 3))
        assert (game.phase, game.seat, game.dice, game.dice_left) == ("to play", 0, (3, 1), (1,))
        assert not game.move(encode(6, 1))
        assert (game.phase, game.seat, game.turn, game.dice) == ("to roll", 1, 2, None)
        assert game.position == Position.start().parse_play("8/5 6/5", (3, 1)).afterstate

    def test_a_double_is_four_moves(self) -> None:
        game = to_play(Position.start(), (1, 1))
        for left in (4, 3, 2, 1):
            assert game.dice_left == (1,) * left
            game.move(game.legal_codes()[0])
        assert game.phase == "to roll"

    @given(boards(), dice)
    def test_plays_after_each_first_move_are_together_the_plays_of_the_roll(
        self, board: np.ndarray, roll: tuple[int, int]
    ) -> None:
        start = Position(board)
        game = GameState.from_position(start)
        if start.is_over or not game.roll(roll):
            return
        ends = set()
        for code in game.legal_codes():
            after = game.clone()
            goes_on = after.move(code)
            ends |= (
                {a.tobytes() for a in after.plays().afterstates}
                if goes_on
                else {after.board.tobytes()}
            )
        assert ends == {a.tobytes() for a in game.plays().afterstates}

    @given(boards(), dice, st.randoms(use_true_random=False))
    def test_a_play_is_the_same_by_number_by_text_and_as_an_object(
        self, board: np.ndarray, roll: tuple[int, int], chooser: random.Random
    ) -> None:
        start = Position(board)
        plays = [] if start.is_over else start.legal_plays(roll)
        if not plays:
            return
        number = chooser.randrange(len(plays))
        ways = [to_play(start, roll) for _ in range(3)]
        for game, way in zip(ways, (number, str(plays[number]), plays[number]), strict=True):
            game.play(way)
        assert ways[0].position == plays[number].afterstate
        assert ways[0] == ways[1] == ways[2]

    def test_the_rest_of_a_turn_can_be_played_at_once(self) -> None:
        game = to_play(Position.start(), (3, 1))
        game.move(encode(8, 3))
        made_point = Position.start().parse_play("8/5 6/5", (3, 1))
        game.play(made_point)
        assert (game.phase, game.position) == ("to roll", made_point.afterstate)

    def test_what_can_no_longer_be_reached_is_refused_in_mid_turn(self) -> None:
        game = to_play(Position.start(), (3, 1))
        game.move(encode(24, 3))
        with pytest.raises(GammonError, match="play 8/5 6/5 is not one of the"):
            game.play(Position.start().parse_play("8/5 6/5", (3, 1)))

    def test_text_is_for_whole_rolls(self) -> None:
        game = to_play(Position.start(), (3, 1))
        game.move(encode(8, 3))
        with pytest.raises(GammonError, match=r"no whole roll to play: .* with 1 left"):
            game.play("6/5")

    def test_a_forced_pass_is_played_when_it_is_thrown(self) -> None:
        game = GameState.from_position(CLOSED_OUT, seat=1)
        assert not game.roll((6, 5))
        assert (game.phase, game.seat, game.turn) == ("to roll", 0, 2)
        assert game.position == CLOSED_OUT.swapped()

    def test_advance_counts_the_passes(self) -> None:
        game = GameState.from_position(CLOSED_OUT)
        assert game.advance() == 1
        assert (game.phase, game.seat, game.turn) == ("to play", 1, 2)

    @pytest.mark.small
    def test_an_illegal_move_changes_nothing_and_names_the_legal_ones(self) -> None:
        game = to_play(Position.start(), (5, 5))
        before = game.clone()
        with pytest.raises(GammonError, match=r"\(24 with a 5\) is not legal.*\(13 with a 5\)"):
            game.move(encode(24, 5))
        assert game == before

    @pytest.mark.parametrize("code", [-1, CODES])
    def test_a_number_that_is_no_code_is_refused(self, code: int) -> None:
        with pytest.raises(GammonError, match="is no checker-move code"):
            started().move(code)

    @pytest.mark.parametrize("number", [-1, 16])
    def test_a_number_that_is_no_play_is_refused(self, number: int) -> None:
        with pytest.raises(GammonError, match=f"play {number} is not one of the 16"):
            to_play(Position.start(), (3, 1)).play(number)


class TestGivenDice:
    def test_they_replace_a_roll_of_which_nothing_is_played(self) -> None:
        game = started()
        assert game.roll((6, 6))
        assert game.dice_left == (6, 6, 6, 6)

    def test_they_can_turn_a_choice_into_a_pass(self) -> None:
        blocked = position({24: 2, "bar": 1}, {19: 2, 18: 2, 13: 11})
        game = to_play(blocked, (5, 3))
        assert not game.roll((6, 6))
        assert game.seat == 1

    def test_no_other_dice_in_mid_turn(self) -> None:
        game = to_play(Position.start(), (3, 1))
        game.move(encode(8, 3))
        with pytest.raises(GammonError, match=r"no time for other dice: .* with 1 left"):
            game.roll((6, 6))

    @pytest.mark.parametrize("dice", [(0, 1), (3, 7), (3,), 3, (1, 2, 3), ("a", 2), (1.5, 2)])
    def test_what_is_no_roll_is_refused(self, dice: object) -> None:
        with pytest.raises(GammonError, match=r"1 to 6|two whole numbers"):
            GameState().roll(dice)  # type: ignore[arg-type]

    def test_no_throwing_while_there_is_something_to_play(self) -> None:
        with pytest.raises(GammonError, match=r"no time to roll: seat . is on roll"):
            started().roll()


LAST = {1: 1, "off": 14}


@pytest.mark.small
@pytest.mark.parametrize(
    ("opponent", "kind", "points"),
    [
        ({13: 14, "off": 1}, "single", 1),
        ({"bar": 1, 13: 13, "off": 1}, "single", 1),
        ({13: 15}, "gammon", 2),
        ({18: 1, 13: 14}, "gammon", 2),
        ({19: 1, 13: 14}, "backgammon", 3),
        ({"bar": 1, 13: 14}, "backgammon", 3),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_last_checker_off_ends_the_game(
    opponent: dict, kind: str, points: int, seat: int
) -> None:
    game = to_play(Position.from_counts(LAST, opponent), (1, 1), seat)
    assert not game.move(encode(1, 1))
    assert game.is_over
    assert game.phase == "over"
    assert game.winner == seat
    assert game.rewards[seat] == points == -game.rewards[1 - seat]
    assert game.outcome == Outcome("opponent", kind, points) == game.position.outcome
    assert (game.seat, game.turn, game.dice_left) == (1 - seat, 1, ())
    assert game.legal_codes() == []


def test_a_lone_checker_may_stop_on_its_way_off() -> None:
    game = to_play(Position.from_counts({3: 1, "off": 14}, {13: 15}), (3, 1))
    assert game.legal_codes() == [encode(3, 1), encode(3, 3)]
    assert game.move(encode(3, 1))
    assert not game.move(encode(2, 3))
    assert game.is_over


@pytest.mark.parametrize("seat", [0, 1])
def test_forfeiting_costs_the_most_a_game_can(seat: int) -> None:
    game = started(starter=seat)
    game.forfeit()
    assert game.is_over
    assert game.winner == 1 - seat
    assert game.rewards[seat] == -3
    assert game.outcome == Outcome("opponent", "backgammon", 3)
    assert (game.legal_codes(), game.dice, game.dice_left) == ([], None, ())
    assert game.position == Position.start()
    with pytest.raises(GammonError, match="the game is over"):
        game.forfeit()


@pytest.mark.parametrize("act", [lambda g: g.roll(), lambda g: g.roll((3, 1)), lambda g: g.move(0)])
def test_nothing_goes_on_after_the_end(act: Callable[[GameState], object]) -> None:
    game = started()
    game.forfeit()
    with pytest.raises(GammonError, match="phase 'over'"):
        act(game)


def test_no_game_goes_on_from_a_finished_position() -> None:
    with pytest.raises(GammonError, match="the game is over in position"):
        GameState.from_position(Position.from_counts({"off": 15}, {13: 15}))


@pytest.mark.parametrize("seat", [-1, 2, None])
def test_there_are_two_seats(seat: int) -> None:
    with pytest.raises(GammonError, match=f"there is no seat {seat}; seats are 0 and 1"):
        GameState.from_position(Position.start(), seat=seat)


class TestCopies:
    @pytest.mark.parametrize(
        "copied",
        [GameState.clone, copy.deepcopy, copy.copy, lambda g: pickle.loads(pickle.dumps(g))],
    )
    @pytest.mark.parametrize("moves", [0, 1, 2, 37])
    def test_a_copy_goes_on_alike_also_in_mid_turn(
        self, copied: Callable[[GameState], GameState], moves: int
    ) -> None:
        game = started(key=4)
        play_on(game, moves)
        twin = copied(game)
        assert twin == game
        assert play_on(game.clone(), 50, seed=1) == play_on(twin, 50, seed=1)

    def test_a_clone_is_independent(self) -> None:
        game = started()
        before = repr(game)
        twin = game.clone()
        play_on(twin, 5)
        assert repr(game) == before
        assert twin != game

    def test_set_takes_over_everything(self) -> None:
        game, other = started(key=1), started(key=2)
        play_on(other, 7)
        game.set(other)
        assert game == other
        assert play_on(game, 20) == play_on(other, 20)

    def test_games_that_differ_only_in_the_dice_to_come_are_not_equal(self) -> None:
        game = started(key=1)
        twin = game.clone()
        twin.begin_stream(key=2)
        assert repr(twin) == repr(game)
        assert twin != game

    def test_a_game_is_neither_hashable_nor_equal_to_something_else(self) -> None:
        with pytest.raises(TypeError, match="unhashable"):
            hash(GameState())
        assert GameState() != "game"


class TestReplay:
    OPENING = (((3, 1), "8/5 6/5"), ((6, 6), "24/18(2) 13/7(2)"))

    def test_it_yields_the_state_after_each_turn(self) -> None:
        game = GameState()
        states = list(game.replay(self.OPENING))
        assert game == GameState(), "the game itself stands still"
        assert [(state.turn, state.seat, state.phase) for state in states] == [
            (2, 1, "to roll"),
            (3, 0, "to roll"),
        ]
        assert states[0].position == Position.start().parse_play("8/5 6/5", (3, 1)).afterstate

    def test_a_forced_pass_is_written_as_nothing(self) -> None:
        game = GameState.from_position(CLOSED_OUT)
        passed, played = game.replay([((6, 5), ""), ((2, 1), "6/4 6/5")])
        assert (passed.seat, played.seat) == (1, 0)

    @pytest.mark.parametrize(
        ("turns", "message"),
        [
            ([((3, 1), "8/5 6/5"), ((6, 6), "24/12")], "turn 2, 6-6: .*24/12"),
            ([((3, 1), "")], "turn 1, 3-1: .*empty text"),
        ],
    )
    def test_the_turn_that_is_not_legal_is_named(self, turns: list, message: str) -> None:
        with pytest.raises(GammonError, match=message):
            list(GameState().replay(turns))

    def test_a_play_in_a_forced_pass_is_refused(self) -> None:
        replay = GameState.from_position(CLOSED_OUT).replay([((6, 5), "bar/20")])
        with pytest.raises(GammonError, match=r"'bar/20' cannot be played: .* a forced pass"):
            next(replay)


def points_by_the_rules(final: Position) -> int:
    """Count what the winner of a finished game has won, from RULES.md alone."""
    winner, loser = (
        (final.own, final.opponent) if final.own.get("off") == 15 else (final.opponent, final.own)
    )
    assert winner == {"off": 15}
    if loser.get("off", 0):
        return 1
    return 3 if any(loser.get(place, 0) for place in ("bar", *range(19, 25))) else 2


def test_random_games_end_by_themselves_with_the_points_of_the_final_board() -> None:
    results = []
    for key in range(300):
        game = started(key)
        play_on(game, 100_000, seed=key)
        assert game.is_over
        assert game.rewards[game.winner] == points_by_the_rules(game.position)
        results.append((game.winner, game.rewards[game.winner]))
    assert {points for _, points in results} == {1, 2, 3}
    assert {winner for winner, _ in results} == {0, 1}


def test_ten_thousand_random_games_end_with_the_points_of_the_final_board() -> None:
    counted = Counter()
    moves = 0
    for key in range(10_000):
        game = GameState(key=key)
        moves += play_out(game.variant.rules, *game._turn_arrays, game._stream, np.uint64(key))
        assert game.rewards[game.winner] == points_by_the_rules(game.position)
        counted[game.rewards[0]] += 1
    assert set(counted) == {-3, -2, -1, 1, 2, 3}
    won = sum(games for points, games in counted.items() if points > 0)
    assert abs(won - 5000) < 200, "neither seat is better: 50% +- 2 points, four standard errors"
    assert 190 < moves / 10_000 < 215, "checker moves of a random game, 202 on average"


def test_turns_alternate_but_for_passes() -> None:
    game = started(key=8)
    chooser = random.Random(8)
    seats = []
    for _ in range(200):
        seats.append((game.seat, game.turn))
        game.play(chooser.randrange(game.plays().count))
        passes = game.advance()
        assert game.turn == seats[-1][1] + 1 + passes or game.is_over
        if game.is_over:
            break
    for (seat, turn), (next_seat, next_turn) in pairwise(seats):
        assert (next_seat != seat) == ((next_turn - turn) % 2 == 1)


# --- arguments of a wrong kind ----------------------------------------------------------------


@pytest.mark.parametrize("key", [None, 1.5, "1", -1, 2**64, (1, 2)])
def test_what_is_no_64_bit_number_is_no_key(key: object) -> None:
    for make in (
        lambda: GameState(key=key),
        lambda: GameState.from_position(Position.start(), key=key),
        lambda: GameState().begin_stream(key),
    ):
        with pytest.raises(GammonError, match="key is a"):
            make()


def test_a_wrong_counter_leaves_the_stream_alone() -> None:
    game = started(key=3)
    before = game.stream
    with pytest.raises(GammonError, match="counter is a whole number"):
        game.begin_stream(7, 1.5)
    with pytest.raises(GammonError, match="key is a number from 0"):
        game.begin_stream(-1, 7)
    assert game.stream == before


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda game, junk: game.move(junk), "a checker-move code is a whole number"),
        (lambda game, junk: game.play(junk), "a play that is not a Play or a text is a whole"),
        (lambda game, junk: game.set(junk), "a game can become another GameState"),
        (lambda game, junk: list(game.replay([junk])), "turn 1 is dice and a text such as"),
        (lambda game, junk: list(game.replay([(junk, "8/5 6/5")])), "turn 1 is dice and a text"),
        (lambda game, junk: list(game.replay([((3, 1), junk)])), "turn 1, 3-1: a play that is not"),
        (lambda game, junk: GameState.from_position(junk), "goes on from a Position"),
        (lambda game, junk: GameState(junk), "a variant is a Variant"),
    ],
)
@pytest.mark.parametrize("junk", [None, 1.5, [1.5], object()])
def test_arguments_of_a_wrong_kind_are_refused_and_change_nothing(
    act: Callable[[GameState, object], object], message: str, junk: object
) -> None:
    game = to_play(Position.start(), (3, 1))
    before = game.clone()
    with pytest.raises(GammonError, match=message):
        act(game, junk)
    assert game == before


@pytest.mark.parametrize("code", [-1, 150, None, 1.5])
def test_only_codes_are_legal_or_not(code: Any) -> None:
    game = GameState(key=1)
    with pytest.raises(GammonError, match=r"is no checker-move code; codes are 0\.\.149"):
        game.is_legal(code)
