"""Look-ahead written from its definition alone, with the slow generator of `tests/reference.py`.

Also small games to look ahead in: few checkers make few plays, so that every one can be tried.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from gammon_env.agent import BatchAgent, Choices, Decisions, ValueAgent
from gammon_env.rules.variant import BACKGAMMON, Variant
from tests.reference import BAR, OFF, State, afterstates, from_board, swapped, to_board

Chances = tuple[float, ...]
Value = Callable[[State], Chances]

TWO_CHECKERS = replace(BACKGAMMON, name="two checkers", checkers=2, start=((6, 1), (5, 1)))

THROWS = list(product(range(1, 7), repeat=2))


class Judge(BatchAgent):
    """A player that judges one position after another by a function.

    Attributes:
        judged: how many so far.
    """

    name = "judge"

    def __init__(self, function: Value, variant: Variant = BACKGAMMON) -> None:
        super().__init__(variant)
        self.function = function
        self.judged = 0

    def select(self, decisions: Decisions) -> Choices:
        equities = self.variant.equity(self.outcomes(decisions.afterstates))
        cuts = np.split(equities, decisions.offsets[1:-1])
        return np.array([int(mine.argmin()) for mine in cuts], np.int64)

    def outcomes(self, boards: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        self.judged += len(boards)
        states = [from_board(board) for board in boards]
        rows = [lost(state) or self.function(state) for state in states]
        return np.array(rows, np.float32).reshape(len(boards), len(self.variant.heads))


def value_of(agent: ValueAgent) -> Value:
    """Return what an agent says of one position at a time, remembered."""

    @cache
    def value(state: State) -> Chances:
        return tuple(agent.outcomes(to_board(state)[np.newaxis])[0].tolist())

    return value


def equity(chances: Chances) -> float:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon


def other_side(chances: Chances) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return 1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon


def lost(state: State) -> Chances | None:
    """Return the exact chances where the opponent has just borne off its last checker."""
    if any(state.opponent[1:]):
        return None
    gammon = state.own[OFF] == 0
    backgammon = gammon and any(state.own[19 : BAR + 1])
    return 0.0, 0.0, 0.0, float(gammon), float(backgammon)


def replies(state: State, roll: tuple[int, int]) -> list[State]:
    """Return the positions a roll can lead to, as the next player sees them; a pass is one."""
    return list(afterstates(state, roll)) or [swapped(state)]


def expectimax(state: State, ply: int, value: Value) -> Chances:
    """Return the chances of the player on roll so many plies ahead."""
    if (certain := lost(state)) is not None:
        return certain
    if ply == 0:
        return value(state)
    ends = []
    for roll in THROWS:
        if roll[0] >= roll[1]:
            judged = [expectimax(reply, ply - 1, value) for reply in replies(state, roll)]
            best = min(judged, key=equity)
            ends += [other_side(best)] * (1 if roll[0] == roll[1] else 2)
    return tuple(sum(chances) / len(THROWS) for chances in zip(*ends, strict=True))


def under_policy(value: Value) -> Value:
    """Return the true chances where both sides play what `value` likes best, to the end."""

    @cache
    def chances(state: State) -> Chances:
        if (certain := lost(state)) is not None:
            return certain
        ends = [other_side(chances(_liked(state, roll))) for roll in THROWS]
        return tuple(sum(column) / len(THROWS) for column in zip(*ends, strict=True))

    def _liked(state: State, roll: tuple[int, int]) -> State:
        found = sorted(replies(state, roll), key=lambda reply: to_board(reply).tobytes())
        return min(found, key=lambda reply: equity(lost(reply) or value(reply)))

    return chances


@cache
def optimal(state: State) -> Chances:
    """Return the true chances where both sides play for the most equity, to the end."""
    if (certain := lost(state)) is not None:
        return certain
    ends = []
    for roll in THROWS:
        found = sorted(replies(state, roll), key=lambda reply: to_board(reply).tobytes())
        ends.append(other_side(min(map(optimal, found), key=equity)))
    return tuple(sum(column) / len(THROWS) for column in zip(*ends, strict=True))
