from dataclasses import replace

import pytest

from agents.match import play_match
from agents.pip_count_agent import PipCountAgent, keith_count, score, trapped
from agents.random_agent import RandomAgent
from gammon_env.agent import Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.players import artificial, decisions_of_random_games
from tests.rules.boards import position

START = Position.start()


@pytest.mark.small
@pytest.mark.parametrize(
    ("dice", "play"),
    [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((5, 3), "8/3 6/3")],
)
def test_it_makes_points_in_the_opening(dice: tuple[int, int], play: str) -> None:
    assert PipCountAgent().choose(START, dice) == START.parse_play(play, dice)


@pytest.mark.small
def test_it_hits_what_comes_far_home() -> None:
    exposed = position({13: 3, 8: 3, 6: 5, 24: 2, 20: 2}, {4: 1, 12: 5, 1: 2, 17: 3, 19: 4})
    assert "*" in str(PipCountAgent().choose(exposed, (4, 2)))


@pytest.mark.small
def test_it_bears_off_rather_than_moving_inside() -> None:
    race = position({6: 2, 4: 2, 2: 2}, {24: 2})
    assert str(PipCountAgent().choose(race, (6, 4))) == "6/off 4/off"


@pytest.mark.small
def test_the_keith_count_of_a_known_position() -> None:
    # Pips 2x1 + 2x2 + 3x3 + 6 = 21; 8 checkers 16; a second on 1: 2; a second on 2: 1;
    # gaps on 4 and 5: 2.
    row = position({1: 2, 2: 2, 3: 3, 6: 1}).board[0]
    assert keith_count(row) == 21 + 16 + 2 + 1 + 2
    # One more beyond home: its 7 pips, 2 for being on the board, 2 for not being home.
    assert keith_count(position({1: 2, 2: 2, 3: 3, 6: 1, 7: 1}).board[0]) == 42 + 11


@pytest.mark.small
def test_a_full_prime_traps_and_a_checker_past_it_is_free() -> None:
    prime = dict.fromkeys(range(4, 10), 2)
    behind, past = position(prime, {3: 1}).board, position(prime, {10: 1}).board
    assert trapped(behind[0], behind[1]) == 16
    assert trapped(past[0], past[1]) == 0
    on_bar = position(dict.fromkeys(range(1, 7), 2), {"bar": 1}).board
    assert trapped(on_bar[0], on_bar[1]) == 16


@pytest.mark.small
def test_equal_scores_go_to_the_first() -> None:
    bad, good = START.parse_play("6/5 6/3", (3, 1)), START.parse_play("8/5 6/5", (3, 1))
    boards = [play.afterstate.board for play in (bad, good, good)]
    assert score(boards[1]) > score(boards[0])
    assert PipCountAgent().select(artificial(boards, (3, 1))).tolist() == [1]


def test_the_batch_does_not_matter() -> None:
    for batch in decisions_of_random_games(4, seed=2):
        together = PipCountAgent().select(batch)
        singly = [
            int(PipCountAgent().select(Decisions.single(*batch.question(i)))[0])
            for i in range(len(batch))
        ]
        assert together.tolist() == singly


def test_it_beats_random_by_far() -> None:
    points = play_match(PipCountAgent(), RandomAgent(), 400, seed=4).points_per_game
    assert points.low > 2.2


def test_it_needs_sides_that_meet() -> None:
    same_way = tuple((p + 11) % 24 + 1 if p else 0 for p in range(25))
    with pytest.raises(GammonError, match="pip-count plays backgammon, not nardy"):
        PipCountAgent(replace(BACKGAMMON, name="nardy", opponent_point=same_way))
