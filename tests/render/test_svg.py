"""The picture: every drawing read back as the position it shows, and what is said around it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.render import shapes
from gammon_env.render.svg import draw, draw_play, draw_position
from gammon_env.rules.variant import BACKGAMMON
from tests.render.pictures import Picture, centre, seat_of, turned
from tests.strategies import boards, dice

ROTATED = replace(
    BACKGAMMON,
    name="rotated",
    start=((24, 15),),
    opponent_point=(0, *(p + 12 if p <= 12 else p - 12 for p in range(1, 25))),
)
"""Like long nardy, both sides move the same way around, each from its own corner."""

RACE = Position.from_counts({6: 3, 4: 2, 2: 1, "off": 9}, {6: 1, 5: 1, "off": 13})
HITTING = Position.from_counts(
    {24: 1, 13: 4, 8: 3, 6: 4, 5: 1, 7: 1, "bar": 1}, {24: 1, 13: 5, 8: 2, 6: 5, 4: 1, 22: 1}
)


def game_from(position: Position, roll: tuple[int, int] | None = None, seat: int = 0) -> GameState:
    game = GameState.from_position(position, seat=seat)
    if roll is not None:
        game.roll(roll)
    return game


@given(boards(), dice, st.sampled_from([0, 1]), st.sampled_from([0, 1]))
def test_a_picture_shows_the_position_from_either_side(
    board: np.ndarray, roll: tuple[int, int], seat: int, view: int
) -> None:
    if Position(board).is_over:
        return
    game = game_from(Position(board), roll, seat)
    drawn = Picture(draw(game, view)).board()
    for side, row in ((game.seat, game.board[0]), (1 - game.seat, game.board[1])):
        np.testing.assert_array_equal(drawn[side], row if side == view else turned(row))


@given(boards())
def test_a_position_is_seen_by_the_player_on_roll(board: np.ndarray) -> None:
    drawn = Picture(draw_position(Position(board))).board()
    np.testing.assert_array_equal(drawn, [board[0], turned(board[1])])


@pytest.mark.parametrize("view", [0, 1])
def test_points_are_numbered_from_the_players_side(view: int) -> None:
    picture = Picture(draw(GameState(), view))
    lower = sorted((label for label in picture.labels if label.number <= 12), key=lambda e: e.x)
    upper = sorted((label for label in picture.labels if label.number > 12), key=lambda e: e.x)
    assert [label.number for label in lower] == list(range(12, 0, -1))
    assert [label.number for label in upper] == list(range(13, 25))
    assert len({label.y for label in lower}) == len({label.y for label in upper}) == 1
    assert lower[0].y > upper[0].y


class TestAnotherGeometry:
    POSITION = Position.from_counts(
        {24: 6, 17: 3, 6: 4, "off": 2}, {24: 4, 20: 2, 10: 3, 6: 2, "off": 4}, ROTATED
    )

    def test_the_opponent_stands_where_the_variant_says(self) -> None:
        drawn = Picture(draw_position(self.POSITION)).board()
        own, opponent = self.POSITION.board
        np.testing.assert_array_equal(drawn, [own, turned(opponent, ROTATED)])

    def test_both_heads_are_in_opposite_corners(self) -> None:
        picture = Picture(draw_position(Position.start(ROTATED)))
        assert [picture.label_of(e).number for e in picture.every("stack")] == [24, 12]

    def test_each_side_bears_off_beside_its_own_first_point(self) -> None:
        picture = Picture(draw_position(self.POSITION))
        slabs = {seat_of(slab): centre(slab) for slab in picture.every("off")}
        assert slabs[0] > (picture.width * 0.9, picture.height / 2)
        assert slabs[1][0] < picture.width * 0.1
        assert slabs[1][1] < picture.height / 2


def test_borne_off_checkers_lie_beside_the_home_of_their_side() -> None:
    picture = Picture(draw_position(RACE))
    rows = {seat: [] for seat in range(2)}
    for slab in picture.every("off"):
        x, y = centre(slab)
        assert x > max(label.x for label in picture.labels)
        rows[seat_of(slab)].append(y)
    assert min(rows[0]) > picture.height / 2 > max(rows[1])
    assert picture.words("off-count") == ["13", "9"]


class TestBesideTheBoard:
    def test_pips_of_both_sides(self) -> None:
        assert Picture(draw_position(RACE)).words("pips") == ["11 pips", "28 pips"]

    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("view", [0, 1])
    def test_who_is_on_roll(self, seat: int, view: int) -> None:
        picture = Picture(draw(game_from(Position.start(), seat=seat), view))
        (line,) = [e for e in picture.every("player") if e.find("*[@class='on-roll']") is not None]
        assert seat_of(line) == seat
        assert (centre(line)[1] > picture.height / 2) == (seat == view)
        assert "turn 1, to roll" in picture.words("note")

    def test_nobody_is_on_roll_before_the_opening_and_after_the_end(self) -> None:
        assert not Picture(draw(GameState())).every("on-roll")
        game = game_from(Position.from_counts({1: 1, "off": 14}, {6: 15}), (2, 1))
        game.play(0)
        picture = Picture(draw(game))
        assert not picture.every("on-roll")
        assert picture.words("note") == ["", "wins a gammon, 2 points"]

    def test_a_forfeit_is_called_one(self) -> None:
        game = game_from(Position.start(), (2, 1), seat=1)
        game.forfeit()
        assert Picture(draw(game)).words("note") == ["forfeits", "wins 3 points"]

    def test_a_finished_position_says_who_won(self) -> None:
        lost = Position.from_counts({6: 15}, {"off": 15})
        assert Picture(draw_position(lost)).words("note") == ["wins a gammon, 2 points", ""]

    def test_names_may_hold_anything(self) -> None:
        names = ('<b>&"Ann"</b>', "Bob's")
        picture = Picture(draw(GameState(), names=names))
        texts = [e.text for line in picture.every("player") for e in line.iter() if e.text]
        assert set(names) <= set(texts)

    def test_a_long_name_leaves_room_for_the_note(self) -> None:
        names = ("runs/backgammon/final.safetensors", "random")
        picture = Picture(draw(GameState(), names=names))
        texts = [e.text for line in picture.every("player") for e in line.iter() if e.text]
        assert "runs/backgammon/fin…" in texts
        assert names[0] in picture.root[0].text

    def test_it_can_be_read_out(self) -> None:
        title = Picture(draw(game_from(Position.start(), (3, 1)))).root[0]
        said = "backgammon: seat 0 (167 pips) turn 1, to play, seat 1 (167 pips)"
        assert title.text == said


class TestDice:
    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("view", [0, 1])
    def test_they_lie_in_the_throwers_right_half_and_colour(self, seat: int, view: int) -> None:
        picture = Picture(draw(game_from(Position.start(), (6, 1), seat), view))
        thrown = picture.every("die")
        assert [seat_of(die) for die in thrown] == [seat, seat]
        assert all((centre(die)[0] > picture.width / 2) == (seat == view) for die in thrown)
        assert [len(die.findall("{*}circle")) for die in thrown] == [6, 1]

    def test_played_ones_are_pale(self) -> None:
        game = game_from(Position.start(), (1, 1))
        for played in range(4):
            drawn = Picture(draw(game)).every("die")
            assert len(drawn) == 4
            pale = [float(die.attrib["opacity"]) < 0.5 for die in drawn]
            assert pale == [False] * (4 - played) + [True] * played
            game.move(game.legal_codes()[0])

    def test_a_position_shows_a_roll_on_request(self) -> None:
        assert not Picture(draw_position(RACE)).every("die")
        assert len(Picture(draw_position(RACE, (5, 5))).every("die")) == 4


class TestTheLastPlay:
    def test_arrivals_are_ringed_and_departures_leave_a_trace(self) -> None:
        picture = Picture(draw_play(HITTING.parse_play("bar/21* 5/3*", (4, 2))))
        assert sorted(_marked(picture)) == [3, 21]
        traces = [(picture.label_of(e).number, seat_of(e)) for e in picture.every("ghost")]
        assert (5, 0) in traces
        assert len(traces) == 2, "the other left the bar; checkers hit leave none"
        assert picture.words("note") == ["", "4-2: bar/21* 5/3*"]

    def test_a_game_is_marked_by_what_changed_since(self) -> None:
        before = game_from(HITTING, (4, 2), seat=1)
        game = before.clone()
        game.play("bar/21* 5/3*")
        picture = Picture(draw(game, 1, before))
        assert sorted(_marked(picture)) == [3, 21]
        assert picture.words("note") == ["turn 2, to roll", "4-2: bar/21* 5/3*"]
        dice = picture.every("die")
        assert [seat_of(die) for die in dice] == [1, 1], "the dice stay with who has played them"
        assert dice == picture.every("played")
        assert not Picture(draw(game, 1)).every("ghost"), "nothing to compare with"

    def test_a_part_of_a_play_has_no_name(self) -> None:
        before = game_from(Position.start(), (6, 1))
        game = before.clone()
        game.move(game.legal_codes()[0])
        picture = Picture(draw(game, before=before))
        assert picture.words("note") == ["", "turn 1, to play"]
        assert len(picture.every("ghost")) == 1

    def test_of_a_tall_stack_only_an_edge_of_the_trace_shows(self) -> None:
        tall = Position.from_counts({13: 7, 6: 8}, {13: 6, 8: 2, 6: 7})
        picture = Picture(draw_play(tall.parse_play("6/5(2) 6/4", (1, 1))))
        (trace,) = picture.every("ghost")
        x, y = centre(trace)
        stack = [centre(e)[1] for e in picture.every("checker") if centre(e)[0] == x]
        last = min(height for height in stack if height > picture.height / 2)
        assert last - shapes.RADIUS < y < last

    def test_borne_off_checkers_are_marked(self) -> None:
        picture = Picture(draw_play(RACE.parse_play("6/off 4/off", (6, 4))))
        fresh = [e for e in picture.every("off") if e[1].attrib["fill"] == shapes.ACCENT]
        assert [seat_of(slab) for slab in fresh] == [0, 0]
        assert sorted(picture.label_of(e).number for e in picture.every("ghost")) == [4, 6]


def test_the_same_game_is_the_same_picture() -> None:
    assert draw(game_from(HITTING, (4, 2))) == draw(game_from(HITTING, (4, 2)))


def test_pictures_on_one_page_do_not_get_into_each_others_way() -> None:
    for element in Picture(draw_position(HITTING, (4, 2))).root.iter():
        assert "id" not in element.attrib
        assert "style" not in element.attrib
        assert element.tag.rpartition("}")[2] in {
            *("svg", "g", "title", "text", "rect", "circle", "polygon")
        }


def test_notebooks_show_positions_games_and_plays() -> None:
    start, play = Position.start(), HITTING.legal_plays((4, 2))[0]
    assert start._repr_svg_() == draw_position(start)
    assert GameState()._repr_svg_() == draw(GameState())
    assert play._repr_svg_() == draw_play(play)


def test_there_is_no_third_side_to_look_from() -> None:
    with pytest.raises(GammonError, match="no seat 2"):
        draw(GameState(), view=2)


def _marked(picture: Picture) -> list[int]:
    """Return the points of the checkers that are ringed as just moved."""
    ringed = [e for e in picture.every("checker") if e[1].attrib["stroke"] == shapes.ACCENT]
    return [picture.label_of(e).number for e in ringed]
