"""Plots as SVG: no library, no script, and nothing that has to be fetched."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from agents.statistics import CONFIDENCE, Estimate, student_quantile
from gammon_env.render.shapes import FONT, INK, element, rectangle, text, title

Doubles = npt.NDArray[np.float64]

WIDTH, HEIGHT = 760, 340
COLOURS = ("#1f6fb2", "#8b8377")
"""Of the first and the second curve: told apart by lightness too."""
BETTER, WORSE = (31, 111, 178), (214, 112, 30)
GRID = "#e3ddd1"

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_POINTS = 200
_CELL = 104, 50
_LABEL = 200
_LONGEST = 22


@dataclass(frozen=True)
class Running:
    """A mean and its 95% interval as samples come in.

    Attributes:
        counts: how many samples there were.
        means: their means.
        margins: half the widths of the intervals.
    """

    counts: Doubles
    means: Doubles
    margins: Doubles

    @classmethod
    def of(cls, samples: Sequence[float] | Doubles) -> "Running":
        """Follow samples, leaving out the first ones, whose intervals dwarf all others."""
        values, size = np.asarray(samples, np.float64), len(samples)
        first = max(2, min(size, size // 30))
        counts = np.unique(np.linspace(first, size, _POINTS).astype(np.int64))
        means = np.cumsum(values)[counts - 1] / counts
        squares = np.cumsum((values - values.mean()) ** 2)[counts - 1]
        spread = np.maximum(squares - counts * (means - values.mean()) ** 2, 0) / (counts - 1)
        quantiles = [student_quantile(0.5 + CONFIDENCE / 2, int(count) - 1) for count in counts]
        return cls(counts.astype(np.float64), means, quantiles * np.sqrt(spread / counts))

    @property
    def low(self) -> Doubles:
        """The lower ends of the intervals."""
        return self.means - self.margins

    @property
    def high(self) -> Doubles:
        """The upper ends of the intervals."""
        return self.means + self.margins


class _Axes:
    """Where numbers lie in a plot; what lies outside is drawn on its edge."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.across, self.up = across, up

    def x(self, values: Doubles | float) -> Doubles:
        share = (np.asarray(values) - self.across[0]) / (self.across[1] - self.across[0])
        return np.asarray(_LEFT + np.clip(share, 0, 1) * (WIDTH - _LEFT - _RIGHT))

    def y(self, values: Doubles | float) -> Doubles:
        share = (np.asarray(values) - self.up[0]) / (self.up[1] - self.up[0])
        return np.asarray(HEIGHT - _BOTTOM - np.clip(share, 0, 1) * (HEIGHT - _TOP - _BOTTOM))

    def path(self, x: Doubles, y: Doubles) -> str:
        pairs = zip(self.x(x), self.y(y), strict=True)
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in pairs)

    def draw(self, below: str) -> Iterator[str]:
        right, floor = WIDTH - _RIGHT, HEIGHT - _BOTTOM
        for value in ticks(*self.up):
            height = float(self.y(value))
            colour = INK if value == 0 else GRID
            yield element("line", x1=_LEFT, x2=right, y1=height, y2=height, stroke=colour)
            yield text(f"{value:+.2g}" if value else "0", _LEFT - 8, height, 12, "end")
        for value in ticks(*self.across):
            yield text(f"{value:,.0f}", float(self.x(value)), floor + 16, 12)
        yield text(below, (_LEFT + right) / 2, HEIGHT - 10, 12)


def running_means(curves: Mapping[str, Running], below: str) -> str:
    """Draw means over the samples they come from, each with its interval as a band.

    Args:
        curves: by what they are called; the first one is the most important.
        below: what is counted along the horizontal axis.
    """
    settled = [slice(len(curve.counts) // 5, None) for curve in curves.values()]
    pairs = list(zip(curves.values(), settled, strict=True))
    low = min(min(float(curve.low[part].min()) for curve, part in pairs), 0.0)
    high = max(max(float(curve.high[part].max()) for curve, part in pairs), 0.0)
    room = 0.05 * (high - low) or 1.0
    last = max(float(curve.counts[-1]) for curve in curves.values())
    axes = _Axes((0, last), (low - room, high + room))
    shapes = list(axes.draw(below))
    names = list(curves)
    for name in reversed(names):
        shapes += _curve(axes, curves[name], COLOURS[names.index(name)])
    ends = _apart([float(axes.y(curve.means[-1])) for curve in curves.values()])
    for name, height, colour in zip(names, ends, COLOURS, strict=False):
        shapes.append(text(name, WIDTH - _RIGHT + 8, height, 13, "start", fill=colour))
    return _svg(WIDTH, HEIGHT, shapes)


def _curve(axes: _Axes, curve: Running, colour: str) -> Iterator[str]:
    there_and_back = np.concatenate([curve.counts, curve.counts[::-1]])
    around = np.concatenate([curve.high, curve.low[::-1]])
    band = axes.path(there_and_back, around)
    yield element("polygon", points=band, fill=colour, fill_opacity=0.18)
    line = axes.path(curve.counts, curve.means)
    yield element("polyline", points=line, fill="none", stroke=colour, stroke_width=2)


def _apart(heights: Sequence[float], least: float = 16) -> list[float]:
    """Return heights moved so far apart that words there do not overlap."""
    placed = list(heights)
    order = sorted(range(len(placed)), key=placed.__getitem__)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + least)
    return placed


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Return round numbers between two others, about so many."""
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [number * step for number in range(first, last + 1)]


def heat_map(names: Sequence[str], cells: Mapping[tuple[int, int], Estimate]) -> str:
    """Draw a cross table: what each row's player wins against each column's.

    Args:
        names: the players.
        cells: the estimate at (row, column); where there is none the cell stays empty.
    """
    width, height = _CELL
    most = max((abs(cell.mean) for cell in cells.values()), default=0) or 1.0
    shapes = []
    for number, name in enumerate(names):
        column, row = _LABEL + (number + 0.5) * width, (number + 1.5) * height
        above = name if len(name) < width // 8 else str(number + 1)
        beside = f"{number + 1}. {_shortened(name, _LONGEST)}"
        shapes.append(text(above, column, height / 2, 13))
        shapes.append(text(beside, _LABEL - 10, row, 13, "end"))
    for (row, column), cell in cells.items():
        x, y = _LABEL + column * width, (row + 1) * height
        told = title(f"{names[row]} against {names[column]}: {cell.mean:+.3f} ± {cell.margin:.3f}")
        box = rectangle(x + 1, y + 1, width - 2, height - 2, fill=_shade(cell.mean / most))
        middle = x + width / 2
        mean = text(f"{cell.mean:+.3f}", middle, y + 19, 15)
        shapes.append(
            element("g", told, box, mean, text(f"± {cell.margin:.3f}", middle, y + 36, 11))
        )
    return _svg(_LABEL + len(names) * width, (len(names) + 1) * height, shapes)


def _shade(share: float) -> str:
    """Return white at 0, towards blue above and orange below, light enough for dark words."""
    end = BETTER if share > 0 else WORSE
    mixed = (round(255 + 0.6 * abs(share) * (colour - 255)) for colour in end)
    return "#" + "".join(f"{colour:02x}" for colour in mixed)


def _shortened(name: str, longest: int) -> str:
    """Return the end of a long name, where paths differ."""
    return name if len(name) <= longest else "…" + name[1 - longest :]


def _svg(width: float, height: float, shapes: Sequence[str]) -> str:
    return element(
        "svg",
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        font_family=FONT,
        role="img",
    )
