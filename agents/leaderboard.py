"""The leaderboard: what a human's result against a graded opponent scores."""

from gammon_env.errors import GammonError

LEVELS = 5
MOST_POINTS = 3


def score(points: int, level: int) -> int:
    """Return what a game against the computer scores, in thirds of a point.

    A win scores its points times level / 3: a third of them at level 1, all at level 3, five thirds
    at level 5. Counted in thirds, every score is a whole number. A loss scores nothing.

    Args:
        points: what the human won, negative for a loss.
        level: of the opponent, 1 to 5.

    Raises:
        GammonError: for another level, or points that no game gives.
    """
    if level not in range(1, LEVELS + 1):
        raise GammonError(f"there is no level {level}; levels are 1 to {LEVELS}")
    if points == 0 or abs(points) > MOST_POINTS:
        raise GammonError(f"no game gives {points} points; a game is won or lost by 1, 2 or 3")
    return max(points, 0) * level
