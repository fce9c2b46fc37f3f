import pickle
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from agents.checkpoint import Counters, save_checkpoint
from agents.network import fast
from agents.network_agent import NetworkAgent, open_checkpoint
from gammon_env.agent import Decisions, ask, load_agent
from gammon_env.errors import GammonError
from gammon_env.position import Place, Position
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import (
    boards_of_random_games,
    constant_network,
    random_network,
    short_run,
)
from tests.agents.players import decisions_of_random_games
from tests.strategies import boards, dice


def test_the_play_is_the_one_that_leaves_the_opponent_least() -> None:
    agent = NetworkAgent(fast(random_network((12, 6))))
    for decisions in decisions_of_random_games(4, seed=1)[:60]:
        equities = BACKGAMMON.equity(agent.outcomes(decisions.afterstates))
        for i, choice in enumerate(ask(agent, decisions)):
            mine = equities[decisions.offsets[i] : decisions.offsets[i + 1]]
            assert mine[choice] <= mine.min() + 1e-6


def test_among_equals_the_first_is_played() -> None:
    agent = NetworkAgent(constant_network())
    decisions = decisions_of_random_games(4, seed=2)[0]
    assert ask(agent, decisions).tolist() == [0] * len(decisions)


def test_a_choice_does_not_depend_on_the_batch() -> None:
    agent = NetworkAgent(fast(random_network()))
    for decisions in decisions_of_random_games(8, seed=4)[:15]:
        alone = [
            int(agent.select(Decisions.single(*decisions.question(i)))[0])
            for i in range(len(decisions))
        ]
        assert agent.select(decisions).tolist() == alone


@settings(max_examples=40)
@given(board=boards(), roll=dice)
def test_choose_returns_a_legal_play(board: npt.NDArray[np.int8], roll: tuple[int, int]) -> None:
    position = Position(board)
    plays = [] if position.is_over else position.legal_plays(roll)
    if plays:
        assert NetworkAgent(_NETWORK).choose(position, roll) in plays


_NETWORK = fast(random_network())


def test_a_winning_play_is_found() -> None:
    position = Position.from_counts(own={1: 1, 2: 1, "off": 13}, opponent={6: 14, "off": 1})
    plays = position.legal_plays((2, 1))
    assert len(plays) == 2
    assert NetworkAgent(constant_network()).choose(position, (2, 1)).afterstate.is_over


@pytest.mark.parametrize(
    ("own", "equity"), [({24: 14, "off": 1}, -1), ({6: 15}, -2), ({24: 1, 6: 14}, -3)]
)
def test_outcomes_of_a_finished_game_are_exact(own: Mapping[Place, int], equity: int) -> None:
    position = Position.from_counts(own=own, opponent={"off": 15})
    outcomes = NetworkAgent(constant_network(2.0)).outcomes(position.board[np.newaxis])
    assert BACKGAMMON.equity(outcomes).tolist() == [equity]


def test_a_network_that_has_diverged_still_plays_legally() -> None:
    network = random_network()
    network.layers[-1].bias.data.fill_(float("nan"))
    decisions = decisions_of_random_games(4, seed=2)[0]
    assert ask(NetworkAgent(fast(network)), decisions).tolist() == [0] * len(decisions)


def test_it_pickles() -> None:
    agent = NetworkAgent(_NETWORK, "me")
    copy = pickle.loads(pickle.dumps(agent))
    positions = boards_of_random_games(50)
    assert copy.name == "me"
    assert copy.outcomes(positions).tobytes() == agent.outcomes(positions).tobytes()


# --- from a checkpoint ----------------------------------------------------------------------------


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    network = random_network((6, 4), seed=8)
    save_checkpoint(path, network, {}, short_run(tmp_path).as_dict(), Counters())
    return path


def test_a_checkpoint_is_a_player(checkpoint: Path) -> None:
    agent = load_agent(str(checkpoint))
    expected = NetworkAgent(fast(random_network((6, 4), seed=8)))
    assert agent.name == str(checkpoint)
    for decisions in decisions_of_random_games(4, seed=5)[:20]:
        assert agent.select(decisions).tolist() == expected.select(decisions).tolist()


def test_a_checkpoint_of_another_game_is_refused(checkpoint: Path) -> None:
    other = replace(BACKGAMMON, name="hypergammon")
    with pytest.raises(GammonError, match="plays backgammon, not hypergammon"):
        open_checkpoint(checkpoint, other)


def test_a_missing_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match=r"there is no checkpoint .*none\.safetensors"):
        load_agent(str(tmp_path / "none.safetensors"))


def test_impossible_boards_are_not_judged() -> None:
    agent = NetworkAgent(constant_network())
    crowded = np.repeat(BACKGAMMON.start_board()[np.newaxis], 2, axis=0)
    crowded[1, 0, 5] = 100
    with pytest.raises(GammonError, match="board 1: own has 110 checkers"):
        agent.outcomes(crowded)
    with pytest.raises(GammonError, match=r"boards are int8\[N, 2, 26\]"):
        agent.outcomes(crowded[0])
