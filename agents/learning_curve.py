"""Learning curves: how strong training runs became, minute by minute, as one picture.

python -m agents.learning_curve runs/nardy --opponent heuristic --out nardy.svg
python -m agents.learning_curve runs/seed1 runs/seed2 runs/seed3 --opponent gnubg-0ply --out 1h.svg
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tensorboard.backend.event_processing.event_accumulator import SCALARS, EventAccumulator

from agents.journal import MARGIN, POINTS, SECONDS
from agents.plots import Curve, learning_curves
from gammon_env.errors import GammonError
from gammon_env.render.rasterise import save


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the curves, print their numbers; return the exit status: 0, or 2 where none is drawn."""
    options = _parser().parse_args(argv)
    try:
        curves = {_name(run): read_curve(run, options.opponent) for run in options.runs}
        if len(curves) < len(options.runs):
            raise GammonError("the folders of runs need different names, which tell curves apart")
        save(picture(curves, options.opponent), options.out)
    except (GammonError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for name, curve in curves.items():
        print("\n".join(_lines(name, curve)))
    print(f"written: {options.out}")
    return 0


def picture(curves: dict[str, Curve], opponent: str) -> str:
    """Return the picture of some runs' curves against an opponent, as SVG."""
    above = f"Points per game against {opponent}, 95% intervals"
    return learning_curves(curves, above, "minutes of training")


def read_curve(run: Path, opponent: str) -> Curve:
    """Return what a run won of the matches along its way, over minutes of training.

    Args:
        run: its folder.
        opponent: the player that it was measured against.

    Raises:
        GammonError: if it has no log, or that has no such matches.
    """
    log = _log(run)
    tags = log.Tags()[SCALARS]
    if f"{MARGIN}/{opponent}" not in tags:
        known = sorted(tag.partition("/")[2] for tag in tags if tag.startswith(f"{MARGIN}/"))
        raise GammonError(
            f"{run} has logged no matches with intervals against {opponent!r}; "
            f"it has them against: {', '.join(known) or 'nobody'}"
        )
    seconds, means, margins = (
        np.array([event.value for event in log.Scalars(f"{kind}/{opponent}")], np.float64)
        for kind in (SECONDS, POINTS, MARGIN)
    )
    return Curve(seconds / 60, means, margins)


def _log(run: Path) -> EventAccumulator:
    folder = run / "tensorboard"
    if not folder.is_dir():
        raise GammonError(f"{run} is no folder of a training run: there is no {folder}")
    return EventAccumulator(str(folder), {SCALARS: 0}).Reload()


def _name(run: Path) -> str:
    return run.resolve().name


def _lines(name: str, curve: Curve) -> Iterator[str]:
    for at, mean, margin in zip(curve.at, curve.means, curve.margins, strict=True):
        yield f"{name}: {at:5.1f} min {mean:+.3f} ± {margin:.3f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agents.learning_curve", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folders of runs")
    parser.add_argument("--opponent", required=True, metavar="NAME", help="the yardstick")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="SVG or PNG")
    return parser


if __name__ == "__main__":
    sys.exit(main())
