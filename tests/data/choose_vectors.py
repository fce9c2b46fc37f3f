"""Choose the rolls of backgammon_plays.tsv and nardy_plays.tsv from the full lists.

Of backgammon some of every kind, of long nardy every 25th, whose positions come from whole games.
Run from the repository root, with the folder of the full lists as argument:

    python -m tests.data.choose_vectors ../shared/vectors
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gammon_env.formats import position_id
from gammon_env.rules.board import BAR, HOME, OFF

FOLDER = Path(__file__).parent
BACKGAMMON, NARDY = "backgammon_plays.tsv", "nardy_plays.tsv"
NTH = 25
BIGGEST = 10
HEADER = "# position_id\tdie1\tdie2\tresulting position ids, as the next player sees them"

Row = tuple[npt.NDArray[np.int8], bool, list[str]]
"""The board, whether the roll is a double, the results."""

KINDS: tuple[tuple[int, Callable[[Row], bool]], ...] = (
    (15, lambda row: not row[2]),
    (15, lambda row: len(row[2]) == 1 and not row[1]),
    (15, lambda row: any(position_id.decode(text)[1, OFF] == 15 for text in row[2])),
    (30, lambda row: row[0][0, BAR] > 1 and row[1]),
    (20, lambda row: row[0][0, BAR] > 1 and not row[1]),
    (30, lambda row: row[0][0, BAR] == 1 and row[1]),
    (25, lambda row: not row[0][0, HOME:OFF].any()),
    (50, lambda row: row[1]),
    (40, lambda row: not row[1]),
)
"""How many to take of each kind, in the order of the list; a roll counts for the first it fits."""


def choose(lines: Iterable[str]) -> list[str]:
    """Return the lines to keep, in the order of the list."""
    rows = [line for line in lines if not line.startswith("#")]
    chosen = set(sorted(rows, key=lambda line: line.count(" "))[-BIGGEST:])
    left = [count for count, _ in KINDS]
    for line in rows:
        row = _parsed(line)
        kind = next(i for i, (_, fits) in enumerate(KINDS) if fits(row))
        if left[kind] and line not in chosen:
            left[kind] -= 1
            chosen.add(line)
    return [line for line in rows if line in chosen]


def _parsed(line: str) -> Row:
    text, die1, die2, results = line.split("\t")
    return position_id.decode(text), die1 == die2, results.split()


if __name__ == "__main__":
    full = Path(sys.argv[1])
    kept = choose((full / BACKGAMMON).read_text().splitlines())
    (FOLDER / BACKGAMMON).write_text("\n".join([HEADER, *kept]) + "\n")
    first, *lines = (full / NARDY).read_text().splitlines()
    (FOLDER / NARDY).write_text("\n".join([first, *lines[::NTH]]) + "\n")
