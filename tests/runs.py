"""Command lines of tiny training runs, and what they leave behind."""

from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

TINY = {
    "games": "80",
    "hidden": "[8]",
    "games_per_iteration": "16",
    "checkpoint_every": "16",
    "evaluate_every": "40",
    "evaluation_games": "4",
    "final_games": "4",
    "opponents": '["random", "nobody"]',
    "workers": "1",
}
STAGED = {
    "hidden": "[9, 6]",
    "scout": "3",
    "candidates": "2",
    "stages": '[{"until": 24, "hidden": [6], "lambda_": 0.4}, {"until": 40, "hidden": [8, 6]}]',
}
MATCHLESS = {"evaluate_every": "0", "final_games": "0", "opponents": "[]"}


def arguments(folder: Path, **changes: str) -> list[str]:
    keys = {"run_dir": str(folder), **TINY, **changes}
    return [f"--{key}={value}" for key, value in keys.items()]


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def scalars(folder: Path) -> EventAccumulator:
    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    return events
