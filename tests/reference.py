"""A slow, obvious generator of legal plays, written from the rules alone.

It shares nothing with the kernels, not even their layout: a side is a tuple of 26 counts indexed
by the number a player would say, 1 to 24 for the points, `BAR` = 25, `OFF` = 0. So a checker that
moves by a die goes to `source - die`, and everything at or below 0 is off.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

OFF = 0
BAR = 25

Side = tuple[int, ...]
Step = tuple[int, int]
"""(source, die)."""


class State(NamedTuple):
    """The player on roll and the opponent, each in its own numbering."""

    own: Side
    opponent: Side


Sequence = tuple[tuple[Step, ...], State]
"""The checker moves of a play in order, and the position they lead to (sides not swapped)."""


def from_board(board: npt.NDArray[Any]) -> State:
    """Read a board of the package's convention."""
    own, opponent = (tuple(int(n) for n in (row[25], *row[:24], row[24])) for row in board)
    return State(own, opponent)


def to_board(state: State) -> npt.NDArray[np.int8]:
    """Write a board of the package's convention."""
    return np.array([[*side[1:25], side[BAR], side[OFF]] for side in state], np.int8)


def is_finished(state: State) -> bool:
    return not any(state.own[1:])


def swapped(state: State) -> State:
    return State(state.opponent, state.own)


def may_move(state: State, source: int, die: int) -> bool:
    """Say whether one checker may move from `source` by `die`, obligations aside."""
    own, opponent = state
    if not own[source] or (own[BAR] and source != BAR):
        return False
    target = source - die
    if target > 0:
        return opponent[25 - target] < 2
    all_home = not any(own[7:])
    nothing_higher = not any(own[source + 1 : 7])
    return all_home and (target == 0 or nothing_higher)


def is_hit(state: State, source: int, die: int) -> bool:
    target = source - die
    return target > 0 and state.opponent[25 - target] == 1


def after(state: State, source: int, die: int) -> State:
    """Return the position after one checker move; the sides are not swapped."""
    own, opponent = list(state.own), list(state.opponent)
    own[source] -= 1
    own[max(source - die, OFF)] += 1
    if is_hit(state, source, die):
        opponent[25 - (source - die)] -= 1
        opponent[BAR] += 1
    return State(tuple(own), tuple(opponent))


def sequences(state: State, dice: tuple[int, ...]) -> Iterator[Sequence]:
    """Yield every way to play the dice in the order given, each as far as it goes."""
    sources = [s for s in range(25, 0, -1) if dice and may_move(state, s, dice[0])]
    if not sources:
        yield (), state
    for source in sources:
        for steps, final in sequences(after(state, source, dice[0]), dice[1:]):
            yield ((source, dice[0]), *steps), final


def plays(state: State, dice: tuple[int, ...]) -> list[Sequence]:
    """Return every legal sequence of checker moves; none is a forced pass.

    Args:
        state: the position, also in mid-turn.
        dice: the dice still to play, in any order; a double is four equal dice.
    """
    every = [play for order in set(permutations(dice)) for play in sequences(state, order)]
    longest = max(len(steps) for steps, _ in every)
    highest = max((die for steps, _ in every for _, die in steps), default=0)
    return [
        (steps, final)
        for steps, final in every
        if steps
        and (
            is_finished(final)
            or (len(steps) == longest and (longest > 1 or steps[0][1] == highest))
        )
    ]


def dice_of(roll: tuple[int, int]) -> tuple[int, ...]:
    """Return the dice a roll gives to play: two, or four equal ones."""
    return roll * 2 if roll[0] == roll[1] else roll


def afterstates(state: State, roll: tuple[int, int]) -> set[State]:
    """Return the distinct positions after a whole roll, as the next player sees them."""
    return {swapped(final) for _, final in plays(state, dice_of(roll))}


def first_steps(state: State, dice: tuple[int, ...]) -> set[Step]:
    """Return the checker moves that begin a legal play of the dice still to play."""
    return {steps[0] for steps, _ in plays(state, dice)}
