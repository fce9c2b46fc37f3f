"""Reading pictures back: what an SVG drawing shows, found from where things lie in it."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np

from gammon_env.render.shapes import BODY
from gammon_env.rules.board import BAR, OFF, Board
from gammon_env.rules.variant import BACKGAMMON, Variant

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Label:
    """The number of a point, and where it is written."""

    number: int
    x: float
    y: float


class Picture:
    """A drawing as one finds it on paper: shapes at places, and what is written beside them."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)
        self.width, self.height = (float(self.root.attrib[side]) for side in ("width", "height"))
        self.labels = [
            Label(int(found.text or ""), float(found.attrib["x"]), float(found.attrib["y"]))
            for found in self.every("number")
        ]

    def every(self, kind: str) -> list[ET.Element]:
        """Return all elements of a class."""
        return [e for e in self.root.iter() if kind in e.attrib.get("class", "").split()]

    def words(self, kind: str) -> list[str]:
        """Return what is written in the elements of a class, from the top down."""
        found = sorted(self.every(kind), key=lambda e: float(e.attrib["y"]))
        return [e.text or "" for e in found]

    def board(self) -> Board:
        """Return the checkers by seat and by index in the numbering that the picture shows."""
        board = np.zeros((2, 26), np.int8)
        for stack in self.every("stack"):
            seat, index = seat_of(stack), self._index(stack)
            assert board[seat, index] == 0, "one stack for each place"
            board[seat, index] = self._count(stack)
        for slab in self.every("off"):
            board[seat_of(slab), OFF] += 1
        return board

    def label_of(self, element: ET.Element) -> Label:
        """Return the number of the point that an element stands on."""
        x, y = centre(element)
        upper = y < self.height / 2
        side = [label for label in self.labels if (label.y < self.height / 2) == upper]
        return min(side, key=lambda label: abs(label.x - x))

    def _index(self, stack: ET.Element) -> int:
        label = self.label_of(stack)
        return label.number - 1 if abs(label.x - centre(stack)[0]) < 1 else BAR

    @staticmethod
    def _count(stack: ET.Element) -> int:
        drawn = len([e for e in stack if e.attrib.get("class") == "checker"])
        written = [int(e.text or "") for e in stack if e.attrib.get("class") == "count"]
        assert not written or (drawn == 5 and written[0] > 5)
        return written[0] if written else drawn


def seat_of(element: ET.Element) -> int:
    """Return whose a thing is, by the colour of its first shape."""
    shapes = (e.attrib.get("fill") for e in element.iter())
    return BODY.index(next(fill for fill in shapes if fill in BODY))


def centre(element: ET.Element) -> tuple[float, float]:
    """Return the middle of the first circle or rectangle of an element."""
    for shape in element.iter():
        found = shape.attrib
        if shape.tag == f"{SVG}circle":
            return float(found["cx"]), float(found["cy"])
        if shape.tag == f"{SVG}rect":
            width, height = float(found["width"]), float(found["height"])
            return float(found["x"]) + width / 2, float(found["y"]) + height / 2
    raise AssertionError("nothing is drawn here")


def turned(row: Board, variant: Variant = BACKGAMMON) -> Board:
    """Return a row in the numbering of the other side."""
    seen = row.copy()
    for point in range(1, 25):
        seen[variant.opponent_point[point] - 1] = row[point - 1]
    return seen
