"""Means with honest error bars."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError

CONFIDENCE = 0.95
"""How often an interval of `Estimate` covers the truth."""


@dataclass(frozen=True)
class Estimate:
    """A mean and how far it can be trusted.

    Attributes:
        mean: the mean of the samples.
        standard_error: the standard deviation of that mean.
        samples: how many independent samples there were.
    """

    mean: float
    standard_error: float
    samples: int

    @classmethod
    def of(cls, samples: Sequence[float] | npt.NDArray[Any]) -> "Estimate":
        """Estimate the mean that independent samples were drawn around.

        Raises:
            GammonError: for fewer than two samples, which say nothing about their spread.
        """
        count = len(samples)
        if count < 2:
            raise GammonError(f"an interval needs at least 2 independent samples, not {count}")
        error = float(np.std(samples, ddof=1)) / math.sqrt(count)
        return cls(float(np.mean(samples)), error, count)

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval."""
        return student_quantile(0.5 + CONFIDENCE / 2, self.samples - 1) * self.standard_error

    @property
    def low(self) -> float:
        """The lower end of the 95% interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """The upper end of the 95% interval."""
        return self.mean + self.margin

    def as_dict(self) -> dict[str, float]:
        """Return the numbers a report prints."""
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "samples": self.samples,
        }


def pair_means(values: Sequence[float] | npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the means of values 2k and 2k + 1; games that share dice count as one sample."""
    means: npt.NDArray[np.float64] = np.asarray(values, np.float64).reshape(-1, 2).mean(axis=1)
    return means


def student_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t, which widens the intervals of small samples.

    Exact for one and two degrees of freedom; beyond that the Cornish-Fisher expansion around the
    normal quantile (Abramowitz and Stegun 26.7.5), good to 0.003 at three and soon to far more.

    Args:
        probability: of a value below the quantile.
        freedom: degrees of freedom, at least 1.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
