import math

import numpy as np
import pytest

from agents.elo import effective_games, elo_difference, fit_elo
from agents.statistics import Estimate, pair_means


def rate(*wins: float) -> Estimate:
    return Estimate.of(wins)


def sampled(chance: float, pairs: int, seed: int = 0) -> Estimate:
    """Return the win rate of independent games, two by two."""
    games = np.random.default_rng(seed).random(2 * pairs) < chance
    return Estimate.of(pair_means(games))


# 400 points are odds of ten to one; 191 are three to one, in any table.
@pytest.mark.parametrize(("wins", "points"), [(10 / 11, 400), (0.75, 190.85), (0.5, 0)])
def test_the_scale(wins: float, points: float) -> None:
    assert elo_difference(Estimate(wins, 0.01, 500)).mean == pytest.approx(points, abs=0.01)
    assert elo_difference(Estimate(1 - wins, 0.01, 500)).mean == pytest.approx(-points, abs=0.01)


def test_far_from_the_ends_the_interval_is_that_of_the_win_rate() -> None:
    win_rate = Estimate(0.6, 0.005, 5000)
    elo = elo_difference(win_rate)
    for end, bound in ((elo.low, win_rate.low), (elo.high, win_rate.high)):
        assert end == pytest.approx(400 * math.log10(bound / (1 - bound)), abs=0.5)


def test_who_wins_all_has_no_upper_bound_but_a_lower_one() -> None:
    few, many = elo_difference(rate(*[1.0] * 10)), elo_difference(rate(*[1.0] * 1000))
    assert few.mean == few.high == math.inf
    assert 100 < few.low < many.low < math.inf
    assert few.as_dict() == {"mean": None, "low": few.low, "high": None}
    lost = elo_difference(rate(*[0.0] * 10))
    assert lost.mean == lost.low == -math.inf
    assert lost.high == pytest.approx(-few.low)


@pytest.mark.parametrize("chance", [0.5, 0.9, 0.98])
def test_intervals_cover_the_truth_as_often_as_they_say(chance: float) -> None:
    truth = 400 * math.log10(chance / (1 - chance))
    differences = [elo_difference(sampled(chance, 100, seed)) for seed in range(2000)]
    covered = np.mean([elo.low <= truth <= elo.high for elo in differences])
    # Four standard errors of a rate of 0.95 over 2,000 tries, and what few games make of it.
    assert covered == pytest.approx(0.95, abs=0.03)


def test_pairs_that_mirror_each_other_count_for_as_much_as_they_tell() -> None:
    assert effective_games(sampled(0.6, 50_000)) == pytest.approx(100_000, rel=0.02)
    twins = np.repeat(np.random.default_rng(1).random(50_000) < 0.6, 2)
    assert effective_games(Estimate.of(pair_means(twins))) == pytest.approx(50_000, rel=0.001)
    assert effective_games(rate(0.5, 0.5, 0.5)) == math.inf


def test_two_players_are_rated_as_their_match_says() -> None:
    first, second = fit_elo(["a", "b"], {(0, 1): sampled(0.7, 100_000)})
    assert first.mean - second.mean == pytest.approx(400 * math.log10(0.7 / 0.3), abs=3)
    assert first.mean == pytest.approx(-second.mean)


def test_intervals_of_ratings_cover_the_true_ones() -> None:
    truth = np.array([300.0, 40.0, -10.0, -330.0])
    chance = 1 / (1 + 10 ** ((truth - truth[:, np.newaxis]) / 400))
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    covered = []
    for seed in range(100):
        rates = {(i, j): sampled(chance[i, j], 500, 1000 * seed + 10 * i + j) for i, j in pairs}
        ratings = fit_elo("abcd", rates)
        covered += [elo.low < true < elo.high for elo, true in zip(ratings, truth, strict=True)]
        assert sum(elo.mean for elo in ratings) == pytest.approx(0, abs=1e-6)
    # Some four standard errors; the four ratings of a round robin are not independent.
    assert np.mean(covered) == pytest.approx(0.95, abs=0.05)


def test_who_wins_everything_is_rated_high_but_not_infinitely() -> None:
    everything = rate(*[1.0] * 500)
    best, other, worst = fit_elo(
        "abc", {(0, 1): everything, (0, 2): everything, (1, 2): everything}
    )
    assert 2000 > best.mean > other.mean > worst.mean > -2000
    assert best.mean > best.low > other.high
