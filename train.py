"""Train a value network by TD(lambda) self-play.

python train.py --config configs/quick.toml
python train.py --resume runs/quick
"""

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agents.checkpoint import NAME, Checkpoint, load_checkpoint
from agents.config import CommandLine, TrainingConfig, parse, resume_path
from agents.files import write_atomically
from agents.journal import Journal
from agents.match import MatchResult, play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.trainer import Trainer
from gammon_env.agent import Agent, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import Variant


def main(argv: Sequence[str] | None = None) -> int:
    """Train as the arguments ask, then measure the result.

    Args:
        argv: the command line without the program; None for the process's own.

    Returns:
        The exit status: 0 when all games are played, 1 when learning fails, 2 for arguments that
        make no run, 130 after Ctrl-C.
    """
    argv = sys.argv[1:] if argv is None else argv
    try:
        resumed = _resumed(argv)
        asked = parse(argv, resumed.config if resumed else None)
        trainer = _begin(asked, resumed)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    try:
        return _run(trainer)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped at once; the last checkpoint stands", file=sys.stderr)
        return 130
    finally:
        trainer.close()


def _resumed(argv: Sequence[str]) -> Checkpoint | None:
    """Load what is to be resumed; it goes on in the folder it lies in, moved or copied or not.

    Weights that ship with the project go on in a folder of their own.
    """
    path = resume_path(argv)
    if path is None:
        return None
    checkpoint = load_checkpoint(path)
    if _is_weights(path):
        return checkpoint
    return replace(checkpoint, config={**checkpoint.config, "run_dir": str(_folder(path))})


def _is_weights(path: Path) -> bool:
    return not path.is_dir() and path.name != NAME


def _folder(checkpoint: Path) -> Path:
    return checkpoint if checkpoint.is_dir() else checkpoint.parent


def _begin(asked: CommandLine, resumed: Checkpoint | None) -> Trainer:
    """Prepare the run's folder and the trainer.

    Raises:
        GammonError: if the run would overwrite another one, or can't write in its folder.
    """
    config = asked.config
    folder = Path(config.run_dir)
    path = asked.resume
    own = None if path is None or _is_weights(path) else _folder(path).resolve()
    if (folder / NAME).exists() and folder.resolve() != own:
        raise GammonError(
            f"{folder} already holds a run; continue it with --resume {folder}, "
            "or choose another --run_dir"
        )
    trainer = Trainer(config, resumed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "config.toml", config.as_toml())
    except OSError as error:
        trainer.close()
        raise GammonError(
            f"run_dir {folder} can't be written in: {error}; choose another --run_dir"
        ) from error
    return trainer


def _run(trainer: Trainer) -> int:
    """Train to the end or to Ctrl-C, then say what came of it."""
    config = trainer.config
    print(
        f"training on {config.workers} cores: {config.games:,} games, run folder {config.run_dir}"
    )
    stop = _StopRequest()
    opponents = _installed(config.opponents, trainer.variant)
    with stop, Journal(config, trainer.counters) as journal:
        while not trainer.done and not stop.asked:
            before = trainer.counters.games
            journal.iteration(trainer.iterate(), trainer.counters)
            if _crossed(before, trainer.counters.games, config.checkpoint_every):
                trainer.save()
            if _crossed(before, trainer.counters.games, config.evaluate_every):
                for result in _matches(trainer, opponents, config.evaluation_games):
                    journal.match(result, trainer.counters)
    path = trainer.save()
    _print_places(trainer, path)
    if not trainer.done:
        return 130
    if config.final_games:
        _print_results(trainer, opponents, config)
    return 0


class _StopRequest:
    """Turns the first Ctrl-C (or a polite kill) into a request to stop after this iteration."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> None:
        self._old = {kind: signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)}
        for kind in self._old:
            signal.signal(kind, self._ask)

    def __exit__(self, *_: object) -> None:
        for kind, handler in self._old.items():
            signal.signal(kind, handler)

    def _ask(self, kind: int, _frame: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("\nstopping after this iteration; once more to stop at once", file=sys.stderr)


def _crossed(before: int, after: int, every: int) -> bool:
    return every > 0 and before // every != after // every


def _installed(names: Sequence[str], variant: Variant) -> list[Agent]:
    """Load the opponents, leaving out with a line those that are not installed."""
    agents = []
    for name in names:
        try:
            agents.append(load_agent(name, variant))
        except GammonError as error:
            print(f"not measured against {name}: {error}")
    return agents


def _matches(trainer: Trainer, opponents: Sequence[Agent], games: int) -> list[MatchResult]:
    player = NetworkAgent(
        fast(trainer.network, trainer.variant), trainer.config.run_dir, trainer.variant
    )
    return [
        play_match(player, opponent, games, trainer.config.seed, trainer.variant)
        for opponent in opponents
        if games
    ]


def _print_places(trainer: Trainer, path: Path) -> None:
    done, config = trainer.counters, trainer.config
    rate = done.games / done.seconds if done.seconds else 0.0
    print(f"{done.games:,} games in {done.seconds:.0f} s of training ({rate:,.0f} games/s)")
    print(f"checkpoint:  {path}")
    print(f"TensorBoard: tensorboard --logdir {config.run_dir}")
    more = "" if not trainer.done else f" --games {2 * config.games}"
    print(f"continue:    python train.py --resume {config.run_dir}{more}")


def _print_results(trainer: Trainer, opponents: Sequence[Agent], config: TrainingConfig) -> None:
    print(f"points per game over {config.final_games:,} paired games, with 95% intervals:")
    for result in _matches(trainer, opponents, config.final_games):
        points = result.points_per_game
        print(
            f"  against {result.opponent.name:<12} {points.mean:+.3f}  "
            f"({points.low:+.3f} to {points.high:+.3f})"
        )


if __name__ == "__main__":
    sys.exit(main())
