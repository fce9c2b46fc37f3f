"""What the graded opponents are worth: each against the one below, the lowest against chance.

python -m agents.evaluate --calibrate-levels --games 2000 --seed 1 --report levels
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.contest import Contest, say_how_to_go_on
from agents.levels import newest_levels, player_of
from agents.match import MatchInterrupted, play_match
from agents.match_result import MatchResult
from agents.random_agent import RandomAgent
from agents.recording import Recorded, taken
from agents.report import Report, Table, provenance, publish
from gammon_env.agent import Agent, Decisions, ask
from gammon_env.rules.variant import Variant, get_variant

TIMED = 200
"""Decisions that each player is timed on, one by one."""


@dataclass(frozen=True)
class Step:
    """One level on the ladder.

    Attributes:
        result: of its match against the player below.
        milliseconds: that each of some decisions took, asked one by one.
    """

    result: MatchResult
    milliseconds: npt.NDArray[np.float64]

    @cached_property
    def times(self) -> dict[str, float]:
        """How long a decision takes: on average, 99 of 100, and the longest, in milliseconds."""
        taken = self.milliseconds
        longest = float(taken.max())
        return {"mean": float(taken.mean()), "99%": float(np.quantile(taken, 0.99)), "max": longest}

    def as_dict(self) -> dict[str, Any]:
        """Return the step as a report keeps it."""
        return {"milliseconds": self.times, "match": self.result.as_dict()}


def run(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Climb the ladder of the variant's levels, print and save what was measured."""
    variant = get_variant(options.variant)
    ladder = [
        RandomAgent(variant),
        *(player_of(level, variant) for level in newest_levels(variant)),
    ]
    contest = Contest(options, variant)
    about = provenance(argv, contest.judges(pairwise(ladder)))
    decisions = some_decisions(ladder[-2], variant)
    steps: list[Step] = []
    try:
        for below, agent in pairwise(ladder):
            times = decision_times(agent, decisions)
            steps.append(Step(_match(contest, agent, below, options), times))
    except MatchInterrupted as stopped:
        say_how_to_go_on(stopped.played, options, argv)
    if steps:
        publish(calibration_report(steps, options.seed, about), options)
    return 0 if len(steps) == len(ladder) - 1 else 130


def _match(
    contest: Contest, agent: Agent, below: Agent, options: argparse.Namespace
) -> MatchResult:
    """Play one match, which has its own log."""
    log = options.log
    own = None if log is None else log.with_name(f"{log.stem}-{agent.name}{log.suffix}")
    return contest.play(agent, below, own)


def some_decisions(player: Agent, variant: Variant, size: int = TIMED) -> Decisions:
    """Return decisions of games that a player plays against itself."""
    asked = Recorded(player)
    play_match(asked, player, 8, variant=variant)
    found = asked.decisions
    return taken(found, np.linspace(0, len(found) - 1, size).astype(np.int64))


def decision_times(agent: Agent, decisions: Decisions) -> npt.NDArray[np.float64]:
    """Return how many milliseconds each decision takes, asked one by one, after one to warm up."""
    single = [taken(decisions, np.array([i])) for i in range(len(decisions))]
    ask(agent, single[-1])
    milliseconds = []
    for decision in single:
        start = time.perf_counter()
        ask(agent, decision)
        milliseconds.append(1000 * (time.perf_counter() - start))
    return np.array(milliseconds)


def calibration_report(steps: Sequence[Step], seed: int, about: dict[str, Any]) -> Report:
    """Return the report of a ladder, the lowest step first."""
    smallest = min(steps[1:] or steps, key=lambda step: step.result.best_estimate.mean).result
    return Report(
        title=f"Levels of {smallest.variant.name}",
        summary=(
            f"the closest neighbours are {smallest.agent.name} and {smallest.opponent.name}, "
            f"{smallest.best_estimate.mean:+.3f} points per game"
        ),
        data={"seed": seed, "steps": [step.as_dict() for step in steps]},
        provenance=about,
        tables=[ladder_table(steps)],
        notes=[
            "Points per game and Elo are against the player below, the lowest level's against "
            f"{steps[0].result.opponent.name}, with 95% intervals; the rating adds them up.",
            "Milliseconds a decision takes, asked one by one on this machine: the mean, and what "
            "99 of 100 stay within.",
        ],
    )


def ladder_table(steps: Sequence[Step]) -> Table:
    """Return a row for each level, the strongest first."""
    rows, rating = [], 0.0
    for step in steps:
        points, elo = step.result.best_estimate, step.result.elo
        rating += elo.mean
        cells = f"{points.mean:+.3f} ± {points.margin:.3f}", str(elo), f"{rating:.0f}"
        times = (f"{step.times[key]:.2f}" for key in ("mean", "99%"))
        rows.append((step.result.agent.name, *cells, *times))
    header = ("", "points per game", "Elo", "rating", "ms", "99%")
    return Table(f"Ladder, {steps[0].result.games:,} games a step", header, rows[::-1])
