"""Paired matches: the fair and precise way to compare two players.

Every roll sequence is played twice with the seats swapped, which takes out most of the luck of the
dice. The two games of a pair are not independent, so all intervals come from the pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.lanes import GameRecord, Lanes, Workload
from agents.statistics import Estimate, pair_means
from gammon_env.agent import Agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON, Variant

LANES = 512
"""Games in progress at once, so that each player is asked about some 250 decisions a call."""


@dataclass(frozen=True)
class Side:
    """What one player did in a match.

    Attributes:
        name: the player.
        wins: how many games it won of each kind, in the order of the variant's kinds.
        decisions: rolls with more than one play, which it was asked about.
        seconds: the time it took over them; no part of a comparison.
    """

    name: str
    wins: tuple[int, ...]
    decisions: int
    seconds: float = field(compare=False)

    @property
    def decisions_per_second(self) -> float:
        """How fast it decided."""
        return self.decisions / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class MatchResult:
    """The games of a match, and what they say about its players.

    Attributes:
        agent: the player whose points are counted.
        opponent: the other.
        variant: the game.
        seed: decided all dice.
        points: what the agent won in each game, negative where it lost.
        plies: how many rolls each game took.
    """

    agent: Side
    opponent: Side
    variant: Variant
    seed: int
    points: tuple[int, ...]
    plies: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.points)

    @cached_property
    def points_per_game(self) -> Estimate:
        """The agent's points per game, with an interval from the pairs."""
        return Estimate.of(pair_means(self.points))

    @cached_property
    def win_rate(self) -> Estimate:
        """The share of games that the agent won."""
        return Estimate.of(pair_means(np.array(self.points) > 0))

    @cached_property
    def seat_0_win_rate(self) -> Estimate:
        """The share of games that seat 0 won, the agent in even games."""
        won = np.array(self.points) > 0
        won[1::2] ^= True
        return Estimate.of(pair_means(won))

    @property
    def plies_per_game(self) -> float:
        """The mean number of rolls in a game."""
        return float(np.mean(self.plies))

    def rates(self, side: Side) -> dict[str, float]:
        """Return how often a side won, at least by each kind of win: gammons count backgammons."""
        at_least = np.cumsum(side.wins[::-1])[::-1] / self.games
        names = ("win", *self.variant.kinds[1:])
        return dict(zip(names, at_least.tolist(), strict=True))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a report keeps it: plain numbers, texts, lists and dicts."""
        return {
            "variant": self.variant.name,
            "seed": self.seed,
            "games": self.games,
            "points_per_game": self.points_per_game.as_dict(),
            "win_rate": self.win_rate.as_dict(),
            "seat_0_win_rate": self.seat_0_win_rate.as_dict(),
            "plies_per_game": self.plies_per_game,
            "agent": self._side_as_dict(self.agent),
            "opponent": self._side_as_dict(self.opponent),
            "points": list(self.points),
            "plies": list(self.plies),
        }

    def _side_as_dict(self, side: Side) -> dict[str, Any]:
        return {
            "name": side.name,
            "rates": self.rates(side),
            "decisions": side.decisions,
            "decisions_per_second": side.decisions_per_second,
        }


def play_match(
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int = 0,
    variant: Variant = BACKGAMMON,
    *,
    lanes: int = LANES,
    on_game: Callable[[GameRecord], object] | None = None,
) -> MatchResult:
    """Play a paired match: games 2k and 2k + 1 share the dice, the seats swapped.

    Rolls that leave no choice are played without asking, and are not counted as decisions.

    Args:
        agent: the player whose points are counted; in seat 0 in even games.
        opponent: the other; may be the same object.
        games: how many, an even number.
        seed: decides all dice and random words.
        variant: the game.
        lanes: games in progress at once. It changes the speed, never the result.
        on_game: called with each game as it ends, for progress bars and logs.

    Raises:
        GammonError: for numbers that make no match, players of another variant, or an illegal play.
    """
    _check(agent, opponent, games, seed, variant, lanes)
    running = Lanes((agent, opponent), range(games), seed, lanes, variant)
    points, plies = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for record in running:
        points[record.game], plies[record.game] = record.points, record.plies
        if on_game is not None:
            on_game(record)
    first, second = running.workloads
    return MatchResult(
        agent=_side(agent, points, first, variant),
        opponent=_side(opponent, -points, second, variant),
        variant=variant,
        seed=seed,
        points=tuple(points.tolist()),
        plies=tuple(plies.tolist()),
    )


def _side(
    player: Agent, points: npt.NDArray[np.int64], workload: Workload, variant: Variant
) -> Side:
    wins = tuple(int((points == worth).sum()) for worth in variant.points)
    return Side(player.name, wins, workload.decisions, workload.seconds)


def _check(
    agent: Agent, opponent: Agent, games: int, seed: int, variant: Variant, lanes: int
) -> None:
    if games < 4 or games % 2:
        raise GammonError(f"a paired match has an even number of games, at least 4, not {games}")
    if seed < 0:
        raise GammonError(f"a seed is 0 or more, not {seed}")
    if lanes < 1:
        raise GammonError(f"a match needs at least 1 lane, not {lanes}")
    for player in (agent, opponent):
        if player.variant != variant:
            raise GammonError(f"{player.name} plays {player.variant.name}, not {variant.name}")
