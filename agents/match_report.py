"""What a report says about a match."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agents.contest import Contest, say_how_to_go_on
from agents.match import MatchInterrupted
from agents.match_result import MatchResult
from agents.plots import Curve, running_means
from agents.report import Figure, Report, Table, provenance, publish
from agents.statistics import Estimate, pair_means
from gammon_env.agent import load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import get_variant

SHOWN_FAULTS = 5


def run(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Play the match that the options ask for, print and save the result."""
    if options.agent is None or options.opponent is None:
        raise GammonError("a match takes two players: --agent NAME --opponent NAME")
    variant = get_variant(options.variant)
    agent, opponent = (load_agent(name, variant) for name in (options.agent, options.opponent))
    contest = Contest(options, variant)
    about = provenance(argv, contest.judges([(agent, opponent)]))
    try:
        result, status = contest.play(agent, opponent, options.log), 0
    except MatchInterrupted as stopped:
        say_how_to_go_on(stopped.played, options, argv)
        result, status = stopped.result, 130
    if status == 0 or result.games >= 4:
        publish(match_report(result, about), options)
    return status


def headline(result: MatchResult) -> str:
    """Return the result in one line."""
    points, adjusted = result.points_per_game, result.luck_adjusted
    line = (
        f"{result.agent.name} against {result.opponent.name}: {points.mean:+.3f} points per game, "
        f"95% interval {points.low:+.3f} to {points.high:+.3f} "
        f"({result.games:,} paired games, seed {result.seed})"
    )
    if adjusted is None:
        return line
    interval = f"{adjusted.low:+.3f} to {adjusted.high:+.3f}"
    return f"{line}; luck-adjusted {adjusted.mean:+.3f}, {interval}"


def match_report(result: MatchResult, about: dict[str, Any]) -> Report:
    """Return the report of a match."""
    return Report(
        title=f"{result.agent.name} against {result.opponent.name}",
        summary=headline(result),
        data=result.as_dict(),
        provenance=about,
        tables=[match_table(result)],
        notes=list(_notes(result)),
        figures=[Figure("Points per game over the pairs, 95% intervals", _running(result))],
    )


def match_table(result: MatchResult) -> Table:
    """Return the result with a column for each player."""
    sides = (result.agent, result.opponent)
    rows = [*_estimate("points per game", result.points_per_game)]
    if result.luck_adjusted is not None:
        rows += _estimate("luck-adjusted", result.luck_adjusted)
    rows.append(("Elo difference", str(result.elo), ""))
    for kind in result.rates(result.agent):
        label = {"win": "wins", "gammon": "gammons or better", "mars": "mars"}.get(kind, f"{kind}s")
        rows.append((label, *(f"{result.rates(side)[kind]:.1%}" for side in sides)))
    if result.faults:
        rows.append(("forfeited games", *(f"{side.forfeits:,}" for side in sides)))
    rows.append(("decisions", *(f"{side.decisions:,}" for side in sides)))
    speeds = (f"{side.decisions_per_second:,.0f}" for side in sides)
    rows.append(("decisions per second", *speeds))
    title = f"{result.games:,} games of {result.variant.name}"
    return Table(title, ("", *(side.name for side in sides)), rows)


def _estimate(label: str, estimate: Estimate) -> Iterator[tuple[str, ...]]:
    yield label, f"{estimate.mean:+.3f}", f"{0 - estimate.mean:+.3f}"
    yield "95% interval", f"± {estimate.margin:.3f}", f"± {estimate.margin:.3f}"


def _notes(result: MatchResult) -> Iterator[str]:
    seat_0 = result.seat_0_win_rate
    yield f"{result.plies_per_game:.1f} turns a game; seat 0 won {seat_0.mean:.1%} of them."
    first = result.first_mover
    yield f"Whoever moved first won {first.mean:+.3f} ± {first.margin:.3f} points per game."
    if result.variance_reduction is not None:
        yield (
            f"Luck as judged by {result.luck_by}; taking it out divides the variance by "
            f"{result.variance_reduction:.1f}."
        )
    if result.pairs_left_out:
        yield (
            f"{result.truncated:,} games were truncated and {len(result.faults):,} forfeited; "
            f"{result.pairs_left_out:,} pairs with such games do not count above."
        )
    if result.faults:
        points = result.points_with_forfeits
        yield (
            "With each forfeited game as lost by the most that a game can cost: "
            f"{points.mean:+.3f} ± {points.margin:.3f} points per game."
        )
        yield from (f"Forfeited: {fault}" for fault in result.faults[:SHOWN_FAULTS])


def _running(result: MatchResult) -> str:
    points, luck = np.array([(record.points, record.luck) for record in result.records]).T
    curves = {"points per game": points}
    if result.luck_by is not None:
        curves = {"luck-adjusted": points - luck, **curves}
    running = {
        name: Curve.running(pair_means(values[result.counted])) for name, values in curves.items()
    }
    return running_means(running, "pairs of games")
