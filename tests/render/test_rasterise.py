"""Pictures in pixels: their size, that they are the same everywhere, and where they go."""

import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.render import shapes
from gammon_env.render.layout import Layout
from gammon_env.render.rasterise import pixels, png, save
from gammon_env.render.svg import draw_position
from gammon_env.rules.variant import BACKGAMMON

START = draw_position(Position.start())


def test_pixels_have_the_size_of_the_drawing() -> None:
    seen = pixels(START)
    layout = Layout(BACKGAMMON, view=0)
    assert seen.shape == (layout.height, layout.width, 3)
    assert seen.dtype == np.uint8
    assert seen.flags.writeable, "wrappers may draw on it"


def test_a_width_scales_the_picture() -> None:
    height, width, _ = pixels(START).shape
    small = pixels(START, width // 2)
    assert small.shape[1] == width // 2
    assert abs(small.shape[0] - height / 2) <= 1


def test_checkers_are_where_the_drawing_has_them() -> None:
    layout, seen = Layout(BACKGAMMON, view=0), pixels(START)
    for seat, point in ((0, 6), (0, 24), (1, 6), (1, 24)):
        stack = layout.point(layout.number(seat, point))
        colour = seen[round(stack.centre(0)), round(stack.x)]
        assert "#{:02x}{:02x}{:02x}".format(*colour) == shapes.BODY[seat]


def test_words_are_drawn_without_any_font_of_the_machine() -> None:
    layout, seen = Layout(BACKGAMMON, view=0), pixels(START)
    line = seen[round(layout.strip(0)) - 8 : round(layout.strip(0)) + 8, 70:300]
    assert (line.min(axis=2) < 60).sum() > 100


def test_the_same_drawing_is_the_same_pixels() -> None:
    assert png(START, 200) == png(START, 200)


def test_corners_are_transparent_in_a_file_only() -> None:
    assert Image.open(BytesIO(png(START, 200))).convert("RGBA").getpixel((0, 0))[3] == 0
    assert "#{:02x}{:02x}{:02x}".format(*pixels(START, 200)[0, 0]) == shapes.PAPER


def test_a_picture_is_saved_by_its_suffix(tmp_path: Path) -> None:
    save(START, tmp_path / "board.svg")
    save(START, tmp_path / "board.png", width=120)
    assert (tmp_path / "board.svg").read_text() == START + "\n"
    with Image.open(tmp_path / "board.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 120)
    with pytest.raises(GammonError, match=r"no \.svg or \.png file"):
        save(START, tmp_path / "board.jpg")
    assert not (tmp_path / "board.jpg").exists()


def test_a_picture_has_at_least_one_pixel() -> None:
    with pytest.raises(GammonError, match="at least 1 pixel wide, not 0"):
        png(START, 0)


@pytest.mark.parametrize("library", ["resvg_py", "PIL.Image", "PIL.ImageFont"])
def test_without_the_libraries_it_says_what_to_install(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(GammonError, match=r'pip install "gammon-env\[render\]"'):
        pixels(START)
