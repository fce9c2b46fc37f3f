"""Opponents: seat 0 against an agent, a function, a name, or one drawn from a list."""

from typing import Any

import numpy as np
import pytest

from gammon_env.actions import encode
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from tests.envs.players import ByWord, Failing, last_play
from tests.envs.rollout import BEAR_OFF, CLOSED_OUT, make, play_to_the_end, rollout


class TestOpponent:
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_the_caller_has_seat_0_and_the_points(self, mode: str) -> None:
        env = make(action_mode=mode, opponent="random")
        rewards = set()
        for seed in range(30):
            _, info = env.reset(seed=seed)
            *before, last = play_to_the_end(env, info, seed)
            assert all(reward == 0 for _, reward, *_ in before)
            assert all((s[-1]["to_play"], s[-1]["actor"]) == (0, 0) for s in before)
            assert "rewards" not in info
            assert last[1] == env.get_state().rewards[0] != 0
            rewards.add(np.sign(last[1]))
        assert rewards == {-1, 1}

    def test_the_last_observation_is_the_callers_whoever_has_won(self) -> None:
        env = make(observation="board", opponent="random")
        env.reset(seed=0, options={"position": BEAR_OFF, "dice": (1, 1)})
        observation, reward, terminated, *_ = env.step(encode(1, 1))
        assert terminated
        assert reward == 2
        assert observation[25] == 15, "the caller's own checkers are off"
        _, info = env.reset(options={"position": BEAR_OFF.swapped(), "dice": (2, 1)})
        observation, reward, terminated, *_ = play_to_the_end(env, info)[-1]
        assert terminated
        assert reward == -2
        assert observation[51] == 15

    def test_it_plays_before_the_caller_where_it_starts(self) -> None:
        env = make(opponent=last_play, seat=1)
        env.reset(seed=3)
        state = env.get_state()
        assert (state.seat, state.turn) == (0, 2)
        opening = GameState(key=state.stream[0])
        opening.advance(starter=1)
        opening.play(last_play(opening.position, opening.dice))
        assert opening.position == state.position

    def test_all_kinds_of_opponent_play(self) -> None:
        as_function = rollout(make(opponent=last_play), 50)
        as_name = rollout(make(opponent="tests.envs.players:last_play"), 50)
        for one, other in zip(as_function, as_name, strict=True):
            np.testing.assert_array_equal(one[1], other[1])

    def test_an_opponent_is_drawn_for_each_game(self) -> None:
        agents = [ByWord(), ByWord(), ByWord()]
        env = make(opponent=agents, seat=1)
        env.reset(seed=0)
        drawn = []
        for _ in range(300):
            before = [len(agent.words) for agent in agents]
            env.reset()
            asked = [len(a.words) - n for a, n in zip(agents, before, strict=True)]
            assert sorted(asked) == [0, 0, 1]
            drawn.append(asked.index(1))
        counts = np.bincount(drawn)
        assert len(counts) == 3
        assert counts.min() > 60

    def test_the_one_drawn_plays_the_whole_game(self) -> None:
        agents = [ByWord(), ByWord()]
        env = make(opponent=agents)
        for seed in range(10):
            for agent in agents:
                agent.words.clear()
            play_to_the_end(env, env.reset(seed=seed)[1], seed)
            assert sorted(bool(agent.words) for agent in agents) == [False, True]

    def test_every_decision_has_its_own_random_word(self) -> None:
        agent = ByWord()
        rollout(make(opponent=agent), 500)
        assert len(agent.words) > 150
        assert len(set(agent.words)) == len(agent.words)

    def test_the_dice_do_not_depend_on_who_plays(self) -> None:
        """The first roll of the caller after the opponent's first turn is the stream's second."""
        seen = {}
        for opponent in ("random", "pip-count", last_play):
            env = make(opponent=opponent, seat=1)
            env.reset(seed=11)
            state = env.get_state()
            seen[str(opponent)] = (state.turn, state.dice, state.stream)
        assert len(set(seen.values())) == 1

    def test_it_moves_more_than_once_while_the_caller_dances(self) -> None:
        env = make(opponent="random")
        env.reset(seed=0, options={"position": CLOSED_OUT})
        assert env.get_state().turn >= 3

    @pytest.mark.parametrize(
        ("opponent", "message"),
        [
            ("nobody", "no agent is called 'nobody'; there are: .*random"),
            ([], "an empty list of opponents"),
            (["random", 7], "7 is no opponent: expected an agent, the name of one, or a function"),
        ],
    )
    def test_who_is_no_opponent_is_refused(self, opponent: Any, message: str) -> None:
        with pytest.raises(GammonError, match=message):
            make(opponent=opponent)

    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_an_opponent_that_fails_leaves_the_game_as_it_was(self, mode: str) -> None:
        agent = Failing()
        env = make(opponent=agent, action_mode=mode)
        _, info = env.reset(seed=0)
        before = env.get_state()
        agent.fails = True
        with pytest.raises(GammonError, match="agent failing returned play"):
            play_to_the_end(env, info)
        agent.fails = False
        state = env.get_state()
        assert state.seat == 0
        assert state.phase == "to play"
        assert state.turn == before.turn
        assert env.action_masks().any()
        play_to_the_end(env, {"action_mask": env.action_masks()})
