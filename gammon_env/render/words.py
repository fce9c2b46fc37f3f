"""What text and pictures both say about a game in words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # both import the text board
    from gammon_env.game_view import GameView
    from gammon_env.position import Outcome


def counted(number: int, noun: str) -> str:
    """Return a number of things: "1 point", "2 points"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ending(game: "GameView") -> tuple[str, str]:
    """Return what there is to say about the winner and the loser of a game that is over."""
    assert game.outcome is not None
    if game.position.outcome is None:
        return f"wins {counted(game.outcome.points, 'point')}", "forfeits"
    return win(game.outcome), ""


def win(outcome: "Outcome") -> str:
    """Return what the winner has done: "wins a gammon, 2 points"."""
    kind = "a single game" if outcome.kind == "single" else f"a {outcome.kind}"
    return f"wins {kind}, {counted(outcome.points, 'point')}"
