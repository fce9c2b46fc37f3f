"""A slow, obvious generator of legal plays of long nardy, written from the rules alone.

It shares nothing with the kernels. A side is a tuple of 25 counts indexed by the number a player
would say: 1 to 24 for the points, `OFF` = 0.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import numpy.typing as npt

OFF = 0
HEAD = 24
CHECKERS = 15

Side = tuple[int, ...]
Step = tuple[int, int]
"""(source, die)."""


class State(NamedTuple):
    """The player on roll, the opponent, each in its own numbering; and the head moves left."""

    own: Side
    opponent: Side
    head_moves: int = 0


Sequence = tuple[tuple[Step, ...], State]
"""The checker moves of a play in order, and the position they lead to (sides not swapped)."""


def from_board(board: npt.NDArray[Any]) -> State:
    """Read a board of the package's convention."""
    own, opponent = (tuple(int(n) for n in (row[25], *row[:24])) for row in board)
    return State(own, opponent)


def other(point: int) -> int:
    """Return the opponent's number of my point."""
    return point + 12 if point <= 12 else point - 12


def has_forbidden_block(state: State) -> bool:
    """Say whether six or more of my points stand in a row on the opponent's route unlawfully."""
    if state.opponent[OFF]:
        return False
    mine = {other(point) for point in range(1, 25) if state.own[point]}
    theirs = [point for point in range(1, 25) if state.opponent[point]]
    for lowest in range(1, 20):
        block = set(range(lowest, lowest + 6))
        if block <= mine and not any(point < lowest for point in theirs):
            return True
    return False


def may_move(state: State, source: int, die: int) -> bool:
    """Say whether one checker may move from `source` by `die`, obligations aside."""
    if not state.own[source] or (source == HEAD and not state.head_moves):
        return False
    target = source - die
    if target > 0:
        if state.opponent[other(target)]:
            return False
    elif any(state.own[7:]) or (target < 0 and any(state.own[source + 1 : 7])):
        return False
    return not has_forbidden_block(after(state, source, die))


def after(state: State, source: int, die: int) -> State:
    """Return the position after one checker move; the sides are not swapped."""
    own = list(state.own)
    own[source] -= 1
    own[max(source - die, OFF)] += 1
    return State(tuple(own), state.opponent, state.head_moves - (source == HEAD))


def sequences(state: State, dice: tuple[int, ...]) -> Iterator[Sequence]:
    """Yield every way to play the dice in the order given, each as far as it goes."""
    sources = [s for s in range(24, 0, -1) if dice and may_move(state, s, dice[0])]
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
            final.own[OFF] == CHECKERS
            or (len(steps) == longest and (longest > 1 or steps[0][1] == highest))
        )
    ]


def begin(state: State, roll: tuple[int, int]) -> tuple[State, tuple[int, ...]]:
    """Return the state with the head moves of a turn, and the dice to play."""
    two = state.own[HEAD] == CHECKERS and roll in ((3, 3), (4, 4), (6, 6))
    return state._replace(head_moves=1 + two), roll * 2 if roll[0] == roll[1] else roll


def afterstates(state: State, roll: tuple[int, int]) -> set[tuple[Side, Side]]:
    """Return the distinct positions after a whole roll, as the next player sees them."""
    return {(final.opponent, final.own) for _, final in plays(*begin(state, roll))}


def first_steps(state: State, dice: tuple[int, ...]) -> set[Step]:
    """Return the checker moves that begin a legal play of the dice still to play."""
    return {steps[0] for steps, _ in plays(state, dice)}
