"""Measure a player against another from the command line.

python -m agents.evaluate --agent gnubg-0ply --opponent pubeval --games 1000 --seed 1
"""

import argparse
import json
import platform
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from agents.files import write_atomically
from agents.match import LANES, MatchResult, play_match
from gammon_env.agent import Agent, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON, get_variant

_PACKAGES = ("gammon-env", "numpy", "numba", "torch", "gnubg-nn")


def main(argv: Sequence[str] | None = None) -> int:
    """Play the match that the arguments ask for, print and save the result.

    Args:
        argv: the command line without the program; None for the process's own.

    Returns:
        The exit status: 0, or 2 where the arguments make no match.
    """
    argv = sys.argv[1:] if argv is None else argv
    options = _parser().parse_args(argv)
    try:
        if options.json is not None and not options.json.parent.is_dir():
            raise GammonError(f"there is no folder {options.json.parent} to write the report in")
        result = _play(options)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    Console().print(result_table(result))
    print(headline(result))
    if options.json is not None:
        write_atomically(options.json, json.dumps(report(result, argv), indent=1) + "\n")
        print(f"report: {options.json}")
    return 0


def headline(result: MatchResult) -> str:
    """Return the result in one line."""
    points = result.points_per_game
    return (
        f"{result.agent.name} against {result.opponent.name}: {points.mean:+.3f} points per game, "
        f"95% interval {points.low:+.3f} to {points.high:+.3f} "
        f"({result.games:,} paired games, seed {result.seed})"
    )


def result_table(result: MatchResult) -> Table:
    """Return the result with a column for each player."""
    sides = (result.agent, result.opponent)
    points = result.points_per_game
    seat_0 = result.seat_0_win_rate
    table = Table(
        title=f"{result.games:,} games of {result.variant.name}",
        caption=f"{result.plies_per_game:.1f} plies a game; seat 0 won {seat_0.mean:.1%} of them",
    )
    table.add_column()
    for side in sides:
        table.add_column(side.name, justify="right", overflow="fold")
    table.add_row("points per game", f"{points.mean:+.3f}", f"{0 - points.mean:+.3f}")
    table.add_row("95% interval", *[f"± {points.margin:.3f}"] * 2)
    for kind in result.rates(result.agent):
        label = {"win": "wins", "gammon": "gammons or better"}.get(kind, f"{kind}s")
        table.add_row(label, *(f"{result.rates(side)[kind]:.1%}" for side in sides))
    table.add_row("decisions", *(f"{side.decisions:,}" for side in sides))
    table.add_row("decisions per second", *(f"{side.decisions_per_second:,.0f}" for side in sides))
    return table


def report(result: MatchResult, argv: Sequence[str]) -> dict[str, Any]:
    """Return everything needed to judge the result and to play it again."""
    return {
        "command": shlex.join(["python", "-m", "agents.evaluate", *argv]),
        "versions": versions(),
        **result.as_dict(),
    }


def versions() -> dict[str, str]:
    """Return the versions of what a result may depend on, of those installed."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _play(options: argparse.Namespace) -> MatchResult:
    variant = get_variant(options.variant)
    agent, opponent = (load_agent(name, variant) for name in (options.agent, options.opponent))
    with _progress() as progress:
        task = progress.add_task(_title(agent, opponent), total=options.games)
        return play_match(
            agent,
            opponent,
            options.games,
            options.seed,
            variant,
            lanes=options.lanes,
            on_game=lambda _: progress.advance(task),
        )


def _title(agent: Agent, opponent: Agent) -> str:
    return f"{agent.name} - {opponent.name}"


def _progress() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    console = Console(stderr=True)
    return Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.evaluate",
        description="Play a paired match and print the agent's points per game.",
    )
    names = "a registered name, module:name of your own, or the path of a checkpoint"
    parser.add_argument("--agent", required=True, help=f"the player to measure: {names}")
    parser.add_argument("--opponent", required=True, help="the player to measure it against")
    parser.add_argument("--games", type=int, default=1000, help="an even number (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="decides all dice (default: 0)")
    parser.add_argument("--variant", default=BACKGAMMON.name, help="the game (default: backgammon)")
    parser.add_argument(
        "--lanes", type=int, default=LANES, help=f"games at once, for speed (default: {LANES})"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
