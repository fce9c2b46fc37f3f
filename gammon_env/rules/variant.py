"""Everything that differs between games, as one frozen value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError

BACKGAMMON_RULES, NARDY_RULES = range(2)
"""How kernels are told by which rules checkers move; see `rules.moves`."""


Rules = tuple[int | None, int]
"""What kernels have to know of a variant, by FAMILY and KINDS.

A plain tuple: one with names takes half a microsecond more to hand to a kernel, each time.
"""

FAMILY: Final = 0
"""`NARDY_RULES`, or None for backgammon's rules: a None has a type of its own, so that numba
compiles kernels for each family without those of the other."""

KINDS: Final = 1
"""How many kinds of win there are."""


@dataclass(frozen=True)
class Variant:
    """A game of the backgammon family.

    Attributes:
        name: how users ask for it.
        checkers: checkers a side.
        start: (point, checkers) pairs of the starting position, the same for both sides.
        opponent_point: the opponent's number of my point p, at index p; index 0 is unused.
        kinds: the kinds of win, the plainest first.
        points: what each kind of win is worth, in points.
        heads: the outcome chances a value network gives, for the player on roll. They are
            cumulative: a backgammon counts as a gammon, a gammon as a win.
        weights: what each head adds to the equity, in points; see `equity`.
        family: by which rules checkers move, `BACKGAMMON_RULES` or `NARDY_RULES`.
        id_prefix: what a position text of the game begins with; nothing for an ID as GNU Backgammon
            writes it.
    """

    name: str
    checkers: int
    start: tuple[tuple[int, int], ...]
    opponent_point: tuple[int, ...]
    kinds: tuple[str, ...]
    points: tuple[int, ...]
    heads: tuple[str, ...]
    weights: tuple[float, ...]
    family: int = BACKGAMMON_RULES
    id_prefix: str = ""

    @cached_property
    def rules(self) -> Rules:
        """What kernels have to know of it."""
        family = None if self.family == BACKGAMMON_RULES else self.family
        return family, len(self.kinds)

    @property
    def has_bar(self) -> bool:
        """Whether checkers are hit, and so can stand on the bar."""
        return self.family != NARDY_RULES

    def start_board(self) -> npt.NDArray[np.int8]:
        """Return a fresh starting board, int8[2, 26]."""
        board = np.zeros((2, 26), np.int8)
        for point, checkers in self.start:
            board[:, point - 1] = checkers
        return board

    def equity(self, outcomes: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return the cubeless equity of outcome chances, in points for the player on roll.

        A loss costs one point and a win earns one, hence 2 x P(win) - 1; each further head adds or
        takes one point per win or loss of that kind.

        Args:
            outcomes: chances in the order of `heads`, shape (..., heads).

        Returns:
            float32 of shape (...).
        """
        weighted = np.asarray(outcomes, np.float32) * np.asarray(self.weights, np.float32)
        equity: npt.NDArray[np.float32] = weighted.sum(-1, dtype=np.float32)
        return equity - np.float32(1)


BACKGAMMON = Variant(
    name="backgammon",
    checkers=15,
    start=((24, 2), (13, 5), (8, 3), (6, 5)),
    opponent_point=(0, *(25 - point for point in range(1, 25))),
    kinds=("single", "gammon", "backgammon"),
    points=(1, 2, 3),
    heads=("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"),
    weights=(2.0, 1.0, 1.0, -1.0, -1.0),
)

HYPERGAMMON = replace(BACKGAMMON, name="hypergammon", checkers=3, start=((24, 1), (23, 1), (22, 1)))

NARDY = Variant(
    name="nardy",
    checkers=15,
    start=((24, 15),),
    opponent_point=(0, *range(13, 25), *range(1, 13)),
    kinds=("single", "mars"),
    points=(1, 2),
    heads=("win", "win_mars", "lose_mars"),
    weights=(2.0, 1.0, -1.0),
    family=NARDY_RULES,
    id_prefix="nardy:",
)

VARIANTS: Sequence[Variant] = (BACKGAMMON, HYPERGAMMON, NARDY)


def checked_variant(variant: Variant) -> Variant:
    """Return the variant.

    Raises:
        GammonError: if it is something else, such as a name.
    """
    if not isinstance(variant, Variant):
        raise GammonError(f"a variant is a Variant such as BACKGAMMON, not {variant!r}")
    return variant


def get_variant(name: str) -> Variant:
    """Return the variant called `name`.

    Raises:
        GammonError: if there is none; the message lists those there are.
    """
    for variant in VARIANTS:
        if variant.name == name:
            return variant
    known = ", ".join(variant.name for variant in VARIANTS)
    raise GammonError(f"no variant is called {name!r}; there are: {known}")
