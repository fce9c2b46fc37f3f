"""The environment: its arguments, its page, its limit of turns, its rendering, in vectors."""

import doctest
import itertools

import gymnasium
import numpy as np
import pytest

from gammon_env.actions import encode
from gammon_env.envs import backgammon_env
from gammon_env.envs.backgammon_env import BackgammonEnv
from gammon_env.errors import GammonError
from gammon_env.render import svg
from gammon_env.render.ansi import draw
from gammon_env.render.rasterise import pixels
from tests.envs.rollout import BEAR_OFF, ID, legal, make, play_to_the_end, rollout


class TestTurnLimit:
    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize("mode", ["checker", "play"])
    @pytest.mark.parametrize("limit", [1, 2, 7, 20])
    def test_a_game_is_truncated_not_lost(
        self, limit: int, mode: str, opponent: str | None
    ) -> None:
        env = make(action_mode=mode, opponent=opponent, max_turns=limit, seat=0)
        chooser = np.random.default_rng(limit)
        for seed in range(5):
            _, info = env.reset(seed=seed)
            truncated = False
            while not truncated:
                assert env.get_state().turn <= limit
                _, reward, terminated, truncated, info = env.step(legal(info, chooser))
                assert (reward, terminated) == (0, False)
            assert info["action_mask"].any(), "what is cut off could go on"
            answered = 0 if opponent is None else 1 + info["passes"]
            assert limit < env.get_state().turn <= limit + 1 + info["passes"] + answered

    def test_it_is_cut_off_between_turns_only(self) -> None:
        env = make(max_turns=1, seat=0)
        _, info = env.reset(seed=0)
        chooser = np.random.default_rng(0)
        *_, truncated, info = env.step(legal(info, chooser))
        assert not truncated
        *_, truncated, info = env.step(legal(info, chooser))
        assert truncated

    def test_a_game_that_ends_with_the_last_turn_is_won(self) -> None:
        env = make(max_turns=1)
        env.reset(options={"position": BEAR_OFF, "dice": (6, 5)})
        _, reward, terminated, truncated, _ = env.step(encode(1, 6))
        assert (reward, terminated, truncated) == (2, True, False)

    def test_by_default_nothing_is_cut_off(self) -> None:
        env = make()
        assert env.spec.max_episode_steps is None
        steps = [play_to_the_end(env, env.reset(seed=seed)[1], seed) for seed in range(20)]
        assert all(not truncated for step in steps for _, _, _, truncated, _ in step)


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"action_mode": "micro"}, "action_mode is one of checker, play, not 'micro'"),
            ({"observation": "raw"}, "'raw'; there are: tesauro, board, value"),
            ({"illegal_action": "ignore"}, "illegal_action is forfeit or raise, not 'ignore'"),
            ({"seat": 2}, "there is no seat 2; seats are 0 and 1"),
            ({"max_turns": 0}, "max_turns is None or a whole number of at least 1, not 0"),
            ({"variant": "chess"}, "no variant is called 'chess'; there are: backgammon"),
        ],
    )
    def test_a_wrong_one_is_refused_by_name(self, arguments: dict, message: str) -> None:
        with pytest.raises(GammonError, match=message):
            make(**arguments)

    def test_a_render_mode_it_does_not_have(self) -> None:
        with pytest.raises(
            GammonError, match="render_mode is None, ansi or rgb_array, not 'human'"
        ):
            BackgammonEnv(render_mode="human")

    def test_the_page_in_the_docstring_is_true(self) -> None:
        results = doctest.testmod(backgammon_env)
        assert results.attempted >= 3
        assert results.failed == 0

    def test_the_page_has_the_sections_of_gymnasiums_own(self) -> None:
        page = BackgammonEnv.__doc__
        titles = ["Description", "Action Space", "Observation Space", "Starting State", "Rewards"]
        titles += ["Episode End", "Information", "Arguments", "Version History"]
        places = [page.index(f"## {title}") for title in titles]
        assert places == sorted(places)

    def test_info_has_the_documented_keys(self) -> None:
        for mode, opponent in itertools.product(("checker", "play"), (None, "random")):
            for step in rollout(make(action_mode=mode, opponent=opponent), 3):
                keys = {"action_mask", "to_play", "actor", "passes", "illegal_action"}
                keys |= {"rewards"} if opponent is None else set()
                keys |= {"num_plays", "afterstates"} if mode == "play" else set()
                assert set(step[-1]) == keys


class TestRendering:
    def test_ansi_draws_the_game(self) -> None:
        env = gymnasium.make(ID, render_mode="ansi")
        env.reset(seed=0)
        assert env.render() == draw(env.unwrapped.get_state())

    def test_frames_can_be_collected(self) -> None:
        env = gymnasium.make(ID, render_mode="ansi_list")
        _, info = env.reset(seed=0)
        env.step(legal(info, np.random.default_rng(0)))
        frames = env.render()
        assert len(frames) == 2
        assert frames[0] != frames[1]

    @pytest.mark.parametrize("opponent", [None, "random"])
    def test_rgb_array_is_the_picture_with_what_has_moved(self, opponent: str | None) -> None:
        env = gymnasium.make(ID, render_mode="rgb_array", opponent=opponent)
        _, info = env.reset(seed=0)
        before = env.unwrapped.get_state()
        seen = env.render()
        assert seen.dtype == np.uint8
        assert seen.shape[2] == 3
        np.testing.assert_array_equal(seen, pixels(svg.draw(before)))
        env.step(legal(info, np.random.default_rng(0)))
        moved = svg.draw(env.unwrapped.get_state(), before=before)
        np.testing.assert_array_equal(env.render(), pixels(moved))

    def test_after_a_new_state_nothing_has_moved(self) -> None:
        env = BackgammonEnv(render_mode="rgb_array")
        _, info = env.reset(seed=0)
        env.step(legal(info, np.random.default_rng(0)))
        state = env.get_state()
        env.set_state(state)
        np.testing.assert_array_equal(env.render(), pixels(svg.draw(state)))

    def test_without_a_mode_there_is_nothing_to_see(self) -> None:
        env = make()
        env.reset(seed=0)
        with pytest.warns(UserWarning, match='render_mode="ansi"'):
            assert env.render() is None


def test_ready_made_vectors_of_it_work() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", opponent="random")
    _, infos = envs.reset(seed=5)
    chooser = np.random.default_rng(0)
    for _ in range(100):
        assert infos["action_mask"].shape == (3, 150)
        actions = [
            chooser.choice(np.flatnonzero(m)) if m.any() else 0 for m in infos["action_mask"]
        ]
        *_, infos = envs.step(np.array(actions))
    envs.close()
