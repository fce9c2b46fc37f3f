"""The bear-off tables: the rules' odds, slow recursion, and what must hold of any bear-off."""

from collections import Counter

import numpy as np
import pytest

from gammon_env.batch import legal_afterstates
from gammon_env.errors import GammonError
from gammon_env.rules import bearoff
from gammon_env.rules.bearoff_moves import (
    MAX_WAYS,
    fill_positions,
    fill_steps,
    find_results,
    position_count,
    position_number,
)
from gammon_env.rules.bearoff_one_sided import one_sided_table
from gammon_env.rules.bearoff_two_sided import two_sided_table
from gammon_env.rules.board import HOME, OFF
from gammon_env.rules.dice import ROLLS
from tests.rules import bearoff_reference as slow
from tests.rules.bearoff_reference import race

ROUNDING = 1e-6

ODDS = [
    ({1: 1}, 36),
    ({2: 1}, 36),
    ({3: 1}, 36),
    ({4: 1}, 34),
    ({5: 1}, 31),
    ({6: 1}, 27),
    ({2: 1, 1: 1}, 36),
    ({3: 1, 1: 1}, 34),
    ({2: 2}, 26),
    ({4: 1, 1: 1}, 29),
    ({3: 1, 2: 1}, 25),
    ({3: 2}, 17),
    ({5: 1, 1: 1}, 23),
    ({6: 1, 1: 1}, 15),
    ({4: 2}, 11),
    ({6: 1, 5: 1}, 6),
    ({6: 2}, 4),
]
"""The rules' odds of bearing off in one roll, of 36."""


def graph(checkers):
    """Return the counts and the steps of all positions with up to so many checkers."""
    counts = np.zeros((position_count(checkers), HOME), np.int8)
    fill_positions(counts)
    steps = np.empty((len(counts), HOME, HOME), np.int32)
    fill_steps(counts, steps)
    return counts, steps


def results(counts, steps, position, roll):
    """Return the sides that a roll can lead to, each as often as it is found."""
    ways = np.empty((2, MAX_WAYS), np.int32)
    count = find_results(steps, position, *roll, ways)
    return Counter(tuple(counts[after].tolist()) for after in ways[0, :count])


def without_one(counts, point):
    """Return the positions with a checker on a point, and those without that checker."""
    held = np.flatnonzero(counts[:, point - 1])
    fewer = counts[held].copy()
    fewer[:, point - 1] -= 1
    return held, np.array([position_number(row) for row in fewer])


class TestPositions:
    @pytest.mark.small
    def test_there_are_54264_with_up_to_15_checkers(self):
        assert [position_count(checkers) for checkers in (0, 1, 6, 15)] == [1, 7, 924, 54264]

    @pytest.mark.small
    def test_each_has_a_number_of_its_own_those_of_fewer_checkers_first(self):
        counts, _ = graph(4)
        assert sorted(map(tuple, counts.tolist())) == slow.sides(4)
        assert [position_number(row) for row in counts] == list(range(len(counts)))
        assert (np.diff(counts.sum(axis=1)) >= 0).all()

    @pytest.mark.small
    def test_every_move_leads_to_a_smaller_number(self):
        _, steps = graph(5)
        assert (steps < np.arange(len(steps))[:, np.newaxis, np.newaxis]).all()

    @pytest.mark.small
    def test_a_roll_leads_where_the_slow_generator_says(self):
        counts, steps = graph(3)
        for position in range(1, len(counts)):
            for roll in ROLLS:
                expected = slow.results(tuple(counts[position].tolist()), roll)
                assert results(counts, steps, position, roll) == Counter(expected)

    def test_a_roll_leads_where_the_kernel_of_the_game_says(self):
        counts, steps = graph(15)
        rng = np.random.default_rng(1)
        for position in rng.choice(np.arange(1, len(counts)), 100, replace=False):
            own = tuple(counts[position].tolist())
            boards = np.repeat(np.array([[slow.row(own), slow.row((15, *(0,) * 5))]]), 21, axis=0)
            afterstates, offsets = legal_afterstates(boards, np.array(ROLLS, np.int8))
            for i, roll in enumerate(ROLLS):
                theirs = afterstates[offsets[i] : offsets[i + 1], 1, :HOME]
                expected = Counter(map(tuple, theirs.tolist()))
                assert results(counts, steps, position, roll) == expected


class TestOneSided:
    @pytest.mark.parametrize(("own", "rolls"), ODDS)
    def test_odds_of_bearing_off_in_one_roll(self, own, rolls):
        found = bearoff.one_sided(race(own, {})[0]).rolls[1]
        assert found * 36 == pytest.approx(rolls, abs=1e-5)

    @pytest.mark.small
    def test_few_checkers_as_by_slow_recursion(self):
        table = one_sided_table(3)
        for position, own in enumerate(graph(3)[0].tolist()):
            for name, needed in (("rolls", slow.rolls_needed), ("first", slow.first_needed)):
                found = table[name][position]
                expected = needed(tuple(own))[: len(found)]
                assert found == pytest.approx(expected, abs=ROUNDING)

    @pytest.mark.parametrize("own", [{6: 5}, {1: 2, 2: 1, 4: 1, 6: 1}, {3: 3, 5: 2}, {1: 3, 3: 4}])
    def test_more_checkers_as_by_slow_recursion(self, own):
        found = bearoff.one_sided(race(own, {})[0])
        rolls, first = slow.rolls_needed(slow.side(own)), slow.first_needed(slow.side(own))
        assert found.rolls == pytest.approx(rolls[: len(found.rolls)], abs=ROUNDING)
        assert found.first == pytest.approx(first[: len(found.first)], abs=ROUNDING)
        assert found.mean == pytest.approx(slow.mean(rolls), abs=1e-5)

    def test_the_table_of_fewer_checkers_begins_the_whole_one(self):
        tables = bearoff.load_tables(two_sided=False)
        for name, begin in one_sided_table(4).items():
            assert np.array_equal(getattr(tables, name)[: len(begin)], begin)

    def test_chances_sum_to_one(self):
        rolls, first, _ = bearoff.load_tables(two_sided=False)
        for table in (rolls, first):
            assert len(table) == 54264
            assert (table >= 0).all()
            assert np.abs(table.sum(axis=1, dtype=np.float64) - 1).max() < ROUNDING

    def test_the_first_checker_is_never_off_later_than_the_last(self):
        rolls, first, _ = bearoff.load_tables(two_sided=False)
        width = first.shape[1]
        by_then = np.cumsum(first, axis=1) - np.cumsum(rolls, axis=1)[:, :width]
        assert by_then.min() > -ROUNDING

    def test_no_roll_takes_more_than_four_checkers_off(self):
        counts, _ = graph(15)
        rolls, _, _ = bearoff.load_tables(two_sided=False)
        fewest = -(-counts.sum(axis=1) // 4)
        too_few = np.arange(rolls.shape[1]) < fewest[:, np.newaxis]
        assert not rolls[too_few].any()

    def test_a_checker_less_never_takes_longer(self):
        counts, _ = graph(15)
        rolls, _, _ = bearoff.load_tables(two_sided=False)
        mean = rolls @ np.arange(rolls.shape[1], dtype=np.float64)
        for point in range(1, HOME + 1):
            held, fewer = without_one(counts, point)
            assert (mean[fewer] <= mean[held] + ROUNDING).all()

    @pytest.mark.parametrize(
        "place", [HOME, pytest.param(24, id="bar"), pytest.param(12, id="point 13")]
    )
    def test_a_checker_outside_home_is_refused(self, place):
        row = race({1: 14}, {})[0]
        row[place], row[OFF] = 1, 0
        with pytest.raises(GammonError, match="points 1 to 6 or off"):
            bearoff.one_sided(row)

    @pytest.mark.parametrize("count", [-1, 16])
    def test_impossible_counts_are_refused(self, count):
        row = race({1: 1}, {})[0]
        row[3] = count
        with pytest.raises(GammonError, match="15 at most"):
            bearoff.one_sided(row)


class TestTwoSided:
    @pytest.mark.small
    def test_few_checkers_as_by_slow_recursion(self):
        checkers = 2
        win = two_sided_table(checkers)["win"]
        every = [tuple(counts) for counts in graph(checkers)[0].tolist()]
        for i, own in enumerate(every):
            for j, other in enumerate(every):
                if i or j:
                    assert win[i, j] == pytest.approx(slow.perfect(own, other, 15)[0], abs=ROUNDING)

    @pytest.mark.parametrize(
        ("own", "other"),
        [({6: 3}, {5: 2, 1: 1}), ({4: 2, 2: 2}, {3: 4}), ({5: 1, 4: 1, 1: 2}, {6: 2, 2: 1})],
    )
    def test_more_checkers_as_by_slow_recursion(self, own, other):
        expected = slow.perfect(slow.side(own), slow.side(other), 15)[0]
        assert bearoff.outcomes(slow.race(own, other)[np.newaxis])[0, 0] == pytest.approx(
            expected, abs=ROUNDING
        )

    def test_the_table_of_fewer_checkers_is_the_corner_of_the_whole_one(self):
        corner = two_sided_table(3)["win"]
        win = bearoff.load_tables().win
        assert win.size == 924**2
        assert np.array_equal(win[: len(corner), : len(corner)], corner)

    def test_a_checker_less_never_hurts(self):
        counts, _ = graph(6)
        win = bearoff.load_tables().win[:, 1:]
        for point in range(1, HOME + 1):
            held, fewer = without_one(counts, point)
            assert (win[fewer] >= win[held]).all()

    def test_it_never_hurts_to_be_on_roll(self):
        win = bearoff.load_tables().win[1:, 1:]
        assert (win + win.T >= 1).all()
