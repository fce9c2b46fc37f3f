"""Layout: where points, bar, trays and dice lie in a picture, for any geometry.

Points are numbered from the player's side: 1 to 12 from right to left along the lower edge, 13 to
24 from left to right along the upper one. Where the opponent stands follows from the variant, and
so does where each side enters from the bar and bears off: beside its own points 24 and 1.
"""

from dataclasses import dataclass

from gammon_env.rules.variant import Variant

STEP = 42.0
"""From one checker to the next in a stack."""
TALLEST = 5
"""Checkers drawn in a stack; a taller one shows its number on the last of them."""
POINT = 46.0
"""The width of a point."""
BAR = 54.0
TRAY = 62.0
RAIL = 10.0
"""The width of wood around the playing surfaces."""
EDGE = 25.0
"""The height of the wood that carries the numbers."""
STRIP = 44.0
"""The height of a player's line above or below the board."""
MARGIN = 14.0
GAP = 62.0
"""What is left between the stacks of the two edges, for the dice."""
DIE = 38.0

HALF = 6 * POINT
HEIGHT = 2 * TALLEST * STEP + GAP
TOP = MARGIN + STRIP + EDGE
BOTTOM = TOP + HEIGHT
MIDDLE = (TOP + BOTTOM) / 2


@dataclass(frozen=True)
class Stack:
    """Where a stack of checkers begins, and whether it grows down (1) or up (-1)."""

    x: float
    start: float
    down: int

    def centre(self, depth: float) -> float:
        """Return how far down the picture the middle of a checker is, 0 the first one."""
        return self.start + self.down * STEP * (depth + 0.5)


class Layout:
    """Where things lie as one seat sees them.

    Args:
        variant: the game.
        view: the seat from whose side the board is seen.
    """

    def __init__(self, variant: Variant, view: int) -> None:
        self._view = view
        # The other side counts from the viewing side's points as that does from its own.
        self._seen = variant.opponent_point
        self.has_left_tray = any(self._column(self.number(seat, 1)) < 6 for seat in range(2))
        self.left = MARGIN + RAIL + (TRAY + RAIL) * self.has_left_tray
        self.bar = self.left + HALF
        self.right = self.bar + BAR + HALF
        self.width = self.right + RAIL + TRAY + RAIL + MARGIN
        self.height = BOTTOM + EDGE + STRIP + MARGIN

    def number(self, seat: int, point: int) -> int:
        """Return the viewing seat's number of a seat's point."""
        return point if seat == self._view else self._seen[point]

    def is_upper(self, number: int) -> bool:
        """Say whether a point, in the viewing seat's numbering, is on the upper edge."""
        return number > 12

    def point(self, number: int) -> Stack:
        """Return where the checkers of a point stand, in the viewing seat's numbering."""
        column = self._column(number)
        x = self.left + (column + 0.5) * POINT + BAR * (column >= 6)
        return Stack(x, TOP, 1) if self.is_upper(number) else Stack(x, BOTTOM, -1)

    def on_bar(self, seat: int) -> Stack:
        """Return where a seat's checkers on the bar stand: from the middle towards their entry."""
        x, away = self.bar + BAR / 2, STEP * 0.3
        if self.is_upper(self.number(seat, 24)):
            return Stack(x, MIDDLE - away, -1)
        return Stack(x, MIDDLE + away, 1)

    def tray(self, seat: int) -> Stack:
        """Return where a seat's borne-off checkers lie: beside its point 1, from the edge on."""
        number = self.number(seat, 1)
        return Stack(
            self.tray_left(left=self._column(number) < 6) + TRAY / 2,
            *((TOP, 1) if self.is_upper(number) else (BOTTOM, -1)),
        )

    def tray_left(self, left: bool) -> float:
        """Return where the tray on the left or the right begins."""
        return MARGIN + RAIL if left else self.right + RAIL

    def dice(self, seat: int) -> float:
        """Return where the middle of a seat's dice is: everybody throws into the own right half."""
        return self.right - HALF / 2 if seat == self._view else self.left + HALF / 2

    def strip(self, seat: int) -> float:
        """Return how far down the middle of a seat's line is: the viewing seat's is below."""
        if seat == self._view:
            return self.height - MARGIN - STRIP / 2
        return MARGIN + STRIP / 2

    def _column(self, number: int) -> int:
        """Return the column of a point, 0 to 11 from the left, the bar left out."""
        return number - 13 if self.is_upper(number) else 12 - number
