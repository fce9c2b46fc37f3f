"""What the vector environment refuses, and opponents that fail; nothing changes then."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from gammon_env.agent import Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Position
from tests.envs.players import ByWord, Failing
from tests.envs.singles import AUTORESETS, LANES, make_vec, random_actions

every_mode = pytest.mark.parametrize("mode", ["checker", "play"])


def same(one: object, other: object) -> bool:
    return data_equivalence(one, other, exact=True)


class TestRefusals:
    @every_mode
    @pytest.mark.parametrize(
        ("action", "message"),
        [
            (-1, "lane 1: there is no action -1: actions are 0.."),
            (4000, "lane 1: there is no action 4000: actions are 0.."),
            ("illegal", "lane 1: action .* is not legal here; legal: "),
        ],
    )
    def test_a_bad_action_is_refused_and_changes_nothing(
        self, mode: str, action: Any, message: str
    ) -> None:
        envs, twins = (make_vec(action_mode=mode, illegal_action="raise") for _ in range(2))
        _, infos = envs.reset(seed=3)
        twins.reset(seed=3)
        actions = random_actions(infos, np.random.default_rng(0))
        bad = actions.copy()
        bad[1] = {"checker": 0, "play": 3059}[mode] if action == "illegal" else action
        for _ in range(2):
            with pytest.raises(GammonError, match=message):
                envs.step(bad)
        assert same(envs.step(actions), twins.step(actions))

    @pytest.mark.parametrize(
        "actions", [[0, 0], [[0], [0], [0]], [0.0, 1.0, 2.0], "abc", [None] * 3, 5]
    )
    def test_what_is_not_one_number_a_lane_is_refused(self, actions: Any) -> None:
        envs = make_vec()
        envs.reset(seed=0)
        with pytest.raises(GammonError, match="actions are 3 whole numbers, one for each lane"):
            envs.step(actions)

    @pytest.mark.parametrize("kind", [list, tuple, np.int64, np.int32, np.uint8, np.uint64])
    def test_every_kind_of_whole_numbers_are_actions(self, kind: Any) -> None:
        envs = make_vec(illegal_action="raise")
        _, infos = envs.reset(seed=0)
        actions = random_actions(infos, np.random.default_rng(0))
        envs.step(kind(actions.tolist()) if kind in (list, tuple) else actions.astype(kind))

    def test_an_illegal_action_forfeits_its_lane_only(self) -> None:
        envs = make_vec(autoreset_mode="Disabled")
        _, infos = envs.reset(seed=0)
        actions = random_actions(infos, np.random.default_rng(0))
        actions[2] = 0
        _, rewards, terminations, _, infos = envs.step(actions)
        assert rewards.tolist() == [0, 0, -3]
        assert terminations.tolist() == infos["illegal_action"].tolist() == [False, False, True]

    def test_a_finished_lane_has_to_be_reset(self) -> None:
        envs = make_vec(autoreset_mode="Disabled", max_turns=1)
        _, infos = envs.reset(seed=0)
        truncated = np.zeros(LANES, bool)
        while not truncated.any():
            actions = random_actions(infos, np.random.default_rng(0))
            _, _, _, truncated, infos = envs.step(actions)
        lane = int(np.argmax(truncated))
        with pytest.raises(GammonError, match=f"lane {lane}: the game is over: call reset"):
            envs.step(random_actions(infos, np.random.default_rng(0)))
        _, infos = envs.reset(options={"reset_mask": truncated})
        envs.step(random_actions(infos, np.random.default_rng(0)))

    @pytest.mark.parametrize("call", ["step", "action_masks", "get_state", "partial reset"])
    def test_before_the_first_reset_there_are_no_games(self, call: str) -> None:
        envs = make_vec()
        calls = {
            "step": lambda: envs.step(np.zeros(LANES, int)),
            "action_masks": envs.action_masks,
            "get_state": lambda: envs.get_state(0),
            "partial reset": lambda: envs.reset(
                options={"reset_mask": np.array([True, False, True])}
            ),
        }
        with pytest.raises(GammonError, match="there are no games yet"):
            calls[call]()

    @pytest.mark.parametrize(
        ("seed", "options", "message"),
        [
            (
                None,
                {"reset_mask": [True] * 3},
                r"reset_mask is a numpy array bool\[3\], not \[True",
            ),
            (None, {"reset_mask": np.ones(3, int)}, r"bool\[3\], not int64\[3\]"),
            (None, {"reset_mask": np.ones(2, bool)}, r"bool\[3\], not bool\[2\]"),
            (None, {"reset_mask": np.zeros(3, bool)}, "names no lane"),
            (None, {"positon": 1}, "no option 'positon'"),
            ([1, 2], {}, r"seed is a number, 3 numbers, or None; not \[1, 2\]"),
        ],
    )
    def test_a_wrong_reset_changes_nothing(self, seed: Any, options: Any, message: str) -> None:
        envs, twins = make_vec(), make_vec()
        envs.reset(seed=0)
        twins.reset(seed=0)
        with pytest.raises(GammonError, match=message):
            envs.reset(seed=seed, options=options)
        assert same(envs.reset(), twins.reset())

    @every_mode
    def test_a_start_that_leaves_nothing_to_decide_changes_nothing(self, mode: str) -> None:
        """The caller cannot enter against 1-1, and loses before there is a choice."""
        lost = Position.from_counts({"bar": 1, "off": 14}, {1: 2, "off": 13})
        envs, twins = (make_vec(action_mode=mode, opponent="random") for _ in range(2))
        _, infos = envs.reset(seed=0)
        twins.reset(seed=0)
        for mask in ([True] * 3, [False, True, False]):
            options = {"position": lost, "dice": (1, 1), "reset_mask": np.array(mask)}
            with pytest.raises(GammonError, match="ended before the caller had a decision"):
                envs.reset(options=options)
        actions = random_actions(infos, np.random.default_rng(0))
        assert same(envs.step(actions), twins.step(actions))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"lanes": 0}, "num_envs is a whole number of at least 1, not 0"),
            ({"threads": 0}, "threads is a whole number of at least 1, not 0"),
            ({"autoreset_mode": "Never"}, "one of NextStep, SameStep, Disabled, not 'Never'"),
            ({"action_mode": "micro"}, "action_mode is one of checker, play, not 'micro'"),
            ({"observation": "raw"}, "'raw'; there are: tesauro, board, value"),
            ({"illegal_action": "ignore"}, "illegal_action is forfeit or raise, not 'ignore'"),
            ({"seat": 2}, "there is no seat 2; seats are 0 and 1"),
            ({"max_turns": 0}, "max_turns is None or a whole number of at least 1, not 0"),
            ({"variant": "chess"}, "no variant is called 'chess'"),
            ({"render_mode": "human"}, "render_mode is None, ansi or rgb_array, not 'human'"),
        ],
    )
    def test_a_wrong_argument_is_refused_by_name(self, arguments: Any, message: str) -> None:
        with pytest.raises(GammonError, match=message):
            make_vec(**arguments)


class Counting(ByWord):
    """Remembers how many decisions it was asked about at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def select(self, decisions: Decisions) -> Choices:
        self.asked.append(len(decisions))
        return super().select(decisions)


class TestOpponents:
    @every_mode
    def test_one_answers_for_all_waiting_lanes_at_once(self, mode: str) -> None:
        agent = Counting()
        envs = make_vec(64, action_mode=mode, opponent=agent, seat=1)
        envs.reset(seed=0)
        assert agent.asked[0] == 64, "it starts in all lanes"
        _, infos = envs.reset(seed=0)
        chooser = np.random.default_rng(0)
        for _ in range(30):
            agent.asked.clear()
            *_, infos = envs.step(random_actions(infos, chooser))
            assert agent.asked == sorted(agent.asked, reverse=True), "fewer wait after each answer"
            assert len(agent.asked) <= 1 + infos["passes"].max()

    @pytest.mark.parametrize("autoreset", AUTORESETS)
    @every_mode
    def test_one_that_fails_leaves_all_lanes_as_they_were(self, mode: str, autoreset: str) -> None:
        agent = Failing()
        arguments = {"action_mode": mode, "autoreset_mode": autoreset, "max_turns": 30}
        envs = make_vec(opponent=agent, **arguments)
        twins = make_vec(opponent=Failing(), **arguments)
        mine, theirs = envs.reset(seed=0), twins.reset(seed=0)
        chooser, failures = np.random.default_rng(0), 0
        for _ in range(80):
            assert same(mine, theirs)
            actions = random_actions(mine[-1], chooser)
            agent.fails = True
            try:
                mine = envs.step(actions)
            except GammonError:
                failures += 1
                agent.fails = False
                mine = envs.step(actions)
            theirs = twins.step(actions)
            ended = mine[2] | mine[3]
            if autoreset == "Disabled" and ended.any():
                agent.fails = False
                options = {"reset_mask": ended}
                mine, theirs = envs.reset(options=options), twins.reset(options=options)
        assert failures > 20

    def test_a_reset_that_fails_changes_nothing(self) -> None:
        agent = Failing()
        envs, twins = make_vec(opponent=agent, seat=1), make_vec(opponent=Failing(), seat=1)
        assert same(envs.reset(seed=0), twins.reset(seed=0))
        agent.fails = True
        with pytest.raises(GammonError, match="agent failing returned play"):
            envs.reset(seed=1)
        agent.fails = False
        assert same(envs.reset(), twins.reset())
