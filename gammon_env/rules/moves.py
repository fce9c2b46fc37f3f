"""How checkers move in every game: the same questions, asked of the kernel of the game's family.

What a turn may still do is `left`, int8[5]: the dice still to play, larger first, zeros behind;
then how many checkers may still leave the head, which is 0 where a game has no such rule.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules import backgammon, nardy, nardy_mask, nardy_steps
from gammon_env.rules.board import Board
from gammon_env.rules.board import has_contact as has_backgammon_contact
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.play_list import MAX_PLAYS, WORKSPACE, Plays
from gammon_env.rules.tracks import CODES, HEADS, LEFT, MAX_MOVES, dice_count
from gammon_env.rules.variant import FAMILY, Rules

__all__ = [
    "CODES",
    "HEADS",
    "LEFT",
    "MAX_MOVES",
    "MAX_PLAYS",
    "WORKSPACE",
    "Left",
    "apply_checker_move",
    "can_move",
    "dice_count",
    "has_contact",
    "legal_checker_moves",
    "legal_plays",
    "make_move",
    "put_dice",
]

Left = npt.NDArray[np.int8]


@lean_kernel
def put_dice(rules: Rules, board: Board, die1: int, die2: int, left: Left) -> None:
    """Begin a turn: all of two dice is still to play."""
    left[0] = max(die1, die2)
    left[1] = min(die1, die2)
    left[2] = die1 if die1 == die2 else 0
    left[3] = left[2]
    left[HEADS] = _head_moves(rules[FAMILY], board, die1, die2)


@lean_kernel
def legal_plays(
    rules: Rules,
    board: Board,
    left: Left,
    plays: Plays,
    afterstates: npt.NDArray[np.int8],
    paths: npt.NDArray[np.uint32],
) -> int:
    """Write every distinct legal afterstate of the dice left, sorted by its bytes.

    Args:
        rules: of the game.
        board: int8[2, 26], the player on roll in row 0.
        left: what is still to play.
        plays: uint64[WORKSPACE, 3], to work in.
        afterstates: int8[>= MAX_PLAYS, 2, 26], filled from the start.
        paths: uint32[>= MAX_PLAYS], filled alike: the checker moves that lead there, a byte each,
            first move in the most significant byte: source * 8 + die, zero for no move.

    Returns:
        How many there are; 0 is a forced pass, or nothing left to play.
    """
    moves = dice_count(left)
    if moves == 0:
        return 0
    return _legal_plays(rules[FAMILY], board, left, moves, plays, afterstates, paths)


@lean_kernel
def legal_checker_moves(rules: Rules, board: Board, left: Left, mask: npt.NDArray[np.int8]) -> int:
    """Mark the checker moves that begin a legal play of the dice left; return how many there are.

    Args:
        rules: of the game.
        board: int8[2, 26], in mid-turn, the mover in row 0; after the call as it was.
        left: what is still to play.
        mask: int8[CODES], set to 1 where legal, else 0.
    """
    return _legal_checker_moves(rules[FAMILY], board, left, mask)


@lean_kernel
def can_move(rules: Rules, board: Board, left: Left) -> bool:
    """Say whether any checker can move by any of the dice left."""
    return _can_move(rules[FAMILY], board, left)


@lean_kernel
def apply_checker_move(rules: Rules, board: Board, source: int, die: int) -> bool:
    """Move one checker in place and return whether that hit; the rows do not swap."""
    return _apply_checker_move(rules[FAMILY], board, source, die)


@lean_kernel
def make_move(rules: Rules, board: Board, left: Left, source: int, die: int) -> bool:
    """Move one checker by one of the dice left, which is then used up; return whether that hit."""
    index = 0
    while left[index] != die:
        index += 1
    for i in range(index, MAX_MOVES - 1):
        left[i] = left[i + 1]
    left[MAX_MOVES - 1] = 0
    if source == nardy_steps.HEAD_POINT and left[HEADS] > 0:
        left[HEADS] -= 1
    return apply_checker_move(rules, board, source, die)


@lean_kernel
def has_contact(rules: Rules, board: Board) -> bool:
    """Say whether the sides can still stand in each other's way, or hit each other."""
    return _has_contact(rules[FAMILY], board)


# Below, the branch is on an argument of its own: where that is None by its type, numba leaves the
# other family's kernel out.


@lean_kernel
def _head_moves(family: int | None, board: Board, die1: int, die2: int) -> int:
    if family is None:
        return 0
    return nardy_steps.head_moves(board, die1, die2)


@lean_kernel
def _legal_plays(
    family: int | None,
    board: Board,
    left: Left,
    moves: int,
    plays: Plays,
    afterstates: npt.NDArray[np.int8],
    paths: npt.NDArray[np.uint32],
) -> int:
    die1, die2 = int(np.int64(left[0])), int(np.int64(left[moves - 1]))
    if family is None:
        return backgammon.legal_plays(board, die1, die2, moves, plays, afterstates, paths)
    heads = int(np.int64(left[HEADS]))
    return nardy.legal_plays(board, die1, die2, moves, heads, plays, afterstates, paths)


@lean_kernel
def _legal_checker_moves(
    family: int | None, board: Board, left: Left, mask: npt.NDArray[np.int8]
) -> int:
    if family is None:
        return backgammon.legal_checker_moves(board, left, mask)
    return nardy_mask.legal_checker_moves(board, left, mask)


@lean_kernel
def _can_move(family: int | None, board: Board, left: Left) -> bool:
    if family is None:
        return backgammon.can_move(board, left)
    return nardy_steps.can_move(board, left)


@lean_kernel
def _apply_checker_move(family: int | None, board: Board, source: int, die: int) -> bool:
    if family is None:
        return backgammon.apply_checker_move(board, source, die)
    return nardy_steps.apply_checker_move(board, source, die)


@lean_kernel
def _has_contact(family: int | None, board: Board) -> bool:
    if family is None:
        return has_backgammon_contact(board)
    return nardy_steps.has_contact(board)
