"""Plots as SVG: no library, no script, and nothing that has to be fetched."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise

import numpy as np
import numpy.typing as npt

from agents.statistics import CONFIDENCE, Estimate, student_quantile
from gammon_env.render.shapes import FONT, INK, PAPER, element, group, rectangle, text, title

Doubles = npt.NDArray[np.float64]

WIDTH, HEIGHT = 760, 340
COLOURS = ("#1f6fb2", "#8b8377", "#d6701e", "#17324d")
"""Of the curves, from the first on and then again: neighbours are told apart by lightness too."""
BETTER, WORSE = (31, 111, 178), (214, 112, 30)
GRID = "#e3ddd1"

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_HEADING = 24
_POINTS = 200
_CELL = 104, 50
_LABEL = 200
_LONGEST = 22


@dataclass(frozen=True)
class Curve:
    """Means along an axis, and their 95% intervals.

    Attributes:
        at: where on the axis.
        means: what was measured there.
        margins: half the widths of the intervals.
    """

    at: Doubles
    means: Doubles
    margins: Doubles

    @classmethod
    def running(cls, samples: Sequence[float] | Doubles) -> "Curve":
        """Follow the mean of samples, but for the first ones, whose intervals dwarf all others."""
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

    def range_from(self, share: float) -> tuple[float, float]:
        """Return the lowest and the highest end of the intervals after a share of the points."""
        part = slice(int(share * len(self.at)), None)
        return float(self.low[part].min()), float(self.high[part].max())


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
            yield text(f"{value:,.10g}", float(self.x(value)), floor + 16, 12)
        yield text(below, (_LEFT + right) / 2, HEIGHT - 10, 12)


def running_means(curves: Mapping[str, Curve], below: str) -> str:
    """Draw means over the samples they come from, each with its interval as a band.

    Args:
        curves: by what they are called; the first one is the most important.
        below: what is counted along the horizontal axis.
    """
    return _svg(WIDTH, HEIGHT, _curves(curves, below, settled=0.2))


def learning_curves(curves: Mapping[str, Curve], above: str, below: str) -> str:
    """Draw what training runs reach, each with its intervals as a band, to stand by itself.

    Args:
        curves: by what the runs are called; the first one is the most important.
        above: what is measured.
        below: what is counted along the horizontal axis.
    """
    height = HEIGHT + _HEADING
    paper = rectangle(0, 0, WIDTH, height, fill=PAPER)
    heading = text(above, _LEFT, _HEADING / 2 + 4, 14, "start")
    moved = group(_curves(curves, below), transform=f"translate(0 {_HEADING})")
    return _svg(WIDTH, height, [title(above), paper, heading, moved])


def _curves(curves: Mapping[str, Curve], below: str, settled: float = 0.0) -> list[str]:
    """Draw curves and their names; the axis upwards fits what follows a share of their points."""
    ranges = [curve.range_from(settled) for curve in curves.values()]
    low, high = min(0.0, *(low for low, _ in ranges)), max(0.0, *(high for _, high in ranges))
    room = 0.05 * (high - low) or 1.0
    last = max(float(curve.at[-1]) for curve in curves.values())
    axes = _Axes((0, last), (low - room, high + room))
    coloured = list(zip(curves.values(), cycle(COLOURS), strict=False))
    shapes = list(axes.draw(below))
    for curve, colour in reversed(coloured):
        shapes += _curve(axes, curve, colour)
    ends = _apart([float(axes.y(curve.means[-1])) for curve in curves.values()])
    for name, height, (_, colour) in zip(curves, ends, coloured, strict=True):
        shapes.append(text(name, WIDTH - _RIGHT + 8, height, 13, "start", fill=colour))
    return shapes


def _curve(axes: _Axes, curve: Curve, colour: str) -> Iterator[str]:
    there_and_back = np.concatenate([curve.at, curve.at[::-1]])
    around = np.concatenate([curve.high, curve.low[::-1]])
    band = axes.path(there_and_back, around)
    yield element("polygon", points=band, fill=colour, fill_opacity=0.18)
    line = axes.path(curve.at, curve.means)
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
