"""Measure players from the command line.

python -m agents.evaluate --agent gnubg-0ply --opponent pubeval --games 1000 --seed 1
python -m agents.evaluate --round-robin gnubg-0ply pubeval pip-count --games 1000 --report league
python -m agents.evaluate --calibrate-levels --games 2000 --seed 1
python -m agents.evaluate --position 4HPwATDgc/ABMA --dice 31 --agent gnubg-0ply
"""

import argparse
import sys
from collections.abc import Callable, Sequence

from agents import analyse, calibration, contest, error_command, match_report, report, round_robin
from agents.match_report import headline
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON

__all__ = ["headline", "main"]

Command = Callable[[argparse.Namespace, Sequence[str]], int]
"""Measures what the options ask for, publishes a report, and returns the exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what the arguments ask for, print and save the result.

    Args:
        argv: the command line without the program; None for the process's own.

    Returns:
        The exit status: 0, 2 where the arguments make no measurement, 130 after Ctrl-C.
    """
    argv = sys.argv[1:] if argv is None else argv
    options = _parser().parse_args(argv)
    try:
        report.check_targets(options)
        return _command(options)(options, argv)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _command(options: argparse.Namespace) -> Command:
    """Return what the options ask for: the first that was named, else a match."""
    commands: dict[str, Command] = {
        "round_robin": round_robin.run,
        "calibrate_levels": calibration.run,
        "position": analyse.run,
        "error_rate": error_command.run_error_rate,
        "decisions": error_command.run_decisions,
    }
    asked = [name for name in commands if getattr(options, name)]
    if len(asked) > 1:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise GammonError(f"{flags} are different measurements; ask for one of them")
    return commands[asked[0]] if asked else match_report.run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.evaluate",
        description="Play paired matches, judge decisions or analyse a position.",
    )
    names = "a registered name, module:name of your own, or the path of a checkpoint"
    parser.add_argument("--agent", metavar="NAME", help=f"the player to measure: {names}")
    parser.add_argument("--opponent", metavar="NAME", help="the player to measure it against")
    parser.add_argument(
        "--round-robin", nargs="+", metavar="NAME", help="play all of them against each other"
    )
    parser.add_argument(
        "--calibrate-levels",
        action="store_true",
        help="play each graded opponent against the one below, and time its decisions",
    )
    parser.add_argument("--variant", default=BACKGAMMON.name, help="the game (default: backgammon)")
    contest.add_arguments(parser)
    analyse.add_arguments(parser)
    error_command.add_arguments(parser)
    report.add_arguments(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
