"""The whole training loop, self-play and learning together, and how its time splits."""

from dataclasses import fields
from itertools import product
from tempfile import TemporaryDirectory
from typing import Any

import torch

from agents.config import TrainingConfig
from agents.network import fast
from agents.trainer import Report, Trainer
from gammon_env.observation import VALUE, encode
from gammon_env.rules.variant import BACKGAMMON
from tests.benchmarks.harness import table

WARM_UP_GAMES = 15_000
GAMES = 20_000
NETWORKS = ((128,), (128, 64), (192, 64), (256, 128))
RECIPES: tuple[dict[str, Any], ...] = ({}, {"scout": 16, "precision": "bfloat16"})


def check(trainer: Trainer) -> None:
    """Assert that the fast forward is the network that learns."""
    boards = BACKGAMMON.start_board()[None]
    features = torch.from_numpy(encode(boards, VALUE.name, BACKGAMMON))
    with torch.no_grad():
        slow = torch.sigmoid(trainer.network(features)).numpy()
    assert abs(slow - fast(trainer.network).outcomes(boards)).max() < 1e-5


def measure() -> str:
    """Return the results as Markdown; random first games are long, so a warm-up comes first."""
    header = (
        "hidden layers",
        "recipe",
        "cores",
        "games/s",
        "turns/s",
        "waiting",
        "encoding",
        "learning",
    )
    return table(header, [_row(*of) for of in product(NETWORKS, RECIPES, (1, 2))])


def _row(hidden: tuple[int, ...], recipe: dict[str, Any], workers: int) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        config = TrainingConfig(
            run_dir=folder, games=WARM_UP_GAMES + GAMES, hidden=hidden, workers=workers, **recipe
        )
        trainer = Trainer(config)
        reports = []
        while not trainer.done:
            reports.append(trainer.iterate())
        check(trainer)
        trainer.close()
    reports = reports[-(GAMES // config.games_per_iteration) :]
    seconds = _sum(reports, "waiting") + _sum(reports, "encoding") + _sum(reports, "learning")
    shares = [
        f"{_sum(reports, part) / seconds:.0%}" for part in ("waiting", "encoding", "learning")
    ]
    rates = [f"{_sum(reports, what) / seconds:,.0f}" for what in ("games", "positions")]
    named = ", ".join(f"{key} {value}" for key, value in recipe.items()) or "plain"
    return ("-".join(map(str, hidden)), named, str(workers), *rates, *shares)


def _sum(reports: list[Report], name: str) -> float:
    assert name in {field.name for field in fields(Report)}
    return sum(getattr(report, name) for report in reports)
