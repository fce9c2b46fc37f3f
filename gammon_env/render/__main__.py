"""Pictures from the command line: one position, or a whole game.

python -m gammon_env.render board 4HPwATDgc/ABMA --dice 31 --play "8/5 6/5" --out board.svg
python -m gammon_env.render game --agents pip-count random --seed 1 --out game.gif
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from gammon_env.agent import load_agent
from gammon_env.errors import GammonError
from gammon_env.game_view import Roll
from gammon_env.position import Position
from gammon_env.render.animation import SECONDS, WIDTH, save_game, watch
from gammon_env.render.rasterise import save
from gammon_env.render.svg import draw_play, draw_position
from gammon_env.rules.variant import BACKGAMMON, get_variant


def main(argv: Sequence[str] | None = None) -> int:
    """Draw what the arguments ask for.

    Args:
        argv: the command line without the program; None for the process's own.

    Returns:
        The exit status: 0, or 2 where the arguments make no picture.
    """
    options = _parser().parse_args(argv)
    try:
        if not options.out.parent.is_dir():
            raise GammonError(f"there is no folder {options.out.parent} to write the picture in")
        options.draw(options)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"picture: {options.out}")
    return 0


def _board(options: argparse.Namespace) -> None:
    variant = get_variant(options.variant)
    start = options.position == "start"
    position = Position.start(variant) if start else Position.from_id(options.position, variant)
    if options.play is None:
        drawn = draw_position(position, options.dice)
    elif options.dice is None:
        raise GammonError(f"{options.play!r} needs the roll it was played with: --dice 31")
    else:
        drawn = draw_play(position.parse_play(options.play, options.dice))
    save(drawn, options.out, options.width)


def _game(options: argparse.Namespace) -> None:
    variant = get_variant(options.variant)
    agents = [load_agent(name, variant) for name in options.agents]
    scenes = watch(agents, options.seed, variant, options.view)
    save_game(options.out, scenes, options.width, options.seconds)


def _dice(text: str) -> Roll:
    """Read a roll: "31" or "3-1"."""
    match = re.fullmatch(r"([1-6])-?([1-6])", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no roll; write two dice such as 31 or 3-1")
    return int(match[1]), int(match[2])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gammon_env.render", description="Draw a position, or a whole game."
    )
    commands = parser.add_subparsers(required=True, metavar="board|game")
    _add_board(commands.add_parser("board", help="one position, or one play, as .svg or .png"))
    _add_game(commands.add_parser("game", help="a game of two agents as .gif, .png or .webp"))
    return parser


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(draw=_board)
    parser.add_argument("position", nargs="?", default="start", help="position ID (default: start)")
    parser.add_argument("--dice", type=_dice, help="the roll, such as 31")
    parser.add_argument("--play", help='what the roll is used for, such as "8/5 6/5"')
    _add_common(parser, "board.svg", width=None)


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(draw=_game)
    parser.add_argument(
        "--agents",
        nargs=2,
        required=True,
        metavar=("SEAT_0", "SEAT_1"),
        help="names for gammon_env.load_agent, such as pip-count random",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the dice (default: 0)")
    parser.add_argument(
        "--view", type=int, choices=(0, 1), default=0, help="the seat that looks (default: 0)"
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="a play is shown (default: %(default)s)"
    )
    _add_common(parser, "game.gif", width=WIDTH)


def _add_common(parser: argparse.ArgumentParser, out: str, width: int | None) -> None:
    parser.add_argument(
        "--out", type=Path, default=Path(out), help="file to write (default: %(default)s)"
    )
    shown = "as drawn; .svg has none" if width is None else str(width)
    parser.add_argument("--width", type=int, default=width, help=f"in pixels (default: {shown})")
    parser.add_argument(
        "--variant", default=BACKGAMMON.name, help="the game (default: %(default)s)"
    )


if __name__ == "__main__":
    sys.exit(main())
