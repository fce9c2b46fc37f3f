"""Reports: one measurement as JSON, as Markdown and as one HTML page that needs nothing else."""

import argparse
import json
import platform
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from agents.checkpoint import git_revision
from agents.files import write_atomically
from agents.match_log import identity_of
from gammon_env.agent import Agent
from gammon_env.errors import GammonError

_PACKAGES = ("gammon-env", "numpy", "numba", "torch", "gnubg-nn")

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #2a2420; background: #fbf8f1;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } .summary { font-size: 1.1rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
td, th { padding: .3rem .8rem; border-bottom: 1px solid #d9d0c0; }
td, th { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
td + td { white-space: nowrap; } .about td + td { white-space: normal; text-align: left; }
td:first-child, th:first-child { text-align: left; } svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Table:
    """A table whose first column says what a row is.

    Attributes:
        title: what it shows.
        header: of the columns.
        rows: of cells, all texts.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Figure:
    """A picture for the page.

    Attributes:
        title: what it shows.
        svg: the picture.
    """

    title: str
    svg: str


@dataclass(frozen=True)
class Report:
    """A measurement and everything needed to judge it and to repeat it.

    Attributes:
        title: what was measured.
        summary: the result in a sentence.
        data: what the JSON holds beside the provenance.
        provenance: see `provenance`.
        tables: the result in numbers.
        notes: what else there is to know, a sentence each.
        figures: the result in pictures.
        drawing: lines of text that are shown as they are.
    """

    title: str
    summary: str
    data: dict[str, Any]
    provenance: dict[str, Any]
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    figures: Sequence[Figure] = field(default=(), repr=False)
    drawing: str = ""

    def as_json(self) -> str:
        """Return all numbers."""
        return json.dumps({**self.provenance, **self.data}, indent=1, allow_nan=False) + "\n"

    def as_markdown(self) -> str:
        """Return the report for a README or a terminal."""
        parts = [f"# {self.title}", self.summary]
        parts += [f"```\n{self.drawing}\n```"] if self.drawing else []
        for table in self.tables:
            parts += [f"## {table.title}", _markdown_table(table.header, table.rows)]
        parts += ["\n".join(f"- {note}" for note in self.notes)] if self.notes else []
        parts += ["## How this was measured", _markdown_table(("", ""), self._about())]
        return "\n\n".join(parts) + "\n"

    def as_html(self) -> str:
        """Return the report as a page with its pictures."""
        parts = [f"<h1>{escape(self.title)}</h1>", f'<p class="summary">{escape(self.summary)}</p>']
        for figure in self.figures:
            parts += [f"<h2>{escape(figure.title)}</h2>", f'<div class="wide">{figure.svg}</div>']
        for table in self.tables:
            parts += [f"<h2>{escape(table.title)}</h2>", _html_table(table.header, table.rows)]
        if self.notes:
            items = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
            parts.append(f"<ul>{items}</ul>")
        parts += ["<h2>How this was measured</h2>", _html_table((), self._about(), "about")]
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(self.title)}</title><style>{_STYLE}</style></head>\n<body>\n"
            + "\n".join(parts)
            + "\n</body></html>\n"
        )

    def _about(self) -> list[tuple[str, str]]:
        versions = ", ".join(f"{name} {text}" for name, text in self.provenance["versions"].items())
        weights = [
            (f"weights of {name}", f"SHA-256 {digest}")
            for name, digest in self.provenance["weights"].items()
        ]
        seed = [("seed", str(self.data["seed"]))] if "seed" in self.data else []
        return [("command", self.provenance["command"]), *seed, *weights, ("versions", versions)]

    def print(self) -> None:
        """Print the report to the terminal."""
        if self.drawing:
            print(self.drawing)
        for table in self.tables:
            printed = RichTable(title=table.title)
            for number, name in enumerate(table.header):
                printed.add_column(name, justify="right" if number else "left", overflow="fold")
            for row in table.rows:
                printed.add_row(*row)
            Console().print(printed)
        for note in self.notes:
            print(f"  {note}")
        print(self.summary)


_FORMS = {"json": Report.as_json, "md": Report.as_markdown, "html": Report.as_html}


def provenance(argv: Sequence[str], agents: Iterable[Agent]) -> dict[str, Any]:
    """Return what a measurement may depend on: the command, versions and weights."""
    named = {agent.name: identity_of(agent) for agent in agents}
    return {
        "command": shlex.join(["python", "-m", "agents.evaluate", *argv]),
        "versions": versions(),
        "weights": {name: digest for name, digest in named.items() if digest is not None},
    }


def versions() -> dict[str, str]:
    """Return the versions of what a result may depend on, of those installed."""
    found = {"python": platform.python_version(), "revision": git_revision()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Let the command line say where reports go."""
    group = parser.add_argument_group("reports")
    group.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there")
    group.add_argument(
        "--report", type=Path, metavar="STEM", help="write STEM.json, STEM.md and STEM.html"
    )


def check_targets(options: argparse.Namespace) -> None:
    """Refuse places where no report can be written, before a long measurement.

    Raises:
        GammonError: if there is a folder of that name, or no folder to write in.
    """
    for target in _targets(options):
        if target.is_dir():
            raise GammonError(f"{target} is a folder; name the file to write the report in")
        if not target.parent.is_dir():
            raise GammonError(f"there is no folder {target.parent} to write the report in")


def publish(report: Report, options: argparse.Namespace) -> None:
    """Print a report and write the files that were asked for."""
    report.print()
    write(report, options)


def write(report: Report, options: argparse.Namespace) -> None:
    """Write the files that were asked for."""
    for path, form in _targets(options).items():
        write_atomically(path, _FORMS[form](report))
        print(f"report: {path}")


def _targets(options: argparse.Namespace) -> dict[Path, str]:
    """Return the files to write and which form of the report is to be in each."""
    targets = {} if options.json is None else {options.json: "json"}
    if options.report is not None:
        if not options.report.name:
            raise GammonError(f"{options.report} is a folder; name the report, as in runs/league")
        stem = options.report
        targets |= {stem.with_name(f"{stem.name}.{form}"): form for form in _FORMS}
    return targets


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numbers = "---:" if any(header) else "---"
    lines = [header, ["---", *[numbers] * (len(header) - 1)], *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "data") -> str:
    head = f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in header)}</tr>" if header else ""
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f'<div class="wide"><table class="{kind}">{head}{body}</table></div>'
