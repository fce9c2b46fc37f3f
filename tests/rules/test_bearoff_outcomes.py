"""Bear-offs as leaves: chances of both sides, what is exact, and how far off the rest is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env.errors import GammonError
from gammon_env.rules import bearoff
from gammon_env.rules.bearoff_one_sided import one_sided_table
from gammon_env.rules.board import HOME, OFF
from gammon_env.rules.variant import BACKGAMMON
from tests.rules import bearoff_reference as slow
from tests.rules.bearoff_reference import race

ROUNDING = 1e-6
WIN, WIN_GAMMON, _, LOSE_GAMMON, _ = range(5)
NARDY_LIKE = replace(
    BACKGAMMON, kinds=("oin", "mars"), points=(1, 2), heads=("win", "win_mars", "lose_mars")
)


def outcome(own, other, checkers=15, **options):
    return bearoff.outcomes(race(own, other, checkers)[np.newaxis], **options)[0]


def all_pairs(checkers):
    """Return every pair of sides with a checker left in a game of few checkers, and the boards."""
    sides = slow.sides(checkers)[1:]
    pairs = [(own, other) for own in sides for other in sides]
    rows = {side: slow.row(side, checkers) for side in sides}
    return pairs, np.array([[rows[own], rows[other]] for own, other in pairs])


def home_rows():
    """Draw rows of a board, every checker on a home point or off."""
    places = st.lists(st.sampled_from([*range(HOME), OFF]), min_size=15, max_size=15)
    return places.map(lambda row: np.bincount(row, minlength=26).astype(np.int8))


@pytest.mark.small
def test_chances_are_those_of_two_distributions():
    checkers = 2
    table = one_sided_table(checkers)
    pairs, boards = all_pairs(checkers)
    found = np.empty((len(boards), 5), np.float32)
    none = np.empty((0, 0), np.float32)
    bearoff.write_all_outcomes(boards, 3, table["rolls"], table["first"], none, found)
    for chances, (own, other) in zip(found, pairs, strict=True):
        expected = np.zeros(5)
        own_rolls, other_rolls = slow.rolls_needed(own), slow.rolls_needed(other)
        expected[WIN] = slow.chance_in_time(own_rolls, other_rolls)
        if sum(other) == checkers:
            needed = slow.first_needed(other)
            expected[WIN_GAMMON] = slow.chance_in_time(own_rolls, needed)
        if sum(own) == checkers:
            needed = slow.first_needed(own)
            expected[LOSE_GAMMON] = 1 - slow.chance_in_time(needed, other_rolls)
        assert chances == pytest.approx(expected, abs=ROUNDING)


def test_gammons_counted_by_hand():
    """From 6, 17 rolls take a checker off: eleven with a 6, four of 5-1, 4-2; 2-2 and 3-3."""
    assert outcome({6: 15}, {1: 1})[LOSE_GAMMON] == pytest.approx(19 / 36)
    assert outcome({1: 1}, {6: 15})[WIN_GAMMON] == pytest.approx(1)
    assert outcome({6: 2}, {1: 15})[[WIN, WIN_GAMMON]] == pytest.approx([1, 4 / 36])


def test_a_side_that_has_borne_off_loses_no_gammon():
    assert outcome({6: 14}, {1: 1}).tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ({}, {1: 1}, [1, 0, 0, 0, 0]),
        ({}, {6: 15}, [1, 1, 0, 0, 0]),
        ({1: 1}, {}, [0, 0, 0, 0, 0]),
        ({6: 15}, {}, [0, 0, 0, 1, 0]),
    ],
)
def test_a_finished_game_is_judged_as_it_ended(own, other, expected):
    assert outcome(own, other).tolist() == expected


@given(home_rows(), home_rows())
def test_a_gammon_is_a_win_or_a_loss(own, other):
    (found,) = bearoff.outcomes(np.array([[own, other]]))
    assert 0 <= found[WIN_GAMMON] <= found[WIN] <= 1
    assert 0 <= found[LOSE_GAMMON] <= 1 - found[WIN]
    assert found[2] == found[4] == 0


@given(home_rows(), home_rows())
def test_it_never_hurts_to_be_on_roll(own, other):
    boards = np.array([[own, other], [other, own]])
    assert bearoff.outcomes(boards)[:, WIN].sum() >= 1 - ROUNDING


def test_how_far_the_approximation_is_from_perfect_play():
    """The figures that the module states."""
    rows = np.array([slow.row(side) for side in slow.sides(6)[1:]])
    every = np.arange(len(rows))
    boards = np.stack([rows[np.repeat(every, len(rows))], rows[np.tile(every, len(rows))]], axis=1)
    exact = bearoff.outcomes(boards)[:, WIN]
    error = np.abs(bearoff.outcomes(boards, two_sided=False)[:, WIN] - exact)
    assert 0.0005 < error.mean() < 0.001
    assert 0.01 < error.max() < 0.014


def test_how_far_gammons_are_from_perfect_play_in_a_game_of_three_checkers():
    """The figures that the module states."""
    pairs, boards = all_pairs(3)
    found = bearoff.outcomes(boards)[:, [WIN, WIN_GAMMON, LOSE_GAMMON]]
    exact = np.array([slow.perfect(own, other, 3) for own, other in pairs])
    assert 0.001 < np.abs(found - exact).max() < 0.003


def test_a_game_with_fewer_kinds_of_win_has_fewer_heads():
    found = outcome({6: 15}, {1: 1}, variant=NARDY_LIKE)
    assert found == pytest.approx([0, 0, 19 / 36])


def test_covers_both_sides_at_home_and_nothing_else():
    boards = np.repeat(race({6: 15}, {1: 1})[np.newaxis], 4, axis=0)
    boards[1, 0, [5, 6]] = 14, 1
    boards[2, 1, [0, 24]] = 0, 1
    boards[3, 0, 0] = 1
    assert bearoff.covers(boards).tolist() == [True, False, False, False]
    assert [bool(bearoff.is_bearoff(board)) for board in boards[:3]] == [True, False, False]
    with pytest.raises(GammonError, match="board 1 is no bear-off"):
        bearoff.outcomes(boards)


def test_the_boards_may_be_read_only():
    board = race({6: 2}, {1: 15})
    board.flags.writeable = False
    assert bearoff.outcomes(board[np.newaxis])[0, WIN_GAMMON] == pytest.approx(4 / 36)
    assert bearoff.one_sided(board[0]).rolls[1] == pytest.approx(4 / 36)


def test_a_damaged_table_is_built_anew(table_folder, capsys):
    bearoff._load_two_sided.cache_clear()
    before = bearoff.load_tables().win.copy()
    capsys.readouterr()
    file = table_folder / "bearoff-two-sided.arrays"
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    bearoff._load_two_sided.cache_clear()
    assert np.array_equal(bearoff.load_tables().win, before)
    assert capsys.readouterr().err.count("built bearoff-two-sided.arrays") == 1
    assert file.read_bytes() != damaged
