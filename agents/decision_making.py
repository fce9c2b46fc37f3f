"""How a decision set is made: games, a balanced sample of their decisions, labels.

Labelling takes minutes, so it writes what it has into FILE.partial now and then, and goes on from
there when it is started again with the same arguments.
"""

import argparse
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.decision_set import DecisionSet, decisions_of, load_decisions, save_decisions
from agents.files import digest
from agents.gnubg_agent import GNUBG_AGENTS
from agents.kinds import kinds_of
from agents.match import play_match
from agents.recording import Recorded, joined, plays_of, taken
from gammon_env.agent import Agent, Decisions, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.variant import BACKGAMMON

QUOTAS = (0.6, 0.175, 0.125, 0.1)
"""The share of each of `agents.kinds.KINDS`: all have enough for an interval, contact most."""

AT_STAKE = 0.001
"""Points between the best play and the worst, as the nets see it, that make a decision matter."""

REFERENCE_PLIES = 2
EVERY = 20
"""Decisions labelled between two writes of the partial file."""

Label = Callable[[Board], npt.NDArray[np.float32]]
"""Returns the equity of the player on roll of each board."""


def parser() -> argparse.ArgumentParser:
    """Return the command line of `python -m agents.decision_set`."""
    made = argparse.ArgumentParser(
        prog="python -m agents.decision_set",
        description="Make a decision set from games and label it by GNU Backgammon's 2-ply.",
    )
    made.add_argument("--make", type=Path, required=True, metavar="FILE", help="where to")
    made.add_argument("--players", nargs="+", required=True, help="each plays itself and the rest")
    made.add_argument("--games", type=int, default=200, help="of each pairing (default: 200)")
    made.add_argument("--size", type=int, default=2000, help="decisions (default: 2000)")
    made.add_argument("--seed", type=int, default=0, help="decides dice and sample (default: 0)")
    return made


def run(options: argparse.Namespace) -> None:
    """Make the set, or go on making it.

    Raises:
        GammonError: if the games have too few decisions, or a partial file is of another set.
    """
    about = _about(options.players, options.games, options.size, options.seed)
    partial = options.make.with_name(options.make.name + ".partial")
    if partial.exists():
        begun = load_decisions(partial)
        if begun.about != about:
            raise GammonError(f"{partial} was made with other arguments; remove it or repeat them")
    else:
        players = [load_agent(name) for name in options.players]
        played = distinct(decisions_of_games(players, options.games, options.seed))
        chosen = sample(at_stake(played), options.size, options.seed)
        unlabelled = np.full(len(chosen.afterstates), np.nan, np.float32)
        begun = DecisionSet(decisions_of(chosen.boards, chosen.dice), unlabelled, about)
    label(begun, gnubg_equities(REFERENCE_PLIES), lambda: save_decisions(begun, partial))
    save_decisions(begun, options.make)
    partial.unlink(missing_ok=True)


def decisions_of_games(players: Sequence[Agent], games: int, seed: int) -> Decisions:
    """Return all decisions of every pairing's games, a player's against itself included."""
    recorders: list[Recorded] = []
    for number, pair in enumerate(combinations_with_replacement(players, 2)):
        sides = Recorded(pair[0]), Recorded(pair[1])
        play_match(*sides, games, seed + number)
        recorders += sides
    return joined([recorder.decisions for recorder in recorders])


def distinct(decisions: Decisions) -> Decisions:
    """Return the decisions with the larger die first, each board and roll once."""
    dice = np.sort(decisions.dice, axis=1)[:, ::-1]
    flat = np.concatenate([decisions.boards.reshape(len(decisions), -1), dice], axis=1)
    _, first = np.unique(flat, axis=0, return_index=True)
    kept = np.sort(first)
    same = taken(decisions, kept)
    return decisions_of(same.boards, np.ascontiguousarray(dice[kept]))


def at_stake(decisions: Decisions) -> Decisions:
    """Return the decisions in which it matters what is played, as GNU Backgammon's nets see it."""
    equity, begins = gnubg_equities(0)(decisions.afterstates), decisions.offsets[:-1]
    spread = np.maximum.reduceat(equity, begins) - np.minimum.reduceat(equity, begins)
    return taken(decisions, np.flatnonzero(spread >= AT_STAKE))


def sample(decisions: Decisions, size: int, seed: int) -> Decisions:
    """Return decisions drawn at random, of each kind its share, in random order.

    Raises:
        GammonError: if there are too few of a kind.
    """
    kinds, generator = kinds_of(decisions.boards), np.random.default_rng(seed)
    drawn = []
    for kind, quota in enumerate(QUOTAS):
        candidates, wanted = np.flatnonzero(kinds == kind), round(quota * size)
        if len(candidates) < wanted:
            raise GammonError(f"only {len(candidates)} decisions for {wanted}; play more games")
        drawn.append(generator.choice(candidates, wanted, replace=False))
    return taken(decisions, generator.permutation(np.concatenate(drawn)))


def gnubg_equities(plies: int) -> Label:
    """Return a function that judges boards by gnubg-nn, so many plies ahead."""
    judge = GNUBG_AGENTS[plies]()
    return lambda boards: np.asarray(BACKGAMMON.equity(judge.outcomes(boards)), np.float32)


def label(unfinished: DecisionSet, judge: Label, save: Callable[[], object]) -> None:
    """Fill in the equities that are missing, saving now and then."""
    decisions, equity = unfinished.decisions, unfinished.equity
    missing = np.flatnonzero(np.isnan(equity[decisions.offsets[:-1]]))
    for begin in range(0, len(missing), EVERY):
        plays = plays_of(decisions.offsets, missing[begin : begin + EVERY])
        equity[plays] = -judge(decisions.afterstates[plays])  # the next player's loss is ours
        save()
        print(f"{min(begin + EVERY, len(missing))} of {len(missing)} labelled", flush=True)


def _about(players: Sequence[str], games: int, size: int, seed: int) -> dict[str, Any]:
    """Return how the set is made, with what identifies a checkpoint instead of where it was."""
    return {
        "players": [identity(name) for name in players],
        "games_of_each_pairing": games,
        "size": size,
        "seed": seed,
        "reference": f"gnubg-{REFERENCE_PLIES}ply",
        "equity": "cubeless, for money, of every play",
        "versions": {name: version(name) for name in ("gammon-env", "gnubg-nn")},
    }


def identity(name: str) -> str:
    """Return what a report calls a player: its name, or what tells a checkpoint from others."""
    path = Path(name)
    if not path.is_file():
        return name
    return f"{path.name} sha256:{digest(path)}"
