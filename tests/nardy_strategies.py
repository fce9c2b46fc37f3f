"""Hypothesis strategies: boards of long nardy, many of them where the block rule bites."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gammon_env.rules.board import HOME, OFF

CHECKERS = 15
POINTS = range(24)
HALF = 12


def boards() -> st.SearchStrategy[npt.NDArray[np.int8]]:
    """Draw a board of a game that goes on; see `_boards`."""
    return _boards().filter(lambda board: board[:, OFF].max() < CHECKERS)


@st.composite
def _boards(draw: DrawFn) -> npt.NDArray[np.int8]:
    """Draw a board where sides stand anywhere, on a few points, on the head, or at home and off."""
    own = draw(_rows(POINTS))
    free = [index for index in POINTS if own[(index + HALF) % 24] == 0]
    return np.array([own, draw(_rows(free))], np.int8)


@st.composite
def near_blocks(draw: DrawFn) -> npt.NDArray[np.int8]:
    """Draw a board where the player on roll nearly has six in a row ahead of all opponents.

    Opponents have none off. Own checkers stand on most of seven or eight points of their route,
    the rest of them anywhere: moves complete the row, lengthen it, or open it elsewhere.
    """
    length = draw(st.integers(7, 8))
    foremost = draw(st.integers(length, 23))
    lowest = draw(st.integers(0, foremost - length))
    row = [(index + HALF) % 24 for index in range(lowest, lowest + length)]
    held = draw(st.lists(st.sampled_from(row), min_size=4, max_size=length - 1, unique=True))
    behind = list(range(foremost, 24))
    others = draw(st.lists(st.sampled_from(behind), min_size=CHECKERS, max_size=CHECKERS))
    closed = {(index + HALF) % 24 for index in others}
    free = [index for index in POINTS if index not in closed and index not in row]
    anywhere = st.sampled_from([*held, *free])
    rest = draw(st.lists(anywhere, min_size=CHECKERS - len(held), max_size=CHECKERS - len(held)))
    return np.array([_row([*held, *rest]), _row(others)], np.int8)


def _rows(free: Sequence[int]) -> st.SearchStrategy[npt.NDArray[np.int64]]:
    """Draw where fifteen checkers stand."""
    few = st.lists(st.sampled_from(free), min_size=1, max_size=7, unique=True)
    home = [index for index in free if index < HOME] + [OFF]
    on_head = st.just([free[-1]] * 30 + list(free))
    places = st.one_of(st.just(list(free)), few, on_head, st.just(home))
    return places.flatmap(
        lambda some: st.lists(st.sampled_from(some), min_size=CHECKERS, max_size=CHECKERS)
    ).map(_row)


def _row(checkers: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.bincount(checkers, minlength=26)
