"""Who has won, what kind of win it is, and what it is worth."""

from gammon_env.rules.board import BAR, HOME, OFF, Board
from gammon_env.rules.jit import lean_kernel


@lean_kernel
def signed_points(board: Board, kinds: int) -> int:
    """Return the points of a finished game, 0 for one still going on.

    Args:
        board: int8[2, 26] in the convention.
        kinds: how many kinds of win the variant has; 3 tells backgammons from gammons.

    Returns:
        Positive if row 0 has won that many points, negative if row 1 has.
    """
    if not is_bare(board[0]):
        return -win_points(board[0], kinds) if is_bare(board[1]) else 0
    return win_points(board[1], kinds)


@lean_kernel
def is_bare(row: Board) -> bool:
    """Say whether a side has no checker left on the board or the bar."""
    for index in range(BAR + 1):
        if row[index] > 0:
            return False
    return True


@lean_kernel
def win_points(loser: Board, kinds: int) -> int:
    """Return what a win over this row is worth: 1, or 2 with none off, or 3 if also far back.

    Far back is on the bar or in the winner's home board, the loser's points 19 to 24.
    """
    if loser[OFF] > 0:
        return 1
    if kinds > 2:
        for index in range(BAR - HOME, BAR + 1):
            if loser[index] > 0:
                return 3
    return 2
