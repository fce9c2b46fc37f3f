"""RULES.md 10: a win scores points x level / 3, kept in whole thirds; a loss scores nothing."""

import pytest

from agents import levels
from agents.leaderboard import score
from gammon_env.errors import GammonError

pytestmark = pytest.mark.small


@pytest.mark.parametrize(("level", "thirds"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
def test_a_single_win_scores_level_thirds(level, thirds):
    assert score(1, level) == thirds


def test_gammons_and_backgammons_score_their_points():
    assert [score(points, 3) for points in (1, 2, 3)] == [3, 6, 9]
    assert score(3, 5) == 15


def test_a_loss_scores_nothing():
    assert all(score(-points, level) == 0 for points in (1, 2, 3) for level in range(1, 6))


@pytest.mark.parametrize(("points", "level"), [(1, 0), (1, 6), (0, 3), (4, 3), (-4, 3)])
def test_what_no_game_gives_is_refused(points, level):
    with pytest.raises(GammonError, match=r"there is no level|no game gives"):
        score(points, level)


def test_the_levels_have_it_too():
    assert levels.score is score
