"""Hypothesis strategies: legal boards of every kind, and rolls."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, HOME, OFF, check_board
from gammon_env.rules.variant import BACKGAMMON

CHECKERS = 15
POINTS = range(24)

dice = st.sampled_from([(a, b) for a in range(1, 7) for b in range(1, 7)])
"""A roll as thrown, doubles one time in six."""

unequal_dice = dice.filter(lambda roll: roll[0] != roll[1])


@st.composite
def boards(draw: DrawFn, on_the_bar: bool = False) -> npt.NDArray[np.int8]:
    """Draw a board that the rules allow: primes, blots, bars, bear-offs, and mixtures of them.

    Args:
        draw: given by hypothesis.
        on_the_bar: whether the player on roll has a checker on the bar, and the opponent
            stands mostly where that enters.
    """
    board = np.zeros((2, 26), np.int64)
    board[0] = draw(_rows(POINTS, bar=int(on_the_bar)))
    free = [point for point in POINTS if board[0, 23 - point] == 0]
    board[1] = draw(_rows(free[:8] if on_the_bar and len(free) > 8 else free))
    return _repaired(board).astype(np.int8)


@st.composite
def sparse_boards(draw: DrawFn) -> npt.NDArray[np.int8]:
    """Draw a board where the player on roll has one to five checkers left and many points are shut.

    There the first checker move often decides how many more can be made.
    """
    made = draw(st.sets(st.sampled_from(range(24)), min_size=3, max_size=7))
    free = [index for index in range(24) if 23 - index not in made]
    left = draw(st.lists(st.sampled_from(free), min_size=1, max_size=5))
    board = np.zeros((2, 26), np.int8)
    board[0] = np.bincount(left, minlength=26)
    board[0, OFF] = CHECKERS - len(left)
    board[1, sorted(made)] = 2
    board[1, OFF] = CHECKERS - 2 * len(made)
    return board


def _rows(free: Sequence[int], bar: int = 0) -> st.SearchStrategy[npt.NDArray[np.int64]]:
    """Draw where fifteen checkers stand: anywhere, on a few points, or at home and off."""
    anywhere = [*free, BAR]
    home = [point for point in free if point < HOME] + [OFF]
    few = st.lists(st.sampled_from(anywhere), min_size=1, max_size=7, unique=True)
    places = st.one_of(st.just(anywhere), few, few.map(lambda some: [*some, OFF]), st.just(home))
    free_checkers = CHECKERS - bar
    return places.flatmap(
        lambda some: st.lists(st.sampled_from(some), min_size=free_checkers, max_size=free_checkers)
    ).map(lambda checkers: np.bincount([*checkers, *[BAR] * bar], minlength=26))


def _repaired(board: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the board, or where it is impossible one with the opponent's checkers moved off."""
    try:
        check_board(board, BACKGAMMON)
    except GammonError:
        board[1, :] = 0
        board[1, BAR], board[1, OFF] = 1, CHECKERS - 1
    return board
