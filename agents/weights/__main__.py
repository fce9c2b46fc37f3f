"""Make weights of training runs, and write down what they are worth.

python -m agents.weights add runs/quick backgammon-small     weights and card from a run
python -m agents.weights measured backgammon-small a.json    a match of theirs onto the card
python -m agents.weights list                                all cards, in a line each
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import save

from agents import weights
from agents.checkpoint import Checkpoint, load_checkpoint, to_tensors
from agents.files import digest, write_atomically
from agents.weights import weights_names, weights_path
from agents.weights.card import Card, read_card, write_card
from gammon_env.errors import GammonError


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; return the exit status: 0, or 2 where nothing was done."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def add(run: Path, name: str, replace: bool = False) -> Card:
    """Make weights of a training run: its networks without the optimiser, and their card.

    A run can be resumed from weights, too; its optimiser then begins anew.

    Args:
        run: the folder of the run, or a checkpoint.
        name: of the weights.
        replace: whether weights of that name may be there already.

    Raises:
        GammonError: if there is no checkpoint, or the name is taken.
    """
    path = weights.FOLDER / f"{name}{weights.SUFFIX}"
    if path.exists() and not replace:
        raise GammonError(f"{path} is there already; use another name, or --replace")
    checkpoint = load_checkpoint(run)
    write_atomically(path, _only_networks(checkpoint))
    card = Card.of(name, digest(path), checkpoint)
    write_card(path.with_suffix(".json"), card)
    return card


def _only_networks(checkpoint: Checkpoint) -> bytes:
    """Return a checkpoint without what only the next step needs, and without anybody's folders."""
    config = checkpoint.config | {"run_dir": f"runs/{Path(checkpoint.config['run_dir']).name}"}
    info = json.dumps(checkpoint.info | {"config": config, "weights_only": True}, indent=1)
    scout = {k: v for k, v in checkpoint.training.items() if k.startswith("scout.")}
    return save(to_tensors(checkpoint.network, scout), {"info": info})


def _add(options: argparse.Namespace) -> None:
    print(_line(add(options.run_folder, options.name, options.replace)))


def _measured(options: argparse.Namespace) -> None:
    path = weights_path(options.name).with_suffix(".json")
    card = read_card(path)
    for file in options.reports:
        card = card.measured(_json(file))
    write_card(path, card)
    print(_line(card))


def _list(_: argparse.Namespace) -> None:
    for name in weights_names():
        print(_line(read_card(weights_path(name).with_suffix(".json"))))


def _line(card: Card) -> str:
    matches = (
        f"{s.points_per_game[0]:+.3f} as {s.player} against {s.opponent}" for s in card.strength
    )
    return (
        f"{card.name}: {card.variant}, hidden {list(card.hidden)}, {card.games:,} games in "
        f"{card.hours:g} h, {card.encoder}@{card.encoder_version}, SHA-256 {card.sha256[:12]}; "
        + (", ".join(matches) or "not measured")
    )


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GammonError(f"{path} is no report in JSON: {error}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agents.weights", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    adding = commands.add_parser("add", help="make weights and their card from a training run")
    adding.add_argument("run_folder", type=Path, help="the folder of the run, or a checkpoint")
    adding.add_argument("name", help="of the weights, as in backgammon-small")
    adding.add_argument("--replace", action="store_true", help="even if there are such weights")
    adding.set_defaults(run=_add)
    measured = commands.add_parser("measured", help="write matches onto a card")
    measured.add_argument("name", help="of the weights")
    measured.add_argument("reports", nargs="+", type=Path, help="JSON files of agents.evaluate")
    measured.set_defaults(run=_measured)
    listing = commands.add_parser("list", help="print what there is")
    listing.set_defaults(run=_list)
    return parser


if __name__ == "__main__":
    sys.exit(main())
