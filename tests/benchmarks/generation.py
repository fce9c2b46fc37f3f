"""All distinct afterstates of a roll, in random games, beside gnubg-nn's and OpenSpiel's."""

from collections.abc import Callable

import numpy as np

from gammon_env.batch import legal_plays_of
from gammon_env.position import Position
from gammon_env.rules.backgammon import MAX_PLAYS, legal_plays
from gammon_env.rules.board import WIDTH
from gammon_env.rules.dice import random_word, roll, stream_key
from gammon_env.rules.jit import kernel
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON
from tests.benchmarks.harness import race, table
from tests.benchmarks.peers import START_RESULTS, open_spiel_children

GAMES = 200
PEER_ROLLS = 2_000
MOST_RESULTS = ("AACAkCRJqqoAAA", (1, 1), 2220)


@kernel
def record_games(start, games, boards, dice, afterstates, paths):
    """Play random games and record every board and roll; returns how many there were."""
    at = 0
    for game in range(games):
        key = stream_key(np.uint64(1), np.uint64(game))
        board = start.copy()
        ply = np.uint64(0)
        while signed_points(board, 3) == 0:
            die1, die2 = roll(key, ply)
            boards[at] = board
            dice[at, 0], dice[at, 1] = die1, die2
            at += 1
            moves = 4 if die1 == die2 else 2
            count = legal_plays(board, die1, die2, moves, afterstates, paths)
            if count:
                word = random_word(stream_key(np.uint64(2), np.uint64(game)), ply)
                board = afterstates[np.int64(word >> np.uint64(33)) % count].copy()
            else:
                board = board[::-1].copy()
            ply += np.uint64(1)
    return at


@kernel
def generate_all(boards, dice, afterstates, paths):
    """Generate for every recorded roll; returns how many afterstates there were."""
    total = 0
    for i in range(len(boards)):
        die1, die2 = dice[i, 0], dice[i, 1]
        moves = 4 if die1 == die2 else 2
        total += legal_plays(boards[i], die1, die2, moves, afterstates, paths)
    return total


@kernel
def play_games(start, games, afterstates, paths):
    """Play random games and keep nothing; returns how many turns there were."""
    turns = 0
    for game in range(games):
        key = stream_key(np.uint64(1), np.uint64(game))
        words = stream_key(np.uint64(2), np.uint64(game))
        board = start.copy()
        ply = np.uint64(0)
        while signed_points(board, 3) == 0:
            die1, die2 = roll(key, ply)
            moves = 4 if die1 == die2 else 2
            count = legal_plays(board, die1, die2, moves, afterstates, paths)
            if count:
                chosen = np.int64(random_word(words, ply) >> np.uint64(33)) % count
                board[:] = afterstates[chosen]
            else:
                for i in range(WIDTH):
                    board[0, i], board[1, i] = board[1, i], board[0, i]
            ply += np.uint64(1)
        turns += np.int64(ply)
    return turns


def check() -> None:
    """Assert known counts before anything is timed."""
    for dice, count in START_RESULTS.items():
        assert len(Position.start().legal_plays(dice)) == count
    position_id, dice, count = MOST_RESULTS
    assert len(Position.from_id(position_id).legal_plays(dice)) == count


def measure() -> str:
    """Return the results as Markdown."""
    check()
    afterstates = np.empty((MAX_PLAYS, 2, WIDTH), np.int8)
    paths = np.empty(MAX_PLAYS, np.uint32)
    boards = np.empty((200 * GAMES, 2, WIDTH), np.int8)
    dice = np.empty((len(boards), 2), np.int8)
    start = BACKGAMMON.start_board()
    count = record_games(start, GAMES, boards, dice, afterstates, paths)
    boards, dice = boards[:count], dice[:count]
    total = generate_all(boards, dice, afterstates, paths)

    def ours() -> int:
        assert generate_all(boards, dice, afterstates, paths) == total
        return count

    def ours_batch() -> int:
        assert len(legal_plays_of(boards, dice)[0]) == total
        return count

    contenders = {
        "gammon-env, one kernel call": ours,
        "gammon-env, `batch.legal_afterstates`": ours_batch,
        "gammon-env, random games in one kernel call": lambda: play_games(
            start, GAMES, afterstates, paths
        ),
    }
    if (theirs := _gnubg(boards, dice, total)) is not None:
        contenders["gnubg-nn `moves`"] = theirs
    if (children := open_spiel_children(PEER_ROLLS)) is not None:
        contenders["OpenSpiel, all children"] = children
    timings = race(contenders)
    best = timings["gammon-env, one kernel call"]
    rows = [
        (
            timing.name,
            f"{timing.microseconds:.2f}",
            f"{timing.rate:,.0f}",
            f"{timing.microseconds / best.microseconds:.2f}",
        )
        for timing in timings.values()
    ]
    header = ("all distinct afterstates of a roll", "µs a roll", "rolls/s", "times ours")
    about = f"{count:,} rolls of {GAMES} random games, {total / count:.1f} afterstates a roll."
    return f"{table(header, rows)}\n\n{about}"


def _gnubg(boards: np.ndarray, dice: np.ndarray, total: int) -> Callable[[], int] | None:
    """Return gnubg-nn's turn in the race, after asserting that it finds as many results."""
    try:
        from gnubg_nn import moves
    except ImportError:
        return None
    theirs = [[row[:25].tolist() for row in board[::-1]] for board in boards]
    rolls = dice.tolist()

    def work() -> int:
        for board, (die1, die2) in zip(theirs, rolls, strict=True):
            moves(board, die1, die2)
        return len(theirs)

    found = sum(len(moves(board, a, b)) for board, (a, b) in zip(theirs, rolls, strict=True))
    assert found == total, (found, total)
    return work
