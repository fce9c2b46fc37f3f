"""Error rate: what a player's decisions give away, as a stronger reference judges them.

python -m agents.evaluate --error-rate --agent NAME --opponent NAME --games 20

Unlike the points of a match it needs few games, because luck does not enter; unlike the decision
set it is measured on the positions that the player itself gets into.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents.error_report import print_losses, progress_bar, write_mistakes
from agents.losses import Losses
from agents.match import play_match
from agents.recording import Recorded, taken
from agents.referee import answers
from agents.reference import Reference, load_reference
from agents.rollout import TRIALS
from gammon_env.agent import Agent, Choices, Decisions, load_agent
from gammon_env.rules.variant import BACKGAMMON, Variant, get_variant

AT_ONCE = 16
"""Decisions judged between two steps of the progress bar."""

REFERENCE = "gnubg-2ply"


Judged = Callable[[int, int], object]
"""Is called with how many of how many decisions have been judged."""


def _ignore(_: int, __: int) -> None:
    """Do nothing when decisions have been judged."""


def error_rate(
    agent: Agent,
    opponent: Agent,
    reference: Reference,
    games: int,
    seed: int = 0,
    variant: Variant = BACKGAMMON,
    *,
    limit: int | None = None,
    on_judged: Judged = _ignore,
) -> Losses:
    """Judge the decisions of an agent in its own games.

    Args:
        agent: the player to measure.
        opponent: whom it plays; its decisions are not judged.
        reference: who judges.
        games: how many, an even number; they are paired as in a match.
        seed: decides all dice, and the sample.
        variant: the game.
        limit: judge a random sample of at most so many decisions.
        on_judged: called now and then with how many of how many decisions have been judged.

    Raises:
        GammonError: for numbers that make no match, players of another variant, or an illegal play.
    """
    recorded = Recorded(agent)
    play_match(recorded, opponent, games, seed, variant)
    decisions, choices = recorded.decisions, recorded.choices
    if limit is not None and limit < len(decisions):
        drawn = np.random.default_rng(seed).choice(len(decisions), limit, replace=False)
        decisions, choices = taken(decisions, drawn), choices[drawn]
    return judged(agent.name, reference, decisions, choices, on_judged)


def error_rate_on(agent: Agent, reference: Reference, decisions: Decisions) -> Losses:
    """Judge what an agent plays in given decisions.

    Raises:
        GammonError: naming the position and dice, if the agent fails or returns an illegal play.
    """
    return judged(agent.name, reference, decisions, answers(agent, decisions)[0])


def judged(
    name: str,
    reference: Reference,
    decisions: Decisions,
    choices: Choices,
    on_judged: Judged = _ignore,
) -> Losses:
    """Judge decisions that have been made."""
    best, points = np.empty(len(decisions), np.int64), np.empty(len(decisions))
    for begin in range(0, len(decisions), AT_ONCE):
        part = np.arange(begin, min(begin + AT_ONCE, len(decisions)))
        best[part], points[part] = reference.judge(taken(decisions, part), choices[part])
        on_judged(begin + len(part), len(decisions))
    return Losses(name, reference.name, decisions, choices, best, points)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `run` reads besides agent, opponent, games, seed and variant."""
    parser.add_argument(
        "--reference",
        default=REFERENCE,
        help="who judges: gnubg-2ply, NAME.2ply of your own, or rollout:NAME "
        f"(default: {REFERENCE})",
    )
    parser.add_argument("--trials", type=int, default=TRIALS, help="of each rollout")
    parser.add_argument("--limit", type=int, help="judge a random sample of so many decisions")
    parser.add_argument("--mistakes", type=Path, metavar="FILE", help="draw the worst plays there")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Play, judge, print the result and return the report.

    Args:
        options: agent, opponent, games, seed, variant, and what `add_arguments` adds.

    Raises:
        GammonError: if there are no such players or reference, or one fails.
    """
    variant = get_variant(options.variant)
    agent, opponent = (load_agent(name, variant) for name in (options.agent, options.opponent))
    reference = load_reference(options.reference, variant, options.trials)
    with progress_bar(f"{agent.name}, judged by {reference.name}") as show:
        losses = error_rate(
            agent,
            opponent,
            reference,
            options.games,
            options.seed,
            variant,
            limit=options.limit,
            on_judged=show,
        )
    print_losses(losses)
    if options.mistakes is not None:
        write_mistakes(losses, options.mistakes)
    settings = {"opponent": opponent.name, "games": options.games, "seed": options.seed}
    return {**losses.as_dict(), **settings, "limit": options.limit, "trials": options.trials}
