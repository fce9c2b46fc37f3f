"""The trials of rollouts: many games played on from given positions, in lockstep.

The dice of a trial are a function of the seed, its number and the ply, so a trial does not depend
on the others it is played with.
"""

import numpy as np
import numpy.typing as npt

from agents.cache import Cache
from agents.lookahead import LookAhead
from agents.replies import ROLL_CHANCES, Floats, Ints, mean_over_rolls
from agents.td_lambda import swap_of
from gammon_env import batch
from gammon_env.agent import Agent, Decisions, ask
from gammon_env.rules.board import Board
from gammon_env.rules.dice import ROLLS, random_word, roll, stream_key
from gammon_env.rules.jit import kernel

Doubles = npt.NDArray[np.float64]

SEED_SPACE = 2
"""The child of a seed's SeedSequence that rollouts draw from; training and matches have others."""

_SLOTS = 1 << 12


class Table:
    """Where trials are played.

    Args:
        look: judges how they end, and the luck.
        player: plays both sides.
        seed: decides all dice and random words.
        luck_adjusted: whether to find out the luck.
    """

    def __init__(self, look: LookAhead, player: Agent, seed: int, luck_adjusted: bool) -> None:
        self._look, self._player = look, player
        self._variant = look.variant
        self._luck_adjusted = luck_adjusted
        self._swap = swap_of(self._variant)
        # In the first plies many trials stand in the same position.
        self._rolls = Cache(len(ROLLS) * len(self._variant.heads), _SLOTS)
        sequence = np.random.SeedSequence(seed, spawn_key=(SEED_SPACE,))
        self._dice_seed, self._word_seed = sequence.generate_state(2, np.uint64)

    def play_out(self, start: Board, trials: Ints, plies: int | None) -> tuple[Doubles, Doubles]:
        """Play one trial from each board; return how they end, and the luck of the player on roll.

        Both are float64[L, heads], from the side of the player on roll at the start.
        """
        boards, turns = start.copy(), np.zeros(len(start), np.int64)
        luck = np.zeros((len(start), len(self._variant.heads)))
        live = self._playing(boards, np.arange(len(boards)))
        ply = 0
        while len(live) and ply != plies:
            dice, words = np.empty((len(live), 2), np.int8), np.empty(len(live), np.uint64)
            throw(trials[live], ply, self._dice_seed, self._word_seed, dice, words)
            if self._luck_adjusted:
                mine = self._luck(boards[live], dice)
                luck[live] += self._swap.sign * mine[:, self._swap.source] if ply % 2 else mine
            boards[live] = play_rolls(self._player, boards[live], dice, words)
            ply += 1
            turns[live] = ply
            live = self._playing(boards, live)
        ends = self._look.outcomes(boards)
        swapped = (turns % 2 == 1)[:, np.newaxis]
        return np.where(swapped, self._swap(ends), ends).astype(np.float64), luck

    def _playing(self, boards: Board, lanes: Ints) -> Ints:
        """Return those of the lanes whose game goes on."""
        _, playing = self._look.settled(boards[lanes])
        return lanes[playing]

    def _luck(self, boards: Board, dice: npt.NDArray[np.int8]) -> Floats:
        """Return what each roll is worth to the player on roll beyond the mean of all rolls."""
        rows = self._rolls.rows(boards, self._roll_rows)
        values = rows.reshape(len(boards), len(ROLLS), -1)
        mean = np.empty((len(boards), values.shape[2]), np.float32)
        mean_over_rolls(values, ROLL_CHANCES, mean)
        larger, smaller = dice.max(axis=1).astype(np.int64), dice.min(axis=1)
        number = larger * (larger - 1) // 2 + smaller - 1
        luck: Floats = values[np.arange(len(boards)), number] - mean
        return luck

    def _roll_rows(self, boards: Board) -> Floats:
        return self._look.roll_outcomes(boards).reshape(len(boards), -1)


def play_rolls(
    player: Agent, boards: Board, dice: npt.NDArray[np.int8], words: npt.NDArray[np.uint64]
) -> Board:
    """Return the boards after the player's plays, as the next player sees them.

    Rolls that leave no choice are played without asking.
    """
    afterstates, offsets = batch.legal_afterstates(boards, dice, player.variant)
    counts = np.diff(offsets)
    choices = np.zeros(len(boards), np.int64)
    if (asked := counts > 1).any():
        ends = np.concatenate([[0], np.cumsum(counts[asked])])
        offered = afterstates[np.repeat(asked, counts)]
        decisions = Decisions(
            boards[asked], dice[asked], offered, ends, words[asked], player.variant
        )
        choices[asked] = ask(player, decisions)
    played = boards[:, ::-1].copy()
    moved = counts > 0
    played[moved] = afterstates[(offsets[:-1] + choices)[moved]]
    return played


@kernel
def throw(
    trials: Ints,
    ply: int,
    dice_seed: np.uint64,
    word_seed: np.uint64,
    dice: npt.NDArray[np.int8],
    words: npt.NDArray[np.uint64],
) -> None:
    """Write the dice of each trial's ply, and the random word for its player."""
    for i in range(len(trials)):
        trial = np.uint64(trials[i])
        dice[i, 0], dice[i, 1] = roll(stream_key(dice_seed, trial), np.uint64(ply))
        words[i] = random_word(stream_key(word_seed, trial), np.uint64(ply))
