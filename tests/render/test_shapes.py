"""The colours: told apart in print and by the colour-blind."""

import pytest

from gammon_env.render import shapes

GROUNDS = (*shapes.POINTS, shapes.FELT, shapes.BAR)
"""What checkers lie on."""


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        (shapes.BODY[0], shapes.BODY[1], 10),
        *((shapes.BODY[0], ground, 3) for ground in GROUNDS),
        *((shapes.OUTLINE[1], ground, 2.4) for ground in GROUNDS),
        *((shapes.ACCENT, body, 2.5) for body in shapes.BODY),
        *(zip(shapes.LETTER, shapes.BODY, [7, 7], strict=True)),
        (shapes.ON_WOOD, shapes.WOOD, 7),
        (shapes.INK, shapes.PAPER, 7),
    ],
)
def test_colours_are_told_apart_without_hue(one: str, other: str, least: float) -> None:
    """By the contrast ratio of WCAG, which knows lightness only."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > least


def _luminance(colour: str) -> float:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
