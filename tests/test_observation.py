"""Encoders: what they write, its true bounds, and that nothing legality depends on is lost."""

import hashlib

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_env import batch
from gammon_env.encoder import Encoder
from gammon_env.errors import GammonError
from gammon_env.observation import BOARD, ENCODERS, TESAURO, VALUE, encode, get_encoder
from gammon_env.position import Position
from gammon_env.rules.dice import ROLLS
from gammon_env.rules.variant import BACKGAMMON
from tests.strategies import boards

Array = npt.NDArray[np.generic]

START = Position.start().board.copy()
IN_MID_TURN = Position.from_counts(
    {"bar": 1, 24: 1, 13: 4, 6: 5, 1: 1, "off": 3}, {"bar": 2, 20: 1, 8: 3, 6: 7, "off": 2}
).board.copy()

dice_left = st.one_of(
    st.just(()),
    st.sampled_from(ROLLS).filter(lambda roll: roll[0] != roll[1]),
    st.builds(lambda die, moves: (die,) * moves, st.integers(1, 6), st.integers(1, 4)),
)
"""Dice still to play at any moment of a turn, larger first."""


def padded(dice: tuple[int, ...]) -> npt.NDArray[np.int8]:
    return np.array(dice + (0,) * (4 - len(dice)), np.int8)


def written(encoder: Encoder, board: Array, dice: tuple[int, ...] = ()) -> Array:
    """Return what the encoder writes over rubbish; what it leaves out stays rubbish."""
    out = np.full(encoder.size, np.nan, np.float32)
    encoder.write(board, padded(dice), out)
    return out


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
@given(board=boards(), dice=dice_left)
def test_every_number_is_written_within_its_bounds(
    encoder: Encoder, board: Array, dice: tuple[int, ...]
) -> None:
    numbers = written(encoder, board, dice)
    assert (encoder.low <= numbers).all()
    assert (numbers <= encoder.high).all()


CLOSED = dict.fromkeys(range(1, 6), 2) | {6: 5}
EXTREMES = [
    ({"bar": 15}, CLOSED),
    ({"off": 15}, {"bar": 15}),
    *(({point: 15}, {24: 15}) for point in range(2, 25)),
    *(({point: 1, "off": 14}, {24: 15}) for point in range(2, 25)),
    ({"bar": 15}, {"bar": 15}),
    ({"bar": 15}, {**dict.fromkeys(range(1, 7), 1), "off": 9}),
    ({1: 15}, {1: 15}),
    ({1: 1, "off": 14}, {1: 15}),
]
"""Positions of which some reach the greatest and some the least value of every number."""


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_every_bound_is_reached(encoder: Encoder) -> None:
    positions = [Position.from_counts(own, opponent) for own, opponent in EXTREMES]
    views = [board.copy() for p in positions for board in (p.board, p.board[::-1])]
    left = [(die,) * 4 for die in range(1, 7)]
    numbers = np.array([written(encoder, view, dice) for view in views for dice in left])
    np.testing.assert_array_equal(numbers.min(axis=0), encoder.low)
    np.testing.assert_array_equal(numbers.max(axis=0), encoder.high)


def counts_from_units(units: Array) -> Array:
    blot, two, three, more = units.reshape(24, 4).T
    return blot + 2 * two + three + 2 * more


@given(boards(), dice_left)
def test_tesauro_loses_nothing(board: Array, dice: tuple[int, ...]) -> None:
    numbers = written(TESAURO, board, dice)
    sides = numbers[:196].reshape(2, 98)
    for side, row in zip(sides, board, strict=True):
        np.testing.assert_array_equal(counts_from_units(side[:96]), row[:24])
        np.testing.assert_allclose(side[96:] * (2, 15), row[24:])
    of_each_die = numbers[196:].reshape(6, 4).sum(axis=1)
    assert list(of_each_die) == [dice.count(die) for die in range(1, 7)]


@pytest.mark.small
@pytest.mark.parametrize(
    ("checkers", "units"),
    [
        (0, [0, 0, 0, 0]),
        (1, [1, 0, 0, 0]),
        (2, [0, 1, 0, 0]),
        (3, [0, 1, 1, 0]),
        (4, [0, 1, 1, 0.5]),
        (15, [0, 1, 1, 6]),
    ],
)
def test_four_units_of_a_point(checkers: int, units: list[float]) -> None:
    board = np.zeros((2, 26), np.int8)
    board[0, 5] = checkers
    board[1, 7] = checkers
    numbers = written(TESAURO, board)
    assert numbers[5 * 4 : 6 * 4].tolist() == units
    assert numbers[98 + 7 * 4 : 98 + 8 * 4].tolist() == units


@given(boards(), dice_left)
def test_board_is_the_counts_and_the_dice(board: Array, dice: tuple[int, ...]) -> None:
    numbers = written(BOARD, board, dice)
    np.testing.assert_array_equal(numbers[:52].reshape(2, 26), board)
    assert list(numbers[52:]) == [dice.count(die) for die in range(1, 7)]


@pytest.mark.small
@pytest.mark.parametrize("encoder", [TESAURO, BOARD], ids=lambda encoder: encoder.name)
def test_a_played_die_is_gone(encoder: Encoder) -> None:
    first, second = written(encoder, START, (6, 1)), written(encoder, START, (6,))
    assert np.flatnonzero(first != second).size == 1
    assert (written(encoder, START)[-6:] == 0).all()


@given(boards())
def test_value_does_not_see_the_dice(board: Array) -> None:
    np.testing.assert_array_equal(written(VALUE, board, (6, 1)), written(VALUE, board))


BY_WHO_IS_ON_ROLL = ("lead", "saving", "gammon")
"""Features that count half a roll for the player on roll, whichever side it is."""


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
@given(board=boards())
def test_swapping_the_sides_swaps_their_features(encoder: Encoder, board: Array) -> None:
    own, other = written(encoder, board), written(encoder, board[::-1].copy())
    sides = {name: columns_of(encoder, name) for name in ("own", "opposing")}
    np.testing.assert_array_equal(own[sides["own"]], other[sides["opposing"]])
    np.testing.assert_array_equal(own[sides["opposing"]], other[sides["own"]])


def columns_of(encoder: Encoder, side: str) -> Array:
    """Return where the features of a side lie that read alike from both sides."""
    mine = [
        [f.name.startswith(side) and f.name.split()[-1] not in BY_WHO_IS_ON_ROLL] * f.size
        for f in encoder.features
    ]
    return np.flatnonzero(np.concatenate(mine))


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
@given(some=st.lists(st.tuples(boards(), dice_left), min_size=1, max_size=5))
def test_many_boards_are_encoded_as_each_alone(
    encoder: Encoder, some: list[tuple[Array, tuple[int, ...]]]
) -> None:
    stacked = np.array([board for board, _ in some])
    left = np.array([padded(dice) for _, dice in some])
    together = encode(stacked, encoder.name, BACKGAMMON, left)
    assert together.dtype == np.float32
    alone = [written(encoder, board, dice) for board, dice in some]
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(
        batch.encode(stacked, encoder.name, BACKGAMMON),
        [written(encoder, board) for board, _ in some],
    )


def test_no_boards_are_no_rows() -> None:
    assert encode(np.empty((0, 2, 26), np.int8), "tesauro", BACKGAMMON).shape == (0, 220)


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_the_table_documents_every_number(encoder: Encoder) -> None:
    rows = [line.strip("| ").split(" | ") for line in encoder.table.splitlines()[2:]]
    start = 0
    for row, feature in zip(rows, encoder.features, strict=True):
        assert (int(row[0]), int(row[1]), row[4]) == (start, feature.size, feature.name)
        assert float(row[2]) < min(float(bound) for bound in row[3].split(", "))
        assert row[5]
        start += feature.size
    assert start == encoder.size == encoder.low.size == encoder.high.size


def test_sizes_are_the_documented_ones() -> None:
    assert {name: encoder.size for name, encoder in ENCODERS.items()} == {
        "tesauro": 220,
        "board": 58,
        "value": 233,
    }


SIGNATURES = {
    ("tesauro", 1): "953282e9088c",
    ("board", 1): "5b05cc88f05f",
    ("value", 2): "76bb66e876d7",
    ("value", 3): "b33b53882f68",
}


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
def test_what_a_version_writes_never_changes(encoder: Encoder) -> None:
    """Raise the version and add its signature when this is meant to change."""
    numbers = [written(encoder, START, (6, 5)), written(encoder, IN_MID_TURN, (3, 3, 3))]
    for version, size in encoder.sizes.items():
        first = np.round([row[:size] for row in numbers], 4)
        digest = hashlib.sha256(first.tobytes()).hexdigest()[:12]
        assert digest == SIGNATURES[encoder.name, version]


def test_an_unknown_encoder_is_refused_by_name() -> None:
    with pytest.raises(GammonError, match="'tesuro'; there are: tesauro, board, value"):
        get_encoder("tesuro")
    with pytest.raises(GammonError, match="'x'; there are"):
        encode(START[np.newaxis], "x", BACKGAMMON)
