"""The decision set: 2,000 decisions with what every play is worth, to test a player in seconds.

python -m agents.evaluate --decisions my_module:my_agent

The set was made once from games between strong players, labelled by GNU Backgammon's 2-ply
equities, and ships with the package; measuring needs neither games nor that program. All kinds of
positions are in it, the rare ones more often than in play (see `agents.kinds`), and no decision
twice. So its rate ranks players, and compares with itself only. Among equals it favours GNU
Backgammon's own players, who see a position as the labels do.

The file is numpy's npz without pickles: boards, dice and equities, the plays of each decision in
canonical order; a checksum over all afterstates says if they would be numbered otherwise here.

python -m agents.decision_set --make FILE --players A B   makes such a set; it takes gnubg-nn.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from agents.error_report import print_losses, write_mistakes
from agents.files import write_atomically
from agents.losses import TIE, Doubles, Losses
from agents.referee import answers
from agents.replies import least
from gammon_env import batch
from gammon_env.agent import Agent, Choices, Decisions, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.dice import random_word, stream_key
from gammon_env.rules.variant import BACKGAMMON

SHIPPED = Path(__file__).parent / "data" / "decisions.npz"


@dataclass(frozen=True, eq=False)
class DecisionSet:
    """Decisions and what each of their plays is worth.

    Attributes:
        decisions: of backgammon.
        equity: float32[M], of each afterstate's mover: cubeless, for money. NaN in a set that is
            still being made.
        about: how the set was made.
    """

    decisions: Decisions
    equity: npt.NDArray[np.float32]
    about: dict[str, Any]

    def score(self, agent: Agent) -> Losses:
        """Ask the agent about every decision and return what its plays give away.

        Raises:
            GammonError: if the agent plays another game, or answers with an illegal play.
        """
        if agent.variant != BACKGAMMON:
            raise GammonError(f"the decisions are of {BACKGAMMON.name}; {agent.name} plays another")
        choices, _ = answers(agent, self.decisions)
        begins = self.decisions.offsets[:-1]
        equity = self.equity.astype(np.float64)
        highest = np.maximum.reduceat(equity, begins)
        points: Doubles = highest - equity[begins + choices]
        points[points < TIE] = 0
        reference = str(self.about.get("reference", "the labels of the set"))
        return Losses(agent.name, reference, self.decisions, choices, self.best(), points)

    def best(self) -> Choices:
        """Return int64[N], the number of each decision's best play, the first of equals."""
        choices = np.empty(len(self.decisions), np.int64)
        least(-self.equity, self.decisions.offsets, choices)
        best: Choices = choices - self.decisions.offsets[:-1]
        return best


def load_decisions(path: Path = SHIPPED) -> DecisionSet:
    """Return the decision set of a file.

    Raises:
        GammonError: if there is no such file, it is damaged, or it numbers plays otherwise.
    """
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            boards, dice, equity = file["boards"], file["dice"], file["equity"]
            about, checksum = json.loads(str(file["about"])), int(file["checksum"])
    except (OSError, KeyError, ValueError, BadZipFile) as error:
        raise GammonError(f"{path} is no decision set: {error}") from error
    decisions = decisions_of(boards, dice)
    if checksum != _checksum(decisions) or len(equity) != len(decisions.afterstates):
        raise GammonError(f"{path} lists other plays than the rules give here; make it anew")
    return DecisionSet(decisions, equity, about)


def save_decisions(decision_set: DecisionSet, path: Path) -> None:
    """Write a decision set; an interrupted writer leaves the old file."""
    decisions, buffer = decision_set.decisions, BytesIO()
    np.savez_compressed(
        buffer,
        boards=decisions.boards,
        dice=decisions.dice,
        equity=decision_set.equity,
        about=np.array(json.dumps(decision_set.about)),
        checksum=np.array(_checksum(decisions), np.int64),
    )
    write_atomically(path, buffer.getvalue())


def decisions_of(boards: Board, dice: npt.NDArray[np.int8]) -> Decisions:
    """Return backgammon decisions, each with a random word that depends on its number alone."""
    afterstates, offsets = batch.legal_afterstates(boards, dice, BACKGAMMON)
    key = np.uint64(stream_key(np.uint64(0), np.uint64(0)))
    words = [random_word(key, np.uint64(i)) for i in range(len(boards))]
    return Decisions(boards, dice, afterstates, offsets, np.array(words, np.uint64), BACKGAMMON)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `run` reads besides `decisions`, the name of the agent, and `mistakes`."""
    parser.add_argument(
        "--decision-set", type=Path, default=SHIPPED, metavar="FILE", help="other decisions"
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the agent that `options.decisions` names, print the result and return the report.

    Raises:
        GammonError: if there is no such agent or set, or the agent fails.
    """
    agent = load_agent(options.decisions, BACKGAMMON)
    decision_set = load_decisions(getattr(options, "decision_set", SHIPPED))
    losses = decision_set.score(agent)
    print_losses(losses)
    if getattr(options, "mistakes", None) is not None:
        write_mistakes(losses, options.mistakes)
    return {**losses.as_dict(), "decision_set": decision_set.about}


def _checksum(decisions: Decisions) -> int:
    return zlib.crc32(decisions.afterstates.tobytes(), zlib.crc32(decisions.offsets.tobytes()))


def main(argv: Sequence[str] | None = None) -> int:
    """Make a decision set as the command line asks.

    Args:
        argv: the command line without the program; None for the process's own.

    Returns:
        The exit status: 0, or 2 where the arguments make no set.
    """
    from agents import decision_making  # it builds on this module

    options = decision_making.parser().parse_args(argv)
    try:
        decision_making.run(options)
    except GammonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
