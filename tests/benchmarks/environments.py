"""Random play through Gymnasium's interfaces, beside OpenSpiel and pgx, and how it scales."""

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from tempfile import TemporaryDirectory

import gymnasium
import numpy as np

from gammon_env.position import Position
from tests.benchmarks.harness import Timing, one_core, race, table
from tests.benchmarks.peers import open_spiel_turns, pgx_steps
from tests.benchmarks.random_play import ID, RandomLanes, random_steps

LANES = 1024
IDS = tuple(f"gammon_env/{game}-v0" for game in ("Backgammon", "Hypergammon", "Nardy"))
SCALE = (1, 4, 16, 64, 256, 1024, 4096)
PGX_LANES = (32, 64, 256)
"""Batches of which pgx has its best; larger ones are slower on one core."""

STEPS = 300_000
"""Actions that a vector environment takes in one turn of a race."""


def check() -> None:
    """Assert how many plays and first moves an opening roll has, before anything is timed."""
    start = {"position": Position.start(), "dice": (3, 1)}
    plays, moves = (gymnasium.make_vec(ID, num_envs=2, action_mode=m) for m in ("play", "checker"))
    assert plays.reset(options=start)[1]["num_plays"].tolist() == [16, 16]
    mask = moves.reset(options=start)[1]["action_mask"]
    assert [len(np.flatnonzero(row)) for row in mask] == [7, 7]


def measure() -> str:
    """Return the results as Markdown."""
    check()
    with one_core():
        parts = [_turns(), _checker_steps(), _games(), _single()]
    return "\n\n".join([*parts, _scaling(), _memory(), _start()])


def _turns() -> str:
    contenders: dict[str, Callable[[], int]] = {
        f'gammon-env, {LANES:,} lanes, `"play"`': RandomLanes(LANES, "play").turns(STEPS // LANES)
    }
    if (theirs := open_spiel_turns(10_000)) is not None:
        contenders["OpenSpiel, from Python"] = theirs
    return _comparison("random play, whole turns", contenders)


def _checker_steps() -> str:
    ours = RandomLanes(LANES, "checker").work(STEPS // LANES)
    contenders = {f'gammon-env, {LANES:,} lanes, `"checker"`': ours}
    for lanes in PGX_LANES:
        if (theirs := pgx_steps(lanes, 20_000 // lanes)) is not None:
            contenders[f"pgx, {lanes} lanes"] = theirs
    return _comparison("random play, checker moves", contenders)


def _games() -> str:
    """Return how fast every game is beside backgammon, whose rate the others are measured by."""
    return "\n\n".join(
        _comparison(
            f'random play, {LANES:,} lanes, `"{mode}"`',
            {
                f"`{env_id}`": RandomLanes(LANES, mode, env_id=env_id).work(STEPS // LANES)
                for env_id in IDS
            },
        )
        for mode in ("checker", "play")
    )


def _single() -> str:
    bare = gymnasium.make(ID, disable_env_checker=True)
    wrapped = gymnasium.make(ID)
    whole = gymnasium.make(ID, action_mode="play", disable_env_checker=True)
    return _comparison(
        "one environment, actions",
        {
            "`gymnasium.make`, checker disabled": random_steps(bare, 10_000),
            "`gymnasium.make`, all default wrappers": random_steps(wrapped, 10_000),
            '`gymnasium.make`, `"play"`, checker disabled': random_steps(whole, 5_000),
        },
    )


def _comparison(title: str, contenders: dict[str, Callable[[], int]]) -> str:
    timings = list(race(contenders).values())
    rows = [
        (t.name, f"{t.microseconds:.2f}", f"{t.rate:,.0f}", f"{timings[0].rate / t.rate:.1f}")
        for t in timings
    ]
    return table((title, "µs", "a second", "times slower"), rows)


def _scaling() -> str:
    """Return actions a second over lanes, modes and threads."""
    contenders = {
        (lanes, mode, threads): RandomLanes(lanes, mode, threads).work(_scaled_steps(lanes))
        for lanes in SCALE
        for mode in ("checker", "play")
        for threads in (1, 2)
        if threads <= lanes
    }
    named = {" ".join(map(str, key)): work for key, work in contenders.items()}
    timings = dict(zip(contenders, race(named, rounds=3).values(), strict=True))
    columns = [(mode, threads) for mode in ("checker", "play") for threads in (1, 2)]
    header = ("actions a second", *(f'`"{mode}"`, {threads}' for mode, threads in columns))
    rows = [
        (f"{lanes:,} lanes", *(_rate(timings.get((lanes, *column))) for column in columns))
        for lanes in SCALE
    ]
    return f"{table(header, rows)}\n\nThe last number of a column is that of the threads."


def _scaled_steps(lanes: int) -> int:
    return max(20, min(3000, STEPS // (2 * lanes)))


def _rate(timing: Timing | None) -> str:
    return "" if timing is None else f"{timing.rate:,.0f}"


def _memory() -> str:
    """Return the memory of a lane: kept between steps, and at most within one."""
    rows = []
    for mode in ("checker", "play"):
        tracemalloc.start()
        lanes = RandomLanes(LANES, mode)
        for _ in range(100):
            lanes.step()
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        rows.append((f'`"{mode}"`', f"{kept / LANES:,.0f}", f"{peak / LANES:,.0f}"))
    header = (f"memory, {LANES:,} lanes", "bytes a lane", "at most in a step")
    return table(header, rows)


FIRST_STEP = f"""
import time
start = time.perf_counter()
import gymnasium, gammon_env
print(time.perf_counter() - start)
envs = gymnasium.make_vec({ID!r}, num_envs=8, action_mode={{mode!r}})
_, infos = envs.reset(seed=0)
envs.step([0] * 8)
print(time.perf_counter() - start)
"""


def _start() -> str:
    """Return how long a program takes to its first step, without compiled kernels and with them."""
    rows = []
    for mode in ("checker", "play"):
        with TemporaryDirectory() as cache:
            environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
            for kernels in ("compiled", "loaded"):
                seconds = _run(FIRST_STEP.format(mode=mode), environment)
                rows.append((f'`make_vec`, `"{mode}"`, kernels {kernels}', *seconds))
    return table(("seconds to the first step", "import", "all"), rows)


def _run(program: str, environment: dict[str, str]) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return [f"{float(line):.2f}" for line in ran.stdout.split()]
