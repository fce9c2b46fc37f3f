"""Run measurements and write them into RESULTS.md, each under the machine and revision it ran on.

python -m tests.benchmarks [environments] [generation] [luck] [search] [soak] [training]
"""

import re
import sys
from pathlib import Path

from agents.checkpoint import git_revision
from agents.files import write_atomically
from tests.benchmarks import environments, generation, luck, search, soak, training
from tests.benchmarks.harness import machine

PARTS = {
    "generation": ("Generation, one core", generation.measure),
    "environments": ("Environments", environments.measure),
    "luck": ("Luck adjustment", luck.measure),
    "search": ("Look-ahead, one core", search.measure),
    "soak": ("Soak", soak.measure),
    "training": ("Training", training.measure),
}
PACKAGES = ("numba", "gymnasium", "torch", "gnubg-nn", "open-spiel", "pgx", "jax")
HEAD = "# Measured by `make bench`\n\nContenders take turns in one run; figures are medians.\n"
RESULTS = Path(__file__).parent / "RESULTS.md"


def main(names: list[str]) -> int:
    """Measure the named parts, or all; the sections of others stay as they are."""
    if unknown := set(names) - set(PARTS):
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
        return 2
    about = f"_{machine(PACKAGES)}, revision {git_revision()}_"
    for name in names or PARTS:
        title, measure = PARTS[name]
        section = f"{measure()}\n\n{about}\n"
        print(f"## {title}\n\n{section}", flush=True)
        record(title, section)
    return 0


def record(title: str, section: str) -> None:
    """Put a section in the place of the one of the same title."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    found = dict(re.findall(r"^## (.*?)\n\n(.*?\n)(?=\n## |\Z)", text, re.MULTILINE | re.DOTALL))
    found[title] = section
    known = [title for title, _ in PARTS.values() if title in found]
    parts = [HEAD, *(f"## {title}\n\n{found[title]}" for title in known)]
    write_atomically(RESULTS, "\n".join(parts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
