"""Encoders of long nardy: what they write, its true bounds, and that legality can be seen."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env.batch import encode
from gammon_env.encoder import Encoder
from gammon_env.nardy_encoder import (
    BOARD,
    EXTRAS,
    SIDE_EXTRAS,
    TESAURO,
    VALUE,
    longest_row,
    turned,
    write_extras,
)
from gammon_env.observation import get_encoder
from gammon_env.position import Position
from gammon_env.rules.variant import NARDY
from tests.nardy_strategies import boards
from tests.rules.nardy_boards import position
from tests.test_observation import dice_left, padded

Array = npt.NDArray[np.generic]
ENCODERS = (TESAURO, BOARD, VALUE)

every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.name)
head_moves = st.integers(0, 2)


def written(encoder: Encoder, board: Array, dice: tuple[int, ...] = (), heads: int = 0) -> Array:
    """Return what the encoder writes over rubbish; what it leaves out stays rubbish."""
    out = np.full(encoder.size, np.nan, np.float32)
    encoder.write(board.astype(np.int8), np.append(padded(dice), np.int8(heads)), out)
    return out


@every_encoder
@given(board=boards(), dice=dice_left, heads=head_moves)
def test_every_number_is_written_within_its_bounds(
    encoder: Encoder, board: Array, dice: tuple[int, ...], heads: int
) -> None:
    numbers = written(encoder, board, dice, heads)
    assert (encoder.low <= numbers).all()
    assert (numbers <= encoder.high).all()


EXTREMES = [
    *(({point: 15}, {point + 6 if point < 19 else point - 6: 15}) for point in range(1, 25)),
    ({"off": 15}, {1: 15}),
    ({1: 1, "off": 14}, {24: 15}),
    ({24: 15}, {17: 1, 16: 1, 15: 1, 14: 1, 13: 1, 12: 9, 18: 1} | {12: 8, 11: 1}),
    (dict.fromkeys(range(12, 18), 1) | {24: 9}, {24: 15}),
    (dict.fromkeys(range(18, 24), 1) | {24: 9}, {24: 15}),
    (dict.fromkeys(range(1, 25, 2), 1) | {24: 3}, {1: 15}),
]


@pytest.mark.parametrize("encoder", [TESAURO, BOARD], ids=lambda encoder: encoder.name)
def test_every_bound_is_reached(encoder: Encoder) -> None:
    views = [
        board
        for own, other in EXTREMES[:26]
        for board in (
            Position.from_counts(own, other, NARDY).board,
            Position.from_counts(own, other, NARDY).board[::-1],
        )
    ]
    left = [(die,) * 4 for die in range(1, 7)]
    numbers = np.array(
        [written(encoder, view, dice, heads) for view in views for dice in left for heads in (0, 2)]
    )
    np.testing.assert_array_equal(numbers.min(axis=0), encoder.low)
    np.testing.assert_array_equal(numbers.max(axis=0), encoder.high)


@every_encoder
@given(board=boards())
def test_swapping_the_sides_swaps_their_features(encoder: Encoder, board: Array) -> None:
    own, other = written(encoder, board), written(encoder, board[::-1])
    side = np.repeat(
        [f.name.split()[0] for f in encoder.features], [f.size for f in encoder.features]
    )
    np.testing.assert_array_equal(own[side == "own"], other[side == "opposing"])
    np.testing.assert_array_equal(own[side == "opposing"], other[side == "own"])


@given(boards(), dice_left, head_moves)
def test_board_loses_nothing(board: Array, dice: tuple[int, ...], heads: int) -> None:
    numbers = written(BOARD, board, dice, heads)
    rows = np.delete(board, 24, axis=1)
    np.testing.assert_array_equal(numbers[:50].reshape(2, 25), rows)
    assert list(numbers[50:]) == [*(dice.count(die) for die in range(1, 7)), heads]


@given(boards())
def test_tesauro_counts_checkers_in_units(board: Array) -> None:
    units = written(TESAURO, board)[:97][:96].reshape(24, 4).T
    np.testing.assert_array_equal(units[0] + units[1] + units[2] + 2 * units[3], board[0, :24])


@pytest.mark.small
def test_the_head_moves_left_are_seen() -> None:
    start = Position.start(NARDY).board
    for encoder, numbers in ((TESAURO, [0, 0.5, 1]), (BOARD, [0, 1, 2])):
        assert [written(encoder, start, (3, 3), n)[-1] for n in range(3)] == numbers


def extras(start: Position) -> dict[str, tuple[float, float]]:
    """Return what each side is as a whole, by name: own, opposing."""
    out = np.empty(EXTRAS, np.float32)
    write_extras(start.board.copy(), out)
    names = ("rearmost", "foremost", "row", "ahead of", "blocked", "dice")
    sides = out[:-1].reshape(2, SIDE_EXTRAS)
    return {name: tuple(sides[:, i].tolist()) for i, name in enumerate(names)}


@pytest.mark.small
class TestExtras:
    def test_of_the_start(self) -> None:
        seen = extras(Position.start(NARDY))
        assert seen["rearmost"] == seen["foremost"] == (1, 1)
        assert seen["row"] == pytest.approx((1 / 6, 1 / 6))
        assert seen["blocked"] == (0, 0)
        assert seen["dice"] == (1, 1), "all but by 12 pips"

    def test_of_a_block_before_everybody(self) -> None:
        """Mine are 7 to 11; the opponent's head is my 12."""
        seen = extras(position({**dict.fromkeys(range(7, 12), 2), 24: 5}))
        assert seen["row"][0] == pytest.approx(5 / 6)
        assert seen["ahead of"][0] == 1
        assert seen["blocked"][1] == pytest.approx(5 / 6)
        assert seen["dice"][1] == pytest.approx(1 / 6), "only by a 6"

    def test_a_block_that_is_passed_holds_nobody(self) -> None:
        seen = extras(position({**dict.fromkeys(range(7, 12), 2), 24: 5}, {3: 15}))
        assert seen["ahead of"][0] == 0

    def test_none_is_foremost_once_one_is_off(self) -> None:
        assert extras(position({3: 14}))["foremost"][0] == 0

    def test_a_row_crosses_my_seam_but_not_the_opponents(self) -> None:
        across = sum(1 << (point - 1) for point in (2, 1, 24, 23, 22, 21))
        assert longest_row(turned(across)) == (6, 8), "its 9 to 14"
        ends = sum(1 << (point - 1) for point in (10, 11, 12, 13, 14))
        assert longest_row(turned(ends))[0] == 3


@every_encoder
@given(some=st.lists(st.tuples(boards(), dice_left, head_moves), min_size=1, max_size=5))
def test_many_boards_are_encoded_as_each_alone(
    encoder: Encoder, some: list[tuple[Array, tuple[int, ...], int]]
) -> None:
    assert get_encoder(encoder.name, NARDY) is encoder
    stacked = np.array([board for board, _, _ in some], np.int8)
    left = np.array([[*padded(dice), heads] for _, dice, heads in some], np.int8)
    np.testing.assert_array_equal(
        encode(stacked, encoder.name, NARDY, left), [written(encoder, *one) for one in some]
    )


@every_encoder
def test_the_table_documents_every_number(encoder: Encoder) -> None:
    assert encoder.size == encoder.low.size == encoder.high.size
    assert encoder.table.count("\n") == len(encoder.features) + 1


def test_sizes_are_the_documented_ones() -> None:
    assert [encoder.size for encoder in ENCODERS] == [219, 57, 209]
