"""GNU Backgammon's nets and Pubeval as players, through the optional package gnubg-nn.

Its boards are two rows of 25 counts: first the opponent, then the player on roll, each in its own
numbering, the bar last. A position key is the position ID's ten bytes as twenty letters, a nibble
each, high nibble first; the key that `best_move` gives for the position after a play starts with
the player who moved, which is how an afterstate here reads from the opponent's side.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, OFF, WIDTH, Board
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import BACKGAMMON, Variant

_KEY_LETTERS = 20
_NO_MOVE = -2


class GnubgAgent(BatchAgent):
    """Base of the players that run in gnubg-nn.

    Args:
        variant: backgammon; these programs know no other game.

    Raises:
        GammonError: for another variant, or where gnubg-nn is not installed.
    """

    def __init__(self, variant: Variant = BACKGAMMON) -> None:
        if variant != BACKGAMMON:
            raise GammonError(f"{self.name} plays {BACKGAMMON.name}, not {variant.name}")
        super().__init__(variant)
        engine()

    def _checked(self, decisions: Decisions, choices: Choices) -> Choices:
        if (choices < 0).any():
            where = decisions.describe(int(np.argmin(choices)))
            raise GammonError(f"{self.name} gave an answer at {where} that is no legal play")
        return choices


class Gnubg0PlyAgent(GnubgAgent):
    """Plays the afterstate that GNU Backgammon's nets like best: cubeless, for money."""

    name = "gnubg-0ply"
    plies = 0
    """How far it looks ahead, with the engine's own filters of moves."""

    def select(self, decisions: Decisions) -> Choices:
        """Ask the engine for its best position after each roll and find it among ours."""
        best_move = engine().best_move
        rolls = zip(_engine_boards(decisions.boards), decisions.dice.tolist(), strict=True)
        keys = "".join(best_move(board, *dice, n=self.plies, b=1)[1] for board, dice in rolls)
        letters = np.frombuffer(keys.encode("ascii"), np.uint8).reshape(-1, _KEY_LETTERS)
        choices = np.full(len(decisions), -1, np.int64)
        find_keys(letters, decisions.afterstates, decisions.offsets, choices)
        return self._checked(decisions, choices)

    def outcomes(self, boards: Board) -> npt.NDArray[np.float32]:
        """Return float32[N, 5]: the chances of the player on roll, looking so many plies ahead."""
        probabilities = engine().probabilities
        rows = [probabilities(board, self.plies) for board in _engine_boards(boards)]
        return np.array(rows, np.float32).reshape(len(boards), len(self.variant.heads))


class Gnubg1PlyAgent(Gnubg0PlyAgent):
    """Takes the mean over the opponent's 21 rolls; some 100 decisions a second."""

    name = "gnubg-1ply"
    plies = 1


class Gnubg2PlyAgent(Gnubg0PlyAgent):
    """Looks at the player's own next roll too; some 10 decisions a second."""

    name = "gnubg-2ply"
    plies = 2


GNUBG_AGENTS = (Gnubg0PlyAgent, Gnubg1PlyAgent, Gnubg2PlyAgent)
"""By plies."""


class PubevalAgent(GnubgAgent):
    """Plays as Tesauro's public benchmark, two linear functions of the board."""

    name = "pubeval"

    def select(self, decisions: Decisions) -> Choices:
        """Ask the engine for its checker moves, make them, and find the result among ours."""
        best_move = engine().pub_best_move
        rolls = zip(_engine_boards(decisions.boards), decisions.dice.tolist(), strict=True)
        moves = [_padded(best_move(board, *dice)) for board, dice in rolls]
        choices = np.full(len(decisions), -1, np.int64)
        find_moves(
            decisions.boards,
            np.array(moves, np.int64).reshape(-1, 8),
            decisions.afterstates,
            decisions.offsets,
            choices,
        )
        return self._checked(decisions, choices)


@lru_cache
def engine() -> Any:
    """Return the module gnubg_nn, which loads its nets on import.

    Raises:
        GammonError: if it is not installed.
    """
    try:
        return import_module("gnubg_nn")
    except ImportError as error:
        raise GammonError(
            "the gnubg-nn package is missing, which plays gnubg-0ply to gnubg-2ply and pubeval; "
            'install it with: pip install "gammon-env[gnubg]"'
        ) from error


def _engine_boards(boards: Board) -> list[list[list[int]]]:
    lists: list[list[list[int]]] = boards[:, ::-1, :OFF].tolist()
    return lists


def _padded(moves: Sequence[int]) -> list[int]:
    return [*moves, *[_NO_MOVE] * (8 - len(moves))]


@kernel
def find_keys(
    keys: npt.NDArray[np.uint8], afterstates: Board, offsets: npt.NDArray[np.int64], found: Choices
) -> None:
    """Write for each decision which of its afterstates has the key; leave others alone."""
    wanted = np.zeros((2, WIDTH), np.int8)
    for i in range(len(keys)):
        read_key(keys[i], wanted)
        find_afterstate(wanted, afterstates, offsets, i, found)


@kernel
def find_moves(
    boards: Board,
    moves: npt.NDArray[np.int64],
    afterstates: Board,
    offsets: npt.NDArray[np.int64],
    found: Choices,
) -> None:
    """Write for each decision which afterstate its checker moves lead to.

    A move is a pair of board indices: 24 for the bar, -1 for off; `_NO_MOVE` ends the list.
    """
    wanted = np.zeros((2, WIDTH), np.int8)
    for i in range(len(boards)):
        wanted[0], wanted[1] = boards[i, 1], boards[i, 0]
        for j in range(0, moves.shape[1], 2):
            source, target = moves[i, j], moves[i, j + 1]
            if source == _NO_MOVE:
                break
            wanted[1, source] -= 1
            if target < 0:
                continue
            wanted[1, target] += 1
            if wanted[0, BAR - 1 - target] == 1:
                wanted[0, BAR - 1 - target] = 0
                wanted[0, BAR] += 1
        find_afterstate(wanted, afterstates, offsets, i, found)


@kernel
def read_key(key: npt.NDArray[np.uint8], board: Board) -> None:
    """Write the counts of a key, all but the checkers off: for each place as many 1s, then a 0."""
    board[:] = 0
    place = 0
    for bit in range(80):
        nibble = key[2 * (bit // 8) + (bit % 8 < 4)] - 65
        if (nibble >> (bit % 4)) & 1:
            board[1 - place // OFF, place % OFF] += 1
        else:
            place += 1
            if place == 2 * OFF:
                return


@kernel
def find_afterstate(
    wanted: Board, afterstates: Board, offsets: npt.NDArray[np.int64], i: int, found: Choices
) -> None:
    """Write which afterstate of decision i has the wanted checkers on the board and the bar."""
    for j in range(offsets[i], offsets[i + 1]):
        if (afterstates[j, :, :OFF] == wanted[:, :OFF]).all():
            found[i] = j - offsets[i]
            return
