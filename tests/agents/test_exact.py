"""Lessons of exact backups against games replayed in plain Python, judged by look-ahead."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents import exact
from agents.exact import WITHIN, Lessons, begin_exact
from agents.forward import FastNetwork
from agents.lookahead import LookAhead, Scout
from agents.network import fast
from agents.network_agent import NetworkAgent, open_checkpoint
from agents.selfplay import MAX_PLIES, Players
from agents.td_lambda import swap_of
from agents.weights import weights_path
from gammon_env import batch
from gammon_env.observation import VALUE
from gammon_env.rules.dice import opening_roll, roll, stream_key
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, NARDY, Variant
from tests.agents.networks import constant_network, random_network

Array = npt.NDArray[Any]

SEED = 5


def shipped(name: str, variant: Variant = BACKGAMMON) -> FastNetwork:
    """Return a trained network, whose games are short."""
    return open_checkpoint(weights_path(name), variant).network


NETWORK = shipped("backgammon-tiny")
SCOUT = fast(random_network((4,), seed=2, inputs=VALUE.looked_up))
HYPER = fast(random_network((6,), seed=3), HYPERGAMMON)
LONG = shipped("nardy-small", NARDY)
ALONE = Players.alone(NETWORK)
WITH_SCOUT = Players(NETWORK, SCOUT, 3)
INDIFFERENT = Players.alone(constant_network())


def lessons_of(
    games: range,
    players: Players = ALONE,
    looks: int = 3,
    lambda_: float = 0.5,
    variant: Variant = BACKGAMMON,
    **how: Any,
) -> Lessons:
    return begin_exact(players, looks, lambda_, SEED, games, variant, **how)()


@dataclass
class Told:
    """A game replayed: its lessons, and where in them the positions played are."""

    boards: list[Array] = field(default_factory=list)
    targets: list[Array] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    counted: list[Array] = field(default_factory=list)
    outcome: Array | None = None


def told(game: int, players: Players, looks: int, variant: Variant) -> Told:
    """Replay a game without any kernel of self-play."""
    agent = NetworkAgent(players.network, variant=variant)
    scout = NetworkAgent(players.scout, variant=variant)
    look = LookAhead(agent, bearoff=True, scout=Scout(scout, players.candidates))
    key = np.uint64(stream_key(np.uint64(SEED), np.uint64(game)))
    story, board = Told(), variant.start_board()
    for ply in range(MAX_PLIES):
        dice = opening_roll(key, np.uint64(0)) if ply == 0 else roll(key, np.uint64(ply))
        legal, _ = batch.legal_afterstates(board[None], np.array([dice], np.int8), variant)
        legal = legal if len(legal) else board[None, ::-1].copy()
        few = legal[np.sort(order(variant, scout.outcomes(legal))[: players.candidates])]
        values = agent.outcomes(few)
        equities = variant.equity(values)
        story.counted.append(values[equities.argmin()])
        best = np.inf
        for i in sorted(order(variant, values)[:looks]):
            if equities[i] > equities.min() + WITHIN:
                continue
            is_known = not look.settled(few[i : i + 1])[1][0]
            value = look.outcomes(few[i : i + 1], 0 if is_known else 1)[0]
            if not is_known:
                story.boards.append(few[i])
                story.targets.append(value)
            if variant.equity(value) < best:
                best, board, lesson, over = (
                    variant.equity(value),
                    few[i],
                    len(story.boards),
                    is_known,
                )
        if over:
            story.outcome = look.outcomes(board[None])[0]
            return story
        story.played.append(lesson - 1)
    return story


def order(variant: Variant, outcomes: Array) -> Array:
    return np.argsort(variant.equity(outcomes), kind="stable")


def look_further(story: Told, lambda_: float, variant: Variant) -> None:
    """Make the backups of the positions played their returns, from the last one on."""
    swap, ahead = swap_of(variant), story.outcome
    for k in reversed(range(len(story.played))):
        if ahead is not None:
            # The base of the swap cancels out.
            news = swap(ahead) - swap(story.counted[k + 1])
            story.targets[story.played[k]] = story.targets[story.played[k]] + lambda_ * news
        ahead = story.targets[story.played[k]]


CASES = [
    (ALONE, 1, BACKGAMMON),
    (ALONE, 3, BACKGAMMON),
    (WITH_SCOUT, 2, BACKGAMMON),
    (Players.alone(HYPER), 4, HYPERGAMMON),
    (Players.alone(LONG), 2, NARDY),
]


@pytest.mark.parametrize(("players", "looks", "variant"), CASES)
@pytest.mark.parametrize("lambda_", [0, 0.6])
def test_lessons_are_those_of_the_games_replayed(
    players: Players, looks: int, variant: Variant, lambda_: float
) -> None:
    games = range(3, 4)
    lessons = lessons_of(games, players, looks, lambda_, variant)
    stories = [told(game, players, looks, variant) for game in games]
    for story in stories:
        look_further(story, lambda_, variant)
    boards = np.array([board for story in stories for board in story.boards])
    np.testing.assert_array_equal(lessons.boards, boards)
    targets = np.array([target for story in stories for target in story.targets])
    np.testing.assert_allclose(lessons.targets, targets, atol=1e-5)
    assert lessons.lengths.tolist() == [min(len(s.played) + 1, MAX_PLIES) for s in stories]
    for outcome, story in zip(lessons.outcomes, stories, strict=True):
        if story.outcome is not None:
            np.testing.assert_array_equal(outcome, story.outcome)


def test_more_looks_give_more_lessons_but_never_more_than_asked_for() -> None:
    few, many = (lessons_of(range(2), INDIFFERENT, looks) for looks in (1, 4))
    assert len(few.boards) <= few.lengths.sum()
    assert 2 * many.lengths.sum() < len(many.boards) <= 4 * many.lengths.sum()


def test_lambda_changes_returns_and_not_the_games() -> None:
    one, other = (lessons_of(range(4), lambda_=lambda_) for lambda_ in (0, 1))
    np.testing.assert_array_equal(one.boards, other.boards)
    changed = (one.targets != other.targets).any(axis=1)
    assert 0.2 < changed.mean() < 1


def test_returns_have_less_noise_than_outcomes_and_their_mean() -> None:
    """At lambda 1 a return is the outcome with the luck taken out: the same mean, less spread."""
    lessons = lessons_of(range(200), ALONE, 1, 1.0)
    first = np.cumsum([0, *(lessons.lengths[:-1] - 1)])
    returns = BACKGAMMON.equity(lessons.targets[first])
    ends = BACKGAMMON.equity(lessons.outcomes)
    outcomes = np.where(lessons.lengths % 2 == 1, ends, -ends)
    assert returns.std() < 0.65 * outcomes.std()
    assert abs((returns - outcomes).mean()) < 3 * (returns - outcomes).std() / 200**0.5


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_do_not_change_the_lessons(workers: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert_same(lessons_of(range(4)), lessons_of(range(4), pool=pool, workers=workers))


def test_small_buffers_do_not_change_the_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lessons_of(range(4))
    monkeypatch.setattr(exact, "POSITIONS_PER_GAME", 0)
    assert_same(whole, lessons_of(range(4)))


def test_a_network_that_has_diverged_teaches_nothing() -> None:
    lessons = lessons_of(range(2), Players.alone(constant_network(np.nan)))
    assert len(lessons.boards) == 0


def assert_same(one: Lessons, other: Lessons) -> None:
    for name in ("boards", "targets", "lengths", "outcomes"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
