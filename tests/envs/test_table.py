"""The table: both seats, illegal actions, and states in and out."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from gammon_env.envs.backgammon_env import BackgammonEnv
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.rules.dice import opening_roll
from tests.envs.players import last_play
from tests.envs.rollout import CLOSED_OUT, legal, make, play_to_the_end, rollout


class TestBothSeats:
    def test_the_opening_roll_says_who_starts(self) -> None:
        env = make()
        for seed in range(20):
            _, info = env.reset(seed=seed)
            key = np.uint64(env.get_state().stream[0])
            own, other = opening_roll(key, np.uint64(0))
            assert info["to_play"] == env.get_state().seat == (0 if own > other else 1)
            assert info["actor"] == -1

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_seat_can_be_made_to_start(self, seat: int) -> None:
        env = make(seat=seat)
        assert {env.reset(seed=seed)[1]["to_play"] for seed in range(20)} == {seat}

    def test_each_seat_starts_half_the_games(self) -> None:
        env = make()
        env.reset(seed=1)
        starts = sum(env.reset()[1]["to_play"] for _ in range(2000))
        assert abs(starts - 1000) < 90, "four standard errors"

    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_the_step_earns_its_actor_what_the_game_was_worth(self, mode: str) -> None:
        env = make(action_mode=mode)
        for seed in range(10):
            _, info = env.reset(seed=seed)
            *before, last = play_to_the_end(env, info, seed)
            assert all(reward == 0 and not info["rewards"].any() for _, reward, *_, info in before)
            _, reward, terminated, truncated, info = last
            game = env.get_state()
            assert (terminated, truncated) == (True, False)
            assert reward == game.position.outcome.points > 0
            assert info["actor"] == game.winner
            assert info["rewards"].tolist() == list(game.rewards)
            assert info["rewards"][info["actor"]] == reward
            assert info["to_play"] == 1 - game.winner

    def test_a_seat_that_dances_is_passed_over(self) -> None:
        env = make()
        _, info = env.reset(seed=0, options={"position": CLOSED_OUT})
        assert info["passes"] >= 1
        assert info["to_play"] == 1
        _, info = env.reset(options={"position": CLOSED_OUT.swapped(), "dice": (2, 1)})
        chooser = np.random.default_rng(0)
        actors, passes = [], []
        for _ in range(4):
            *_, info = env.step(legal(info, chooser))
            actors.append(info["actor"])
            passes.append(info["passes"])
        assert actors == [0] * 4, "the board stays closed: seat 0 acts on and on"
        assert sum(passes) == 2

    def test_the_observation_is_the_one_of_the_player_on_roll(self) -> None:
        env = make(observation="board")
        observation, info = env.reset(seed=0)
        chooser = np.random.default_rng(0)
        seats = set()
        for _ in range(40):
            game = env.get_state()
            np.testing.assert_array_equal(observation[:52], game.board.ravel())
            assert info["to_play"] == game.seat
            seats.add(game.seat)
            observation, *_, info = env.step(legal(info, chooser))
        assert seats == {0, 1}


class TestIllegalActions:
    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize(("mode", "action"), [("checker", 0), ("play", 3059)])
    def test_one_forfeits_the_most_a_game_can_cost(
        self, mode: str, action: int, opponent: str | None
    ) -> None:
        env = make(action_mode=mode, opponent=opponent, observation="board")
        observation, info = env.reset(seed=0)
        actor = info["to_play"]
        after, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-3, True, False)
        assert info["illegal_action"] is True
        assert (info["actor"], info["to_play"]) == (actor, actor)
        assert not info["action_mask"].any()
        np.testing.assert_array_equal(after[:52], observation[:52])
        assert not after[52:].any(), "the dice are void"
        if opponent is None:
            assert info["rewards"][actor] == -3
            assert info["rewards"][1 - actor] == 3

    @pytest.mark.parametrize(("mode", "action"), [("checker", 0), ("play", 3059)])
    def test_one_can_be_refused_instead(self, mode: str, action: int) -> None:
        env = make(action_mode=mode, illegal_action="raise")
        _, info = env.reset(options={"position": Position.start(), "dice": (5, 5)})
        state = env.get_state()
        legal_ones = np.flatnonzero(info["action_mask"]).tolist()
        with pytest.raises(GammonError, match=f"action {action} is not legal here; legal: ") as e:
            env.step(action)
        assert str(legal_ones) in str(e.value)
        assert env.get_state() == state

    @pytest.mark.parametrize("illegal_action", ["forfeit", "raise"])
    @pytest.mark.parametrize("action", [-1, 150, 1.5, "8/5", None, np.array([3])])
    def test_what_is_no_action_at_all_is_always_refused(
        self, action: Any, illegal_action: str
    ) -> None:
        env = make(illegal_action=illegal_action)
        env.reset(seed=0)
        state = env.get_state()
        with pytest.raises(GammonError, match=r"actions are 0\.\.149|an action is a whole number"):
            env.step(action)
        assert env.get_state() == state

    @pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.uint8, np.array])
    def test_every_kind_of_whole_number_is_an_action(self, kind: Any) -> None:
        env = make(illegal_action="raise")
        _, info = env.reset(seed=0)
        env.step(kind(np.flatnonzero(info["action_mask"])[0]))

    def test_a_finished_game_takes_no_action(self) -> None:
        env = make()
        env.reset(seed=0)
        env.step(0)
        with pytest.raises(GammonError, match="the game is over: call reset"):
            env.step(0)

    @pytest.mark.parametrize("call", ["action_masks", "get_state", "clone"])
    def test_before_the_first_reset_there_is_no_game(self, call: str) -> None:
        env = BackgammonEnv(render_mode="ansi")
        if call == "clone":
            env = env.clone()
            call = "render"
        with pytest.raises(GammonError, match="no game yet: call reset"):
            getattr(env, call)()
        with pytest.raises(GammonError, match="no game yet: call reset"):
            env.step(0)


class TestState:
    @pytest.mark.parametrize("opponent", [None, "random", ["random", "pip-count"]])
    @pytest.mark.parametrize("mode", ["checker", "play"])
    @pytest.mark.parametrize("steps", [0, 1, 2, 3, 50])
    def test_a_state_reproduces_what_follows(self, steps: int, mode: str, opponent: Any) -> None:
        env = make(action_mode=mode, opponent=opponent)
        info = rollout(env, steps, seed=6)[-1][-1]
        state = env.get_state()
        expected = rollout(env, 150, info=info)
        for other in (env, make(action_mode=mode, opponent=opponent)):
            observation, restored = other.set_state(state)
            np.testing.assert_array_equal(restored["action_mask"], info["action_mask"])
            assert restored["to_play"] == info["to_play"]
            assert observation in env.observation_space
            assert data_equivalence(expected, rollout(other, 150, info=restored), exact=True)

    def test_what_get_state_returned_is_the_callers_own(self) -> None:
        env = make()
        env.reset(seed=0)
        state, twin = env.get_state(), env.get_state()
        state.move(state.legal_codes()[0])
        assert env.get_state() == twin
        env.set_state(state)
        state.move(state.legal_codes()[0])
        assert env.get_state() != state

    def test_an_opponent_on_roll_in_it_plays_first(self) -> None:
        state = GameState.from_position(Position.start(), seat=1)
        state.roll((3, 1))
        env = make(opponent=last_play)
        _, info = env.set_state(state)
        assert info["to_play"] == env.get_state().seat == 0
        expected = last_play(Position.start(), (3, 1)).afterstate
        assert env.get_state().position == expected

    def test_a_state_yet_to_roll_is_rolled_for(self) -> None:
        env = make()
        env.set_state(GameState.from_position(Position.start(), key=5))
        assert env.get_state().phase == "to play"

    def test_a_finished_state_can_be_looked_at(self) -> None:
        env = make()
        _, info = env.reset(seed=0)
        play_to_the_end(env, info)
        over = env.get_state()
        env.reset()
        _, info = env.set_state(over)
        assert not info["action_mask"].any()
        assert info["rewards"].tolist() == list(over.rewards)
        with pytest.raises(GammonError, match="the game is over"):
            env.step(0)

    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_clones_go_separate_ways(self, mode: str) -> None:
        env = make(action_mode=mode, opponent="random")
        _, info = env.reset(seed=0)
        state = env.get_state()
        twin = env.clone()
        rollout(twin, 30, info=info)
        assert env.get_state() == state
        assert twin.get_state() != state
        env.step(legal(info, np.random.default_rng(0)))
