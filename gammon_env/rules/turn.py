"""A game in progress on plain arrays: dice thrown, checkers moved one by one, turns handed over.

A game is four arrays, so that many games are the same arrays with one more axis:

- `board` int8[2, 26], also in mid-turn the view of the player on roll;
- `left` int8[5], the dice still to play, larger first, zeros behind; then the head moves left;
- `numbers` int64[6], indexed by SEAT, PHASE, TURN, DIE1, DIE2 and POINTS;
- `stream` uint64[3], indexed by KEY, COUNTER and FIRST: where the next dice come from, and the
  counter at which this game began.

Which checker moves or plays are legal is no part of a game: it follows from the board and the dice,
and is found only where somebody asks.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.dice import opening_roll, roll
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.moves import LEFT, can_move, make_move, put_dice
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import KINDS, Rules

Dice = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]
Stream = npt.NDArray[np.uint64]

SEAT, PHASE, TURN, DIE1, DIE2, POINTS = range(6)
KEY, COUNTER, FIRST = range(3)
OPENING, TO_ROLL, TO_PLAY, OVER = range(4)

BY_DICE = -1
"""As `starter`: the higher die of the opening roll starts."""


@lean_kernel
def set_up(board: Board, left: Dice, numbers: Numbers, stream: Stream, start: Board) -> None:
    """Set up the next game of the stream, before its opening roll."""
    for i in range(WIDTH):
        board[0, i] = start[0, i]
        board[1, i] = start[1, i]
    _clear_dice(left, numbers)
    numbers[SEAT] = 0
    numbers[PHASE] = OPENING
    numbers[TURN] = 1
    numbers[POINTS] = 0
    stream[FIRST] = stream[COUNTER]


@lean_kernel
def throw(
    board: Board, left: Dice, numbers: Numbers, stream: Stream, starter: int, rules: Rules
) -> None:
    """Throw the next dice of the stream; an opening roll also says which seat is on roll."""
    if numbers[PHASE] == OPENING:
        die1, die2 = opening_roll(stream[KEY], stream[COUNTER])
        numbers[SEAT] = starter if starter != BY_DICE else np.int64(die2 > die1)
    else:
        die1, die2 = roll(stream[KEY], stream[COUNTER])
    stream[COUNTER] += np.uint64(1)
    set_dice(board, left, numbers, die1, die2, rules)


@lean_kernel
def set_dice(
    board: Board, left: Dice, numbers: Numbers, die1: int, die2: int, rules: Rules
) -> None:
    """Put two dice on the table, all of them still to play."""
    numbers[DIE1] = max(die1, die2)
    numbers[DIE2] = min(die1, die2)
    numbers[PHASE] = TO_PLAY
    put_dice(rules, board, die1, die2, left)


@lean_kernel
def _clear_dice(left: Dice, numbers: Numbers) -> None:
    """Take all dice off the table."""
    numbers[DIE1] = 0
    numbers[DIE2] = 0
    for i in range(LEFT):
        left[i] = 0


@lean_kernel
def goes_on(board: Board, left: Dice, numbers: Numbers, rules: Rules) -> bool:
    """Say whether a die can be played; if none can, the turn is handed over."""
    if can_move(rules, board, left):
        return True
    hand_over(board, left, numbers, rules)
    return False


@lean_kernel
def move_checker(board: Board, left: Dice, numbers: Numbers, code: int, rules: Rules) -> bool:
    """Make one legal checker move; return whether the same turn goes on.

    It goes on while a die can be played; a side that has borne off its last checker has no move.
    """
    make_move(rules, board, left, code // 6 + 1, code % 6 + 1)
    return goes_on(board, left, numbers, rules)


@lean_kernel
def finish_turn(
    board: Board, left: Dice, numbers: Numbers, afterstate: Board, rules: Rules
) -> None:
    """Play the rest of the turn at once; `afterstate` is as the next player sees it."""
    for i in range(WIDTH):
        board[0, i] = afterstate[1, i]
        board[1, i] = afterstate[0, i]
    hand_over(board, left, numbers, rules)


@lean_kernel
def hand_over(board: Board, left: Dice, numbers: Numbers, rules: Rules) -> None:
    """End the turn: settle a finished game, and let the other seat see the board as its own."""
    points = signed_points(board, rules[KINDS])
    if points == 0:
        numbers[PHASE] = TO_ROLL
        numbers[TURN] += 1
    else:
        numbers[PHASE] = OVER
        numbers[POINTS] = points if numbers[SEAT] == 0 else -points
    numbers[SEAT] = 1 - numbers[SEAT]
    _clear_dice(left, numbers)
    swap_rows(board)


@lean_kernel
def swap_rows(board: Board) -> None:
    """Let the other side see the board as its own."""
    for i in range(WIDTH):
        board[0, i], board[1, i] = board[1, i], board[0, i]


@lean_kernel
def forfeit(left: Dice, numbers: Numbers, points: int) -> None:
    """End the game where it stands: the seat on roll loses so many points."""
    numbers[PHASE] = OVER
    numbers[POINTS] = points if numbers[SEAT] == 1 else -points
    _clear_dice(left, numbers)


@lean_kernel
def advance(
    board: Board, left: Dice, numbers: Numbers, stream: Stream, starter: int, rules: Rules
) -> int:
    """Throw dice until somebody has a choice; return how many forced passes that took."""
    passes = 0
    while numbers[PHASE] == OPENING or numbers[PHASE] == TO_ROLL:
        throw(board, left, numbers, stream, starter, rules)
        if not goes_on(board, left, numbers, rules):
            passes += 1
    return passes
