"""Run every measurement and write RESULTS.md.

python -m tests.benchmarks [environments] [generation] [luck] [search] [soak] [training]
"""

import sys
from pathlib import Path

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
METHOD = "Contenders take turns in one run; figures are medians."
RESULTS = Path(__file__).parent / "RESULTS.md"


def main(names: list[str]) -> int:
    """Measure the named parts, or all; only a full run replaces RESULTS.md."""
    if unknown := set(names) - set(PARTS):
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
        return 2
    sections = []
    for name in names or PARTS:
        title, measure = PARTS[name]
        sections.append(f"## {title}\n\n{measure()}\n")
        print(sections[-1], flush=True)
    if not names:
        about = machine(("numba", "gymnasium", "torch", "gnubg-nn", "open-spiel", "pgx", "jax"))
        text = f"# Measured by `make bench`\n\n{about}\n\n{METHOD}\n"
        write_atomically(RESULTS, "\n".join([text, *sections]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
