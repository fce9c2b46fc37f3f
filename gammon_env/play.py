"""Plays: what one roll was used for, as objects with their text."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gammon_env import notation
from gammon_env.notation import Colour, Perspective
from gammon_env.render import svg
from gammon_env.rules.board import Board
from gammon_env.rules.moves import apply_checker_move
from gammon_env.rules.variant import Variant

if TYPE_CHECKING:
    from gammon_env.position import Position

Dice = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CheckerMove:
    """One checker moved by one die, in the mover's numbering.

    Attributes:
        source: the point it leaves; 25 is the bar.
        target: the point it reaches; 0 is off.
        die: the pips of the die.
        hit: whether it sends an opposing checker to the bar.
    """

    source: int
    target: int
    die: int
    hit: bool

    def __str__(self) -> str:
        return notation.write([self], int)


@dataclass(frozen=True, slots=True)
class Play:
    """Everything done with one roll. Plays that end alike are one play.

    Attributes:
        position: the position before it, seen by the mover.
        dice: the roll, larger die first.
        checker_moves: a legal way to play it: of several one that begins with a hit, then the one
            that begins from the rearmost source, then with the larger die. Moves of doubles go from
            the rearmost source on.
        afterstate: the position after it, seen by the next player.
    """

    position: "Position"
    dice: Dice
    checker_moves: tuple[CheckerMove, ...]
    afterstate: "Position"

    def text(self, perspective: Perspective = "mover", mover: Colour = "white") -> str:
        """Return the play in canonical notation.

        Args:
            perspective: whose numbering: the mover's own, or White's, as diagrams use it.
            mover: the mover's colour, which matters only for White's numbering.
        """
        renumber = notation.renumbering(perspective, mover, self.position.variant)
        return notation.write(self.checker_moves, renumber)

    def __str__(self) -> str:
        return self.text()

    _repr_svg_ = svg.draw_play


def checker_moves(board: Board, path: int, variant: Variant) -> tuple[CheckerMove, ...]:
    """Return the checker moves that a path code of `rules.moves.legal_plays` stands for.

    Args:
        board: the position before the play; not changed.
        path: a byte for each checker move, the first one in the most significant byte.
        variant: the game.
    """
    moving = board.copy()
    moves = []
    for source, die in (divmod(code, 8) for code in path.to_bytes(4, "big") if code):
        hit = bool(apply_checker_move(variant.rules, moving, source, die))
        moves.append(CheckerMove(source, max(source - die, notation.OFF), die, hit))
    return tuple(moves)
