"""All distinct afterstates of a roll, in random games, beside gnubg-nn's and OpenSpiel's."""

from collections.abc import Callable

import numpy as np

from gammon_env.batch import legal_plays_of
from gammon_env.position import Position
from gammon_env.rules.board import WIDTH
from gammon_env.rules.dice import random_word, roll, stream_key
from gammon_env.rules.jit import kernel
from gammon_env.rules.moves import LEFT, MAX_PLAYS, WORKSPACE, legal_plays, put_dice
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import BACKGAMMON, KINDS, NARDY, Variant
from tests.benchmarks.harness import race, table
from tests.benchmarks.peers import START_RESULTS, open_spiel_children

GAMES = 200
PEER_ROLLS = 2_000
KNOWN_COUNTS = {BACKGAMMON: START_RESULTS, NARDY: {(3, 3): 2, (4, 4): 1, (6, 6): 1}}
MOST_RESULTS = ("AACAkCRJqqoAAA", (1, 1), 2220)


@kernel
def record_games(rules, start, games, boards, dice, afterstates, paths):
    """Play random games and record every board and roll; returns how many there were."""
    left = np.empty(LEFT, np.int8)
    plays = np.empty((WORKSPACE, 3), np.uint64)
    at = 0
    for game in range(games):
        key = stream_key(np.uint64(1), np.uint64(game))
        board = start.copy()
        ply = np.uint64(0)
        while signed_points(board, rules[KINDS]) == 0:
            die1, die2 = roll(key, ply)
            boards[at] = board
            dice[at, 0], dice[at, 1] = die1, die2
            at += 1
            put_dice(rules, board, die1, die2, left)
            count = legal_plays(rules, board, left, plays, afterstates, paths)
            if count:
                word = random_word(stream_key(np.uint64(2), np.uint64(game)), ply)
                board = afterstates[np.int64(word >> np.uint64(33)) % count].copy()
            else:
                board = board[::-1].copy()
            ply += np.uint64(1)
    return at


@kernel
def generate_all(rules, boards, dice, afterstates, paths):
    """Generate for every recorded roll; returns how many afterstates there were."""
    left = np.empty(LEFT, np.int8)
    plays = np.empty((WORKSPACE, 3), np.uint64)
    total = 0
    for i in range(len(boards)):
        put_dice(rules, boards[i], int(np.int64(dice[i, 0])), int(np.int64(dice[i, 1])), left)
        total += legal_plays(rules, boards[i], left, plays, afterstates, paths)
    return total


@kernel
def play_games(rules, start, games, afterstates, paths):
    """Play random games and keep nothing; returns how many turns there were."""
    left = np.empty(LEFT, np.int8)
    plays = np.empty((WORKSPACE, 3), np.uint64)
    turns = 0
    for game in range(games):
        key = stream_key(np.uint64(1), np.uint64(game))
        words = stream_key(np.uint64(2), np.uint64(game))
        board = start.copy()
        ply = np.uint64(0)
        while signed_points(board, rules[KINDS]) == 0:
            die1, die2 = roll(key, ply)
            put_dice(rules, board, die1, die2, left)
            count = legal_plays(rules, board, left, plays, afterstates, paths)
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
    for variant, results in KNOWN_COUNTS.items():
        for dice, count in results.items():
            assert len(Position.start(variant).legal_plays(dice)) == count
    position_id, dice, count = MOST_RESULTS
    assert len(Position.from_id(position_id).legal_plays(dice)) == count


def measure() -> str:
    """Return the results as Markdown."""
    check()
    return "\n\n".join([_measure(BACKGAMMON), _measure(NARDY)])


def _measure(variant: Variant) -> str:
    afterstates = np.empty((MAX_PLAYS, 2, WIDTH), np.int8)
    paths = np.empty(MAX_PLAYS, np.uint32)
    boards = np.empty((200 * GAMES, 2, WIDTH), np.int8)
    dice = np.empty((len(boards), 2), np.int8)
    rules, start = variant.rules, variant.start_board()
    count = record_games(rules, start, GAMES, boards, dice, afterstates, paths)
    boards, dice = boards[:count], dice[:count]
    total = generate_all(rules, boards, dice, afterstates, paths)

    def ours() -> int:
        assert generate_all(rules, boards, dice, afterstates, paths) == total
        return count

    def ours_batch() -> int:
        assert len(legal_plays_of(boards, dice, variant)[0]) == total
        return count

    contenders = {
        "gammon-env, one kernel call": ours,
        "gammon-env, `batch.legal_afterstates`": ours_batch,
        "gammon-env, random games in one kernel call": lambda: play_games(
            rules, start, GAMES, afterstates, paths
        ),
    }
    if variant == BACKGAMMON:
        contenders |= _peers(boards, dice, total)
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
    title = f"{variant.name}: all distinct afterstates of a roll"
    about = f"{count:,} rolls of {GAMES} random games, {total / count:.1f} afterstates a roll."
    return f"{table((title, 'µs a roll', 'rolls/s', 'times ours'), rows)}\n\n{about}"


def _peers(boards: np.ndarray, dice: np.ndarray, total: int) -> dict[str, Callable[[], int]]:
    """Return the other programs that are there, each to take its turns in the race."""
    found = {
        "gnubg-nn `moves`": _gnubg(boards, dice, total),
        "OpenSpiel, all children": open_spiel_children(PEER_ROLLS),
    }
    return {name: work for name, work in found.items() if work is not None}


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
