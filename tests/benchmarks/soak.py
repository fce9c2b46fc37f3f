"""A soak test: very many checker moves over many lanes, rules checked on samples, memory flat."""

import os
from pathlib import Path

import numpy as np

from gammon_env.game import GameState
from gammon_env.observation import encode
from gammon_env.rules.board import OFF, check_board
from gammon_env.rules.variant import BACKGAMMON
from tests.benchmarks.random_play import RandomLanes

MOVES = 100_000_000
LANES = 4096
SAMPLES = 1000
"""How many times all is checked in a few lanes."""

GROWTH = 8 << 20
"""Bytes by which resident memory may grow once the first twentieth is over: two steps' arrays."""


def measure() -> str:
    """Return what happened as Markdown."""
    return soak(MOVES, LANES, SAMPLES)


def soak(moves: int, lanes: int, samples: int) -> str:
    """Play random checker moves and check the games on the way.

    Args:
        moves: how many, at least.
        lanes: how many games are played side by side.
        samples: how many times 16 lanes are looked at.

    Returns:
        What happened, as Markdown.
    """
    play = RandomLanes(lanes, "checker", illegal_action="raise")
    steps = -(-moves // lanes)
    chooser = np.random.default_rng(1)
    points = np.zeros(4, np.int64)
    first_seat, resident = 0, 0
    for step in range(steps):
        observations, rewards, terminations, truncations, infos = play.step()
        assert not truncations.any()
        points += np.bincount(rewards.astype(np.int64), minlength=4)
        if terminations.any():
            actors = infos["final_info"]["actor"][terminations]
            first_seat += int((actors == 0).sum())
        if step % max(1, steps // samples) == 0:
            for lane in chooser.integers(lanes, size=16):
                check(play.envs.get_state(int(lane)), observations[lane], infos, int(lane))
        if step == steps // 20:
            resident = resident_bytes()
    grown = resident_bytes() - resident
    assert grown < GROWTH, f"{grown:,} bytes more"
    return report(steps * lanes, points, first_seat, grown)


def check(game: GameState, observation: np.ndarray, infos: dict, lane: int) -> None:
    """Assert that a lane holds a possible game, and that it is shown as it is."""
    check_board(game.board, BACKGAMMON)
    assert game.phase == "to play"
    assert (game.board[:, OFF] < BACKGAMMON.checkers).all()
    assert 1 <= len(game.dice_left) <= 4
    assert set(game.dice_left) <= set(game.dice or ())
    mask = infos["action_mask"][lane]
    assert mask.any()
    assert set(mask.tolist()) <= {0, 1}
    assert np.array_equal(mask, game.mask())
    assert infos["to_play"][lane] == game.seat
    assert not infos["illegal_action"][lane]
    shown = encode(game.board[np.newaxis], "tesauro", BACKGAMMON, game.left[np.newaxis])[0]
    assert np.array_equal(observation, shown)


def report(moves: int, points: np.ndarray, first_seat: int, grown: int) -> str:
    """Say what was played, after asserting what is known of random games."""
    games = int(points[1:].sum())
    mean, share = moves / games, first_seat / games
    assert (points[1:] > 0).all(), "single games, gammons and backgammons"
    assert abs(share - 0.5) < 3 / games**0.5, "neither seat is better: six standard errors"
    kinds = ", ".join(f"{won / games:.1%}" for won in points[1:])
    return (
        f"{moves:,} checker moves in {games:,} games of {mean:.0f} moves each on average. "
        f"Single games, gammons, backgammons: {kinds}; seat 0 won {share:.2%}. "
        f"No error; resident memory grew by {grown / 2**20:.1f} MiB."
    )


def resident_bytes() -> int:
    """Return the resident memory of this process, 0 where the system does not say."""
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") if pages else 0
