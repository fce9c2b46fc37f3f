"""Shapes: the pieces of a picture as SVG elements, and their colours.

Light and dark are told apart by lightness and by their rings, never by hue alone, so that a picture
reads the same in grey and to the colour-blind. There are no ids, styles or gradients: pictures on
one page can't get into each other's way.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

PAPER, BORDER = "#fbf8f1", "#d9d0c0"
WOOD, WOOD_EDGE, BAR = "#4b382c", "#35271e", "#ad8d6b"
FELT = "#efe5d1"
POINTS = ("#c9ae86", "#a07c58")
INK, ON_WOOD = "#2a2420", "#e9dcc4"
ACCENT = "#e07b1a"
"""Marks what has moved: darker than a light checker, lighter than a dark one."""
BODY = ("#29303a", "#fdfaf3")
OUTLINE = ("#0f1319", "#4a4038")
RING = ("#59636f", "#d5c8b2")
LETTER = ("#ffffff", "#1d1814")
"""Colours by seat: seat 0 has the dark checkers, seat 1 the light ones."""

FONT = "Aileron, 'Helvetica Neue', Helvetica, Arial, sans-serif"
RADIUS = 20.0
SLAB = 11.0
"""The height of a borne-off checker, which lies on its side."""

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

Value = str | float


def element(name: str, *children: str, **attributes: Value) -> str:
    """Return an element; underscores in attribute names stand for hyphens, as in stroke_width."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_written(value))}"
        for key, value in attributes.items()
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _written(value: Value) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def group(children: Iterable[str], **attributes: Value) -> str:
    """Return elements as one group."""
    return element("g", *children, **attributes)


def text(
    words: str,
    x: float,
    y: float,
    size: float,
    anchor: str = "middle",
    heavy: bool = False,
    fill: str = INK,
    **attributes: Value,
) -> str:
    """Return words of which x is the middle, the start or the end; their middle is at height y."""
    # The one font of rasterised pictures has no bold face; an outline thickens every font.
    outline: dict[str, Value] = {"stroke": fill, "stroke_width": size * 0.04} if heavy else {}
    return element(
        "text",
        escape(words),
        x=x,
        # Half the height of a capital, because renderers disagree about dominant-baseline.
        y=y + 0.355 * size,
        font_size=size,
        text_anchor=anchor,
        fill=fill,
        **outline,
        **attributes,
    )


def title(words: str) -> str:
    """Return what is read out, or shown under the pointer, for the element around it."""
    return element("title", escape(words))


def rectangle(x: float, y: float, width: float, height: float, **attributes: Value) -> str:
    """Return a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def triangle(x: float, base: float, tip: float, width: float, fill: str) -> str:
    """Return the triangle of a point, its base on the edge of the board."""
    corners = f"{x - width / 2:g},{base:g} {x + width / 2:g},{base:g} {x:g},{tip:g}"
    return element("polygon", points=corners, fill=fill)


def checker(seat: int, x: float, y: float, radius: float = RADIUS, moved: bool = False) -> str:
    """Return a checker; its ring tells whether it has just moved."""
    body = element(
        "circle", cx=x, cy=y, r=radius, fill=BODY[seat], stroke=OUTLINE[seat], stroke_width=1.6
    )
    ring = element(
        "circle",
        cx=x,
        cy=y,
        r=radius * 0.66,
        fill="none",
        stroke=ACCENT if moved else RING[seat],
        stroke_width=radius * (0.17 if moved else 0.08),
    )
    return group((body, ring), class_="checker")


def number_on(seat: int, x: float, y: float, count: int) -> str:
    """Return the number of a tall stack, to be written on its last checker."""
    return text(str(count), x, y, 18, heavy=True, fill=LETTER[seat], class_="count")


def ghost(seat: int, x: float, y: float) -> str:
    """Return the trace of a checker that stood here before."""
    return element(
        "circle",
        class_="ghost",
        cx=x,
        cy=y,
        r=RADIUS - 1,
        fill=BODY[seat],
        fill_opacity=0.22,
        stroke=INK,
        stroke_opacity=0.75,
        stroke_width=1.5,
        stroke_dasharray="4 3.5",
    )


def slab(seat: int, x: float, y: float, width: float, moved: bool = False) -> str:
    """Return a checker that has been borne off, seen from its side."""
    body = rectangle(
        x - width / 2,
        y - SLAB / 2 + 0.8,
        width,
        SLAB - 1.6,
        rx=2.5,
        fill=BODY[seat],
        stroke=OUTLINE[seat],
        stroke_width=1.2,
    )
    stripe = ACCENT if moved else RING[seat]
    line = rectangle(x - width / 2 + 5, y - 1, width - 10, 2, fill=stripe)
    return group((body, line), class_="off")


def die(seat: int, x: float, y: float, size: float, face: int, played: bool) -> str:
    """Return a die in the colour of its thrower, pale once it has been played."""
    body = rectangle(
        x - size / 2,
        y - size / 2,
        size,
        size,
        rx=size * 0.2,
        fill=BODY[seat],
        stroke=OUTLINE[seat],
        stroke_width=1.6,
    )
    pips = [
        element(
            "circle",
            cx=x + across * size * 0.26,
            cy=y + down * size * 0.26,
            r=size * 0.09,
            fill=LETTER[seat],
        )
        for across, down in _PIPS[face]
    ]
    words = title(f"{face}, played" if played else f"{face}, to play")
    kind, opacity = ("die played", 0.32) if played else ("die", 1.0)
    return group((words, body, *pips), class_=kind, opacity=opacity)
