"""Positions judged some plies ahead, counted as GNU Backgammon does.

0-ply is the value function itself. One ply more is the mean over the 21 rolls of the player on
roll, who answers each with the reply that is best as judged one ply less. Work goes breadth first:
all replies to all rolls of many positions are judged in one call of the value function.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from agents.cache import Cache
from agents.replies import (
    ROLL_CHANCES,
    Bools,
    Floats,
    Ints,
    equities,
    least,
    mean_over_rolls,
    narrow,
    replies,
    settle,
    settle_bearoffs,
)
from agents.td_lambda import swap_of
from gammon_env.agent import ValueAgent
from gammon_env.errors import GammonError
from gammon_env.rules.backgammon import MAX_PLAYS
from gammon_env.rules.bearoff import load_tables
from gammon_env.rules.board import Board
from gammon_env.rules.dice import ROLLS

PART = 64
"""Positions looked ahead from at once: some 27,000 replies, which still fit the caches of a CPU."""

SLOTS = 1 << 16
"""Judged positions remembered of each ply: some 6 MB, used as they fill."""


@dataclass(frozen=True)
class Filter:
    """Which plays of a decision are worth a look one ply deeper.

    Attributes:
        plays: at most so many, the best as judged so far; the first of equals.
        within: none that is so many points worse than the best.
    """

    plays: int
    within: float = np.inf

    def __post_init__(self) -> None:
        if self.plays < 1 or not self.within >= 0:
            raise GammonError(f"a filter keeps 1 play or more within 0 points or more, not {self}")


ALL_PLAYS = Filter(MAX_PLAYS)
BEST_PLAY = Filter(1)

Filters = Sequence[Filter]
"""Entry k is for plays judged k plies ahead; the last entry serves for all further plies too."""


def filter_at(filters: Filters, ply: int) -> Filter:
    """Return the filter for plays judged so many plies ahead."""
    return filters[min(ply, len(filters) - 1)]


@dataclass(frozen=True)
class Scout:
    """Who picks the replies worth judging.

    Attributes:
        agent: judges positions, fast.
        candidates: how many replies to a roll it picks.
    """

    agent: ValueAgent
    candidates: int

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise GammonError(f"a scout picks 1 reply or more, not {self.candidates}")


class LookAhead:
    """Judges positions any number of plies ahead.

    Args:
        value: judges positions at 0-ply, each without regard to its neighbours in a batch.
        filters: which replies are looked at deeper than 0-ply. With `BEST_PLAY` each roll is
            answered by the best reply at 0-ply, as in GNU Backgammon; with `ALL_PLAYS` by the reply
            that is best at the depth asked for.
        slots: how many judged positions to remember of each ply, a power of two; 0 for none.
        bearoff: judge positions where all checkers of both sides are at home or off by the bear-off
            tables, at every ply; the value function is not asked about them.
        scout: picks the replies that the value function is asked about; None asks about all.

    Attributes:
        nodes: positions looked ahead from so far, by all 21 rolls each. One that is remembered does
            not count again.

    Raises:
        GammonError: if there is no filter, or the agent does not judge positions.
    """

    def __init__(
        self,
        value: ValueAgent,
        filters: Filters = (BEST_PLAY,),
        slots: int = SLOTS,
        bearoff: bool = False,
        scout: Scout | None = None,
    ) -> None:
        if not hasattr(value, "outcomes"):
            raise GammonError(f"{value.name} does not judge positions: it has no outcomes(boards)")
        if not filters:
            raise GammonError("a look-ahead needs a filter; ALL_PLAYS keeps every play")
        self.value, self.variant = value, value.variant
        self.filters, self.bearoff, self.scout = tuple(filters), bearoff, scout
        self.nodes = 0
        self._weights = np.asarray(self.variant.weights, np.float32)
        self._swap = swap_of(self.variant)
        self._caches: dict[int, Cache] = defaultdict(partial(Cache, len(self._weights), slots))

    def outcomes(self, boards: Board, ply: int = 0) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], so many plies ahead.

        A finished game has its exact outcome.
        """
        judge = partial(self._ahead, ply=ply) if ply else self._value
        return self._caches[ply].rows(boards, judge)

    def equities(self, boards: Board, ply: int = 0) -> Floats:
        """Return the cubeless equity of the player on roll of each board, float32[N]."""
        return self._equities(self.outcomes(boards, ply))

    def roll_outcomes(self, boards: Board, ply: int = 0) -> Floats:
        """Return the chances of the player on roll after each roll, best replies being made.

        Args:
            boards: int8[N, 2, 26] of unfinished games.
            ply: how deep the replies are judged.

        Returns:
            float32[N, 21, heads], in the order of `ROLLS`. Their mean by `ROLL_CHANCES` is
            `outcomes` one ply further ahead.
        """
        values = np.empty((len(boards), len(ROLLS), len(self._weights)), np.float32)
        for begin in range(0, len(boards), PART):
            part = slice(begin, begin + PART)
            best = self._best_replies(boards[part], ply)
            values[part] = self._swap(best).reshape(-1, *values.shape[1:])
        self.nodes += len(boards)
        return values

    def cost(self, ply: int) -> int:
        """Return the most nodes that judging one position so many plies ahead can take."""
        if ply == 0:
            return 0
        total, plays = 0, MAX_PLAYS
        for deeper in range(1, ply):
            plays = min(plays, filter_at(self.filters, deeper - 1).plays)
            if plays > 1 or deeper == ply - 1:
                total += plays * self.cost(deeper)
        return 1 + len(ROLLS) * total

    def narrow(
        self, equity: Floats, offsets: Ints, plays: Ints, within: float
    ) -> tuple[Ints, Ints]:
        """Return the plays worth a closer look, and the offsets of each decision's among them."""
        kept, kept_offsets = np.empty(len(equity), np.int64), np.empty_like(offsets)
        count = narrow(equity, offsets, plays, within, kept, kept_offsets)
        return kept[:count], kept_offsets

    def settled(self, boards: Board) -> tuple[Floats, Bools]:
        """Return the outcomes that nobody has to judge, and which boards are to be judged.

        A finished game has its exact outcome, a bear-off where asked for that of the tables.
        """
        out = np.empty((len(boards), len(self._weights)), np.float32)
        playing: npt.NDArray[np.bool_] = np.empty(len(boards), np.bool_)
        settle(boards, len(self.variant.kinds), out, playing)
        if self.bearoff:
            settle_bearoffs(boards, len(self.variant.kinds), load_tables(), out, playing)
        return out, playing

    def _ahead(self, boards: Board, ply: int) -> Floats:
        out, playing = self.settled(boards)
        ahead = np.empty((np.count_nonzero(playing), out.shape[1]), np.float32)
        mean_over_rolls(self.roll_outcomes(boards[playing], ply - 1), ROLL_CHANCES, ahead)
        out[playing] = ahead
        return out

    def _best_replies(self, boards: Board, ply: int) -> Floats:
        """Return what the best reply to each roll is worth to the next player."""
        afterstates, offsets = self._replies(boards)
        values = self.outcomes(afterstates)
        decisions = len(offsets) - 1
        for deeper in range(1, ply + 1):
            filter_ = filter_at(self.filters, deeper - 1)
            plays = np.full(decisions, filter_.plays)
            kept, offsets = self.narrow(self._equities(values), offsets, plays, filter_.within)
            afterstates, values = afterstates[kept], values[kept]
            if len(kept) > decisions or deeper == ply:
                values = self.outcomes(afterstates, deeper)
        best = np.empty(decisions, np.int64)
        least(self._equities(values), offsets, best)
        return values[best]

    def _replies(self, boards: Board) -> tuple[Board, Ints]:
        """Return the replies to all rolls, or the scout's choice of them."""
        afterstates, offsets = replies(boards, self.variant)
        if self.scout is None:
            return afterstates, offsets
        equity = self._equities(self.scout.agent.outcomes(afterstates))
        plays = np.full(len(offsets) - 1, self.scout.candidates)
        kept, offsets = self.narrow(equity, offsets, plays, np.inf)
        return afterstates[kept], offsets

    def _equities(self, outcomes: Floats) -> Floats:
        out = np.empty(len(outcomes), np.float32)
        equities(outcomes, self._weights, out)
        return out

    def _value(self, boards: Board) -> Floats:
        out, playing = self.settled(boards)
        if playing.all():
            return self._asked(boards)
        if playing.any():
            out[playing] = self._asked(boards[playing])
        return out

    def _asked(self, boards: Board) -> Floats:
        values = np.asarray(self.value.outcomes(boards), np.float32)
        expected = len(boards), len(self._weights)
        if values.shape != expected:
            given = f"{values.dtype}{list(values.shape)}"
            raise GammonError(
                f"{self.value.name} judged {len(boards)} positions by {given}; "
                f"expected float32{list(expected)}"
            )
        return np.ascontiguousarray(values)
