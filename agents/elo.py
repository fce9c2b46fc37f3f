"""Elo: strength on the scale on which 400 points are odds of ten to one.

Only wins count here, not what they are worth. The games of a pair share their dice, so a match
counts as the number of independent games that would give a win rate as certain as its pairs do.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.statistics import CONFIDENCE, Estimate, student_quantile

SCALE = 400 / math.log(10)
"""Elo points of odds of e to one."""

Doubles = npt.NDArray[np.float64]

_STEPS = 50
_EXACT = 1e-12


@dataclass(frozen=True)
class Elo:
    """A difference in Elo points with its 95% interval; infinite where nothing bounds it.

    Attributes:
        mean: the difference that fits best.
        low: the lower end of the interval.
        high: its upper end.
    """

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """Write it as reports do."""
        return f"{self.mean:+.0f} ({self.low:+.0f} to {self.high:+.0f})"

    def as_dict(self) -> dict[str, float | None]:
        """Return the numbers; None stands for infinity, which JSON does not know."""
        return {name: value if math.isfinite(value) else None for name, value in vars(self).items()}


def elo_difference(win_rate: Estimate) -> Elo:
    """Return the Elo difference of a win rate.

    The interval is Wilson's, carried over to the scale. It stays honest near 0 and 1, where that of
    the mean would end beyond them or, all games being won, have no width.
    """
    mean, games = win_rate.mean, effective_games(win_rate)
    spread = student_quantile(0.5 + CONFIDENCE / 2, win_rate.samples - 1) ** 2 / games
    middle = (mean + spread / 2) / (1 + spread)
    half = math.sqrt(spread * mean * (1 - mean) + spread**2 / 4) / (1 + spread)
    return Elo(*(_elo(rate) for rate in (mean, middle - half, middle + half)))


def effective_games(win_rate: Estimate) -> float:
    """Return how many independent games would tell a win rate as exactly."""
    variance = win_rate.mean * (1 - win_rate.mean)
    if variance == 0:  # All alike; at least the pairs are independent.
        return win_rate.samples
    return variance / win_rate.standard_error**2 if win_rate.standard_error else math.inf


def _elo(rate: float) -> float:
    if rate < 1e-12 or rate > 1 - 1e-12:
        return math.copysign(math.inf, rate - 0.5)
    return SCALE * math.log(rate / (1 - rate))


def fit_elo(players: Sequence[str], win_rates: Mapping[tuple[int, int], Estimate]) -> list[Elo]:
    """Return the ratings that fit matches between many players best; their mean is 0.

    Maximum likelihood (Bradley and Terry, 1952). Half a won and half a lost game are added to each
    match, so that a player who won or lost everything has a finite rating too.

    Args:
        players: their names.
        win_rates: of player i against player j, at (i, j).
    """
    count = len(players)
    won, games = np.zeros(count), np.zeros((count, count))
    for (i, j), rate in win_rates.items():
        number = min(effective_games(rate), 2 * rate.samples)
        games[i, j] = games[j, i] = number + 1
        won[i] += rate.mean * number + 0.5
        won[j] += (1 - rate.mean) * number + 0.5
    strength = np.zeros(count)
    for _ in range(_STEPS):
        covariance, slope = _curvature(strength, won, games)
        step = covariance @ slope
        reached = _log_likelihood(strength, won, games)
        while np.abs(step).max() > _EXACT:
            if _log_likelihood(strength + step, won, games) > reached:
                strength += step
                break
            step /= 2
    covariance, _ = _curvature(strength, won, games)
    margins = student_quantile(0.5 + CONFIDENCE / 2, 10_000) * np.sqrt(np.diag(covariance))
    return [
        Elo(SCALE * mean, SCALE * (mean - margin), SCALE * (mean + margin))
        for mean, margin in zip(strength.tolist(), margins.tolist(), strict=True)
    ]


def _curvature(strength: Doubles, won: Doubles, games: Doubles) -> tuple[Doubles, Doubles]:
    """Return the covariance of the strengths, and how the likelihood rises with each."""
    chance = 1 / (1 + np.exp(strength[np.newaxis] - strength[:, np.newaxis]))
    weight = games * chance * (1 - chance)
    information = np.diag(weight.sum(axis=1)) - weight
    # Only differences are known; the pseudo-inverse leaves the mean alone.
    covariance = np.linalg.pinv(information, hermitian=True).astype(np.float64)
    return covariance, won - (games * chance).sum(axis=1)


def _log_likelihood(strength: Doubles, won: Doubles, games: Doubles) -> float:
    either = np.logaddexp(strength[np.newaxis], strength[:, np.newaxis])
    return float(won @ strength - (games * either).sum() / 2)
