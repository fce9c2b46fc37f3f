"""What decisions cost: the equity that plays gave away, by kind of position.

The unit is the millipoint, a thousandth of a point of cubeless equity. The rate is per decision, a
roll with more than one play. The 95% intervals take decisions as independent, which those of one
game nearly are.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.kinds import KINDS, kinds_of
from agents.statistics import Estimate
from gammon_env.agent import Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.play import Play

Doubles = npt.NDArray[np.float64]

BLUNDER = 0.08
"""A play that costs so many points or more is a blunder."""

TIE = 1e-4
"""Points that equities of single precision cannot tell apart; so small a loss is none."""

ALL = "all"


@dataclass(frozen=True)
class Mistake:
    """One play that cost something.

    Attributes:
        played: what was played.
        best: what the reference prefers.
        loss: how many points worse that was.
        kind: of the position, one of `KINDS`.
    """

    played: Play
    best: Play
    loss: float
    kind: str

    def as_dict(self) -> dict[str, Any]:
        """Return what a report keeps of it."""
        return {
            "position": self.played.position.position_id,
            "dice": list(self.played.dice),
            "played": str(self.played),
            "best": str(self.best),
            "millipoints": 1000 * self.loss,
            "kind": self.kind,
        }


@dataclass(frozen=True, eq=False)
class Losses:
    """The decisions of a player and what each gave away.

    Attributes:
        agent: the player.
        reference: who judged it.
        decisions: what it was asked.
        choices: what it answered.
        best: what the reference would have.
        points: float64[N], by how much the choice is worse; 0 where it is as good as the best.
    """

    agent: str
    reference: str
    decisions: Decisions
    choices: Choices
    best: Choices
    points: Doubles

    @cached_property
    def kinds(self) -> npt.NDArray[np.int64]:
        """int64[N], the number in `KINDS` of each decision."""
        return kinds_of(self.decisions.boards)

    @cached_property
    def millipoints(self) -> dict[str, Estimate]:
        """Millipoints per decision, in all and by kind; kinds that hardly came up are left out.

        Raises:
            GammonError: if there are fewer than two decisions.
        """
        rates = {ALL: Estimate.of(1000 * self.points)}
        for number, kind in enumerate(KINDS):
            points = self.points[self.kinds == number]
            if len(points) > 1:
                rates[kind] = Estimate.of(1000 * points)
        return rates

    def share_of_best(self, kind: str = ALL) -> float:
        """Return how often nothing was given away."""
        return float((self._of(kind) == 0).mean())

    def share_of_blunders(self, kind: str = ALL) -> float:
        """Return how often `BLUNDER` or more was given away."""
        return float((self._of(kind) >= BLUNDER).mean())

    def worst(self, count: int) -> list[Mistake]:
        """Return the most expensive mistakes, the worst first."""
        order = np.argsort(-self.points, kind="stable")[:count]
        return [self._mistake(int(i)) for i in order if self.points[i] > 0]

    def as_dict(self, mistakes: int = 10) -> dict[str, Any]:
        """Return the result as a report keeps it: plain numbers, texts, lists and dicts."""
        return {
            "agent": self.agent,
            "reference": self.reference,
            "millipoints_per_decision": {
                kind: {
                    **rate.as_dict(),
                    "best": self.share_of_best(kind),
                    "blunders": self.share_of_blunders(kind),
                }
                for kind, rate in self.millipoints.items()
            },
            "mistakes": [mistake.as_dict() for mistake in self.worst(mistakes)],
        }

    def _of(self, kind: str) -> Doubles:
        if kind == ALL:
            return self.points
        if kind not in KINDS:
            raise GammonError(f"there are positions of kind {', '.join(KINDS)}; not {kind!r}")
        points: Doubles = self.points[self.kinds == KINDS.index(kind)]
        return points

    def _mistake(self, index: int) -> Mistake:
        position, dice = self.decisions.question(index)
        plays = position.legal_plays(dice)
        played, best = plays[self.choices[index]], plays[self.best[index]]
        return Mistake(played, best, float(self.points[index]), KINDS[self.kinds[index]])
