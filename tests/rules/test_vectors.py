"""Rolls with all their results, agreed on by three independent generators.

A few hundred of them, chosen by tests/data/choose_vectors.py, are part of this repository; where
the full list lies beside it, all of them are checked.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from gammon_env.batch import legal_afterstates
from gammon_env.formats import position_id
from tests.stepping import reachable

CHOSEN = Path(__file__).parents[1] / "data" / "backgammon_plays.tsv"
FULL = Path(__file__).parents[3] / "shared" / "vectors" / "backgammon_plays.tsv"


class Vector(NamedTuple):
    start: str
    roll: tuple[int, int]
    results: frozenset[str]

    @property
    def board(self):
        return position_id.decode(self.start)


def load(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = [line.split("\t") for line in lines]
    return [Vector(row[0], (int(row[1]), int(row[2])), frozenset(row[3].split())) for row in rows]


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
def vectors(request):
    return load(request.param)


def test_whole_rolls_give_exactly_the_results(vectors):
    boards = np.stack([vector.board for vector in vectors])
    dice = np.array([vector.roll for vector in vectors], np.int8)
    afterstates, offsets = legal_afterstates(boards, dice)
    for vector, begin, end in zip(vectors, offsets, offsets[1:], strict=False):
        results = [position_id.encode(board) for board in afterstates[begin:end]]
        assert len(results) == len(set(results)), vector
        assert set(results) == vector.results, vector


def test_one_checker_at_a_time_reaches_exactly_the_results(vectors):
    for vector in vectors:
        ends = reachable(vector.board, vector.roll)
        boards = [np.frombuffer(end, np.int8).reshape(2, 26) for end in ends]
        assert {position_id.encode(board) for board in boards} == vector.results, vector


def test_position_ids_survive_reading_and_writing(vectors):
    texts = {vector.start for vector in vectors}.union(*(vector.results for vector in vectors))
    for text in texts:
        assert position_id.encode(position_id.decode(text)) == text


def test_the_chosen_rolls_are_of_every_kind():
    chosen = load(CHOSEN)
    assert sum(not vector.results for vector in chosen) >= 10
    assert sum(vector.roll[0] == vector.roll[1] for vector in chosen) >= 100
    assert sum(vector.board[0, 24] > 0 for vector in chosen) >= 50
    assert max(len(vector.results) for vector in chosen) > 200
