"""A whole random game in one compiled call, through the kernels that environments use."""

import numpy as np

from gammon_env.rules.board import Board
from gammon_env.rules.dice import random_word
from gammon_env.rules.jit import kernel
from gammon_env.rules.moves import CODES, legal_checker_moves
from gammon_env.rules.turn import (
    BY_DICE,
    OVER,
    PHASE,
    Dice,
    Numbers,
    Stream,
    advance,
    move_checker,
)
from gammon_env.rules.variant import Rules


@kernel
def play_out(
    rules: Rules,
    board: Board,
    left: Dice,
    numbers: Numbers,
    stream: Stream,
    choices: np.uint64,
) -> int:
    """Play checker moves drawn evenly from the legal ones to the end; return how many."""
    mask = np.empty(CODES, np.int8)
    moves = 0
    advance(board, left, numbers, stream, BY_DICE, rules)
    while numbers[PHASE] != OVER:
        legal = legal_checker_moves(rules, board, left, mask)
        pick = np.int64(random_word(choices, np.uint64(moves)) % np.uint64(legal))
        code = 0
        while mask[code] == 0 or pick > 0:
            pick -= mask[code]
            code += 1
        if not move_checker(board, left, numbers, code, rules):
            advance(board, left, numbers, stream, BY_DICE, rules)
        moves += 1
    return moves
