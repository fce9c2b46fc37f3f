"""Playing a roll one checker move at a time, as environments do, in every way the mask allows."""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.backgammon import CODES, apply_checker_move, legal_checker_moves

Board = npt.NDArray[np.int8]


def legal_codes(board: Board, dice: tuple[int, ...]) -> list[int]:
    """Return the codes the mask allows with these dice still to play, larger first."""
    mask = np.zeros(CODES, np.int8)
    left = np.array(dice + (0,) * (4 - len(dice)), np.int8)
    count = legal_checker_moves(board, left, mask)
    codes = np.flatnonzero(mask).tolist()
    assert count == len(codes)
    return codes


def reachable(board: Board, roll: tuple[int, int]) -> set[bytes]:
    """Return the boards, rows swapped, at which some sequence of allowed moves ends.

    A forced pass reaches nothing.
    """
    dice = roll * 2 if roll[0] == roll[1] else (max(roll), min(roll))
    ends: set[bytes] = set()
    seen: set[tuple[bytes, tuple[int, ...]]] = set()
    pending = [(board, dice)]
    while pending:
        current, left = pending.pop()
        if (current.tobytes(), left) in seen:
            continue
        seen.add((current.tobytes(), left))
        codes = legal_codes(current, left)
        if not codes and left != dice:
            ends.add(current[::-1].tobytes())
        for code in codes:
            source, die = code // 6 + 1, code % 6 + 1
            moved, rest = current.copy(), list(left)
            apply_checker_move(moved, source, die)
            rest.remove(die)
            pending.append((moved, tuple(rest)))
    return ends
