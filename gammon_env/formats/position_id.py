"""Position IDs: a board as fourteen characters, as GNU Backgammon writes it.

The ID is base64 over ten bytes of bits, the lowest bit of each byte first. The bits are a unary
code: for each side its points 1 to 24 and its bar, as many ones as there are checkers and then a
zero. The side that is *not* on roll comes first. Checkers that are off are those that are missing.

GNU Backgammon does not know every game of the family. IDs of those that it does not know say so by
a prefix that no base64 contains: `nardy:4HPwATDgc...`.
"""

import base64
import re

import numpy as np

from gammon_env.errors import GammonError
from gammon_env.rules.board import BAR, OFF, WIDTH, Board, check_board
from gammon_env.rules.variant import BACKGAMMON, VARIANTS, Variant, checked_variant

LENGTH = 14
"""Characters of an ID."""

_BYTES = 10
_ON_BOARD = BAR + 1
_TEXT = re.compile(rf"([a-z]+:)?([A-Za-z0-9+/]{{{LENGTH}}})")


def encode(board: Board, variant: Variant = BACKGAMMON) -> str:
    """Return the position ID of a board.

    Args:
        board: int8[2, 26] in the convention, the player on roll in row 0.
        variant: the game.

    Returns:
        Fourteen characters, without base64's padding, behind the prefix of the game if it has one.

    Raises:
        GammonError: if a side has more checkers than an ID has room for.
    """
    bits = "".join("1" * checkers + "0" for row in board[::-1] for checkers in row[:_ON_BOARD])
    if len(bits) > 8 * _BYTES:
        raise GammonError("a position ID has room for 30 checkers in all; this board has more")
    packed = int(bits[::-1], 2).to_bytes(_BYTES, "little")
    return variant.id_prefix + base64.b64encode(packed).decode().rstrip("=")


def variant_of(text: str, otherwise: Variant) -> Variant:
    """Return the game that the prefix of a position ID tells, another one where it tells none."""
    told = (v for v in VARIANTS if v.id_prefix and str(text).strip().startswith(v.id_prefix))
    return next(told, otherwise)


def decode(text: str, variant: Variant = BACKGAMMON) -> Board:
    """Return the board that a position ID stands for.

    Args:
        text: the ID; surrounding space and base64's padding are allowed.
        variant: the game, which says how many checkers a side has.

    Returns:
        A new int8[2, 26] in the convention, the player on roll in row 0.

    Raises:
        GammonError: if the text is no ID, or the ID of an impossible board.
    """
    plain = text.strip().rstrip("=") if isinstance(text, str) else ""
    match = _TEXT.fullmatch(plain)
    if not match:
        raise GammonError(
            f"{text!r} is not a position ID: it has {LENGTH} characters of A-Z a-z 0-9 + /, "
            "like 4HPwATDgc/ABMA"
        )
    if (match[1] or "") != checked_variant(variant).id_prefix:
        like = encode(variant.start_board(), variant)
        raise GammonError(f"{text!r} is no position ID of {variant.name}, which looks like {like}")
    counts = _unary_counts(base64.b64decode(match[2] + "=="), plain)
    board = np.zeros((2, WIDTH), np.int64)
    board[1, :_ON_BOARD], board[0, :_ON_BOARD] = counts[:_ON_BOARD], counts[_ON_BOARD:]
    checkers = variant.checkers
    for side, row in zip(("player on roll", "opponent"), board, strict=True):
        row[OFF] = checkers - row.sum()
        if row[OFF] < 0:
            raise GammonError(
                f"position ID {plain}: the {side} has {row.sum() - row[OFF]} checkers, "
                f"{variant.name} has {checkers} a side"
            )
    check_board(board, variant)
    small: Board = board.astype(np.int8)
    if (canonical := encode(small, variant)) != plain:
        raise GammonError(f"position ID {plain} has bits after its end; {canonical} has not")
    return small


def _unary_counts(packed: bytes, text: str) -> list[int]:
    """Return the fifty counts of the unary code, the side not on roll first."""
    bits = format(int.from_bytes(packed, "little"), f"0{8 * _BYTES}b")[::-1]
    counts = [len(ones) for ones in bits.split("0")]
    if len(counts) <= 2 * _ON_BOARD:
        raise GammonError(
            f"position ID {text} holds only {len(counts) - 1} of the {2 * _ON_BOARD} counts "
            "(24 points and the bar, for both sides)"
        )
    return counts[: 2 * _ON_BOARD]
