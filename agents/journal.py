"""What a training run shows: TensorBoard scalars and a progress bar."""

from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from agents.checkpoint import Counters
from agents.config import TrainingConfig
from agents.match import MatchResult
from agents.trainer import Report

POINTS, MARGIN, SECONDS = "points_per_game", "points_per_game_margin", "training_seconds"
"""What is logged of the matches against an opponent, whose name follows: the mean, half its 95%
interval, and how long the run had trained; over games."""


class Journal:
    """The log of one run, written while it goes on.

    Args:
        config: of the run; logged as text.
        counters: where the run begins or goes on; later entries of a run that was cut off after its
            last checkpoint are dropped.
        every: iterations that are averaged into one entry.
    """

    def __init__(self, config: TrainingConfig, counters: Counters, every: int = 20) -> None:
        self.folder = Path(config.run_dir) / "tensorboard"
        self._writer = SummaryWriter(str(self.folder), purge_step=counters.games + 1)
        self._writer.add_text("configuration", f"```toml\n{config.as_toml()}```", counters.games)
        self._every = every
        self._reports: list[Report] = []
        self._counters = counters
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games, {task.fields[rate]:,.0f}/s, loss {task.fields[loss]:.3f},"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(
            "training", total=config.games, completed=counters.games, rate=0.0, loss=float("nan")
        )

    def __enter__(self) -> Self:
        """Start the progress bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the progress bar and write what is left of the log."""
        self._progress.stop()
        if self._reports:
            self._write_reports(self._counters)
        self._writer.close()

    def iteration(self, report: Report, counters: Counters) -> None:
        """Log one iteration of training."""
        self._reports.append(report)
        self._counters = counters
        self._progress.update(
            self._task,
            completed=counters.games,
            rate=report.games / report.seconds,
            loss=report.loss,
        )
        if len(self._reports) == self._every:
            self._write_reports(counters)

    def match(self, result: MatchResult, counters: Counters) -> None:
        """Log a match against a fixed opponent, over games and over wall-clock seconds."""
        points, name = result.points_per_game, result.opponent.name
        rates = result.rates(result.agent)
        self._writer.add_scalar(f"{POINTS}/{name}", points.mean, counters.games)
        self._writer.add_scalar(f"{MARGIN}/{name}", points.margin, counters.games)
        self._writer.add_scalar(f"{SECONDS}/{name}", counters.seconds, counters.games)
        self._writer.add_scalar(f"{POINTS}_by_second/{name}", points.mean, int(counters.seconds))
        for kind, rate in rates.items():
            self._writer.add_scalar(f"{kind}_rate/{name}", rate, counters.games)
        self._progress.console.print(
            f"{counters.games:>9,} games: {points.mean:+.3f} ± {points.margin:.3f} points per game "
            f"against {name} ({result.games} games)"
        )

    def _write_reports(self, counters: Counters) -> None:
        reports, self._reports = self._reports, []
        games = sum(report.games for report in reports)
        positions = sum(report.positions for report in reports)
        seconds = sum(report.seconds for report in reports)
        scalars = {
            "training/loss": sum(r.loss * r.positions for r in reports) / positions,
            "training/learning_rate": reports[-1].learning_rate,
            "speed/games_per_second": games / seconds,
            "speed/turns_per_second": positions / seconds,
            "speed/share_waiting": sum(r.waiting for r in reports) / seconds,
            "speed/share_encoding": sum(r.encoding for r in reports) / seconds,
            "speed/share_learning": sum(r.learning for r in reports) / seconds,
            "self_play/plies_per_game": positions / games,
            "self_play/first_mover_win_rate": sum(r.first_mover_wins * r.games for r in reports)
            / games,
            "self_play/gammon_rate": sum(r.gammons * r.games for r in reports) / games,
        }
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, counters.games)
