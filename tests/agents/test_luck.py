"""Luck: zero on average whoever judges it, and all of the dice where the judge is perfect."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from agents.lanes import GameRecord, Lanes
from agents.lookahead import ALL_PLAYS
from agents.luck import LuckJudge, reference
from agents.match import MatchResult, play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from agents.search import SearchAgent
from gammon_env.agent import Agent, BatchAgent, Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.board import WIDTH
from gammon_env.rules.dice import ROLL_WEIGHTS, ROLLS
from gammon_env.rules.variant import BACKGAMMON, Variant
from tests.agents.networks import random_network

BEAR_OFF = replace(BACKGAMMON, name="bear-off", checkers=2, start=((3, 1), (2, 1)))
"""A game that any player ends with its second roll at the latest, often as a gammon."""
LONGEST = 3
OPENINGS = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]


class Whim(BatchAgent):
    """Judges positions by a fixed number for each board, far from the truth, and plays so."""

    name = "whim"

    def __init__(self, variant: Variant = BEAR_OFF, first: bool = True) -> None:
        super().__init__(variant)
        self.first = first
        self._factors = np.random.default_rng(0).normal(size=(2 * WIDTH, len(variant.heads)))

    def select(self, decisions: Decisions) -> Choices:
        return np.zeros(len(decisions), np.int64) if self.first else decisions.counts - 1

    def outcomes(self, boards: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        chances = 0.5 + 0.5 * np.sin(boards.reshape(len(boards), -1) @ self._factors)
        return chances.astype(np.float32)


def perfect() -> SearchAgent:
    """Return a player that looks ahead to the end of every game."""
    return SearchAgent(Whim(), LONGEST, (ALL_PLAYS,), (ALL_PLAYS,))


def all_dice() -> Iterator[tuple[tuple[tuple[int, int], ...], float]]:
    """Yield all dice that can fall in a game, and how likely they are."""
    rolls = [(roll, weight / 36) for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True)]
    for opening in OPENINGS:
        for second, chance2 in rolls:
            for third, chance3 in rolls:
                yield (opening, second, third), chance2 * chance3 / len(OPENINGS)


def play_all_dice(
    monkeypatch: pytest.MonkeyPatch, players: tuple[Agent, Agent], judge: LuckJudge
) -> tuple[list[GameRecord], npt.NDArray[np.float64]]:
    """Play every game that the dice allow; return the games and how likely each is."""
    sequences, chances = zip(*all_dice(), strict=True)
    table = np.array(sequences, np.int8)

    def throw(games, plies, _seed, dice, on_roll):  # type: ignore[no-untyped-def]
        dice[:] = table[games // 2, plies]
        first = plies == 0
        on_roll[first] = (games[first] + (dice[first, 0] < dice[first, 1])) % 2

    monkeypatch.setattr("agents.lanes.throw", throw)
    games = range(2 * len(table))
    lanes = Lanes(players, games, seed=0, lanes=len(games), variant=BEAR_OFF, judge=judge)
    records = sorted(lanes, key=lambda record: record.game)
    return records, np.repeat(chances, 2) / 2


def test_luck_is_zero_over_all_dice_and_takes_nothing_from_the_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players = perfect(), Whim(first=False)
    records, chances = play_all_dice(monkeypatch, players, LuckJudge(Whim()))
    luck = np.array([record.luck for record in records])
    points = np.array([record.points for record in records])
    assert chances.sum() == pytest.approx(1)
    assert {record.plies for record in records} == {1, 2, 3}
    assert luck.std() > 0.5
    assert luck @ chances == pytest.approx(0, abs=1e-9)
    assert points @ chances > 0.001
    assert (points - luck) @ chances == pytest.approx(points @ chances, abs=1e-9)


def test_a_perfect_judge_of_perfect_players_leaves_nothing_of_the_dice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    best = perfect()
    records, _ = play_all_dice(monkeypatch, (best, best), LuckJudge(best))
    assert {record.points for record in records} == {-2, -1, 1, 2}
    for record in records:
        assert record.luck == pytest.approx(record.points, abs=1e-5)


def test_what_errors_cost_is_left_in_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    records, chances = play_all_dice(
        monkeypatch, (Whim(first=False), perfect()), LuckJudge(perfect())
    )
    left = np.array([record.points - record.luck for record in records])
    assert left.max() < 1e-5
    assert left.min() < -0.1
    points = np.array([record.points for record in records])
    assert left @ chances == pytest.approx(points @ chances, abs=1e-5)


def test_the_luck_of_a_roll_by_hand() -> None:
    # The opponent ends the game with its next roll. 25 of 36 throws bear both checkers off; a die 1
    # leaves one behind, yet always takes one off, so the game is won or lost by 1 point.
    position = Position.from_counts({3: 1, 2: 1}, {1: 1, "off": 1}, BEAR_OFF)
    boards = np.repeat(position.board[np.newaxis], 4, axis=0)
    dice = np.array([[6, 5], [1, 6], [6, 5], [1, 6]], np.int8)
    luck = LuckJudge(perfect()).luck(boards, dice, np.array([False, False, True, True]))
    mean = (25 - 11) / 36
    assert luck.tolist() == pytest.approx([1 - mean, -1 - mean, 1, -1], abs=1e-6)


@pytest.mark.parametrize("lanes", [1, 30])
def test_luck_does_not_depend_on_the_batch(lanes: int) -> None:
    judge = NetworkAgent(fast(random_network()))
    players = RandomAgent(), PipCountAgent()
    one, other = (
        play_match(*players, 12, seed=2, luck_by=judge, lanes=count) for count in (lanes, 512)
    )
    assert one == other
    assert all(record.luck for record in one.records)


def test_adjusted_points_agree_with_plain_ones() -> None:
    judge = NetworkAgent(fast(random_network()), "judge")
    result = play_match(PipCountAgent(), RandomAgent(), 100, seed=3, luck_by=judge)
    luck = np.array([record.luck for record in result.records]).reshape(-1, 2).mean(axis=1)
    error = luck.std(ddof=1) / len(luck) ** 0.5
    assert abs(luck.mean()) < 4 * error
    assert result.luck_adjusted is not None
    assert result.luck_adjusted.mean == pytest.approx(
        result.points_per_game.mean - luck.mean(), abs=1e-9
    )
    assert result.luck_by == "judge"


def test_the_variance_shrinks_as_the_pairs_say() -> None:
    records = [
        GameRecord(game, points, 50, luck)
        for game, (points, luck) in enumerate([(2, 1.5), (2, 1.5), (-1, -1.0), (-1, -1.0)])
    ]
    result = MatchResult.of(("one", "two"), BACKGAMMON, 1, records, luck_by="judge")
    # Pairs of 2 and -1 are left with 0.5 and 0: a sixth of the spread.
    assert result.luck_adjusted is not None
    assert result.luck_adjusted.mean == 0.25
    assert result.variance_reduction == pytest.approx(36)
    assert result.best_estimate == result.luck_adjusted
    data = result.as_dict()
    assert data["luck_adjusted"]["by"] == "judge"
    assert data["luck_adjusted"]["variance_reduction"] == result.variance_reduction
    assert data["luck"] == [1.5, 1.5, -1.0, -1.0]


def test_without_a_judge_nothing_is_adjusted() -> None:
    result = play_match(PipCountAgent(), RandomAgent(), 4)
    assert result.luck_adjusted is None
    assert result.variance_reduction is None
    assert result.best_estimate == result.points_per_game
    assert "luck_adjusted" not in result.as_dict()


def test_the_first_player_that_judges_positions_judges_the_luck() -> None:
    network, other = NetworkAgent(fast(random_network())), NetworkAgent(fast(random_network()))
    assert reference(network, other) is network
    assert reference(RandomAgent(), other) is other
    with pytest.raises(GammonError, match="neither random nor pip-count judges positions"):
        reference(RandomAgent(), PipCountAgent())


def test_a_judge_has_to_judge_positions() -> None:
    with pytest.raises(GammonError, match="random does not judge positions"):
        play_match(PipCountAgent(), RandomAgent(), 4, luck_by=RandomAgent())  # type: ignore[arg-type]
    with pytest.raises(GammonError, match="whim plays bear-off, not backgammon"):
        play_match(PipCountAgent(), RandomAgent(), 4, luck_by=Whim())
