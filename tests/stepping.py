"""Playing a roll one checker move at a time, as environments do, in every way the mask allows."""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.moves import CODES, LEFT, Left, legal_checker_moves, make_move, put_dice
from gammon_env.rules.variant import BACKGAMMON, Rules, Variant

Board = npt.NDArray[np.int8]


def legal_codes(board: Board, left: Left, rules: Rules) -> list[int]:
    """Return the codes the mask allows with what is still to play."""
    mask = np.zeros(CODES, np.int8)
    count = legal_checker_moves(rules, board, left, mask)
    codes = np.flatnonzero(mask).tolist()
    assert count == len(codes)
    return codes


def reachable(board: Board, roll: tuple[int, int], variant: Variant = BACKGAMMON) -> set[bytes]:
    """Return the boards, rows swapped, at which some sequence of allowed moves ends.

    A forced pass reaches nothing.

    Args:
        board: before the roll.
        roll: the dice.
        variant: the game.
    """
    rules, left = variant.rules, np.zeros(LEFT, np.int8)
    put_dice(rules, board, *roll, left)
    ends: set[bytes] = set()
    seen: set[tuple[bytes, bytes]] = set()
    pending = [(board, left)]
    while pending:
        current, to_play = pending.pop()
        if (current.tobytes(), to_play.tobytes()) in seen:
            continue
        seen.add((current.tobytes(), to_play.tobytes()))
        codes = legal_codes(current, to_play, rules)
        if not codes and (to_play != left).any():
            ends.add(current[::-1].tobytes())
        for code in codes:
            moved, rest = current.copy(), to_play.copy()
            make_move(rules, moved, rest, code // 6 + 1, code % 6 + 1)
            pending.append((moved, rest))
    return ends
