"""Self-play: games of a frozen network against itself, all positions and values kept.

`play(players, seed, game_ids)` is the unit of work. Each core plays its share of the games in one
compiled call, a game after another; a game's dice are a function of the seed and its number, so the
result does not depend on how many cores play or which.

A small network, the scout, may pick a few candidates of every roll, so that the wide one judges
only those. A game is over when both sides have only to bear off: the tables know the rest.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from agents.forward import FastNetwork, evaluate_one, scratch
from agents.replies import last_place
from gammon_env.rules.bearoff import is_bearoff
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.dice import opening_roll, roll, stream_key
from gammon_env.rules.jit import kernel
from gammon_env.rules.moves import LEFT, MAX_PLAYS, WORKSPACE, legal_plays, put_dice
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import KINDS, Rules, Variant

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

POSITIONS_PER_GAME = 80

MAX_PLIES = 500
"""Longer games are cut, and end with the network's own judgement instead of an exact outcome.

Trained networks take about 55 plies; untrained ones can shuffle to and fro for many thousands.
"""


class Players(NamedTuple):
    """Who plays: both sides are the same.

    Attributes:
        network: judges the candidates.
        scout: picks them.
        candidates: how many plays of a roll it picks; with `MAX_PLAYS` it is never asked.
    """

    network: FastNetwork
    scout: FastNetwork
    candidates: int

    @classmethod
    def alone(cls, network: FastNetwork) -> Self:
        """Return a network that judges all plays itself."""
        return cls(network, network, MAX_PLAYS)


@dataclass(frozen=True)
class Games:
    """Finished games, one after another.

    Attributes:
        boards: int8[M, 2, 26], every position before its roll, the player on roll in row 0.
        values: float32[M, heads], what the network gave each of them.
        lengths: int64[G], positions in each game.
        outcomes: float32[G, heads], the chances of the player who would be on roll next: exact, or
            the tables' of a bear-off, or the network's judgement of a cut game.
        evaluations: afterstates judged in all by the network.
    """

    boards: Board
    values: Floats
    lengths: Ints
    outcomes: Floats
    evaluations: int


def play(
    players: Players,
    seed: int,
    games: range,
    variant: Variant,
    pool: Executor | None = None,
    workers: int = 1,
) -> Games:
    """Play games to their end, each side taking the afterstate that is worst for the other.

    Args:
        players: frozen.
        seed: of the run.
        games: their numbers.
        variant: the game.
        pool: runs the workers' shares; None plays in this thread.
        workers: into how many shares to split.

    Returns:
        The games in the order of their numbers, the same whatever `workers`.
    """
    return begin(players, seed, games, variant, pool, workers)()


def begin(
    players: Players,
    seed: int,
    games: range,
    variant: Variant,
    pool: Executor | None = None,
    workers: int = 1,
) -> Callable[[], Games]:
    """Begin to play, and return what waits for the games; see `play`."""
    cuts = np.linspace(games.start, games.stop, workers + 1).astype(int)
    shares = [range(a, b) for a, b in pairwise(cuts) if a < b]
    if pool is None:
        return lambda: _join([_play_share(players, seed, share, variant) for share in shares])
    playing = [pool.submit(_play_share, players, seed, share, variant) for share in shares]
    return lambda: _join([future.result() for future in playing])


def _play_share(players: Players, seed: int, games: range, variant: Variant) -> Games:
    heads = len(variant.heads)
    capacity = POSITIONS_PER_GAME * len(games) + 4000
    weights = np.asarray(variant.weights, np.float32)
    parts = []
    while games:
        boards = np.empty((capacity, 2, WIDTH), np.int8)
        values = np.empty((capacity, heads), np.float32)
        lengths = np.zeros(len(games), np.int64)
        outcomes = np.empty((len(games), heads), np.float32)
        done, evaluations = play_games(
            variant.start_board(),
            np.uint64(seed),
            np.uint64(games.start),
            weights,
            variant.rules,
            players,
            boards,
            values,
            lengths,
            outcomes,
        )
        filled = int(lengths[:done].sum())
        parts.append(
            Games(boards[:filled], values[:filled], lengths[:done], outcomes[:done], evaluations)
        )
        games = games[done:]
        capacity *= 2
    return _join(parts)


def _join(parts: Sequence[Games]) -> Games:
    return Games(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.outcomes for part in parts]),
        sum(part.evaluations for part in parts),
    )


@kernel
def play_games(
    start: Board,
    seed: np.uint64,
    first_game: np.uint64,
    weights: Floats,
    rules: Rules,
    players: Players,
    boards: Board,
    values: Floats,
    lengths: Ints,
    outcomes: Floats,
) -> tuple[int, int]:
    """Play games until all are done or the buffers cannot hold the next position.

    Returns:
        How many games were finished, and how many afterstates the network judged.
    """
    network, scout, candidates = players
    left = np.empty(LEFT, np.int8)
    afterstates = np.empty((MAX_PLAYS, 2, WIDTH), np.int8)
    paths = np.empty(MAX_PLAYS, np.uint32)
    plays = np.empty((WORKSPACE, 3), np.uint64)
    equities = np.empty(MAX_PLAYS, np.float32)
    layer, rows = scratch(network.sizes)
    scout_layer, scout_rows = scratch(scout.sizes)
    outcome = np.empty(len(weights), np.float32)
    best = np.empty(len(weights), np.float32)
    evaluations = 0
    at = 0
    for game in range(len(lengths)):
        key = stream_key(seed, first_game + np.uint64(game))
        board = start.copy()
        evaluate_one(board, network, layer, rows, best)
        ply = 0
        while True:
            if at == len(boards):
                return game, evaluations
            boards[at], values[at] = board, best
            at += 1
            die1, die2 = opening_roll(key, np.uint64(0)) if ply == 0 else roll(key, np.uint64(ply))
            put_dice(rules, board, die1, die2, left)
            count = legal_plays(rules, board, left, plays, afterstates, paths)
            ply += 1
            if count == 0:
                count = 1
                afterstates[0, 0], afterstates[0, 1] = board[1], board[0]
            worst, last = np.float32(np.inf), count
            if count > candidates:
                for i in range(count):
                    evaluate_one(afterstates[i], scout, scout_layer, scout_rows, outcome)
                    equities[i] = _equity(weights, outcome)
                worst, last = last_place(equities, 0, count, candidates)
            lowest = np.float32(np.inf)
            chosen = 0
            for i in range(count):
                if count > candidates and (
                    equities[i] > worst or (equities[i] == worst and i > last)
                ):
                    continue
                evaluations += 1
                evaluate_one(afterstates[i], network, layer, rows, outcome)
                equity = _equity(weights, outcome)
                if equity < lowest:
                    lowest = equity
                    chosen = i
                    best[:] = outcome
            board[:] = afterstates[chosen]
            if signed_points(board, rules[KINDS]) != 0 or ply == MAX_PLIES or is_bearoff(board):
                lengths[game] = ply
                outcomes[game] = best
                break
    return len(lengths), evaluations


@kernel
def _equity(weights: Floats, outcome: Floats) -> np.float32:
    """Return the equity of chances, but for a constant."""
    equity = np.float32(0)
    for h in range(len(weights)):
        equity += weights[h] * outcome[h]
    return equity
