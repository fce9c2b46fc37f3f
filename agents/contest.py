"""Matches as the command line asks for them: their options, and playing one with a progress bar."""

import argparse
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from agents.luck import reference
from agents.match import LANES, MatchResult, play_match
from agents.referee import ILLEGAL
from gammon_env.agent import Agent, ValueAgent, load_agent
from gammon_env.rules.variant import Variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what matches depend on, beside their players."""
    group = parser.add_argument_group("matches and round robins")
    group.add_argument("--games", type=int, default=1000, help="an even number (default: 1000)")
    group.add_argument("--seed", type=int, default=0, help="decides all dice (default: 0)")
    group.add_argument(
        "--luck-adjusted", action="store_true", help="also estimate the points less the luck"
    )
    group.add_argument(
        "--luck-by",
        metavar="NAME",
        help="who judges the luck (default: the agent, or else the opponent)",
    )
    group.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="append each game to it as it ends; the same command goes on where it stopped",
    )
    group.add_argument(
        "--max-plies", type=int, metavar="N", help="truncate games after so many rolls"
    )
    group.add_argument(
        "--illegal",
        choices=ILLEGAL,
        default=ILLEGAL[0],
        help="what an error or an illegal play does: stop all, or cost that game (default: raise)",
    )
    group.add_argument(
        "--lanes", type=int, default=LANES, help=f"games at once, for speed (default: {LANES})"
    )


class Contest:
    """Plays matches under the same conditions.

    Args:
        options: the command line.
        variant: the game.
    """

    def __init__(self, options: argparse.Namespace, variant: Variant) -> None:
        self._options, self._variant = options, variant
        self._judge = (
            cast(ValueAgent, load_agent(options.luck_by, variant)) if options.luck_by else None
        )

    def judge(self, agent: Agent, opponent: Agent) -> ValueAgent | None:
        """Return who judges the luck of a match, None if nobody is to.

        Raises:
            GammonError: if it is to be judged, but nobody is named and neither player can.
        """
        if self._judge is None and self._options.luck_adjusted:
            return reference(agent, opponent)
        return self._judge

    def judges(self, pairs: Iterable[tuple[Agent, Agent]]) -> list[Agent]:
        """Return the players of some matches and who judges their luck."""
        found: list[Agent] = []
        for pair in pairs:
            judge = self.judge(*pair)
            found += [*pair, *([] if judge is None else [judge])]
        return found

    def play(self, agent: Agent, opponent: Agent, log: Path | None) -> MatchResult:
        """Play one match, showing how far it has come.

        Raises:
            GammonError: if it makes no match.
            MatchInterrupted: after Ctrl-C.
        """
        options = self._options
        with progress() as bar:
            task = bar.add_task(f"{agent.name} - {opponent.name}", total=options.games)
            return play_match(
                agent,
                opponent,
                options.games,
                options.seed,
                self._variant,
                lanes=options.lanes,
                on_game=lambda _: bar.advance(task),
                max_plies=options.max_plies,
                illegal=options.illegal,
                luck_by=self.judge(agent, opponent),
                log=log,
            )


def progress() -> Progress:
    """Return a progress bar, which only a terminal sees."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def say_how_to_go_on(played: int, options: argparse.Namespace, argv: Sequence[str]) -> None:
    """Tell whoever pressed Ctrl-C what became of the games."""
    command = shlex.join(["python", "-m", "agents.evaluate", *argv])
    print(f"\nstopped after {played:,} games", file=sys.stderr)
    if options.log is None:
        print("they are not kept; with --log FILE the next match can go on", file=sys.stderr)
    else:
        print(f"go on with the same command: {command}", file=sys.stderr)
