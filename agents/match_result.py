"""What the games of a match say about its players.

The two games of a pair are not independent, so all intervals come from the pairs. A pair with a
game that was truncated or forfeited says little about skill: it is left out and counted apart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.elo import Elo, elo_difference
from agents.lanes import GameRecord
from agents.statistics import Estimate, pair_means
from gammon_env.errors import GammonError
from gammon_env.rules.variant import Variant


@dataclass(frozen=True)
class Side:
    """What one player did in a match.

    Attributes:
        name: the player.
        wins: how many games it won of each kind, in the order of the variant's kinds.
        decisions: rolls with more than one play, which it was asked about.
        seconds: the time it took over them; no part of a comparison.
        forfeits: games it lost by an error or an illegal play; not among the other's wins.
    """

    name: str
    wins: tuple[int, ...]
    decisions: int
    seconds: float = field(compare=False)
    forfeits: int = 0

    @property
    def decisions_per_second(self) -> float:
        """How fast it decided."""
        return self.decisions / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class MatchResult:
    """The games of a match.

    Attributes:
        names: the player whose points are counted, and its opponent.
        variant: the game.
        seed: decided all dice.
        records: the games, in pairs.
        luck_by: who judged the luck; None if nobody did.
    """

    names: tuple[str, str]
    variant: Variant
    seed: int
    records: tuple[GameRecord, ...]
    luck_by: str | None = None

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        variant: Variant,
        seed: int,
        records: Iterable[GameRecord],
        luck_by: str | None = None,
    ) -> "MatchResult":
        """Return the result of those games, in any order, of which both of a pair were played."""
        by_game = {record.game: record for record in records}
        paired = (by_game[game] for game in sorted(by_game) if game ^ 1 in by_game)
        return cls(names, variant, seed, tuple(paired), luck_by)

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.records)

    @property
    def points(self) -> tuple[int, ...]:
        """What the agent won in each game, negative where it lost, 0 where it was truncated."""
        return tuple(record.points for record in self.records)

    @property
    def plies(self) -> tuple[int, ...]:
        """How many rolls each game took."""
        return tuple(record.plies for record in self.records)

    @property
    def truncated(self) -> int:
        """How many games were cut before their end."""
        return sum(record.truncated for record in self.records)

    @property
    def faults(self) -> tuple[str, ...]:
        """What went wrong in the games that were forfeited."""
        return tuple(record.fault for record in self.records if record.forfeited)

    @cached_property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Which games count: those in pairs that were both played to the end.

        Raises:
            GammonError: if fewer than two pairs do.
        """
        cut = np.array([record.truncated or record.forfeited for record in self.records], bool)
        counted = np.repeat(~cut.reshape(-1, 2).any(axis=1), 2)
        if counted.sum() < 4:
            raise GammonError(
                f"of {self.games // 2} pairs of games only {counted.sum() // 2} were played to the "
                f"end ({self.truncated} games were truncated, {len(self.faults)} forfeited); "
                "an interval needs 2"
            )
        return counted

    @property
    def pairs_left_out(self) -> int:
        """How many pairs do not count, for a game that was truncated or forfeited."""
        return int((~self.counted).sum()) // 2

    @cached_property
    def agent(self) -> Side:
        """What the player did whose points are counted."""
        return self._side(0)

    @cached_property
    def opponent(self) -> Side:
        """What its opponent did."""
        return self._side(1)

    @cached_property
    def points_per_game(self) -> Estimate:
        """The agent's points per game, with an interval from the pairs."""
        return self._estimate(self.points)

    @cached_property
    def points_with_forfeits(self) -> Estimate:
        """The same with the forfeited games, each lost by the most that a game can cost."""
        kept = [not record.truncated for record in self.records]
        whole = np.repeat(np.array(kept).reshape(-1, 2).all(axis=1), 2)
        return Estimate.of(pair_means(np.array(self.points)[whole]))

    @cached_property
    def luck_adjusted(self) -> Estimate | None:
        """The agent's points per game less its luck; None where nobody judged the luck."""
        if self.luck_by is None:
            return None
        return self._estimate([record.points - record.luck for record in self.records])

    @property
    def best_estimate(self) -> Estimate:
        """The points per game, luck-adjusted if possible."""
        return self.luck_adjusted or self.points_per_game

    @property
    def variance_reduction(self) -> float | None:
        """How many times as many games the same interval would take without the adjustment.

        None where nobody judged the luck, or nothing is left to divide by.
        """
        adjusted, plain = self.luck_adjusted, self.points_per_game
        if adjusted is None or adjusted.standard_error == 0:
            return None
        return (plain.standard_error / adjusted.standard_error) ** 2

    @cached_property
    def win_rate(self) -> Estimate:
        """The share of games that the agent won."""
        return self._estimate(np.array(self.points) > 0)

    @property
    def elo(self) -> Elo:
        """How much stronger the agent is in Elo points, by its win rate."""
        return elo_difference(self.win_rate)

    @cached_property
    def seat_0_win_rate(self) -> Estimate:
        """The share of games that seat 0 won, the agent in even games."""
        won = np.array(self.points) > 0
        won[1::2] ^= True
        return self._estimate(won)

    @cached_property
    def first_mover(self) -> Estimate:
        """The points per game of whoever moved first; the winner is whoever moved last."""
        signs = np.where(np.array(self.plies) % 2 == 1, 1, -1)
        return self._estimate(signs * np.abs(self.points))

    @property
    def plies_per_game(self) -> float:
        """The mean number of rolls in a game."""
        return float(np.mean(np.array(self.plies)[self.counted]))

    def rates(self, side: Side) -> dict[str, float]:
        """Return how often a side won, at least by each kind of win: gammons count backgammons."""
        at_least = np.cumsum(side.wins[::-1])[::-1] / self.counted.sum()
        names = ("win", *self.variant.kinds[1:])
        return dict(zip(names, at_least.tolist(), strict=True))

    def _estimate(self, values: npt.ArrayLike) -> Estimate:
        return Estimate.of(pair_means(np.asarray(values)[self.counted]))

    def _side(self, player: int) -> Side:
        sign = 1 - 2 * player
        won = sign * np.array(self.points)
        return Side(
            self.names[player],
            tuple(int((won[self.counted] == worth).sum()) for worth in self.variant.points),
            sum(record.decisions[player] for record in self.records),
            sum(record.seconds[player] for record in self.records),
            sum(record.forfeited and sign * record.points < 0 for record in self.records),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a report keeps it: plain numbers, texts, lists and dicts."""
        return {
            "variant": self.variant.name,
            "seed": self.seed,
            "games": self.games,
            "points_per_game": self.points_per_game.as_dict(),
            "win_rate": self.win_rate.as_dict(),
            "elo": self.elo.as_dict(),
            "seat_0_win_rate": self.seat_0_win_rate.as_dict(),
            "first_mover": self.first_mover.as_dict(),
            "plies_per_game": self.plies_per_game,
            "agent": self._side_as_dict(self.agent),
            "opponent": self._side_as_dict(self.opponent),
            "truncated": self.truncated,
            "pairs_left_out": self.pairs_left_out,
            **self._forfeits_as_dict(),
            **self._luck_as_dict(),
            "points": list(self.points),
            "plies": list(self.plies),
        }

    def _side_as_dict(self, side: Side) -> dict[str, Any]:
        return {
            "name": side.name,
            "rates": self.rates(side),
            "decisions": side.decisions,
            "decisions_per_second": side.decisions_per_second,
            "forfeits": side.forfeits,
        }

    def _forfeits_as_dict(self) -> dict[str, Any]:
        if not self.faults:
            return {}
        return {
            "points_with_forfeits": self.points_with_forfeits.as_dict(),
            "faults": list(self.faults),
        }

    def _luck_as_dict(self) -> dict[str, Any]:
        if self.luck_adjusted is None:
            return {}
        return {
            "luck_adjusted": {
                **self.luck_adjusted.as_dict(),
                "by": self.luck_by,
                "variance_reduction": self.variance_reduction,
            },
            "luck": [record.luck for record in self.records],
        }
