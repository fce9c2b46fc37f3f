import math

import numpy as np
import pytest

from agents.statistics import Estimate, pair_means, student_quantile
from gammon_env.errors import GammonError


# Two-sided 95% points of Student's t, from any printed table.
@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_quantiles_of_students_t(freedom: int, value: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(value, abs=0.004)
    assert student_quantile(0.025, freedom) == pytest.approx(-value, abs=0.004)


def test_many_samples_give_the_normal_quantile() -> None:
    assert student_quantile(0.975, 100_000) == pytest.approx(1.96, abs=1e-4)


def test_an_estimate_of_known_samples() -> None:
    estimate = Estimate.of([1.0, 2.0, 3.0])
    assert estimate.mean == 2
    assert estimate.standard_error == pytest.approx(1 / math.sqrt(3))
    assert estimate.high == pytest.approx(2 + 4.303 / math.sqrt(3), abs=1e-3)
    assert estimate.high - estimate.mean == pytest.approx(estimate.mean - estimate.low)
    assert estimate.as_dict()["samples"] == 3


@pytest.mark.parametrize("count", [5, 40])
def test_intervals_cover_the_truth_as_often_as_they_say(count: int) -> None:
    samples = np.random.default_rng(3).normal(0.3, 2.0, (4000, count))
    covered = [(e := Estimate.of(row)).low <= 0.3 <= e.high for row in samples]
    # Four standard errors of a rate of 0.95 over 4,000 tries.
    assert np.mean(covered) == pytest.approx(0.95, abs=0.014)


def test_one_sample_has_no_interval() -> None:
    with pytest.raises(GammonError, match="at least 2 independent samples, not 1"):
        Estimate.of([1.0])


def test_pairs_are_neighbours() -> None:
    assert pair_means([1, -1, 2, 1]).tolist() == [0, 1.5]


def test_games_that_only_repeat_each_other_count_once() -> None:
    points = np.random.default_rng(1).normal(size=500)
    assert Estimate.of(pair_means(np.repeat(points, 2))) == Estimate.of(points)
