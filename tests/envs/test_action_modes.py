"""Whole plays as actions."""

import numpy as np
import pytest

from gammon_env.actions import MAX_PLAYS, encode
from gammon_env.game import GameState
from gammon_env.observation import encode as encode_boards
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON
from tests.envs.rollout import BEAR_OFF, legal, make


class TestPlays:
    def test_the_mask_is_a_prefix_of_the_number_of_plays(self) -> None:
        env = make(action_mode="play")
        assert env.action_space.n == MAX_PLAYS
        _, info = env.reset(options={"position": Position.start(), "dice": (3, 1)})
        assert info["num_plays"] == 16
        np.testing.assert_array_equal(np.flatnonzero(info["action_mask"]), np.arange(16))

    @pytest.mark.parametrize("observation", ["tesauro", "board", "value"])
    def test_an_action_goes_to_the_afterstate_of_its_number(self, observation: str) -> None:
        env = make(action_mode="play", observation=observation)
        _, info = env.reset(options={"position": Position.start(), "dice": (6, 4)})
        plays = Position.start().legal_plays((6, 4))
        boards = np.array([play.afterstate.board for play in plays])
        np.testing.assert_array_equal(
            info["afterstates"], encode_boards(boards, observation, BACKGAMMON)
        )
        for number, play in enumerate(plays):
            env.reset(options={"position": Position.start(), "dice": (6, 4)})
            env.step(number)
            assert env.get_state().position == play.afterstate

    def test_nothing_is_left_to_choose_at_the_end(self) -> None:
        env = make(action_mode="play")
        env.reset(options={"position": BEAR_OFF, "dice": (1, 1)})
        *_, info = env.step(0)
        assert info["num_plays"] == 0
        assert info["afterstates"].shape == (0, 220)

    def test_a_state_in_mid_turn_is_played_to_its_end(self) -> None:
        env = make(action_mode="play")
        state = GameState.from_position(Position.start())
        state.roll((3, 1))
        state.move(encode(8, 3))
        _, info = env.set_state(state)
        assert info["num_plays"] == state.plays().count
        env.step(0)
        assert env.get_state().turn == 2

    def test_both_modes_play_the_same_game(self) -> None:
        """Checker moves that make the play of a number lead to what the number leads to."""
        whole, single = make(action_mode="play"), make()
        chooser = np.random.default_rng(2)
        _, info = whole.reset(seed=4)
        single.reset(seed=4)
        terminated = False
        while not terminated:
            state = whole.get_state()
            number = legal(info, chooser)
            play = state.position.legal_plays(state.dice)[number]
            observation, reward, terminated, _, info = whole.step(number)
            for move in play.checker_moves:
                step = single.step(encode(move.source, move.die))
            np.testing.assert_array_equal(step[0], observation)
            assert step[1:3] == (reward, terminated)
            assert step[4]["passes"] == info["passes"]
            assert whole.get_state() == single.get_state()
