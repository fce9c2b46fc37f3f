"""Training that is stopped, killed and resumed, in this process and in others."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents.checkpoint import NAME, load_checkpoint
from agents.config import parse
from agents.trainer import Report, Trainer
from tests.agents.networks import assert_same_state
from tests.runs import MATCHLESS, STAGED, arguments, contents, scalars
from train import main

SCRIPT = Path(__file__).parents[1] / "train.py"


@pytest.fixture(autouse=True)
def _listening_to_ctrl_c() -> Iterator[None]:
    """Hear Ctrl-C in a background job, too, which begins life ignoring it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sends Ctrl-C to this process in the given iteration, once."""

    def arm(iteration: int, kind: signal.Signals = signal.SIGINT) -> None:
        iterate = Trainer.iterate
        pending = [kind]

        def interrupted(self: Trainer) -> Report:
            if self.counters.iterations == iteration - 1 and pending:
                signal.raise_signal(pending.pop())
            return iterate(self)

        monkeypatch.setattr(Trainer, "iterate", interrupted)

    return arm


# --- stopping and going on ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "how", "stopped_at"),
    [(signal.SIGINT, {}, 48), (signal.SIGTERM, {}, 48), (signal.SIGINT, STAGED, 40)],
    ids=["ctrl-c", "kill", "at the end of a stage"],
)
def test_ctrl_c_saves_and_resume_goes_on_bit_for_bit(
    tmp_path: Path,
    interrupt: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    kind: signal.Signals,
    how: dict[str, str],
    stopped_at: int,
) -> None:
    stopped, straight = tmp_path / "stopped", tmp_path / "straight"
    keys = {"checkpoint_every": "1000", **MATCHLESS, **how}
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    interrupt(3, kind)
    assert main(arguments(stopped, **keys)) == 130
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert load_checkpoint(stopped).counters.games == stopped_at
    captured = capsys.readouterr()
    assert "stopping after this iteration" in captured.err
    assert f"continue:    python train.py --resume {stopped}\n" in captured.out

    assert main([f"--resume={stopped / NAME}"]) == 0
    assert main(arguments(straight, **keys)) == 0
    assert_same_state(load_checkpoint(stopped), load_checkpoint(straight))


def test_ctrl_c_in_the_last_iteration_ends_the_run(
    tmp_path: Path, interrupt: Callable[..., None]
) -> None:
    interrupt(5)
    assert main(arguments(tmp_path, **MATCHLESS)) == 0
    assert load_checkpoint(tmp_path).counters.games == 80


def test_ctrl_c_twice_stops_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    iterate = Trainer.iterate

    def interrupted(self: Trainer) -> Report:
        if self.counters.iterations == 3:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return iterate(self)

    monkeypatch.setattr(Trainer, "iterate", interrupted)
    assert main(arguments(tmp_path, checkpoint_every="32", **MATCHLESS)) == 130
    assert "stopped at once" in capsys.readouterr().err
    assert load_checkpoint(tmp_path).counters.games == 32


def test_ctrl_c_in_the_last_matches_leaves_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("train.play_match", interrupted)
    assert main(arguments(tmp_path, evaluate_every="0")) == 130
    assert "stopped at once" in capsys.readouterr().err
    assert load_checkpoint(tmp_path).counters.games == 80


def test_resume_takes_overrides(tmp_path: Path) -> None:
    main(arguments(tmp_path, **MATCHLESS))
    assert main([f"--resume={tmp_path}", "--games=100", "--lambda_=0.9"]) == 0
    checkpoint = load_checkpoint(tmp_path)
    assert checkpoint.counters.games == 100
    assert (checkpoint.config["lambda_"], checkpoint.config["hidden"]) == (0.9, [8])
    effective = parse(["--config", str(tmp_path / "config.toml")]).config
    assert (effective.games, effective.lambda_) == (100, 0.9)


def test_resume_adds_a_stage_in_which_the_network_is_larger(tmp_path: Path) -> None:
    main(arguments(tmp_path, **MATCHLESS))
    stages = '--stages=[{"until": 80, "hidden": [8]}]'
    assert main([f"--resume={tmp_path}", "--games=100", "--hidden=[10, 9]", stages]) == 0
    checkpoint = load_checkpoint(tmp_path)
    assert checkpoint.network.hidden == [10, 9]
    assert checkpoint.config["stages"] == [{"until": 80, "hidden": [8]}]
    effective = parse(["--config", str(tmp_path / "config.toml")]).config
    assert effective.as_dict() == checkpoint.config


def test_a_finished_run_resumed_only_measures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(arguments(tmp_path))
    before = load_checkpoint(tmp_path)
    capsys.readouterr()
    assert main([f"--resume={tmp_path}"]) == 0
    assert "against random" in capsys.readouterr().out
    assert_same_state(before, load_checkpoint(tmp_path))


def test_a_copied_run_goes_on_where_it_lies(tmp_path: Path) -> None:
    old, copy = tmp_path / "old", tmp_path / "copy"
    main(arguments(old, **MATCHLESS))
    shutil.copytree(old, copy)
    before = contents(old)
    assert main([f"--resume={copy}", "--games=100"]) == 0
    assert contents(old) == before
    assert load_checkpoint(copy).counters.games == 100


def test_a_resumed_log_drops_what_came_after_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Trainer.save
    crashed = "crashed"

    def crash_at_the_fourth(self: Trainer) -> Path:
        if self.counters.iterations == 4 and not (tmp_path / crashed).exists():
            (tmp_path / crashed).touch()
            raise RuntimeError(crashed)
        return save(self)

    monkeypatch.setattr(Trainer, "save", crash_at_the_fourth)
    with pytest.raises(RuntimeError, match=crashed):
        main(arguments(tmp_path, checkpoint_every="32", evaluate_every="16", final_games="0"))
    assert load_checkpoint(tmp_path).counters.games == 32
    assert main([f"--resume={tmp_path}"]) == 0
    steps = [event.step for event in scalars(tmp_path).Scalars("points_per_game/random")]
    assert steps == [16, 32, 48, 64, 80]


# --- as a process of its own ----------------------------------------------------------------------

LONG = {**MATCHLESS, "games": "1600", "games_per_iteration": "20", "checkpoint_every": "20"}


def start(argv: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=SCRIPT.parent,
    )


def wait_for_a_checkpoint(process: subprocess.Popen[str], folder: Path) -> None:
    """Wait until the process has written a checkpoint of its own, or has ended."""
    file = folder / "checkpoint.json"
    before = file.stat().st_mtime_ns if file.exists() else 0
    while process.poll() is None and (not file.exists() or file.stat().st_mtime_ns == before):
        time.sleep(0.005)


def test_ctrl_c_at_the_keyboard(tmp_path: Path) -> None:
    process = start(arguments(tmp_path, **{**LONG, "games": "1000000"}))
    wait_for_a_checkpoint(process, tmp_path)
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "Traceback" not in error
    games = load_checkpoint(tmp_path).counters.games
    assert 20 <= games < 1_000_000
    assert f"{games:,} games in" in output


def test_a_run_killed_again_and_again_ends_as_if_it_never_was(tmp_path: Path) -> None:
    killed, straight = tmp_path / "killed", tmp_path / "straight"
    moments = random.Random(7)
    argv = arguments(killed, **LONG)
    progress = [0]
    for _ in range(3):
        process = start(argv)
        wait_for_a_checkpoint(process, killed)
        time.sleep(moments.uniform(0, 0.15))
        process.kill()
        _, error = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL, error
        progress.append(load_checkpoint(killed).counters.games)
        argv = [f"--resume={killed}"]
    assert progress == sorted(set(progress)), "every process came further than the one before"
    assert progress[-1] < int(LONG["games"])
    assert main(argv) == 0
    assert main(arguments(straight, **LONG)) == 0
    assert_same_state(load_checkpoint(killed), load_checkpoint(straight))
