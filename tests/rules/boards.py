"""Positions written as the rules write them: every point in the mover's numbering, both sides."""

from collections.abc import Mapping

import numpy as np

from gammon_env.position import Place, Position
from gammon_env.rules.backgammon import CODES, legal_checker_moves
from gammon_env.rules.variant import BACKGAMMON

CHECKERS = BACKGAMMON.checkers

OUT_OF_THE_WAY: Mapping[Place, int] = {24: CHECKERS}
"""The opponent's checkers all on the mover's 24, where they block nothing that matters."""


def position(own: Mapping[Place, int], opponent: Mapping[Place, int] = OUT_OF_THE_WAY) -> Position:
    """Return a position; checkers that are not named are off."""
    theirs = {25 - place if isinstance(place, int) else place: n for place, n in opponent.items()}
    return Position.from_counts(with_off(own), with_off(theirs))


def with_off(side: Mapping[Place, int]) -> dict[Place, int]:
    """Return the side with the checkers that are not named put off."""
    missing = CHECKERS - sum(side.values())
    return {**side, "off": missing} if missing else dict(side)


def texts(start: Position, roll: tuple[int, int]) -> set[str]:
    """Return the text of every legal play."""
    return {str(play) for play in start.legal_plays(roll)}


def first_moves(start: Position, *dice: int) -> set[tuple[int, int]]:
    """Return (source, die) of each checker move that the dice still to play allow."""
    left = np.array(dice + (0,) * (4 - len(dice)), np.int8)
    mask = np.zeros(CODES, np.int8)
    legal_checker_moves(start.board.copy(), left, mask)
    return {(int(code) // 6 + 1, int(code) % 6 + 1) for code in np.flatnonzero(mask)}
