"""Players that fail: named by position and dice, and parted from the decisions they can do."""

import numpy as np
import pytest

from agents.random_agent import RandomAgent
from agents.referee import answers
from gammon_env.agent import BatchAgent, Choices, Decisions, FunctionAgent
from gammon_env.errors import GammonError
from gammon_env.position import Play, Position
from tests.agents.players import decisions_of_random_games

BATCH = max(decisions_of_random_games(24, seed=1)[1:], key=len)
"""The first batch is of opening rolls, which are no doubles."""


class AfraidOf(BatchAgent):
    """Plays the last play, but fails where a double is thrown."""

    name = "afraid"

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self.error = error

    def select(self, decisions: Decisions) -> Choices:
        doubles = decisions.dice[:, 0] == decisions.dice[:, 1]
        if self.error is not None and doubles.any():
            raise self.error
        return decisions.counts - 1 + doubles


class Hasty(BatchAgent):
    name = "hasty"

    def select(self, decisions: Decisions) -> Choices:
        if len(decisions) > 1:
            raise MemoryError("too many at once")
        return np.zeros(1, np.int64)


def doubles() -> list[int]:
    return np.flatnonzero(BATCH.dice[:, 0] == BATCH.dice[:, 1]).tolist()


@pytest.mark.parametrize("error", [None, ValueError("no doubles"), GammonError("no doubles")])
def test_only_the_decisions_that_fail_are_at_fault(error: Exception | None) -> None:
    assert 0 < len(doubles()) < len(BATCH)
    choices, faults = answers(AfraidOf(error), BATCH, "forfeit")
    assert list(faults) == doubles()
    whole = np.setdiff1d(np.arange(len(BATCH)), doubles())
    assert (choices[whole] == BATCH.counts[whole] - 1).all()
    for index, fault in faults.items():
        assert BATCH.describe(index) in fault
        assert error is None or "no doubles" in fault


@pytest.mark.parametrize("error", [None, ValueError("no doubles"), GammonError("no doubles")])
def test_the_first_fault_is_raised(error: Exception | None) -> None:
    with pytest.raises(GammonError, match="agent afraid") as raised:
        answers(AfraidOf(error), BATCH)
    assert BATCH.describe(doubles()[0]) in str(raised.value)


def test_a_player_that_fails_only_at_a_batch() -> None:
    choices, faults = answers(Hasty(), BATCH, "forfeit")
    assert not faults
    assert not choices.any()
    with pytest.raises(GammonError, match=r"hasty failed at a batch .*: .*too many at once"):
        answers(Hasty(), BATCH)


def test_a_function_is_blamed_once() -> None:
    def fails(position: Position, dice: tuple[int, int]) -> Play:
        raise RuntimeError("lost")

    with pytest.raises(GammonError) as raised:
        answers(FunctionAgent(fails, "mine"), BATCH)
    assert str(raised.value) == f"agent mine failed at {BATCH.describe(0)}: RuntimeError('lost')"


def test_a_good_player_is_asked_once() -> None:
    choices, faults = answers(RandomAgent(), BATCH, "forfeit")
    assert not faults
    assert choices.tolist() == RandomAgent().select(BATCH).tolist()
