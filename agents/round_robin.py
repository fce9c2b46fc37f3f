"""Round robins: every player against every other."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from agents.contest import Contest, say_how_to_go_on
from agents.elo import Elo, fit_elo
from agents.match import MatchInterrupted
from agents.match_result import MatchResult
from agents.plots import heat_map
from agents.report import Figure, Report, Table, provenance, publish
from agents.statistics import Estimate
from gammon_env.agent import Agent, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import get_variant

NO_GAME = "-"


@dataclass(frozen=True)
class RoundRobin:
    """The matches between some players.

    Attributes:
        players: their names.
        seed: decided all dice; every match begins with the same ones.
        matches: the match of player i against player j, i < j, at (i, j).
    """

    players: tuple[str, ...]
    seed: int
    matches: Mapping[tuple[int, int], MatchResult]

    @cached_property
    def points_per_game(self) -> dict[tuple[int, int], Estimate]:
        """What each player won against each other one, luck-adjusted if it was judged."""
        cells = {pair: result.best_estimate for pair, result in self.matches.items()}
        mirrored = {
            (j, i): Estimate(0 - cell.mean, cell.standard_error, cell.samples)
            for (i, j), cell in cells.items()
        }
        return cells | mirrored

    @cached_property
    def elo(self) -> list[Elo]:
        """The rating of each player that fits all matches best; their mean is 0."""
        rates = {pair: result.win_rate for pair, result in self.matches.items()}
        return fit_elo(self.players, rates)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a report keeps it."""
        return {
            "players": list(self.players),
            "seed": self.seed,
            "elo": [rating.as_dict() for rating in self.elo],
            "matches": [result.as_dict() for result in self.matches.values()],
        }


def run(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Play the round robin that the options ask for, print and save the result."""
    variant = get_variant(options.variant)
    agents = [load_agent(name, variant) for name in options.round_robin]
    names = tuple(agent.name for agent in agents)
    if len(agents) < 2 or len(set(names)) < len(names):
        raise GammonError(f"a round robin takes different players, at least 2, not {names}")
    contest = Contest(options, variant)
    about = provenance(argv, contest.judges(combinations(agents, 2)))
    matches: dict[tuple[int, int], MatchResult] = {}
    status = 0
    try:
        _play_all(contest, agents, options.log, matches)
    except MatchInterrupted as stopped:
        played = stopped.played + sum(result.games for result in matches.values())
        say_how_to_go_on(played, options, argv)
        status = 130
        if stopped.result.games >= 4:
            cut = next(pair for pair in combinations(range(len(agents)), 2) if pair not in matches)
            matches[cut] = stopped.result
    if matches:
        result = RoundRobin(names, options.seed, matches)
        publish(round_robin_report(result, about), options)
    return status


def _play_all(
    contest: Contest,
    agents: Sequence[Agent],
    log: Path | None,
    matches: dict[tuple[int, int], MatchResult],
) -> None:
    """Fill `matches`; each has its own log."""
    for i, j in combinations(range(len(agents)), 2):
        own = None if log is None else log.with_name(f"{log.stem}-{i + 1}-{j + 1}{log.suffix}")
        matches[i, j] = contest.play(agents[i], agents[j], own)


def round_robin_report(result: RoundRobin, about: dict[str, Any]) -> Report:
    """Return the report of a round robin."""
    best = max(range(len(result.players)), key=lambda player: result.elo[player].mean)
    games = sum(match.games for match in result.matches.values())
    judges = sorted({match.luck_by for match in result.matches.values() if match.luck_by})
    notes = ["Each row's points per game against each column's player, with 95% intervals."]
    notes += [f"Luck-adjusted, as judged by {', '.join(judges)}."] if judges else []
    return Report(
        title=f"Round robin of {len(result.players)} players",
        summary=f"{result.players[best]} is ahead, Elo {result.elo[best]}, after {games:,} games",
        data=result.as_dict(),
        provenance=about,
        tables=[cross_table(result)],
        notes=notes,
        figures=[
            Figure(
                "Points per game, row against column",
                heat_map(result.players, result.points_per_game),
            ),
        ],
    )


def cross_table(result: RoundRobin) -> Table:
    """Return points per game, a row and a column for each player, and the ratings."""
    count = range(len(result.players))
    rows = [
        (
            f"{i + 1}. {name}",
            *(_cell(result.points_per_game.get((i, j))) for j in count),
            str(result.elo[i]),
        )
        for i, name in enumerate(result.players)
    ]
    return Table("Cross table", ("", *(str(i + 1) for i in count), "Elo"), rows)


def _cell(estimate: Estimate | None) -> str:
    return NO_GAME if estimate is None else f"{estimate.mean:+.3f} ± {estimate.margin:.3f}"
