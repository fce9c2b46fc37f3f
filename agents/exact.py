"""Self-play with exact backups: lessons without the luck of the dice.

The exact backup of a position is the mean over all 21 rolls of what the best reply leaves: its
value one ply ahead. Of every roll the few best plays are judged so, and the best of them is made;
all of them are lessons, also those that a player who trusts the network alone would never meet.

Positions that are played look further ahead by lambda, and their returns have the luck of every
roll taken out: the return of position t is

    backup(t) + lambda x [return(t + 1) - value(t + 1)], read from the other side,

where value(t + 1) is what the backup counted for the roll that came. Over the rolls that is the
lambda-return's mean; what is left of its noise comes from the network's own errors alone.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.forward import evaluate_one
from agents.replies import last_place
from agents.selfplay import (
    MAX_PLIES,
    POSITIONS_PER_GAME,
    Desk,
    Players,
    choose,
    in_shares,
    is_known,
    list_plays,
    new_desk,
    relative_equity,
    roll_of,
)
from agents.td_lambda import Swap, swap_of
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS, stream_key
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import Rules, Variant

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

WITHIN = np.float32(0.08)
"""Plays that seem worse than the best by more points are not looked at."""

_DICE = np.array(ROLLS, np.int8)
_CHANCES = (np.array(ROLL_WEIGHTS) / sum(ROLL_WEIGHTS)).astype(np.float32)


class Way(NamedTuple):
    """How to play and to look.

    Attributes:
        rules: of the variant.
        weights: float32[heads], of its equity.
        swap: of its chances.
        players: frozen.
        looks: at how many plays of a roll to look, at most.
        lambda_: how much of a played position's return comes from those after it.
    """

    rules: Rules
    weights: Floats
    swap: Swap
    players: Players
    looks: int
    lambda_: np.float32


@dataclass(frozen=True)
class Lessons:
    """What finished games taught.

    Attributes:
        boards: int8[M, 2, 26], positions before their roll, the player on roll in row 0.
        targets: float32[M, heads], what they were found to be worth.
        lengths: int64[G], positions played in each game.
        outcomes: float32[G, heads], the chances of the player who would be on roll next; see
            `agents.selfplay.Games`.
    """

    boards: Board
    targets: Floats
    lengths: Ints
    outcomes: Floats


def begin_exact(
    players: Players,
    looks: int,
    lambda_: float,
    seed: int,
    games: range,
    variant: Variant,
    pool: Executor | None = None,
    workers: int = 1,
) -> Callable[[], Lessons]:
    """Begin to play, and return what waits for the lessons.

    Args:
        players: frozen.
        looks: at how many plays of a roll to look, at most.
        lambda_: how much of a played position's return comes from those after it.
        seed: of the run.
        games: their numbers.
        variant: the game.
        pool: runs the workers' shares; None plays in this thread.
        workers: into how many shares to split.

    Returns:
        The lessons in the order of the games, the same whatever `workers`.
    """
    weights = np.asarray(variant.weights, np.float32)
    way = Way(variant.rules, weights, swap_of(variant), players, looks, np.float32(lambda_))
    work = partial(_play_share, way, variant.start_board(), seed)
    waiting = in_shares(work, games, pool, workers)
    return lambda: _join([lessons for share in waiting() for lessons in share])


def _play_share(way: Way, start: Board, seed: int, games: range) -> list[Lessons]:
    heads = len(way.weights)
    capacity = way.looks * (POSITIONS_PER_GAME * len(games) + MAX_PLIES)
    parts = []
    while games:
        boards = np.empty((capacity, 2, WIDTH), np.int8)
        targets = np.empty((capacity, heads), np.float32)
        lengths = np.zeros(len(games), np.int64)
        outcomes = np.empty((len(games), heads), np.float32)
        first = np.uint64(games.start)
        done, filled = _play_games(
            start, np.uint64(seed), first, way, boards, targets, lengths, outcomes
        )
        parts.append(Lessons(boards[:filled], targets[:filled], lengths[:done], outcomes[:done]))
        games = games[done:]
    return parts


def _join(parts: list[Lessons]) -> Lessons:
    return Lessons(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.targets for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.outcomes for part in parts]),
    )


class Notes(NamedTuple):
    """What playing writes on while it goes, besides the lessons.

    Attributes:
        desk: for the rolls of the game.
        inner: for the rolls that can follow.
        played: int64[MAX_PLIES], the number of the lesson of each position after a play.
        counted: float32[MAX_PLIES + 1, heads], what a backup counts for each roll that came.
    """

    desk: Desk
    inner: Desk
    played: Ints
    counted: Floats


@kernel
def _play_games(
    start: Board,
    seed: np.uint64,
    first_game: np.uint64,
    way: Way,
    boards: Board,
    targets: Floats,
    lengths: Ints,
    outcomes: Floats,
) -> tuple[int, int]:
    """Play games until all are done or the buffers might not hold the next one.

    Returns:
        How many games were finished, and how many lessons they gave.
    """
    heads = len(way.weights)
    notes = Notes(
        new_desk(way.players, heads),
        new_desk(way.players, heads),
        np.empty(MAX_PLIES, np.int64),
        np.empty((MAX_PLIES + 1, heads), np.float32),
    )
    at = 0
    for game in range(len(lengths)):
        if at + way.looks * MAX_PLIES > len(boards):
            return game, at
        notes.desk.board[:] = start
        key = stream_key(seed, first_game + np.uint64(game))
        plays, lessons = _play_game(key, way, notes, boards[at:], targets[at:], outcomes[game])
        _look_further(way, notes, plays, outcomes[game], targets[at:])
        lengths[game] = min(plays + 1, MAX_PLIES)
        at += lessons
    return len(lengths), at


@kernel
def _play_game(
    key: np.uint64, way: Way, notes: Notes, boards: Board, targets: Floats, outcome: Floats
) -> tuple[int, int]:
    """Play one game from the desk's board, of each roll the play that is best one ply ahead.

    Returns:
        After how many plays a position was learned from, and how many lessons there are.
    """
    desk, lessons = notes.desk, 0
    for ply in range(MAX_PLIES):
        die1, die2 = roll_of(key, ply)
        count = list_plays(way.rules, desk.board, die1, die2, desk)
        chosen, _ = choose(way.players, way.weights, desk, count)
        notes.counted[ply] = desk.best
        chosen, lesson, made = _look(way, notes, count, chosen, boards[lessons:], targets[lessons:])
        notes.played[ply] = lessons + lesson
        lessons += made
        desk.board[:] = desk.afterstates[chosen]
        evaluate_one(desk.board, way.players.network, desk.layer, desk.rows, outcome)
        if is_known(desk.board, way.rules):
            return ply, lessons
    notes.counted[MAX_PLIES] = outcome
    return MAX_PLIES, lessons


@kernel
def _look(
    way: Way, notes: Notes, count: int, chosen: int, boards: Board, targets: Floats
) -> tuple[int, int, int]:
    """Look at the plays of a roll that seem best, from the one that seems the very best.

    Returns:
        The number of the play that is best, that of its lesson, and how many lessons there are.
    """
    desk, lessons, lesson = notes.desk, 0, 0
    limit = desk.equities[chosen] + WITHIN
    worst, last = last_place(desk.equities, 0, count, way.looks)
    lowest = np.float32(np.inf)
    for i in range(count):
        equity = desk.equities[i]
        if not (equity <= limit and (equity < worst or (equity == worst and i <= last))):
            continue
        if not is_known(desk.afterstates[i], way.rules):
            boards[lessons] = desk.afterstates[i]
            _back_up(boards[lessons], way, notes.inner, targets[lessons])
            equity = relative_equity(way.weights, targets[lessons])
            lessons += 1
        if equity < lowest:
            lowest, chosen, lesson = equity, i, lessons - 1
    return chosen, lesson, lessons


@kernel
def _back_up(board: Board, way: Way, desk: Desk, out: Floats) -> None:
    """Write the exact backup of an unfinished game, the mean over the 21 rolls, to out[heads]."""
    out[:] = 0
    for k in range(len(_CHANCES)):
        count = list_plays(way.rules, board, _DICE[k, 0], _DICE[k, 1], desk)
        choose(way.players, way.weights, desk, count)
        for h in range(len(out)):
            theirs = desk.best[way.swap.source[h]]
            out[h] += _CHANCES[k] * (way.swap.base[h] + way.swap.sign[h] * theirs)


@kernel
def _look_further(way: Way, notes: Notes, plays: int, outcome: Floats, targets: Floats) -> None:
    """Turn the backups of one game's played positions into its returns, from the last one on."""
    swap = way.swap
    for k in range(plays - 1, -1, -1):
        ahead = targets[notes.played[k + 1]] if k + 1 < plays else outcome
        for h in range(len(outcome)):
            news = ahead[swap.source[h]] - notes.counted[k + 1, swap.source[h]]
            targets[notes.played[k], h] += way.lambda_ * swap.sign[h] * news
