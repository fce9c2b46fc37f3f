"""Kinds of positions, which players are good and bad at separately.

The first of these that fits, with both sides' checkers counted:

- **bear-off**: no contact, and all checkers left to the player on roll are at home, on its points
  1 to 6.
- **race**: no contact otherwise. There is contact while some checker of each side has still to
  pass the other's; none can be hit or blocked afterwards.
- **crashed**: contact, and a side has at most 6 checkers that can still hold the position together:
  on the bar or on any point but its own 1 and 2. What is on those two points or borne off is out of
  play, so a side with so few will have to break what it holds.
- **contact**: all the rest, from the opening roll on.

A decision is of the kind of the position before the play.
"""

import numpy as np
import numpy.typing as npt

from gammon_env.rules.board import BAR, HOME, Board, has_contact
from gammon_env.rules.jit import kernel

KINDS = ("contact", "crashed", "race", "bear-off")
CONTACT, CRASHED, RACE, BEAR_OFF = range(len(KINDS))

DEEP = 2
"""Points 1 to this are too deep in the home board to hold anything together."""

LIVE = 6
"""A side with more live checkers than this has not crashed."""


def kinds_of(boards: Board) -> npt.NDArray[np.int64]:
    """Return int64[N], the number in `KINDS` of each board int8[N, 2, 26]."""
    kinds = np.empty(len(boards), np.int64)
    classify(np.ascontiguousarray(boards), kinds)
    return kinds


@kernel
def classify(boards: Board, kinds: npt.NDArray[np.int64]) -> None:
    """Write the number in `KINDS` of each board."""
    for i in range(len(boards)):
        own, opponent = boards[i]
        if has_contact(boards[i]):
            fewest = min(own[DEEP : BAR + 1].sum(), opponent[DEEP : BAR + 1].sum())
            kinds[i] = CRASHED if fewest <= LIVE else CONTACT
        else:
            kinds[i] = RACE if own[HOME : BAR + 1].any() else BEAR_OFF
