"""The kernels of long nardy against the slow, obvious generator, on boards hypothesis makes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon_env.position import Position
from gammon_env.rules.variant import NARDY
from tests import nardy_reference as reference
from tests.nardy_strategies import boards, near_blocks
from tests.rules.nardy_boards import first_moves
from tests.stepping import reachable
from tests.strategies import dice

Board = npt.NDArray[Any]

any_board = st.one_of(boards(), near_blocks())
DOUBLES = st.integers(1, 6)


def agrees(board: Board, roll: tuple[int, int]) -> bool:
    plays = Position(board, NARDY).legal_plays(roll)
    found = [reference.from_board(play.afterstate.board)[:2] for play in plays]
    assert len(found) == len(set(found))
    assert set(found) == reference.afterstates(reference.from_board(board), roll)
    return True


@settings(max_examples=600)
@given(boards(), dice)
def test_any_roll_has_the_same_results(board: Board, roll: tuple[int, int]) -> None:
    assert agrees(board, roll)


@settings(max_examples=400)
@given(near_blocks(), dice)
def test_so_it_has_where_blocks_bite(board: Board, roll: tuple[int, int]) -> None:
    assert agrees(board, roll)


@settings(max_examples=120)
@given(near_blocks(), DOUBLES)
def test_so_have_doubles_where_the_order_of_moves_matters(board: Board, die: int) -> None:
    assert agrees(board, (die, die))


@pytest.mark.small
@settings(max_examples=30)
@given(any_board, dice)
def test_a_few_rolls_have_the_same_results(board: Board, roll: tuple[int, int]) -> None:
    assert agrees(board, roll)


@settings(max_examples=300)
@given(any_board, dice)
def test_stepping_through_the_mask_reaches_the_same_results(
    board: Board, roll: tuple[int, int]
) -> None:
    plays = Position(board, NARDY).legal_plays(roll)
    assert reachable(board, roll, NARDY) == {play.afterstate.board.tobytes() for play in plays}


@settings(max_examples=300)
@given(near_blocks(), DOUBLES, st.integers(1, 4), st.integers(0, 2))
def test_the_mask_of_one_die_keeps_as_many_moves_as_can_be_made(
    board: Board, die: int, moves: int, head_moves: int
) -> None:
    state = reference.from_board(board)._replace(head_moves=head_moves)
    left = (die,) * moves
    assert first_moves(Position(board, NARDY), *left, head_moves=head_moves) == (
        reference.first_steps(state, left)
    )


@settings(max_examples=200)
@given(any_board, dice)
def test_the_checker_moves_of_a_play_are_a_legal_way_to_play_it(
    board: Board, roll: tuple[int, int]
) -> None:
    ways = dict(reference.plays(*reference.begin(reference.from_board(board), roll)))
    for play in Position(board, NARDY).legal_plays(roll):
        steps = tuple((move.source, move.die) for move in play.checker_moves)
        final = ways[steps]
        assert reference.from_board(play.afterstate.board)[:2] == (final.opponent, final.own)


def test_the_boards_are_where_blocks_bite() -> None:
    """At least a quarter of these rolls would have other results without the rule."""
    bitten, drawn = 0, 0

    @settings(max_examples=100, database=None)
    @given(near_blocks(), dice)
    def count(board: Board, roll: tuple[int, int]) -> None:
        nonlocal bitten, drawn
        free = board.copy()
        free[1, 25], free[1, np.flatnonzero(free[1])[0]] = 1, free[1, free[1] > 0][0] - 1
        with_rule, without = (_own_sides(b, roll) for b in (board, free))
        bitten, drawn = bitten + (with_rule != without), drawn + 1

    count()
    assert bitten >= drawn / 4


def _own_sides(board: Board, roll: tuple[int, int]) -> set[bytes]:
    plays = Position(board, NARDY).legal_plays(roll)
    return {play.afterstate.board[1].tobytes() for play in plays}
