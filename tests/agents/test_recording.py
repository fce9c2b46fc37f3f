"""Recorded decisions: nothing is lost, and parts of a batch are what they were."""

import numpy as np
import pytest

from agents.match import play_match
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.recording import Recorded, joined, taken
from gammon_env.agent import ask
from gammon_env.errors import GammonError
from tests.agents.players import decisions_of_random_games


def test_a_recorded_player_plays_and_is_called_as_before() -> None:
    recorded = Recorded(PipCountAgent())
    result = play_match(recorded, RandomAgent(), 6, seed=2)
    plain = play_match(PipCountAgent(), RandomAgent(), 6, seed=2)
    assert result.points_per_game == plain.points_per_game
    assert recorded.name == "pip-count"
    assert len(recorded.decisions) == len(recorded.choices) == plain.agent.decisions
    assert (ask(PipCountAgent(), recorded.decisions) == recorded.choices).all()


def test_joined_batches_keep_their_plays() -> None:
    batches = decisions_of_random_games(4, seed=1)
    whole = joined(batches)
    assert len(whole) == sum(map(len, batches))
    assert whole.offsets[-1] == len(whole.afterstates)
    assert ask(RandomAgent(), whole).tolist() == [
        choice for batch in batches for choice in ask(RandomAgent(), batch)
    ]


def test_taken_decisions_are_those_asked_for() -> None:
    whole = joined(decisions_of_random_games(4, seed=1))
    indices = np.array([7, 0, 7, 30])
    part = taken(whole, indices)
    for at, index in enumerate(indices):
        assert part.question(at) == whole.question(index)
        ours = part.afterstates[part.offsets[at] : part.offsets[at + 1]]
        theirs = whole.afterstates[whole.offsets[index] : whole.offsets[index + 1]]
        assert np.array_equal(ours, theirs)
    assert (part.random == whole.random[indices]).all()
    assert len(taken(whole, np.empty(0, np.int64))) == 0


def test_nothing_asked_is_said() -> None:
    with pytest.raises(GammonError, match="no decisions"):
        _ = Recorded(RandomAgent()).decisions
