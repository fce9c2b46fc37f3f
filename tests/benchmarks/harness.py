"""Side-by-side timing: machines are shared and drift, so contenders take turns in one run."""

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

ROUNDS = 7


@dataclass(frozen=True)
class Timing:
    """How long a contender took for a piece of work.

    Attributes:
        name: the contender.
        items: pieces of work in a round (rolls, steps, games).
        seconds: the median of the rounds.
    """

    name: str
    items: int
    seconds: float

    @property
    def microseconds(self) -> float:
        """Median time of one item."""
        return 1e6 * self.seconds / self.items

    @property
    def rate(self) -> float:
        """Items a second."""
        return self.items / self.seconds


def race(contenders: dict[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, Timing]:
    """Time contenders by turns on one core.

    Args:
        contenders: each does its work once and returns how many items that was.
        rounds: how often each has its turn, after one that is not counted.
    """
    times: dict[str, list[float]] = {name: [] for name in contenders}
    items = {}
    with threadpool_limits(1):
        for number in range(rounds + 1):
            for name, work in contenders.items():
                gc.collect()
                start = time.perf_counter()
                items[name] = work()
                if number:
                    times[name].append(time.perf_counter() - start)
    return {name: Timing(name, items[name], statistics.median(times[name])) for name in contenders}


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and threads that it starts meanwhile, on one core where the system can.

    Libraries with thread pools of their own are held to what the others have.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a Markdown table, numbers to the right."""
    lines = [header, ("---", *["---:"] * (len(header) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine(packages: tuple[str, ...]) -> str:
    """Return the machine, the versions and the date in one line."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.processor()
    found = [f"Python {platform.python_version()}", f"numpy {np.__version__}"]
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} not installed")
    today = datetime.now(UTC).date().isoformat()
    return f"{len(models) or '?'} x {name}, {', '.join(found)}, {today}"
