"""Features of the race: what their table says, and what they are for."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon_env.position import Position
from gammon_env.race_features import FURTHEST, RACE_FEATURES, race_features, write_race
from gammon_env.rules.bearoff import outcomes
from tests.strategies import boards, sparse_boards
from tests.whole_sides import features_of_the_race

Array = npt.NDArray[Any]

NAMES = [feature.name for feature in race_features()]


def written(board: Array) -> Array:
    """Return what is written over rubbish, behind two numbers that stay."""
    out = np.full(2 + RACE_FEATURES, np.nan, np.float32)
    write_race(board, out, 2)
    assert np.isnan(out[:2]).all()
    return out[2:]


def feature(board: Array, name: str) -> float:
    return float(written(board)[NAMES.index(name)])


@settings(max_examples=200)
@given(board=st.one_of(boards(), boards(on_the_bar=True), sparse_boards()))
def test_features_are_what_their_table_says(board: Array) -> None:
    np.testing.assert_allclose(written(board), features_of_the_race(board), rtol=1e-6)


@settings(max_examples=200)
@given(board=st.one_of(boards(), boards(on_the_bar=True), sparse_boards()))
def test_features_are_within_their_bounds(board: Array) -> None:
    assert ((written(board) >= 0) & (written(board) <= 1)).all()


@pytest.mark.small
def test_the_table_has_a_line_for_every_number() -> None:
    assert len(NAMES) == len(set(NAMES)) == RACE_FEATURES
    assert {(f.size, f.low, f.high) for f in race_features()} == {(1, 0, 1)}


@pytest.mark.small
def test_the_lead_of_half_a_roll_is_that_of_being_on_roll() -> None:
    level = Position.from_counts({10: 10, "off": 5}, {10: 10, "off": 5}).board
    behind = Position.from_counts({10: 10, 4: 1, "off": 4}, {10: 10, "off": 5}).board
    assert feature(level, "own lead") == pytest.approx(4 / 204**0.5 / FURTHEST)
    assert feature(level, "opposing lead") == 0
    assert feature(behind, "own lead") == feature(behind, "opposing lead") == 0


@pytest.mark.small
def test_one_checker_off_saves_the_gammon() -> None:
    running = Position.from_counts({20: 15}, {1: 2, "off": 13}).board
    safe = Position.from_counts({20: 14, "off": 1}, {1: 2, "off": 13}).board
    assert [feature(running, f"own {name}") for name in ("none off", "saving", "gammon")] == [
        1,
        0,
        1,
    ]
    assert not any(feature(safe, f"own {name}") for name in ("none off", "saving", "gammon"))


@pytest.mark.small
def test_the_bar_is_said_in_steps() -> None:
    numbers = [
        [
            feature(Position.from_counts({"bar": n, 6: 15 - n}, {6: 15}).board, f"own {name}")
            for name in ("one on the bar", "two on the bar")
        ]
        for n in range(4)
    ]
    assert numbers == [[0, 0], [1, 0], [1, 1], [1, 1]]


def test_the_lead_tells_who_wins_a_bear_off() -> None:
    rng = np.random.default_rng(0)
    positions = np.zeros((500, 2, 26), np.int8)
    positions[..., :6] = rng.multinomial(12, np.full(6, 1 / 6), (500, 2))
    positions[..., 25] = 3
    leads = [feature(board, "own lead") - feature(board, "opposing lead") for board in positions]
    assert np.corrcoef(leads, outcomes(positions)[:, 0])[0, 1] > 0.9
