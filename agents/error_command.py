"""Error rates and the decision set on the command line, reported as matches are."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from agents import decision_set, error_rate
from agents.report import Report, Table, provenance, write
from gammon_env.agent import load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import get_variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what both measurements take beside the players and the games."""
    group = parser.add_argument_group("error rates")
    group.add_argument(
        "--error-rate", action="store_true", help="judge each decision of --agent in its games"
    )
    group.add_argument(
        "--decisions", metavar="NAME", help="let NAME play the decisions that come with the project"
    )
    error_rate.add_arguments(parser)
    decision_set.add_arguments(parser)


def run_error_rate(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Judge the decisions of the agent in its games, print and save the result."""
    if options.agent is None or options.opponent is None:
        raise GammonError("an error rate takes two players: --agent NAME --opponent NAME")
    return _report(error_rate.run, [options.agent, options.opponent], options, argv)


def run_decisions(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Judge an agent's plays in the decision set, print and save the result."""
    return _report(decision_set.run, [options.decisions], options, argv)


def _report(
    measure: Callable[[argparse.Namespace], dict[str, Any]],
    names: Sequence[str],
    options: argparse.Namespace,
    argv: Sequence[str],
) -> int:
    variant = get_variant(options.variant)
    about = provenance(argv, [load_agent(name, variant) for name in names])
    write(error_report(measure(options), about), options)
    return 0


def error_report(data: dict[str, Any], about: dict[str, Any]) -> Report:
    """Return the report of a measured error rate; its numbers have been printed already."""
    rates = data["millipoints_per_decision"]
    agent, reference = data["agent"], data["reference"]
    rows = [
        (
            kind,
            f"{rate['mean']:.1f}",
            f"{rate['low']:.1f} to {rate['high']:.1f}",
            f"{rate['best']:.1%}",
            f"{rate['blunders']:.1%}",
            f"{rate['samples']:,}",
        )
        for kind, rate in rates.items()
    ]
    header = ("positions", "millipoints", "95% interval", "best play", "blunders", "decisions")
    overall = next(iter(rates.values()))
    return Report(
        title=f"Errors of {agent}",
        summary=f"{agent} gives away {overall['mean']:.1f} millipoints per decision, "
        f"as judged by {reference}",
        data=data,
        provenance=about,
        tables=[Table("Millipoints given away per decision", header, rows)],
    )
