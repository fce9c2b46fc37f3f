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
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from agents.forward import FastNetwork, Rows, evaluate_one, scratch
from agents.replies import last_place
from gammon_env.rules.bearoff import is_bearoff
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.dice import opening_roll, roll, stream_key
from gammon_env.rules.jit import kernel, lean_kernel
from gammon_env.rules.moves import LEFT, MAX_PLAYS, WORKSPACE, legal_plays, put_dice
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import KINDS, Rules, Variant

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
T = TypeVar("T")

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
    waiting = in_shares(partial(_play_share, players, seed, variant), games, pool, workers)
    return lambda: _join(waiting())


def in_shares(
    work: Callable[[range], T], games: range, pool: Executor | None, workers: int
) -> Callable[[], list[T]]:
    """Begin to work on games in so many shares, and return what waits for the results in order."""
    cuts = np.linspace(games.start, games.stop, workers + 1).astype(int)
    shares = [range(a, b) for a, b in pairwise(cuts) if a < b]
    if pool is None:
        return lambda: [work(share) for share in shares]
    working = [pool.submit(work, share) for share in shares]
    return lambda: [future.result() for future in working]


def _play_share(players: Players, seed: int, variant: Variant, games: range) -> Games:
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


class Desk(NamedTuple):
    """What playing writes on while it goes.

    Attributes:
        board: int8[2, 26], the position.
        best: float32[heads], what the network gives it.
        left: the dice still to play.
        afterstates: int8[MAX_PLAYS, 2, 26], those of a roll.
        paths: uint32[MAX_PLAYS], how they are reached.
        plays: uint64[WORKSPACE, 3], for `legal_plays` to work in.
        equities: float32[MAX_PLAYS], what scout and network make of them; see `choose`.
        outcome: float32[heads], of one afterstate.
        layer: of the network, see `scratch`.
        rows: of the network.
        scout_layer: of the scout.
        scout_rows: of the scout.
    """

    board: Board
    best: Floats
    left: npt.NDArray[np.int8]
    afterstates: Board
    paths: npt.NDArray[np.uint32]
    plays: npt.NDArray[np.uint64]
    equities: Floats
    outcome: Floats
    layer: Floats
    rows: Rows
    scout_layer: Floats
    scout_rows: Rows


@kernel
def new_desk(players: Players, heads: int) -> Desk:
    """Return room to play in."""
    layer, rows = scratch(players.network.sizes)
    scout_layer, scout_rows = scratch(players.scout.sizes)
    return Desk(
        np.empty((2, WIDTH), np.int8),
        np.empty(heads, np.float32),
        np.empty(LEFT, np.int8),
        np.empty((MAX_PLAYS, 2, WIDTH), np.int8),
        np.empty(MAX_PLAYS, np.uint32),
        np.empty((WORKSPACE, 3), np.uint64),
        np.empty(MAX_PLAYS, np.float32),
        np.empty(heads, np.float32),
        layer,
        rows,
        scout_layer,
        scout_rows,
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
    desk = new_desk(players, len(weights))
    evaluations, at = 0, 0
    for game in range(len(lengths)):
        key = stream_key(seed, first_game + np.uint64(game))
        plies, judged = _play_game(
            start, key, weights, rules, players, desk, boards[at:], values[at:]
        )
        if plies == 0:
            return game, evaluations
        lengths[game] = plies
        outcomes[game] = desk.best
        evaluations += judged
        at += plies
    return len(lengths), evaluations


@kernel
def _play_game(
    start: Board,
    key: np.uint64,
    weights: Floats,
    rules: Rules,
    players: Players,
    desk: Desk,
    boards: Board,
    values: Floats,
) -> tuple[int, int]:
    """Play one game, and leave in `desk.best` how it ended.

    Returns:
        Its plies, or 0 if the buffers can't hold them; and how many afterstates the network judged.
    """
    board = desk.board
    board[:] = start
    evaluate_one(board, players.network, desk.layer, desk.rows, desk.best)
    evaluations = 0
    for ply in range(min(MAX_PLIES, len(boards))):
        boards[ply], values[ply] = board, desk.best
        die1, die2 = roll_of(key, ply)
        count = list_plays(rules, board, die1, die2, desk)
        chosen, judged = choose(players, weights, desk, count)
        evaluations += judged
        board[:] = desk.afterstates[chosen]
        if is_known(board, rules):
            return ply + 1, evaluations
    return MAX_PLIES if len(boards) >= MAX_PLIES else 0, evaluations


@lean_kernel
def roll_of(key: np.uint64, ply: int) -> tuple[int, int]:
    """Return the dice of a ply of the game with this key."""
    return opening_roll(key, np.uint64(0)) if ply == 0 else roll(key, np.uint64(ply))


@lean_kernel
def is_known(board: Board, rules: Rules) -> bool:
    """Say whether a game is over for the players: finished, or known to the bear-off tables."""
    return signed_points(board, rules[KINDS]) != 0 or is_bearoff(board)


@kernel
def list_plays(rules: Rules, board: Board, die1: int, die2: int, desk: Desk) -> int:
    """List in `desk` the afterstates of a roll; a pass is one, too. Return how many there are."""
    put_dice(rules, board, die1, die2, desk.left)
    count = legal_plays(rules, board, desk.left, desk.plays, desk.afterstates, desk.paths)
    if count == 0:
        desk.afterstates[0, 0], desk.afterstates[0, 1] = board[1], board[0]
    return max(count, 1)


@lean_kernel
def choose(players: Players, weights: Floats, desk: Desk, count: int) -> tuple[int, int]:
    """Choose among the plays of a roll, and leave in `desk.best` what the next player then has.

    What the network makes of each candidate, for the next player, is then in `desk.equities`, with
    infinity for the other plays.

    Returns:
        The number of the play, and how many afterstates the network judged.
    """
    worst, last = _candidates(players, weights, desk, count)
    lowest = np.float32(np.inf)
    chosen, judged = 0, 0
    for i in range(count):
        if desk.equities[i] > worst or (desk.equities[i] == worst and i > last):
            desk.equities[i] = np.inf
            continue
        judged += 1
        evaluate_one(desk.afterstates[i], players.network, desk.layer, desk.rows, desk.outcome)
        equity = relative_equity(weights, desk.outcome)
        desk.equities[i] = equity
        if equity < lowest:
            lowest, chosen = equity, i
            for h in range(len(desk.best)):
                desk.best[h] = desk.outcome[h]
    return chosen, judged


@lean_kernel
def _candidates(
    players: Players, weights: Floats, desk: Desk, count: int
) -> tuple[np.float32, int]:
    """Let the scout judge the plays of a roll; return its judgement and number of the last one."""
    if count <= players.candidates:
        desk.equities[:count] = 0
        return np.float32(0), count
    for i in range(count):
        evaluate_one(
            desk.afterstates[i], players.scout, desk.scout_layer, desk.scout_rows, desk.outcome
        )
        desk.equities[i] = relative_equity(weights, desk.outcome)
    return last_place(desk.equities, 0, count, players.candidates)


@lean_kernel
def relative_equity(weights: Floats, outcome: Floats) -> np.float32:
    """Return the equity of chances, but for a constant."""
    equity = np.float32(0)
    for h in range(len(weights)):
        equity += weights[h] * outcome[h]
    return equity
