"""The kernels against the slow, obvious generator, on boards that hypothesis makes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon_env.position import Position
from tests import reference, strategies
from tests.rules.boards import first_moves
from tests.stepping import reachable


def results(board, roll):
    """Return the kernel's afterstates as the reference writes them."""
    plays = Position(board).legal_plays(roll)
    return [reference.from_board(play.afterstate.board) for play in plays]


def agrees(board, roll):
    found = results(board, roll)
    assert len(found) == len(set(found))
    assert set(found) == reference.afterstates(reference.from_board(board), roll)
    return True


@settings(max_examples=2000)
@given(strategies.boards(), strategies.dice)
def test_any_roll_has_the_same_results(board, roll):
    assert agrees(board, roll)


@settings(max_examples=1000)
@given(strategies.boards(on_the_bar=True), strategies.dice)
def test_entering_from_the_bar_has_the_same_results(board, roll):
    assert agrees(board, roll)


@pytest.mark.small
@settings(max_examples=50)
@given(strategies.boards(), strategies.dice)
def test_a_few_rolls_have_the_same_results(board, roll):
    assert agrees(board, roll)


@settings(max_examples=500)
@given(strategies.boards(), strategies.dice)
def test_stepping_through_the_mask_reaches_the_same_results(board, roll):
    """Every way through the mask ends at a legal afterstate, and each is reached."""
    ends = {play.afterstate.board.tobytes() for play in Position(board).legal_plays(roll)}
    assert reachable(board, roll) == ends


@settings(max_examples=200)
@given(strategies.boards(), strategies.dice)
def test_the_mask_holds_the_first_steps_of_legal_plays(board, roll):
    dice = tuple(sorted(reference.dice_of(roll), reverse=True))
    state = reference.from_board(board)
    assert first_moves(Position(board), *dice) == reference.first_steps(state, dice)


@settings(max_examples=1000)
@given(strategies.sparse_boards(), st.integers(1, 6), st.integers(1, 4))
def test_the_mask_of_one_die_keeps_as_many_moves_as_can_be_made(board, die, moves):
    state = reference.from_board(board)
    dice = (die,) * moves
    assert first_moves(Position(board), *dice) == reference.first_steps(state, dice)


@settings(max_examples=200)
@given(strategies.boards(), strategies.dice)
def test_the_checker_moves_of_a_play_are_a_legal_way_to_play_it(board, roll):
    state = reference.from_board(board)
    ways = dict(reference.plays(state, reference.dice_of(roll)))
    for play in Position(board).legal_plays(roll):
        steps = tuple((move.source, move.die) for move in play.checker_moves)
        assert reference.to_board(reference.swapped(ways[steps])).tolist() == (
            play.afterstate.board.tolist()
        )


@settings(max_examples=200)
@given(strategies.boards(), strategies.dice)
def test_hits_are_told_as_they_happen(board, roll):
    for play in Position(board).legal_plays(roll):
        state = reference.from_board(board)
        for move in play.checker_moves:
            assert move.hit == reference.is_hit(state, move.source, move.die)
            state = reference.after(state, move.source, move.die)


def hits_late_then_small_die(state, steps):
    """Return what the canonical order of two checker moves has least of."""
    flags = []
    for source, die in steps:
        flags.append(not reference.is_hit(state, source, die))
        state = reference.after(state, source, die)
    return flags, [-die for _, die in steps]


@settings(max_examples=200)
@given(strategies.boards(), strategies.unequal_dice)
def test_checker_moves_stand_in_canonical_order(board, roll):
    state = reference.from_board(board)
    legal = {steps for steps, _ in reference.plays(state, roll)}
    for play in Position(board).legal_plays(roll):
        shown = tuple((move.source, move.die) for move in play.checker_moves)
        for other in legal & {shown, shown[::-1]}:
            assert hits_late_then_small_die(state, shown) <= hits_late_then_small_die(state, other)


@settings(max_examples=200)
@given(strategies.boards(), strategies.dice)
def test_plays_are_in_canonical_order(board, roll):
    bytes_of = [play.afterstate.board.tobytes() for play in Position(board).legal_plays(roll)]
    assert bytes_of == sorted(bytes_of)


def test_the_reference_is_independent_of_the_order_of_the_dice():
    state = reference.from_board(Position.start().board)
    for a, b in np.ndindex(6, 6):
        roll = (a + 1, b + 1)
        assert reference.afterstates(state, roll) == reference.afterstates(state, roll[::-1])
