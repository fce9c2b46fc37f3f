import pickle
from threading import Thread

import numpy as np
import numpy.typing as npt
import pytest

from agents.cache import Cache
from gammon_env.errors import GammonError
from tests.agents.networks import boards_of_random_games

pytestmark = pytest.mark.small

Boards = npt.NDArray[np.int8]


class Rows:
    """Gives each board a row of its own, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Boards] = []

    def __call__(self, boards: Boards) -> npt.NDArray[np.float32]:
        self.asked.append(boards.copy())
        weights = np.arange(1, 53, dtype=np.float32)
        counts = boards.reshape(len(boards), -1).astype(np.float32)
        return np.stack([(counts * weights).sum(axis=1), counts @ weights[::-1]], axis=1)


@pytest.fixture(scope="module")
def boards() -> Boards:
    return np.unique(boards_of_random_games(300), axis=0)


@pytest.mark.parametrize("slots", [0, 1, 8, 1024])
def test_rows_are_those_of_the_function_however_few_slots(boards: Boards, slots: int) -> None:
    cache = Cache(2, slots)
    for part in (boards[:60], boards[30:90], boards[80:], np.repeat(boards[:40], 3, axis=0)):
        assert (cache.rows(part, Rows()) == Rows()(part)).all()


def test_a_board_is_computed_once(boards: Boards) -> None:
    cache, rows = Cache(2, 1 << 16), Rows()
    cache.rows(np.concatenate([boards, boards]), rows)
    cache.rows(boards[::-1].copy(), rows)
    assert len(rows.asked) == 1
    assert (rows.asked[0] == boards).all()


def test_boards_that_share_a_slot_take_turns(boards: Boards) -> None:
    cache, rows = Cache(2, 1), Rows()
    for board in (boards[:1], boards[1:2], boards[:1], boards[:1]):
        cache.rows(board, rows)
    assert [asked.tolist() for asked in rows.asked] == [
        boards[:1].tolist(),
        boards[1:2].tolist(),
        boards[:1].tolist(),
    ]


def test_boards_that_differ_in_one_place_are_told_apart(boards: Boards) -> None:
    near = np.repeat(boards[:1], 53, axis=0)
    near.reshape(53, -1)[np.arange(52), np.arange(52)] += 1
    assert (Cache(2, 1 << 16).rows(near, Rows()) == Rows()(near)).all()
    assert len(np.unique(Rows()(near), axis=0)) == 53


def test_nothing_is_asked_about_no_boards(boards: Boards) -> None:
    rows = Rows()
    assert Cache(2, 16).rows(boards[:0], rows).shape == (0, 2)
    assert not rows.asked


def test_a_failed_call_leaves_nothing_wrong_behind(boards: Boards) -> None:
    def fail(_: Boards) -> npt.NDArray[np.float32]:
        raise RuntimeError("not today")

    cache = Cache(2, 1 << 10)
    cache.rows(boards[:20], Rows())
    with pytest.raises(RuntimeError, match="not today"):
        cache.rows(boards, fail)
    assert (cache.rows(boards, Rows()) == Rows()(boards)).all()


def test_threads_may_share_one(boards: Boards) -> None:
    cache, expected = Cache(2, 64), Rows()(boards)
    wrong = []

    def work(first: int) -> None:
        for i in range(first, first + 150):
            part = np.arange(i, i + 50) % len(boards)
            wrong.append((cache.rows(boards[part], Rows()) != expected[part]).any())

    threads = [Thread(target=work, args=(first,)) for first in range(0, 80, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 600
    assert not any(wrong)


def test_a_pickled_copy_begins_empty(boards: Boards) -> None:
    cache, rows = Cache(2, 1 << 10), Rows()
    cache.rows(boards[:10], rows)
    copy = pickle.loads(pickle.dumps(cache))
    assert (copy.width, copy.slots) == (2, 1 << 10)
    copy.rows(boards[:10], rows)
    assert len(rows.asked) == 2


@pytest.mark.parametrize("slots", [-1, 3, 1000])
def test_slots_are_a_power_of_two(slots: int) -> None:
    with pytest.raises(GammonError, match=f"power of two of slots, or 0, not {slots}"):
        Cache(2, slots)
