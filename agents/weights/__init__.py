"""Trained networks that ship with the package: NAME.safetensors, and NAME.json, its card.

python -m agents.weights add runs/quick backgammon-small   makes both from a training run.
"""

from pathlib import Path

from gammon_env.errors import GammonError

FOLDER = Path(__file__).parent

SUFFIX = ".safetensors"


def weights_path(name: str) -> Path:
    """Return the file of weights of that name.

    Raises:
        GammonError: if there is none; the message names those there are.
    """
    path = FOLDER / f"{name}{SUFFIX}"
    if not path.is_file():
        known = ", ".join(weights_names()) or "none"
        raise GammonError(f"there are no weights {name!r} in {FOLDER}; there are: {known}")
    return path


def weights_names() -> list[str]:
    """Return the names of all weights."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))
