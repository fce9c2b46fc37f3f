"""Scenes: everything that one picture shows, before any of it is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gammon_env.errors import GammonError
from gammon_env.render.words import ending, win
from gammon_env.rules.board import Board
from gammon_env.rules.variant import Variant

if TYPE_CHECKING:  # both draw themselves with this module
    from gammon_env.game_view import GameView, Roll
    from gammon_env.position import Play, Position

SEATS = ("seat 0", "seat 1")
SIDES = ("player on roll", "opponent")

Names = Sequence[str]


@dataclass(frozen=True)
class Die:
    """One die on the table.

    Attributes:
        face: its pips.
        played: whether it has been played, or could not be.
    """

    face: int
    played: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """What one picture shows. Pairs are by seat: seat 0, seat 1.

    Attributes:
        variant: the game.
        view: the seat from whose side the board is seen.
        rows: the checkers, each seat in its own numbering.
        before: the checkers as they were before what has moved last; None marks nothing.
        names: who sits there.
        notes: what there is to say about each.
        on_roll: the seat on roll, None if it does not matter any more.
        thrower: the seat in front of which the dice lie.
        dice: the dice on the table, if any.
    """

    variant: Variant
    view: int
    rows: tuple[Board, Board]
    before: tuple[Board, Board] | None
    names: Names
    notes: Names
    on_roll: int | None
    thrower: int
    dice: tuple[Die, ...]


def of_game(
    game: "GameView",
    view: int = 0,
    before: "GameView | None" = None,
    names: Names = SEATS,
) -> Scene:
    """Return the scene of a game.

    Args:
        game: also in mid-turn, or over.
        view: the seat from whose side the board is seen.
        before: the same game at an earlier moment. What has moved since is marked; if that is one
            whole play, it is named, and its dice stay on the table as played.
        names: of seat 0 and seat 1.

    Raises:
        GammonError: if there is no such seat.
    """
    if view not in (0, 1):
        raise GammonError(f"there is no seat {view!r}; seats are 0 and 1")
    shown, dice = game, _dice(game.dice, game.dice_left)
    if not dice and before is not None:
        shown, dice = before, _dice(before.dice, ())
    return Scene(
        variant=game.variant,
        view=view,
        rows=_rows(game),
        before=None if before is None else _rows(before),
        names=names,
        notes=_notes(game, before, view),
        on_roll=None if game.phase in ("opening", "over") else game.seat,
        thrower=shown.seat,
        dice=dice,
    )


def of_pass(game: "GameView", dice: "Roll", view: int = 0, names: Names = SEATS) -> Scene:
    """Return the scene of a forced pass: the game before it, and the dice that can't be played."""
    return Scene(
        variant=game.variant,
        view=view,
        rows=_rows(game),
        before=None,
        names=names,
        notes=_by_seat(game.seat, f"turn {game.turn}, cannot move", ""),
        on_roll=game.seat,
        thrower=game.seat,
        dice=_dice(dice, ()),
    )


def of_position(position: "Position", dice: "Roll | None" = None) -> Scene:
    """Return the scene of a position, seen by the player on roll, with a roll still to play."""
    outcome = position.outcome
    if outcome is None:
        notes = ("" if dice is None else "to play", "")
    else:
        notes = _by_seat(int(outcome.winner == "opponent"), win(outcome), "")
    return Scene(
        variant=position.variant,
        view=0,
        rows=(position.board[0], position.board[1]),
        before=None,
        names=SIDES,
        notes=notes,
        on_roll=0 if outcome is None else None,
        thrower=0,
        dice=_dice(dice, dice and _thrown(dice)),
    )


def of_play(play: "Play") -> Scene:
    """Return the scene of a play just made, seen by the mover."""
    position, afterstate = play.position, play.afterstate
    return Scene(
        variant=position.variant,
        view=0,
        rows=(afterstate.board[1], afterstate.board[0]),
        before=(position.board[0], position.board[1]),
        names=("player", "opponent"),
        notes=(_named(play), ""),
        on_roll=None if afterstate.is_over else 1,
        thrower=0,
        dice=_dice(play.dice, ()),
    )


def _rows(game: "GameView") -> tuple[Board, Board]:
    """Return a copy of the checkers by seat; the board of a game is by who is on roll."""
    own, opponent = game.board.copy()
    return (own, opponent) if game.seat == 0 else (opponent, own)


def _by_seat(seat: int, own: str, other: str) -> tuple[str, str]:
    return (own, other) if seat == 0 else (other, own)


def _thrown(dice: "Roll") -> tuple[int, ...]:
    """Return the dice that a roll gives to play, larger first."""
    larger, smaller = max(dice), min(dice)
    return (larger,) * 4 if larger == smaller else (larger, smaller)


def _dice(dice: "Roll | None", left: Sequence[int] | None) -> tuple[Die, ...]:
    """Return the dice of a roll, those of the ones left as still to play."""
    to_play = list(left or ())
    shown = []
    for face in _thrown(dice) if dice else ():
        played = face not in to_play
        if not played:
            to_play.remove(face)
        shown.append(Die(face, played))
    return tuple(shown)


def _notes(game: "GameView", before: "GameView | None", view: int) -> tuple[str, str]:
    """Return what each seat has to do or has just done."""
    if game.is_over:
        assert game.winner is not None
        return _by_seat(game.winner, *ending(game))
    if game.phase == "opening":
        return _by_seat(view, "each seat throws one die", "")
    play = None if before is None else _play_between(before, game)
    done = "" if play is None else _named(play)
    return _by_seat(game.seat, f"turn {game.turn}, {game.phase}", done)


def _named(play: "Play") -> str:
    return f"{play.dice[0]}-{play.dice[1]}: {play}"


def _play_between(before: "GameView", game: "GameView") -> "Play | None":
    """Return the play that leads from one moment to the other, None if it is not one play."""
    dice = before.dice
    if dice is None or game.seat == before.seat or before.dice_left != _thrown(dice):
        return None
    for play in before.position.legal_plays(dice):
        if (play.afterstate.board == game.board).all():
            return play
    return None
