"""The player that looks ahead.

Any agent that judges positions can look ahead: `NAME.1ply`, `NAME.2ply` and `NAME.3ply` are names
for `load_agent`, where NAME is a checkpoint, a registered agent or module:name. GNU Backgammon's
counting: 0-ply judges the position after each play; 1-ply takes its mean over the opponent's 21
rolls, each answered by the best reply; 2-ply adds the player's own next roll.
"""

import math
import re
from pathlib import Path
from typing import cast

import numpy as np

from agents.lookahead import BEST_PLAY, SLOTS, Filter, Filters, LookAhead, Scout, filter_at
from agents.replies import Floats, least
from gammon_env.agent import BatchAgent, Choices, Decisions, ValueAgent, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.variant import BACKGAMMON, Variant

NORMAL = (Filter(8, 0.16), Filter(4, 0.08))
"""Filters of a decision: what goes on from 0-ply to 1-ply, and from there to each further ply."""


class SearchAgent(BatchAgent):
    """Plays the best play as judged so many plies ahead; the first of equals.

    Each ply judges only the plays that the ply before left in. The budget is one of work, not of
    time, and holds for each decision by itself, so the same decision gives the same play on every
    machine and in every batch.

    Args:
        value: judges positions, each without regard to its neighbours in a batch.
        depth: plies, in GNU Backgammon's counting.
        filters: which plays of a decision are looked at deeper; see `Filters`.
        replies: the same for the replies inside the look-ahead; see `LookAhead`.
        budget: the most positions that a decision may look ahead from, by all 21 rolls each. Where
            a filter lets through more than that pays for, the worst of them are left out; a ply
            that cannot pay for two plays is not begun. None for no limit.
        slots: how many judged positions to remember of each ply, a power of two; 0 for none.
        bearoff: judge bear-offs by the tables; see `LookAhead`.
        scout: picks the replies worth judging inside the look-ahead; see `LookAhead`.

    Raises:
        GammonError: for a negative depth or budget, no filters, or an agent without values.
    """

    def __init__(
        self,
        value: ValueAgent,
        depth: int = 1,
        filters: Filters = NORMAL,
        replies: Filters = (BEST_PLAY,),
        budget: int | None = None,
        slots: int = SLOTS,
        bearoff: bool = False,
        scout: Scout | None = None,
    ) -> None:
        if depth < 0 or (budget is not None and budget < 0):
            raise GammonError(f"depth and budget are 0 or more, not {depth} and {budget}")
        if not filters:
            raise GammonError("a search needs a filter; ALL_PLAYS keeps every play")
        self.look_ahead = LookAhead(value, replies, slots, bearoff, scout)
        super().__init__(value.variant)
        self.name = f"{value.name}.{depth}ply"
        self.identity = getattr(value, "identity", None)
        self.depth, self.filters = depth, tuple(filters)
        self.budget = math.inf if budget is None else budget

    def select(self, decisions: Decisions) -> Choices:
        """Return int64[N]: the play that leaves the next player the least equity."""
        look, offsets = self.look_ahead, decisions.offsets
        at = np.arange(len(decisions.afterstates))
        equity = look.equities(decisions.afterstates)
        left = np.full(len(decisions), self.budget, np.float64)
        for ply in range(1, self.depth + 1):
            filter_, cost = filter_at(self.filters, ply - 1), look.cost(ply)
            plays = np.clip(left / cost, 1, filter_.plays).astype(np.int64)
            kept, offsets = look.narrow(equity, offsets, plays, filter_.within)
            at, counts = at[kept], np.diff(offsets)
            undecided = np.repeat(counts > 1, counts)
            equity = np.zeros(len(at), np.float32)
            if not undecided.any():
                break
            equity[undecided] = look.equities(decisions.afterstates[at[undecided]], ply)
            left -= np.where(counts > 1, counts * cost, 0)
        chosen = np.empty(len(decisions), np.int64)
        least(equity, offsets, chosen)
        choices: Choices = at[chosen] - decisions.offsets[:-1]
        return choices

    def outcomes(self, boards: Board) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], of boards int8[N, 2, 26].

        As deep as the player looks, or less where the budget does not pay for it. A finished game
        has its exact outcome.
        """
        plies = (
            ply for ply in range(self.depth, 0, -1) if self.look_ahead.cost(ply) <= self.budget
        )
        return self.look_ahead.outcomes(boards, next(plies, 0))


def open_search(path: Path, variant: Variant = BACKGAMMON) -> SearchAgent:
    """Return the agent NAME looking N plies ahead, for the name "NAME.Nply".

    Raises:
        GammonError: if there is no such agent, it does not judge positions, or plays another game.
    """
    depth = re.fullmatch(r"\.(\d+)ply", path.suffix)
    if depth is None:
        raise GammonError(f"{path} does not end in a number of plies, as in NAME.2ply")
    value = cast(ValueAgent, load_agent(str(path.with_suffix("")), variant))
    return SearchAgent(value, int(depth[1]))
