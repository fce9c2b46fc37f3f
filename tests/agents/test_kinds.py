"""Kinds of positions, at the edges of their definitions."""

import numpy as np
import pytest

from agents.kinds import KINDS, kinds_of
from gammon_env.position import Place, Position

Row = dict[Place, int]


@pytest.mark.parametrize(
    ("own", "opponent", "kind"),
    [
        ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "contact"),
        # A pip further and they would have met.
        ({12: 2, 6: 13}, {12: 2, 6: 13}, "race"),
        ({13: 2, 6: 13}, {13: 2, 6: 13}, "contact"),
        # Home at last: a race until the last checker is in.
        ({7: 1, 6: 14}, {12: 2, 6: 13}, "race"),
        ({6: 15}, {12: 2, 6: 13}, "bear-off"),
        ({1: 1, "off": 14}, {1: 1, "off": 14}, "bear-off"),
        # Home, but with a checker in the way.
        ({6: 15}, {20: 1, 6: 14}, "contact"),
        # Six live checkers hold nothing for long, seven do.
        ({20: 1, 3: 5, 2: 4, 1: 5}, {13: 1, 6: 14}, "crashed"),
        ({20: 1, 3: 6, 2: 3, 1: 5}, {13: 1, 6: 14}, "contact"),
        ({13: 1, 6: 14}, {20: 1, 3: 5, 2: 4, 1: 5}, "crashed"),
        # A checker on the bar is live; one borne off is not.
        ({"bar": 1, 3: 6, 2: 8}, {13: 1, 6: 14}, "contact"),
        ({"bar": 1, 3: 5, 2: 8, "off": 1}, {13: 1, 6: 14}, "crashed"),
    ],
)
def test_the_kind_of(own: Row, opponent: Row, kind: str) -> None:
    position = Position.from_counts(own, opponent)
    assert KINDS[kinds_of(position.board[np.newaxis])[0]] == kind


def test_no_boards_have_no_kinds() -> None:
    assert len(kinds_of(np.empty((0, 2, 26), np.int8))) == 0
