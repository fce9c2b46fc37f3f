"""Games in lockstep: many games between two players advance one ply at a time.

Each lane holds one game; a finished game makes room for the next. The dice of a game are a function
of the seed, its pair and the ply, the random words for its players of the seed, the game and the
ply, so what happens in a game does not depend on the lane it is played in or on its neighbours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter

import numpy as np
import numpy.typing as npt

from agents.luck import LuckJudge
from agents.referee import Illegal, answers
from gammon_env import batch
from gammon_env.agent import Agent, Choices, Decisions
from gammon_env.rules.board import Board
from gammon_env.rules.dice import opening_roll, random_word, roll, stream_key
from gammon_env.rules.jit import kernel
from gammon_env.rules.outcome import signed_points
from gammon_env.rules.variant import Variant

Integers = npt.NDArray[np.int64]

SEED_SPACE = 1
"""The child of a run's SeedSequence that matches draw from; training draws from others."""


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    Attributes:
        game: its number; games 2k and 2k + 1 share the dice, with the seats swapped.
        points: what the first player won, negative if it lost; 0 in a game that was truncated.
        plies: how many rolls were thrown.
        luck: of the first player less that of the second, in points; 0 where nobody judged it.
        fault: for what the loser forfeited the game; empty if it did not.
        decisions: of each player, rolls with more than one play.
        seconds: the time each player took over them; no part of a comparison.
    """

    game: int
    points: int
    plies: int
    luck: float = 0.0
    fault: str = ""
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)

    @property
    def truncated(self) -> bool:
        """Whether the game was cut before its end."""
        return self.points == 0

    @property
    def forfeited(self) -> bool:
        """Whether the loser lost by an error or an illegal play."""
        return bool(self.fault)


class Lanes:
    """Plays games between two players; iterating gives each game as it ends.

    Args:
        players: the first sits in seat 0 in even games and in seat 1 in odd ones.
        games: the numbers of the games to play.
        seed: decides all dice and random words.
        lanes: how many games are in progress at once.
        variant: the game.
        max_plies: a game that has taken so many rolls is truncated; None for no limit.
        illegal: what an error or an illegal play of a player does.
        judge: finds out the luck of every roll; None leaves it out.
    """

    def __init__(
        self,
        players: tuple[Agent, Agent],
        games: Sequence[int],
        seed: int,
        lanes: int,
        variant: Variant,
        *,
        max_plies: int | None = None,
        illegal: Illegal = "raise",
        judge: LuckJudge | None = None,
    ) -> None:
        self._players, self._variant = players, variant
        self._max_plies = np.iinfo(np.int64).max if max_plies is None else max_plies
        self._illegal, self._judge = illegal, judge
        self._waiting = iter(games)
        sequence = np.random.SeedSequence(seed, spawn_key=(SEED_SPACE,))
        self._dice_seed, self._word_seed = sequence.generate_state(2, np.uint64)
        self._games = np.fromiter(islice(self._waiting, lanes), np.int64)
        width = len(self._games)
        self._on_roll = np.zeros(width, np.int64)
        self._dice = np.zeros((width, 2), np.int8)
        self._boards = np.repeat(variant.start_board()[np.newaxis], width, axis=0)
        self._plies = np.zeros(width, np.int64)
        self._luck = np.zeros(width)
        self._decisions = np.zeros((width, 2), np.int64)
        self._seconds = np.zeros((width, 2))
        self._forfeits: dict[int, tuple[int, str]] = {}

    def __iter__(self) -> Iterator[GameRecord]:
        """Play on until all games have ended."""
        while len(self._games):
            throw(self._games, self._plies, self._dice_seed, self._dice, self._on_roll)
            if self._judge is not None:
                luck = self._judge.luck(self._boards, self._dice, self._plies == 0)
                self._luck += np.where(self._on_roll == 0, luck, -luck)
            for player in (0, 1):
                self._play(player, np.flatnonzero(self._on_roll == player))
            points = np.zeros(len(self._games), np.int64)
            turn_over(self._boards, len(self._variant.kinds), self._plies, self._on_roll, points)
            for lane, (player, _) in self._forfeits.items():
                points[lane] = max(self._variant.points) * (2 * player - 1)
            over = np.flatnonzero((points != 0) | (self._plies >= self._max_plies))
            if len(over):
                yield from self._collect(over, points)

    def _play(self, player: int, lanes: Integers) -> None:
        """Play the rolls of one player in the lanes where it is on roll."""
        boards, dice = self._boards[lanes], self._dice[lanes]
        afterstates, offsets = batch.legal_afterstates(boards, dice, self._variant)
        counts = np.diff(offsets)
        choices = np.zeros(len(lanes), np.int64)
        asked = np.flatnonzero(counts > 1)
        if len(asked):
            kept = np.repeat(counts > 1, counts)
            ends = np.concatenate([[0], np.cumsum(counts[asked])])
            words = np.empty(len(asked), np.uint64)
            at = lanes[asked]
            draw_words(self._games[at], self._plies[at], self._word_seed, words)
            decisions = Decisions(
                boards[asked], dice[asked], afterstates[kept], ends, words, self._variant
            )
            choices[asked] = self._ask(player, decisions, at)
        passes = counts == 0
        self._boards[lanes[passes]] = boards[passes, ::-1]
        self._boards[lanes[~passes]] = afterstates[(offsets[:-1] + choices)[~passes]]

    def _ask(self, player: int, decisions: Decisions, lanes: Integers) -> Choices:
        start = perf_counter()
        choices, faults = answers(self._players[player], decisions, self._illegal)
        self._seconds[lanes, player] += (perf_counter() - start) / len(decisions)
        self._decisions[lanes, player] += 1
        for index, fault in faults.items():
            self._forfeits[int(lanes[index])] = player, fault
        return choices

    def _collect(self, ended: Integers, points: Integers) -> Iterator[GameRecord]:
        """Give the finished games, and their lanes to the next ones or to nobody."""
        records = [self._record(int(lane), int(points[lane])) for lane in ended]
        self._forfeits.clear()
        following = np.fromiter(islice(self._waiting, len(ended)), np.int64)
        reused, closed = ended[: len(following)], ended[len(following) :]
        self._games[reused] = following
        self._boards[reused] = self._variant.start_board()
        for counted in (self._plies, self._luck, self._decisions, self._seconds):
            counted[reused] = 0
        if len(closed):
            for name, per_lane in vars(self).items():
                if isinstance(per_lane, np.ndarray):
                    setattr(self, name, np.delete(per_lane, closed, axis=0))
        yield from records

    def _record(self, lane: int, points: int) -> GameRecord:
        first, second = self._decisions[lane].tolist()
        return GameRecord(
            game=int(self._games[lane]),
            points=points,
            plies=int(self._plies[lane]),
            luck=float(self._luck[lane]),
            fault=self._forfeits.get(lane, (0, ""))[1],
            decisions=(first, second),
            seconds=(float(self._seconds[lane, 0]), float(self._seconds[lane, 1])),
        )


@kernel
def throw(
    games: Integers, plies: Integers, seed: np.uint64, dice: npt.NDArray[np.int8], on_roll: Integers
) -> None:
    """Throw the dice of every lane; the opening roll also decides which player starts."""
    for lane in range(len(games)):
        key = stream_key(seed, np.uint64(games[lane] // 2))
        if plies[lane] > 0:
            dice[lane, 0], dice[lane, 1] = roll(key, np.uint64(plies[lane]))
        else:
            first, second = opening_roll(key, np.uint64(0))
            dice[lane, 0], dice[lane, 1] = first, second
            on_roll[lane] = (games[lane] + (first < second)) % 2


@kernel
def draw_words(
    games: Integers, plies: Integers, seed: np.uint64, words: npt.NDArray[np.uint64]
) -> None:
    """Write the random word of each game's ply; unlike the dice, a pair does not share it."""
    for i in range(len(games)):
        words[i] = random_word(stream_key(seed, np.uint64(games[i])), np.uint64(plies[i]))


@kernel
def turn_over(
    boards: Board, kinds: int, plies: Integers, on_roll: Integers, points: Integers
) -> None:
    """Pass the turn in every lane, and write what the first player has won where a game ended."""
    for lane in range(len(plies)):
        won = -signed_points(boards[lane], kinds)
        points[lane] = won if on_roll[lane] == 0 else -won
        plies[lane] += 1
        on_roll[lane] = 1 - on_roll[lane]
