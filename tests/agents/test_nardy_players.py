"""The handcrafted players of long nardy."""

import numpy as np
import pytest

from agents.match import play_match
from agents.nardy_heuristic import WEIGHTS, HeuristicAgent, at_home, held_up, score, stacked
from agents.pip_count_agent import PipCountAgent, RaceAgent, pip_count_agent
from agents.random_agent import RandomAgent
from gammon_env.agent import load_agent
from gammon_env.errors import GammonError
from gammon_env.nardy_encoder import held_points, turned
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, NARDY
from tests.rules.nardy_boards import position

START = Position.start(NARDY)


@pytest.mark.small
def test_pip_count_is_one_name_in_every_game() -> None:
    assert isinstance(pip_count_agent(), PipCountAgent)
    assert pip_count_agent(HYPERGAMMON).variant == HYPERGAMMON
    assert isinstance(pip_count_agent(NARDY), RaceAgent)
    assert load_agent("pip-count", NARDY).name == "pip-count"


@pytest.mark.small
def test_pip_count_only_races() -> None:
    race = position({6: 2, 4: 2, 2: 2})
    assert str(RaceAgent(NARDY).choose(race, (6, 4))) == "6/off 4/off"
    assert str(RaceAgent(NARDY).choose(position({7: 1, 6: 14}), (1, 1))).startswith("7/")


@pytest.mark.small
def test_the_heuristic_clears_its_head() -> None:
    after = HeuristicAgent().choose(START, (3, 3)).afterstate
    assert after.opponent[24] == 13
    early = position({24: 13, 20: 1, 18: 1})
    for dice in ((2, 1), (5, 2), (6, 5)):
        assert HeuristicAgent().choose(early, dice).afterstate.opponent[24] == 12


@pytest.mark.small
def test_it_sees_who_is_held_up() -> None:
    five = position({**dict.fromkeys(range(7, 12), 2), 24: 5}).board
    others = turned(held_points(five[0]))
    assert held_up(five[1], others) == 4 * 16, "at most four of a stack, five points ahead"
    passed = position({**dict.fromkeys(range(7, 12), 2), 6: 5}, {3: 15}).board
    others = turned(held_points(passed[0]))
    assert held_up(passed[1], others) == 0


@pytest.mark.small
def test_what_it_counts() -> None:
    row = position({24: 9, 20: 3, 5: 2, 1: 1}).board[0]
    assert stacked(row) == 1
    assert at_home(row) == 3


@pytest.mark.small
def test_a_race_is_worth_more_the_fewer_pips_are_left() -> None:
    near, far = (Position.from_counts({12: 15}, {p: 15}, NARDY).board for p in (1, 2))
    assert score(near.copy(), WEIGHTS) > score(far.copy(), WEIGHTS)


@pytest.mark.small
@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON])
def test_it_plays_no_other_game(variant) -> None:
    with pytest.raises(GammonError, match=f"heuristic plays nardy, not {variant.name}"):
        HeuristicAgent(variant)


def test_it_is_a_yardstick() -> None:
    """Measured over 4,000 games: 1.2 points a game against pip-count."""
    players = HeuristicAgent(), RaceAgent(NARDY), RandomAgent(NARDY)
    assert play_match(*players[:2], 400, seed=3, variant=NARDY).points_per_game.mean > 1
    assert play_match(*players[::2], 400, seed=3, variant=NARDY).points_per_game.mean > 1.2
    assert np.isfinite(play_match(*players[1:], 100, seed=3, variant=NARDY).points_per_game.mean)
