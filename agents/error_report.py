"""What decisions cost, for people: a table and a page of the worst plays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents.files import write_atomically
from agents.losses import ALL, BLUNDER, Losses, Mistake
from gammon_env.render.svg import draw_play, draw_position

WORST = 10

STYLE = (
    "body{font:16px/1.4 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em}"
    "section{display:grid;grid-template-columns:repeat(3,1fr);gap:.5em 1em;margin:2em 0}"
    "section>*{min-width:0}h2{grid-column:1/-1;margin:0;font-size:1.1em}figure{margin:0}"
    "svg{width:100%;height:auto}td,th{text-align:right;padding:.1em .8em}"
)


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal while decisions are judged, given how many of how many are."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title)
        yield lambda done, of: progress.update(task, completed=done, total=of)


def print_losses(losses: Losses, console: Console | None = None) -> None:
    """Print the table and the result in one line."""
    console = console or Console()
    console.print(losses_table(losses))
    console.print(headline(losses), soft_wrap=True, highlight=False, markup=False)


def headline(losses: Losses) -> str:
    """Return the result in one line."""
    rate = losses.millipoints[ALL]
    return (
        f"{losses.agent}: {rate.mean:.2f} millipoints per decision, 95% interval {rate.low:.2f} to "
        f"{rate.high:.2f} ({rate.samples:,} decisions, judged by {losses.reference})"
    )


HEADER = ("", "decisions", "millipoints", "95% interval", "best play", "blunders")


def rows(losses: Losses) -> Iterator[tuple[str, ...]]:
    """Give the cells of each line of the table, in all first, then by kind."""
    for kind, rate in losses.millipoints.items():
        yield (
            kind,
            f"{rate.samples:,}",
            f"{rate.mean:.2f}",
            f"± {rate.margin:.2f}",
            f"{losses.share_of_best(kind):.1%}",
            f"{losses.share_of_blunders(kind):.1%}",
        )


def losses_table(losses: Losses) -> Table:
    """Return the rates by kind of position."""
    table = Table(
        title=f"{losses.agent}, judged by {losses.reference}",
        caption=f"a blunder costs {1000 * BLUNDER:.0f} millipoints or more",
    )
    for name in HEADER:
        table.add_column(name, justify="right" if name else "left")
    for row in rows(losses):
        table.add_row(*row)
    return table


def write_mistakes(losses: Losses, path: Path, count: int = WORST) -> None:
    """Write a self-contained HTML page with the table and pictures of the worst plays."""
    write_atomically(path, mistakes_page(losses, count))


def mistakes_page(losses: Losses, count: int = WORST) -> str:
    """Return the page."""
    title = escape(f"Worst plays of {losses.agent}")
    sections = "\n".join(_section(mistake) for mistake in losses.worst(count))
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{escape(headline(losses))}</p>\n"
        f"{_html_table(losses)}\n{sections}\n</html>\n"
    )


def _html_table(losses: Losses) -> str:
    lines = ["".join(f"<th>{escape(name)}</th>" for name in HEADER)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows(losses)]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _section(mistake: Mistake) -> str:
    played, best = mistake.played, mistake.best
    die1, die2 = played.dice
    pictures = (
        (f"{die1}-{die2} to play", draw_position(played.position, played.dice)),
        (f"played {played}", draw_play(played)),
        (f"best {best}", draw_play(best)),
    )
    figures = "".join(
        f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        for caption, svg in pictures
    )
    what = f"{1000 * mistake.loss:.0f} millipoints, {mistake.kind}, {played.position.position_id}"
    return f"<section><h2>{escape(what)}</h2>{figures}</section>"
