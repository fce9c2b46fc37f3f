"""The vector environment is exactly the single one, lane by lane, in every mode."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.observation import ENCODERS
from gammon_env.position import Position
from tests.envs.players import ByWord, last_play
from tests.envs.rollout import BEAR_OFF, CLOSED_OUT
from tests.envs.singles import (
    AUTORESETS,
    LANES,
    Singles,
    assert_lanes,
    make_vec,
    play_beside_singles,
    random_actions,
)

OPPONENTS = {
    "both seats": None,
    "name": "random",
    "list": ["random", "pip-count", "random"],
    "agent": ByWord(),
    "function": last_play,
}


class TestLanes:
    @pytest.mark.parametrize("opponent", OPPONENTS.values(), ids=OPPONENTS)
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_are_single_environments(self, mode: str, autoreset: str, opponent: Any) -> None:
        steps = 2000 if mode == "checker" else 1000
        games = play_beside_singles(steps, autoreset, action_mode=mode, opponent=opponent)
        assert games > 30

    @pytest.mark.parametrize("observation", ENCODERS)
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_with_every_encoder(self, mode: str, autoreset: str, observation: str) -> None:
        arguments = {"action_mode": mode, "observation": observation}
        assert play_beside_singles(500, autoreset, max_turns=30, **arguments) > 20
        assert play_beside_singles(300, autoreset, opponent="random", **arguments) > 3

    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_with_turn_limits_and_seats(
        self, mode: str, autoreset: str, seat: int, opponent: str | None
    ) -> None:
        arguments = {"action_mode": mode, "opponent": opponent, "seat": seat}
        for limit in (1, 2, 7):
            assert play_beside_singles(100, autoreset, max_turns=limit, **arguments) > 15

    @pytest.mark.small
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_with_the_kernels_as_plain_python(self, mode: str) -> None:
        for autoreset in AUTORESETS:
            play_beside_singles(12, autoreset, action_mode=mode, max_turns=3)

    @pytest.mark.parametrize("opponent", OPPONENTS.values(), ids=OPPONENTS)
    @pytest.mark.parametrize("autoreset", AUTORESETS)
    def test_are_what_gymnasium_makes_of_single_environments(
        self, autoreset: str, opponent: Any
    ) -> None:
        """Masks, dtypes and keys, too; whole plays cannot be stacked by it."""
        envs = make_vec(autoreset_mode=autoreset, opponent=opponent, max_turns=60)
        ready_made = make_vec(
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": autoreset},
            opponent=opponent,
            max_turns=60,
        )
        chooser = np.random.default_rng(0)
        ours, theirs = envs.reset(seed=5), ready_made.reset(seed=5)
        assert data_equivalence(ours, theirs, exact=True)
        for _ in range(400):
            actions = random_actions(ours[-1], chooser, illegal=0.002)
            ours, theirs = envs.step(actions), ready_made.step(actions)
            assert data_equivalence(ours, theirs, exact=True)
            ended = ours[2] | ours[3]
            if autoreset == "Disabled" and ended.any():
                ours = envs.reset(options={"reset_mask": ended})
                theirs = ready_made.reset(options={"reset_mask": ended})
                np.testing.assert_array_equal(ours[0], theirs[0])
                assert ours[1].keys() == theirs[1].keys()
        ready_made.close()


class TestThreads:
    @pytest.mark.parametrize("opponent", [None, ["random", "pip-count"]])
    @pytest.mark.parametrize("autoreset", AUTORESETS[:2])
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_do_not_change_the_results(self, mode: str, autoreset: str, opponent: Any) -> None:
        arguments = {"action_mode": mode, "opponent": opponent, "max_turns": 30, "masks": True}
        crews = [
            make_vec(5, threads=threads, autoreset_mode=autoreset, **arguments)
            for threads in (1, 2, 3, 8)
        ]
        returned = [envs.reset(seed=2) for envs in crews]
        chooser = np.random.default_rng(1)
        for _ in range(150):
            assert all(data_equivalence(returned[0], other, exact=True) for other in returned)
            actions = random_actions(returned[0][-1], chooser, illegal=0.005)
            returned = [envs.step(actions) for envs in crews]
        for envs in crews:
            envs.close()

    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_do_not_change_which_lane_is_named(self, mode: str) -> None:
        envs = make_vec(7, threads=3, action_mode=mode, illegal_action="raise")
        _, infos = envs.reset(seed=0)
        for lane in range(7):
            actions = random_actions(infos, np.random.default_rng(0))
            actions[lane] = 3060
            with pytest.raises(GammonError, match=f"lane {lane}: there is no action 3060"):
                envs.step(actions)


class TestStarts:
    def test_a_seed_may_be_given_for_each_lane(self) -> None:
        envs, twins = make_vec(), make_vec()
        first = envs.reset(seed=[3, 4, 5])
        assert data_equivalence(first, twins.reset(seed=3), exact=True)
        states = [envs.get_state(lane) for lane in range(LANES)]
        envs.reset(seed=[None, 4, None])
        assert envs.get_state(1) == states[1]
        assert envs.get_state(0).stream[0] == states[0].stream[0], "it goes on in its stream"
        assert envs.get_state(0) != states[0]

    def test_without_a_seed_lanes_differ(self) -> None:
        envs = make_vec(8)
        envs.reset()
        assert len({envs.get_state(lane).stream[0] for lane in range(8)}) == 8

    def test_the_same_seed_is_the_same_game_after_others(self) -> None:
        envs = make_vec(action_mode="play")
        chooser = np.random.default_rng(0)
        first = envs.reset(seed=1)
        infos = first[1]
        for _ in range(100):
            *_, infos = envs.step(random_actions(infos, chooser))
        assert data_equivalence(first, envs.reset(seed=1), exact=True)

    @pytest.mark.parametrize("opponent", [None, "random"])
    @pytest.mark.parametrize("mode", ["checker", "play"])
    def test_options_hold_for_every_lane(self, mode: str, opponent: str | None) -> None:
        state = GameState.from_position(Position.start(), seat=1)
        state.roll((3, 1))
        state.move(state.legal_codes()[0])
        starts: list[dict[str, Any]] = [
            {"position": BEAR_OFF, "dice": (6, 5)},
            {"position": CLOSED_OUT},
            {"state": state},
            {"dice": (1, 6)},
        ]
        arguments = {"action_mode": mode, "opponent": opponent}
        envs = make_vec(encode_afterstates=True, **arguments)
        singles = Singles(LANES, "NextStep", **arguments)
        for number, options in enumerate(starts):
            observations, infos = envs.reset(seed=number, options=options)
            assert_lanes(singles.reset(seed=number, **options), observations, infos, "tesauro")

    @pytest.mark.parametrize("autoreset", AUTORESETS)
    def test_some_lanes_can_begin_anew_at_any_time(self, autoreset: str) -> None:
        """Also with a seed and a position; the others are shown again as they are."""
        arguments = {"opponent": "random", "max_turns": 40}
        envs, singles = (
            make_vec(autoreset_mode=autoreset, **arguments),
            Singles(LANES, autoreset, **arguments),
        )
        observations, infos = envs.reset(seed=0)
        singles.reset(seed=0)
        chooser = np.random.default_rng(5)
        for number in range(60):
            for _ in range(7):
                actions = random_actions(infos, chooser)
                lanes = singles.step(actions.tolist())
                observations, _, terminations, truncations, infos = envs.step(actions)
                assert_lanes(lanes, observations, infos, "tesauro")
                ended = terminations | truncations
                if autoreset == "Disabled" and ended.any():
                    break
            mask = (chooser.random(LANES) < 0.4) | (autoreset == "Disabled") & ended
            if mask.any():
                options = [{}, {"position": BEAR_OFF.swapped()}][number % 2]
                seed = [None, number][number // 2 % 2]
                for lane in singles.lanes:
                    lane.final = None
                lanes = singles.reset(seed=seed, reset_mask=mask, **options)
                observations, infos = envs.reset(seed=seed, options={"reset_mask": mask, **options})
                assert_lanes(lanes, observations, infos, "tesauro", told=mask)
