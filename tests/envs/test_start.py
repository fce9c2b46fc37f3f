"""Where games start, and where their dice come from."""

from typing import Any

import numpy as np
import pytest

from gammon_env.actions import encode
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from tests.envs.rollout import BEAR_OFF, make, rollout


class TestStart:
    def test_a_position_puts_the_caller_on_roll(self) -> None:
        for arguments in ({}, {"opponent": "random"}, {"opponent": "random", "seat": 1}):
            env = make(observation="board", **arguments)
            observation, info = env.reset(options={"position": BEAR_OFF.swapped(), "dice": (6, 1)})
            assert info["to_play"] == 0
            np.testing.assert_array_equal(observation[:52], BEAR_OFF.swapped().board.ravel())

    def test_a_position_can_be_put_before_either_seat(self) -> None:
        _, info = make(seat=1).reset(options={"position": Position.start()})
        assert info["to_play"] == 1

    def test_a_position_is_rolled_for_as_in_mid_game(self) -> None:
        env = make()
        env.reset(seed=0)
        rolls = set()
        for _ in range(300):
            env.reset(options={"position": Position.start()})
            rolls.add(env.get_state().dice)
        assert len(rolls) == 21, "doubles too"

    def test_given_dice_that_dance_are_a_pass(self) -> None:
        blocked = Position.from_counts({"bar": 1, 13: 14}, {6: 2, 5: 13})
        _, info = make().reset(seed=0, options={"position": blocked, "dice": (6, 5)})
        assert info["passes"] >= 1

    @pytest.mark.parametrize(("dice", "starter"), [((6, 1), 0), ((1, 6), 1)])
    def test_dice_alone_are_the_opening_roll(self, dice: tuple[int, int], starter: int) -> None:
        env = make()
        _, info = env.reset(options={"dice": dice})
        assert info["to_play"] == starter
        assert env.get_state().dice == (6, 1)
        _, info = make(seat=1 - starter).reset(options={"dice": dice})
        assert info["to_play"] == 1 - starter

    def test_a_state_goes_on_with_the_dice_of_the_environment(self) -> None:
        env = make()
        rollout(env, 21, seed=0)
        state = env.get_state()
        stream = state.stream
        later = []
        for _ in range(2):
            env.reset(options={"state": state})
            assert env.get_state().position == state.position
            assert env.get_state().dice_left == state.dice_left
            rollout(env, 4, info={"action_mask": env.action_masks()})
            later.append(env.get_state().dice)
        assert state.stream == stream, "the caller's state is not touched"
        assert env.get_state().stream[1] > stream[1]

    def test_a_state_puts_the_caller_on_roll(self) -> None:
        state = GameState.from_position(Position.start(), seat=1)
        state.roll((3, 1))
        state.move(encode(8, 3))
        env = make(opponent="random")
        _, info = env.reset(options={"state": state})
        assert info["to_play"] == env.get_state().seat == 0
        assert env.get_state().dice_left == (1,)
        _, info = make().reset(options={"state": state})
        assert info["to_play"] == 1

    def test_seed_and_state_together_fix_what_follows(self) -> None:
        env = make()
        rollout(env, 11, seed=0)
        state = env.get_state()
        ways = []
        for _ in range(2):
            env.reset(seed=9, options={"state": state})
            ways.append(rollout(env, 30, info={"action_mask": env.action_masks()}))
        for one, other in zip(*ways, strict=True):
            np.testing.assert_array_equal(one[1], other[1])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"positon": BEAR_OFF}, "no option 'positon'; options: state, position, dice"),
            ({"position": BEAR_OFF, "state": GameState()}, "a state or a position, not both"),
            ({"position": "start"}, "option position is a Position, not 'start'"),
            ({"state": BEAR_OFF}, "option state is a GameState, not"),
            ({"dice": (3, 3)}, "3-3 cannot open the game"),
            ({"dice": (7, 1)}, "each die shows 1 to 6"),
            ({"position": Position.from_counts({"off": 15}, {1: 15})}, "the game is over in"),
        ],
    )
    def test_a_wrong_option_is_refused_and_changes_nothing(
        self, options: dict[str, Any], message: str
    ) -> None:
        env = make()
        env.reset(seed=0)
        state, generator = env.get_state(), env.np_random.bit_generator.state
        with pytest.raises(GammonError, match=message):
            env.reset(seed=1, options=options)
        assert env.get_state() == state
        assert env.np_random.bit_generator.state == generator

    def test_dice_cannot_be_put_into_a_turn_half_played(self) -> None:
        state = GameState.from_position(Position.start())
        state.roll((3, 1))
        state.move(encode(8, 3))
        with pytest.raises(GammonError, match="no time for other dice"):
            make().reset(options={"state": state, "dice": (6, 6)})

    def test_a_finished_state_is_no_start(self) -> None:
        state = GameState()
        state.advance()
        state.forfeit()
        with pytest.raises(GammonError, match="option state: the game is over in it"):
            make().reset(options={"state": state})


class TestDiceStream:
    def test_the_key_is_drawn_once_and_games_go_on_in_the_stream(self) -> None:
        env = make()
        env.reset(seed=3)
        generator = env.np_random.bit_generator.state
        key, counter, _ = env.get_state().stream
        rollout(env, 500, seed=None)
        assert env.np_random.bit_generator.state == generator
        key_later, counter_later, first = env.get_state().stream
        assert key_later == key
        assert counter_later > first > counter

    def test_games_of_one_stream_differ(self) -> None:
        env = make()
        env.reset(seed=3)
        openings = {(env.reset()[1]["to_play"], env.get_state().dice) for _ in range(400)}
        assert len(openings) == 30

    def test_without_a_seed_environments_differ(self) -> None:
        envs = [make() for _ in range(5)]
        for env in envs:
            env.reset()
        assert len({env.get_state().stream[0] for env in envs}) == 5
