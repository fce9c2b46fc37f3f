"""Pictures in pixels: SVG rasterised by resvg, with the one font that Pillow ships.

No font of the machine is used, so that a picture has the same pixels everywhere. Both libraries
come with the extra `render` and are imported when first needed.
"""

from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon_env.errors import GammonError
from gammon_env.render.shapes import PAPER

if TYPE_CHECKING:
    from PIL.Image import Image

FAMILY = "Aileron"
"""The font that Pillow ships."""


def png(svg: str, width: int | None = None, background: str | None = None) -> bytes:
    """Return a drawing as a PNG file.

    Args:
        svg: the document.
        width: in pixels; None for the drawing's own. The height follows.
        background: a colour for what the drawing leaves transparent.

    Raises:
        GammonError: if the extra `render` is not installed, or the width makes no picture.
    """
    if width is not None and width < 1:
        raise GammonError(f"a picture is at least 1 pixel wide, not {width}")
    resvg: Any = imported("resvg_py")
    # resvg takes fonts as files only.
    with TemporaryDirectory(prefix="gammon-env-") as folder:
        font = Path(folder, "font.ttf")
        font.write_bytes(_font())
        picture: bytes = resvg.svg_to_bytes(
            svg_string=svg,
            width=width,
            background=background,
            skip_system_fonts=True,
            font_files=[str(font)],
            font_family=FAMILY,
        )
    return picture


def image(svg: str, width: int | None = None) -> "Image":
    """Return a drawing as an RGB image of Pillow, without transparent corners.

    Raises:
        GammonError: if the extra `render` is not installed, or the width makes no picture.
    """
    pillow: Any = imported("PIL.Image")
    found: Image = pillow.open(BytesIO(png(svg, width, background=PAPER))).convert("RGB")
    return found


def pixels(svg: str, width: int | None = None) -> npt.NDArray[np.uint8]:
    """Return a drawing as uint8[height, width, 3], without transparent corners.

    Raises:
        GammonError: if the extra `render` is not installed, or the width makes no picture.
    """
    return np.array(image(svg, width), np.uint8)


def save(svg: str, path: Path, width: int | None = None) -> None:
    """Write a drawing to a file, as SVG or PNG by its suffix.

    Raises:
        GammonError: if it has another suffix or, for PNG, the extra `render` is not installed.
    """
    if path.suffix == ".svg":
        path.write_text(svg + "\n", encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(png(svg, width))
    else:
        raise GammonError(f"{path} is no .svg or .png file; a picture is saved as one of those")


def imported(module: str) -> Any:
    """Return a module of the extra `render`.

    Raises:
        GammonError: if it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise GammonError(
            'pictures in pixels need two libraries: pip install "gammon-env[render]"'
        ) from error


def _font() -> bytes:
    pillow: Any = imported("PIL.ImageFont")
    font: bytes = pillow.load_default(size=16).font_bytes
    return font
