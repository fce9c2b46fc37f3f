"""Rolls of long nardy with all their results, agreed on by two independent generators.

Every 25th of them is part of this repository (tests/data/choose_vectors.py); where the full list
lies beside it, all of them are checked.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from gammon_env.batch import legal_afterstates
from gammon_env.formats import position_id
from gammon_env.rules.variant import NARDY
from tests.stepping import reachable

CHOSEN = Path(__file__).parents[1] / "data" / "nardy_plays.tsv"
FULL = Path(__file__).parents[3] / "shared" / "vectors" / "nardy_plays.tsv"


class Vector(NamedTuple):
    board: npt.NDArray[np.int8]
    roll: tuple[int, int]
    results: frozenset[bytes]


def read_board(text: str) -> npt.NDArray[np.int8]:
    """Read "24:14,20:1|24:15": the player on roll, the opponent, each in its own numbering."""
    return np.stack([_row(side) for side in text.split("|")])


def _row(side: str) -> npt.NDArray[np.int8]:
    row = np.zeros(26, np.int8)
    for stack in side.split(",") if side != "-" else []:
        point, checkers = stack.split(":")
        row[int(point) - 1] = int(checkers)
    row[25] = NARDY.checkers - row.sum()
    return row


def load(path: Path) -> list[Vector]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return [_vector(*line.split("\t")) for line in lines]


def _vector(board: str, die1: str, die2: str, results: str = "") -> Vector:
    ends = frozenset(read_board(result).tobytes() for result in results.split())
    return Vector(read_board(board), (int(die1), int(die2)), ends)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(CHOSEN, id="chosen", marks=pytest.mark.small),
        pytest.param(
            FULL,
            id="all",
            marks=pytest.mark.skipif(not FULL.exists(), reason="the full list is not here"),
        ),
    ],
)
def vectors(request: pytest.FixtureRequest) -> list[Vector]:
    return load(request.param)


def test_whole_rolls_give_exactly_the_results(vectors: list[Vector]) -> None:
    boards = np.stack([vector.board for vector in vectors])
    dice = np.array([vector.roll for vector in vectors], np.int8)
    afterstates, offsets = legal_afterstates(boards, dice, NARDY)
    for vector, begin, end in zip(vectors, offsets, offsets[1:], strict=False):
        results = [board.tobytes() for board in afterstates[begin:end]]
        assert results == sorted(set(results)), vector
        assert set(results) == vector.results, vector


def test_one_checker_at_a_time_reaches_exactly_the_results(vectors: list[Vector]) -> None:
    for vector in vectors:
        assert reachable(vector.board, vector.roll, NARDY) == vector.results, vector


def test_position_texts_survive_writing_and_reading(vectors: list[Vector]) -> None:
    for vector in vectors:
        text = position_id.encode(vector.board, NARDY)
        assert text.startswith("nardy:")
        np.testing.assert_array_equal(position_id.decode(text, NARDY), vector.board)
