"""The memory of what the last games taught."""

import numpy as np
import pytest
import torch

from agents.exact import Lessons
from agents.memory import Memory
from gammon_env.errors import GammonError


def lessons(count: int, games: int) -> Lessons:
    """Lessons of some games, each board and target full of their count."""
    boards = np.full((count, 2, 26), count, np.int8)
    targets = np.full((count, 5), count, np.float32)
    return Lessons(boards, targets, np.ones(games, np.int64), np.zeros((games, 5), np.float32))


def remembered() -> Memory:
    return (
        Memory().followed_by(lessons(3, 10)).followed_by(lessons(4, 20)).followed_by(lessons(5, 30))
    )


@pytest.mark.parametrize(
    ("games", "kept"),
    [
        (0, ()),
        (29, ()),
        (30, (30,)),
        (49, (30,)),
        (50, (20, 30)),
        (60, (10, 20, 30)),
        (99, (10, 20, 30)),
    ],
)
def test_it_keeps_the_last_iterations_that_are_no_more_games(
    games: int, kept: tuple[int, ...]
) -> None:
    memory = remembered().last(games)
    assert memory.games == kept
    assert len(memory.boards) == len(memory.targets) == len(kept)


def test_nothing_is_kept_of_nothing() -> None:
    assert Memory().last(5) == Memory()
    assert Memory.from_tensors(Memory().tensors()) == Memory()


def test_its_tensors_bring_it_back() -> None:
    memory = remembered()
    again = Memory.from_tensors(memory.tensors())
    assert again.games == memory.games
    for ours, theirs in zip(
        memory.boards + memory.targets, again.boards + again.targets, strict=True
    ):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["boards", "targets", "games", "lessons"])
def test_a_part_that_is_missing_is_named(name: str) -> None:
    tensors = remembered().tensors()
    del tensors[name]
    with pytest.raises(GammonError, match=f"memory lacks its {name}"):
        Memory.from_tensors(tensors)


def test_parts_that_do_not_fit_are_told() -> None:
    tensors = remembered().tensors()
    tensors["targets"] = torch.zeros(11, 5)
    with pytest.raises(GammonError, match="12 boards and 11 targets for 12 lessons"):
        Memory.from_tensors(tensors)
