"""GNU Backgammon's own generator on 2,000 random positions, where gnubg-nn is installed.

In its boards index 0 is the opponent and index 1 the player on roll, and the keys that `moves`
returns are not swapped: the mover stays index 1.
"""

import numpy as np
import pytest

from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.board import BAR, OFF

gnubg_nn = pytest.importorskip("gnubg_nn")

POSITIONS = 1000
CHECKERS = 15


def gnubg_results(position, roll):
    """Return the afterstates GNU Backgammon finds, as position IDs seen by the next player."""
    board = [side[:OFF].tolist() for side in position.board[::-1]]
    keys = gnubg_nn.moves(board, *roll)
    sides = [gnubg_nn.board_from_position_key(key) for key in keys]
    return {gnubg_nn.position_id([list(mover), list(opponent)]) for opponent, mover in sides}


def agrees(position, roll):
    results = {play.afterstate.position_id for play in position.legal_plays(roll)}
    assert results == gnubg_results(position, roll), (position, roll)
    return True


def random_roll(rng):
    return int(rng.integers(1, 7)), int(rng.integers(1, 7))


def positions_of_games(rng):
    """Yield the positions and rolls of games played at random."""
    while True:
        position = Position.start()
        while not position.is_over:
            roll = random_roll(rng)
            yield position, roll
            plays = position.legal_plays(roll)
            position = plays[rng.integers(len(plays))].afterstate if plays else position.swapped()


def random_rows(rng):
    """Return two rows of checkers thrown at random, which may well share a point."""
    places = rng.choice(BAR + 1, size=(2, rng.integers(2, 12)))
    return np.array(
        [np.bincount(rng.choice([*row, OFF], CHECKERS), minlength=26) for row in places]
    )


def random_position(rng):
    """Return a position that no sensible game reaches."""
    while True:
        try:
            return Position(random_rows(rng))
        except GammonError:
            continue


def test_reads_position_ids_alike():
    board = gnubg_nn.board_from_position_id("/v0AAAEJnwAEPw")
    assert board == [side[:OFF].tolist() for side in Position.from_id("/v0AAAEJnwAEPw").board[::-1]]


def test_agrees_on_positions_of_games():
    games = positions_of_games(np.random.default_rng(2))
    assert all(agrees(*next(games)) for _ in range(POSITIONS))


def test_agrees_on_random_positions():
    rng = np.random.default_rng(3)
    assert all(agrees(random_position(rng), random_roll(rng)) for _ in range(POSITIONS))
