"""Make the levels of a variant anew from its weights: one command after any network has changed.

python -m agents.fit_levels --weights 4=backgammon-large-2    new versions beside the old ones
python -m agents.fit_levels --replace                         before anybody knows the newest

From the strongest downwards, the temperature of each level is set so that the level above wins the
margin from it, in points per game. The strongest stays as it is, and is represented by its network
without look-ahead, since its games take hours. All temperatures are tried with the same dice, so
that what differs between them is not luck.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from agents.files import digest
from agents.level_table import Level, load_levels, table_path, write_levels
from agents.levels import Player, newest_levels, player_of
from agents.match import play_match
from agents.weights import weights_path
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON, Variant, get_variant

COLDEST, HOTTEST = 1 / 256, 1.0
"""Temperatures tried: the first plays almost as without one, the last almost at random."""

STEPS = 9
"""Halvings of the range between them, which leave two per cent of a temperature open."""


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write the table; return the exit status: 0, or 2 where nothing was written."""
    options = _parser().parse_args(argv)
    try:
        variant = get_variant(options.variant)
        levels = with_weights(newest_levels(variant), dict(options.weights))
        fitted = fit_levels(levels, variant, options.margin, options.games, options.seed)
        table = with_levels(load_levels(variant), fitted, options.replace)
        check_weights(table)
        write_levels(table_path(variant), table)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"written: {table_path(variant)}")
    return 0


def with_weights(levels: Iterable[Level], names: Mapping[int, str]) -> list[Level]:
    """Return levels with the weights as they are now, those of some numbers by other names.

    Raises:
        GammonError: if there are no such weights.
    """
    named = (replace(level, weights=names.get(level.number, level.weights)) for level in levels)
    return [replace(level, sha256=digest(weights_path(level.weights))) for level in named]


def check_weights(levels: Iterable[Level]) -> None:
    """Refuse a table in which a version lacks the weights it was made with.

    Raises:
        GammonError: naming the version.
    """
    for level in levels:
        if digest(weights_path(level.weights)) != level.sha256:
            raise GammonError(
                f"{level.name} could no longer be loaded: {level.weights} has other weights now. "
                f"Add new ones under a new name, with --weights {level.number}=NAME here; or where "
                "nobody has played against the newest versions, --replace them"
            )


def fit_levels(
    levels: Sequence[Level], variant: Variant, margin: float, games: int, seed: int
) -> list[Level]:
    """Return levels with fitted temperatures.

    Args:
        levels: one of each number, weakest first.
        variant: the game.
        margin: points per game between neighbours.
        games: for each temperature tried, an even number.
        seed: of all dice.
    """
    *rest, strongest = levels
    fitted, above = [strongest], replace(strongest, plies=0, bearoff=False)
    for level in reversed(rest):
        lost = partial(_lost, level, player_of(above, variant), games, seed)
        try:
            above = replace(level, temperature=fit_temperature(lost, margin))
        except GammonError as error:
            raise GammonError(f"{level.name}, {level.weights}: {error}") from error
        print(f"{above.name}: temperature {above.temperature:g}", flush=True)
        fitted.append(above)
    return fitted[::-1]


def _lost(level: Level, above: Player, games: int, seed: int, temperature: float) -> float:
    """Return the points per game that a level loses at a temperature to the player above it."""
    variant = above.variant
    below = player_of(replace(level, temperature=temperature), variant)
    return play_match(above, below, games, seed, variant).points_per_game.mean


def fit_temperature(lost: Callable[[float], float], margin: float) -> float:
    """Return the temperature at which a player loses the margin, to three digits.

    Args:
        lost: gives the points per game that are lost at a temperature; more, the hotter.
        margin: points per game to be lost.

    Raises:
        GammonError: if even the coldest loses more, or even the hottest less.
    """
    if (least := lost(COLDEST)) > margin:
        raise GammonError(
            f"these weights lose {least:.3f} points per game at temperature {COLDEST:g} already, "
            f"more than the margin of {margin:g}; a stronger network or a larger margin is needed"
        )
    if (most := lost(HOTTEST)) < margin:
        raise GammonError(f"a margin of {margin:g} is out of reach: the most is {most:.3f}")
    cold, hot = COLDEST, HOTTEST
    for _ in range(STEPS):
        middle = math.sqrt(cold * hot)
        cold, hot = (cold, middle) if lost(middle) > margin else (middle, hot)
    return float(f"{math.sqrt(cold * hot):.3g}")


def with_levels(old: Iterable[Level], fitted: Iterable[Level], in_place: bool) -> list[Level]:
    """Return a table that knows the fitted levels: as they are, or where changed as new versions.

    Args:
        old: all versions so far.
        fitted: newest versions, changed or not.
        in_place: whether changed ones take the place of those they were made from.
    """
    levels = {level.name: level for level in old}
    for level in fitted:
        changed = levels[level.name] != level
        new = replace(level, version=level.version + (changed and not in_place))
        levels[new.name] = new
    return list(levels.values())


def _numbered(text: str) -> tuple[int, str]:
    number, _, name = text.partition("=")
    return int(number), name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agents.fit_levels", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--variant", default=BACKGAMMON.name, help="the game")
    parser.add_argument("--margin", type=float, default=0.3, help="points per game (default: 0.3)")
    parser.add_argument("--games", type=int, default=2000, help="a try (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="decides all dice (default: 0)")
    parser.add_argument(
        "--weights",
        nargs="+",
        type=_numbered,
        default=[],
        metavar="LEVEL=NAME",
        help="weights that levels are to have instead of their own",
    )
    parser.add_argument("--replace", action="store_true", help="make no new versions")
    return parser


if __name__ == "__main__":
    sys.exit(main())
