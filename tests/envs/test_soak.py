"""The soak test of the benchmarks, small; and that it would notice."""

import numpy as np
import pytest

from gammon_env.actions import CODES
from tests.benchmarks import soak
from tests.benchmarks.random_play import RandomLanes, draw_codes


def test_many_moves_over_many_lanes() -> None:
    said = soak.soak(moves=400_000, lanes=64, samples=100)
    assert said.startswith("400,000 checker moves in ")
    assert "No error" in said


@pytest.mark.parametrize("wrong", ["mask", "observation", "to_play", "illegal_action"])
def test_what_is_shown_wrongly_is_noticed(wrong: str) -> None:
    lanes = RandomLanes(4, "checker")
    observations, *_, infos = lanes.step()
    game = lanes.envs.get_state(2)
    soak.check(game, observations[2], infos, 2)
    if wrong == "mask":
        infos["action_mask"][2, game.legal_codes()[0]] = 0
    elif wrong == "observation":
        observations[2, 0] += 1
    else:
        infos[wrong][2] ^= 1
    with pytest.raises(AssertionError):
        soak.check(game, observations[2], infos, 2)


def test_random_legal_moves_are_drawn_evenly() -> None:
    masks = np.zeros((3000, CODES), np.int8)
    masks[:, [7, 60, 149]] = 1
    actions = np.zeros(3000, np.int64)
    draw_codes(masks, np.uint64(5), actions)
    drawn, counts = np.unique(actions, return_counts=True)
    assert drawn.tolist() == [7, 60, 149]
    assert counts.min() > 900
