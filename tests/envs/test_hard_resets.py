"""Resets that go wrong, or nearly: nothing is drawn twice, nothing is lost, nothing is over."""

import gymnasium
import numpy as np
import pytest

import gammon_env  # noqa: F401 - registers the ids
from agents.random_agent import RandomAgent
from gammon_env.envs.backgammon_env import BackgammonEnv
from gammon_env.envs.vector_env import BackgammonVectorEnv
from gammon_env.envs.wrappers import MaskInObservation
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Play, Position

LOST = Position.from_counts(own={"bar": 1, "off": 14}, opponent={1: 2, "off": 13})
"""The player on roll cannot enter with 1-1 against the points below, and then loses at once."""


class Failing:
    """An opponent that can be told to fail."""

    name = "failing"
    variant = RandomAgent().variant
    fails = True

    def select(self, decisions):
        if self.fails:
            raise RuntimeError("no idea")
        return np.zeros(len(decisions), np.int64)

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        return position.legal_plays(dice)[0]


def streams_of(env: BackgammonEnv, resets: int) -> list[tuple[int, int, int]]:
    found = []
    for _ in range(resets):
        env.reset()
        found.append(env.get_state().stream)
    return found


def test_dice_that_are_none_are_refused() -> None:
    env = BackgammonEnv()
    with pytest.raises(GammonError, match=r"two whole numbers such as \(3, 1\), not None"):
        env.reset(seed=1, options={"dice": None})


def test_a_state_put_in_first_does_not_replace_the_first_key() -> None:
    keys = set()
    for _ in range(3):
        env = BackgammonEnv()
        env.set_state(GameState())
        env.reset()
        keys.add(env.get_state().stream[0])
    assert len(keys) == 3
    assert 0 not in keys


def test_an_unseeded_reset_goes_on_in_the_stream_of_the_state_put_in() -> None:
    env, other = BackgammonEnv(), BackgammonEnv()
    env.reset(seed=1)
    other.reset(seed=2)
    env.set_state(other.get_state())
    assert streams_of(env, 2) == streams_of(other, 2)


def test_a_failed_seeded_reset_changes_nothing() -> None:
    opponent = Failing()
    env, twin = BackgammonEnv(opponent=opponent), BackgammonEnv(opponent=opponent)
    opponent.fails = False
    env.reset(seed=1)
    twin.reset(seed=1)
    opponent.fails = True
    state = env.get_state()
    loses_the_opening = {"dice": (1, 6)}
    with pytest.raises(RuntimeError, match="no idea"):
        env.reset(seed=5, options=loses_the_opening)
    assert env.get_state() == state
    opponent.fails = False
    assert (env.np_random.integers(99, size=9) == twin.np_random.integers(99, size=9)).all()
    assert streams_of(env, 2) == streams_of(twin, 2)


def test_a_failed_first_reset_draws_nothing() -> None:
    opponent = Failing()
    env, twin = BackgammonEnv(opponent=opponent), BackgammonEnv()
    loses_the_opening = {"dice": (1, 6)}
    with pytest.raises(RuntimeError, match="no idea"):
        env.reset(seed=1, options=loses_the_opening)
    opponent.fails = False
    env.reset(seed=3)
    twin.reset(seed=3)
    assert env.get_state().stream[0] == twin.get_state().stream[0]


@pytest.mark.parametrize("kind", [BackgammonEnv, BackgammonVectorEnv])
def test_a_game_that_ends_before_the_caller_decides_is_refused(kind) -> None:
    env = kind(opponent="random")
    env.reset(seed=1)
    before = env.get_state() if kind is BackgammonEnv else env.get_state(0)
    options = {"position": LOST, "dice": (1, 1)}
    with pytest.raises(GammonError, match="the game ended before the caller had a decision"):
        env.reset(options=options)
    after = env.get_state() if kind is BackgammonEnv else env.get_state(0)
    assert after == before


@pytest.mark.parametrize("kind", [BackgammonEnv, BackgammonVectorEnv])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_turns": "3"}, "max_turns is None or a whole number of at least 1, not '3'"),
        ({"max_turns": 1.5}, "max_turns is None or a whole number of at least 1, not 1.5"),
        ({"variant": None}, "a variant is a Variant such as BACKGAMMON, not None"),
        ({"action_mode": []}, r"action_mode is one of checker, play, not \[\]"),
        ({"observation": []}, r"no encoder is called \[\]"),
        ({"opponent": RandomAgent}, r"RandomAgent is a class; pass an agent: RandomAgent\(\)"),
    ],
)
def test_an_argument_of_a_wrong_type_is_refused(kind, arguments, message) -> None:
    with pytest.raises(GammonError, match=message):
        kind(**arguments)


@pytest.mark.parametrize("state", [None, "x", Position.start()])
def test_only_a_game_state_can_be_put_in(state) -> None:
    env = BackgammonEnv()
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(GammonError, match="a state is a GameState, not"):
        env.set_state(state)
    assert env.get_state() == before


@pytest.mark.parametrize("kind", [BackgammonEnv, BackgammonVectorEnv])
@pytest.mark.parametrize("options", [5, [("dice", (3, 1))]])
def test_options_that_are_no_dictionary_are_refused(kind, options) -> None:
    with pytest.raises(GammonError, match="options is a dictionary"):
        kind().reset(options=options)


def test_unknown_options_of_any_type_are_named() -> None:
    with pytest.raises(GammonError, match="reset has no option 2; options: state, position, dice"):
        BackgammonEnv().reset(options={"dice": (3, 1), 2: 3})


def test_another_environment_has_no_masks_to_show() -> None:
    with pytest.raises(GammonError, match="has no action masks"):
        MaskInObservation(gymnasium.make("CartPole-v1"))


def test_a_turn_begun_before_the_limit_is_played_to_its_end() -> None:
    env = BackgammonEnv(max_turns=1, seat=0)
    _, info = env.reset(seed=1, options={"dice": (3, 1)})
    first = env.get_state()
    _, _, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (terminated, truncated) == (False, False)
    _, _, terminated, truncated, _ = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (terminated, truncated) == (False, True)
    assert env.get_state().turn == first.turn + 1


def test_a_clone_draws_its_own_random_numbers() -> None:
    env = BackgammonEnv()
    env.reset(seed=1)
    twin = env.clone()
    drawn = twin.np_random.integers(2**32, size=4).tolist()
    assert env.np_random.integers(2**32, size=4).tolist() == drawn
