"""The vector environment as a citizen of Gymnasium: spaces, arrays, copies, wrappers."""

import copy
import doctest
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from gammon_env.envs import vector_env
from gammon_env.observation import VALUE
from gammon_env.position import Position
from gammon_env.render.ansi import draw
from tests.envs.singles import AUTORESETS, LANES, make_vec, random_actions

every_mode = pytest.mark.parametrize("mode", ["checker", "play"])


def same(one: object, other: object) -> bool:
    return data_equivalence(one, other, exact=True)


def rollout(envs: Any, steps: int, seed: int | None = 0) -> list[Any]:
    """Play random legal actions; lanes that have ended are reset where nothing else does it."""
    chooser = np.random.default_rng(8)
    returned = [envs.reset(seed=seed)]
    for _ in range(steps):
        returned.append(envs.step(random_actions(returned[-1][-1], chooser)))
        ended = returned[-1][2] | returned[-1][3]
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and ended.any():
            returned.append(envs.reset(options={"reset_mask": ended}))
    return returned


class TestReturned:
    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @every_mode
    def test_arrays_lie_in_their_spaces(self, mode: str, autoreset: str, opponent: Any) -> None:
        envs = make_vec(
            action_mode=mode, autoreset_mode=autoreset, opponent=opponent, max_turns=20, masks=True
        )
        assert envs.action_space.shape == (LANES,)
        for returned in rollout(envs, 120):
            assert returned[0] in envs.observation_space
            assert returned[0].dtype == np.float32
            infos = returned[-1]
            actions = envs.single_action_space.n
            assert infos["action_mask"].shape == (LANES, actions)
            assert infos["action_mask"].dtype == np.int8
            if len(returned) == 5:
                assert [array.dtype for array in returned[1:4]] == [np.float64, bool, bool]
                over = returned[2] if autoreset != "SameStep" else np.zeros(LANES, bool)
                np.testing.assert_array_equal(infos["action_mask"].any(axis=1), ~over)

    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @every_mode
    def test_arrays_are_new_and_the_callers_own(
        self, mode: str, autoreset: str, opponent: Any
    ) -> None:
        """What was returned stays as it was, and writing to it does not reach the games."""
        arguments = {"action_mode": mode, "autoreset_mode": autoreset, "opponent": opponent}
        envs, twins = make_vec(**arguments, max_turns=9), make_vec(**arguments, max_turns=9)
        returned = rollout(envs, 60)
        kept = copy.deepcopy(returned)
        assert same(kept, rollout(twins, 60))
        rollout(envs, 60, seed=1)
        assert same(returned, kept)
        chooser = np.random.default_rng(8)
        mine, theirs = envs.reset(seed=0), twins.reset(seed=0)
        for _ in range(60):
            assert same(mine, theirs)
            actions = random_actions(mine[-1], chooser)
            spoil(mine)
            mine, theirs = envs.step(actions), twins.step(actions)
            if autoreset == "Disabled" and (ended := theirs[2] | theirs[3]).any():
                options = {"reset_mask": ended}
                mine, theirs = envs.reset(options=options), twins.reset(options=options)

    @every_mode
    def test_masks_can_be_asked_for(self, mode: str) -> None:
        envs, silent = (
            make_vec(action_mode=mode, masks=True),
            make_vec(action_mode=mode, masks=False),
        )
        usual = make_vec(action_mode=mode)
        _, infos = envs.reset(seed=0)
        assert ("action_mask" in usual.reset(seed=0)[1]) == (mode == "checker")
        chooser = np.random.default_rng(0)
        assert "action_mask" not in silent.reset(seed=0)[1]
        for _ in range(20):
            np.testing.assert_array_equal(envs.action_masks(), infos["action_mask"])
            np.testing.assert_array_equal(silent.action_masks(), infos["action_mask"])
            actions = random_actions(infos, chooser)
            *_, infos = envs.step(actions)
            assert "_action_mask" not in silent.step(actions)[-1]

    def test_an_action_leads_to_the_afterstate_at_its_offset(self) -> None:
        envs = make_vec(action_mode="play", observation="board")
        _, infos = envs.reset(seed=0, options={"position": Position.start(), "dice": (3, 1)})
        assert infos["num_plays"].tolist() == [16] * LANES
        assert infos["offsets"].tolist() == [0, 16, 32, 48]
        actions = np.array([0, 7, 15])
        chosen = infos["afterstates"][infos["offsets"][:-1] + actions]
        envs.step(actions)
        for lane in range(LANES):
            np.testing.assert_array_equal(envs.get_state(lane).board, chosen[lane])

    def test_encoded_afterstates_come_on_request(self) -> None:
        infos = make_vec(action_mode="play").reset(seed=0)[1]
        assert "encoded_afterstates" not in infos
        envs = make_vec(action_mode="play", observation="value", encode_afterstates=True)
        infos = envs.reset(seed=0)[1]
        assert infos["encoded_afterstates"].shape == (infos["offsets"][-1], VALUE.size)
        assert "encoded_afterstates" not in make_vec(encode_afterstates=True).reset(seed=0)[1]


def spoil(returned: Any) -> None:
    """Overwrite every array in what was returned."""
    if isinstance(returned, dict):
        returned = tuple(returned.values())
    if isinstance(returned, tuple):
        for part in returned:
            spoil(part)
    elif returned is not None:
        returned[...] = 1 if returned.dtype == bool else 99


class TestCopies:
    @pytest.mark.parametrize("steps", [0, 41])
    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("opponent", [None, "random"])
    @every_mode
    def test_one_goes_on_alike(self, mode: str, opponent: Any, threads: int, steps: int) -> None:
        envs = make_vec(action_mode=mode, opponent=opponent, threads=threads)
        rollout(envs, steps, seed=1)
        twins = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
        expected = rollout(envs, 60, seed=None)
        for twin in twins:
            assert same(expected, rollout(twin, 60, seed=None))
            twin.close()
        envs.close()

    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @every_mode
    def test_the_spec_goes_through_json(self, mode: str, autoreset: str) -> None:
        envs = make_vec(
            action_mode=mode,
            autoreset_mode=autoreset,
            opponent=["random", "pip-count"],
            seat=1,
            max_turns=40,
            threads=2,
            masks=True,
        )
        spec = EnvSpec.from_json(envs.spec.to_json())
        assert spec == envs.spec
        twins = gymnasium.make_vec(spec)
        assert same(rollout(envs, 40), rollout(twins, 40))
        envs.close()
        twins.close()


class TestGymnasium:
    def test_it_is_what_make_vec_gives(self) -> None:
        envs = make_vec(5)
        assert isinstance(envs, vector_env.BackgammonVectorEnv)
        assert envs.num_envs == 5
        assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert make_vec(autoreset_mode=AutoresetMode.SAME_STEP).metadata["autoreset_mode"] is (
            AutoresetMode.SAME_STEP
        )

    @pytest.mark.parametrize("autoreset", AUTORESETS[:2])
    def test_its_vector_wrappers_work(self, autoreset: str) -> None:
        envs = RecordEpisodeStatistics(make_vec(autoreset_mode=autoreset, max_turns=20))
        lengths = []
        for _, _, terminations, truncations, infos in rollout(envs, 300)[1:]:
            assert ("episode" in infos) == bool((terminations | truncations).any())
            if "episode" in infos:
                lengths += infos["episode"]["l"][infos["_episode"]].tolist()
        assert len(lengths) > 10
        assert all(20 <= length <= 80 for length in lengths)

    def test_infos_can_be_taken_apart(self) -> None:
        envs, lists = make_vec(), DictInfoToList(make_vec())
        _, infos = envs.reset(seed=0)
        _, each = lists.reset(seed=0)
        for lane, info in enumerate(each):
            assert info.keys() == {key for key in infos if key[0] != "_"}
            assert all(np.array_equal(info[key], infos[key][lane]) for key in info)

    def test_every_lane_is_drawn(self) -> None:
        envs = make_vec(render_mode="ansi")
        envs.reset(seed=0)
        frames = envs.render()
        assert frames == tuple(draw(envs.get_state(lane)) for lane in range(LANES))
        assert len(set(frames)) == LANES

    def test_without_a_mode_there_is_nothing_to_see(self) -> None:
        envs = make_vec()
        envs.reset(seed=0)
        with pytest.warns(UserWarning, match='render_mode="ansi"'):
            assert envs.render() is None

    def test_the_page_in_the_docstring_is_true(self) -> None:
        results = doctest.testmod(vector_env)
        assert results.attempted >= 4
        assert results.failed == 0
