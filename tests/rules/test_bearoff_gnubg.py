"""GNU Backgammon's bear-off databases, where gnubg-nn is installed.

Two of its figures are compared. `bearoff_probabilities` are the rows of its one-sided database, and
`probabilities(board, 0)` are the chances of a position: from its two-sided database where each side
has at most six checkers (class 1), from the one-sided rows otherwise (class 2). Both databases keep
65,536ths. The two-sided one is within one such step of ours. Rows of the one-sided one are computed
from rounded rows, so errors add up, and where two plays are all but equal it may choose the other.
"""

import numpy as np
import pytest

from gammon_env.rules import bearoff
from gammon_env.rules.bearoff_moves import MAX_WAYS, fill_positions, fill_steps, find_results
from gammon_env.rules.board import HOME, OFF
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from tests.rules import bearoff_reference as slow

gnubg_nn = pytest.importorskip("gnubg_nn")

POSITIONS = 54264
FEW = 924
CLOSE = 1e-4
ONE = 65535
TWO_SIDED, ONE_SIDED = 1, 2
WIN, WIN_GAMMON, LOSE_GAMMON = 0, 1, 3


@pytest.fixture(scope="module")
def counts():
    counts = np.zeros((POSITIONS, HOME), np.int8)
    fill_positions(counts)
    return counts


@pytest.fixture(scope="module")
def theirs(counts):
    """Return the rows of gnubg's one-sided database in 65,535ths, in our order and width."""
    rows = np.zeros((POSITIONS, 31), np.int64)
    rows[0, 0] = ONE
    for row, side in zip(rows[1:], counts[1:].tolist(), strict=True):
        chances = gnubg_nn.bearoff_probabilities(tuple(side))
        row[1 : len(chances) + 1] = np.rint(np.array(chances) * ONE)
    return rows


def mean(rows):
    return rows @ np.arange(rows.shape[-1], dtype=np.float64)


def differing(theirs):
    """Return the positions in which some chance differs by more than 1e-4."""
    rolls, _, _ = bearoff.load_tables(two_sided=False)
    return np.flatnonzero(np.abs(theirs / ONE - rolls).max(axis=1) > CLOSE)


def boards_of(own, other):
    """Return our boards and gnubg's for two arrays of sides."""
    boards = np.zeros((len(own), 2, 26), np.int8)
    boards[:, 0, :HOME], boards[:, 1, :HOME] = own, other
    boards[:, :, OFF] = 15 - boards.sum(axis=2)
    return boards, boards[:, ::-1, :OFF].tolist()


def chances_of(boards):
    return np.array([gnubg_nn.probabilities(board, 0) for board in boards])


def test_the_two_sided_chances_agree(counts):
    rng = np.random.default_rng(1)
    own, other = counts[rng.integers(1, FEW, (2, 20_000))]
    ours, boards = boards_of(own, other)
    assert {gnubg_nn.classify(board) for board in boards} == {TWO_SIDED}
    assert np.abs(chances_of(boards) - bearoff.outcomes(ours)).max() < CLOSE


def test_the_one_sided_rows_agree_but_for_its_rounding(theirs):
    rolls, _, _ = bearoff.load_tables(two_sided=False)
    assert len(differing(theirs)) < 0.005 * POSITIONS
    assert np.abs(mean(theirs / ONE) - mean(rolls)).max() < 2 * CLOSE


def test_where_rows_differ_its_own_follow_from_its_rounded_ones(counts, theirs):
    """One roll on from its rows for the results, by its means, is its row for the position.

    Roundings of rows are known to a unit; where its means tie, no more can be said.
    """
    steps = np.empty((POSITIONS, HOME, HOME), np.int32)
    fill_steps(counts, steps)
    means = theirs @ np.arange(theirs.shape[1])
    followed = 0
    for position in differing(theirs):
        row, is_sure = a_roll_on(steps, theirs, means, position)
        assert not is_sure or np.abs(row - theirs[position]).max() < CLOSE * ONE
        followed += is_sure
    assert followed > 0.9 * len(differing(theirs))


def a_roll_on(steps, rows, means, position):
    """Return the row that follows, and whether plays with the same mean have the same row."""
    ways = np.empty((2, MAX_WAYS), np.int32)
    total, is_sure = np.zeros(rows.shape[1]), True
    for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        results = ways[0, : find_results(steps, position, *roll, ways)]
        best = rows[results[means[results] == means[results].min()]]
        is_sure &= bool((best == best[0]).all())
        total[1:] += weight / 36 * best[0, :-1]
    return total, is_sure


def test_the_chances_of_races_agree(counts):
    rng = np.random.default_rng(2)
    own, other = counts[rng.integers(FEW, POSITIONS, (2, 5_000))]
    ours, boards = boards_of(own, other)
    assert {gnubg_nn.classify(board) for board in boards} == {ONE_SIDED}
    error = np.abs(chances_of(boards) - bearoff.outcomes(ours))[:, WIN]
    assert np.quantile(error, 0.999) < CLOSE
    assert error.max() < 3 * CLOSE


@pytest.fixture(scope="module")
def full(counts):
    """Return every position of 15 checkers: those that can lose a gammon."""
    return counts[counts.sum(axis=1) == 15]


def on_3_and_1(full):
    """Say which have four or more checkers on 3 and all others on 1.

    There 2-2 is played 3/1 four times and takes none off, which gnubg's gammon table overlooks.
    """
    return (full[:, [1, 3, 4, 5]] == 0).all(axis=1) & (full[:, 2] >= 4)


def differing_gammons(own, other, head):
    ours, boards = boards_of(own, other)
    return np.abs(chances_of(boards) - bearoff.outcomes(ours))[:, head] > CLOSE


def test_2_2_takes_none_off_in_the_positions_where_gnubg_overlooks_it(full):
    for side in full[on_3_and_1(full)].tolist():
        assert [sum(after) for after in slow.results(tuple(side), (2, 2))] == [15]


def test_the_chances_to_lose_a_gammon_agree_but_where_gnubg_overlooks_a_roll(full):
    one_roll_away = np.repeat([[1, 0, 0, 0, 0, 0]], len(full), axis=0)
    found = differing_gammons(full, one_roll_away, LOSE_GAMMON)
    assert np.array_equal(found, on_3_and_1(full))


def test_the_chances_to_win_a_gammon_agree_but_where_gnubg_overlooks_a_roll(full):
    """It also gives none against fifteen on 1, though a double takes all four off at once."""
    two_rolls_away = np.repeat([[4, 0, 0, 0, 0, 0]], len(full), axis=0)
    found = differing_gammons(two_rolls_away, full, WIN_GAMMON)
    assert np.array_equal(found, on_3_and_1(full) | (full[:, 0] == 15))
