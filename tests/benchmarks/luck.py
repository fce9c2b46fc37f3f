"""Luck adjustment over 20,000 games: it changes the estimate by chance alone, and narrows it."""

from dataclasses import replace
from tempfile import TemporaryDirectory

from agents.config import TrainingConfig
from agents.match import MatchResult, play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.statistics import Estimate, pair_means
from agents.trainer import Trainer
from tests.benchmarks.harness import table

GAMES = 20_000
TRAINING_GAMES = (30_000, 60_000)
HIDDEN = (64,)


def players(training_games: tuple[int, int] = TRAINING_GAMES) -> tuple[NetworkAgent, NetworkAgent]:
    """Return a network and the same one from halfway through its training."""
    early, late = training_games
    with TemporaryDirectory() as folder:
        trainer = Trainer(TrainingConfig(run_dir=folder, games=late, hidden=HIDDEN))
        while trainer.counters.games < early:
            trainer.iterate()
        halfway = fast(trainer.network)
        while not trainer.done:
            trainer.iterate()
        trainer.close()
    return NetworkAgent(fast(trainer.network), "later"), NetworkAgent(halfway, "earlier")


def check(result: MatchResult) -> Estimate:
    """Assert that luck is zero within four standard errors, and return how much there was."""
    luck = Estimate.of(pair_means([record.luck for record in result.records]))
    assert abs(luck.mean) < 4 * luck.standard_error, luck
    return luck


def measure(games: int = GAMES) -> str:
    """Return the results as Markdown."""
    later, earlier = players()
    by_itself = play_match(later, earlier, games, seed=1, luck_by=later)
    by_weaker = play_match(later, earlier, games, seed=1, luck_by=earlier)
    unjudged = [replace(record, luck=0.0) for record in by_itself.records]
    assert [replace(record, luck=0.0) for record in by_weaker.records] == unjudged
    plain = by_itself.points_per_game
    rows = [("plain mean", f"{plain.mean:+.4f} ± {plain.margin:.4f}", "", "1")]
    rows += [_row(result) for result in (by_itself, by_weaker)]
    about = (
        f"{games:,} paired games of a network of {HIDDEN[0]} units, trained for "
        f"{TRAINING_GAMES[1]:,} games, against itself after {TRAINING_GAMES[0]:,}; 95% intervals."
    )
    header = ("points per game", "estimate", "mean luck", "variance divided by")
    return f"{table(header, rows)}\n\n{about}"


def _row(result: MatchResult) -> tuple[str, ...]:
    luck, adjusted = check(result), result.luck_adjusted
    assert adjusted is not None
    assert result.variance_reduction is not None
    return (
        f"luck-adjusted, judged by the {result.luck_by} one",
        f"{adjusted.mean:+.4f} ± {adjusted.margin:.4f}",
        f"{luck.mean:+.4f} ± {luck.margin:.4f}",
        f"{result.variance_reduction:.1f}",
    )
