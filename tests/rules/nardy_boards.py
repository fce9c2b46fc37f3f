"""Long nardy positions as the rules write them: every point in the mover's numbering."""

from collections.abc import Mapping

import numpy as np

from gammon_env.position import Place, Position
from gammon_env.rules.moves import CODES, LEFT, legal_checker_moves, put_dice
from gammon_env.rules.variant import NARDY
from tests.rules.boards import texts, with_off

__all__ = ["first_moves", "position", "texts"]

HEAD: Mapping[Place, int] = {12: NARDY.checkers}
"""The opponent's checkers all on its head."""


def position(own: Mapping[Place, int], opponent: Mapping[Place, int] = HEAD) -> Position:
    """Return a position; checkers that are not named are off."""
    theirs = {
        NARDY.opponent_point[place] if isinstance(place, int) else place: n
        for place, n in opponent.items()
    }
    return Position.from_counts(with_off(own), with_off(theirs), NARDY)


def first_moves(start: Position, *dice: int, head_moves: int | None = None) -> set[tuple[int, int]]:
    """Return (source, die) of each checker move that the dice still to play allow.

    Args:
        start: the position.
        dice: what is still to play.
        head_moves: how many checkers may still leave the head; None as at the start of a turn.
    """
    board, left, mask = start.board.copy(), np.zeros(LEFT, np.int8), np.zeros(CODES, np.int8)
    put_dice(NARDY.rules, board, dice[0], dice[-1], left)
    left[:4] = dice + (0,) * (4 - len(dice))
    left[4] = left[4] if head_moves is None else head_moves
    count = legal_checker_moves(NARDY.rules, board, left, mask)
    assert (board == start.board).all(), "looking ahead leaves the board as it was"
    codes = np.flatnonzero(mask).tolist()
    assert count == len(codes)
    return {(code // 6 + 1, code % 6 + 1) for code in codes}
