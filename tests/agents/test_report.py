"""Reports: the same result in three forms, none of which needs anything else."""

import json
import re
from argparse import Namespace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agents.network_agent import open_checkpoint
from agents.random_agent import RandomAgent
from agents.report import Figure, Report, Table, check_targets, provenance, publish
from agents.search import SearchAgent
from agents.trainer import Trainer
from gammon_env.errors import GammonError
from tests.agents.networks import short_run

REPORT = Report(
    title="<me> against you|all",
    summary="+1.000 & counting",
    data={"seed": 7, "points": [1, -1]},
    provenance=provenance(["--agent", "a b"], [RandomAgent()]),
    tables=[Table("Points", ("", "mine|yours"), [("won > lost", "1")])],
    notes=["a <note>"],
    figures=[Figure("Curve", '<svg xmlns="http://www.w3.org/2000/svg"/>')],
    drawing="a board",
)
VOID = {"meta"}


class Page(HTMLParser):
    """Keeps the words of a page, and checks that its elements are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name in ("src", "href") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_holds_everything_and_fetches_nothing() -> None:
    text = REPORT.as_html()
    page = Page(text)
    assert not page.links
    assert not re.search(r"url\(|@import|<script|<link", text)
    assert {"<me> against you|all", "+1.000 & counting", "a <note>", "Curve"} <= set(page.words)
    assert {"mine|yours", "won > lost", "7", REPORT.provenance["command"]} <= set(page.words)
    assert REPORT.figures[0].svg in text


def test_markdown_tables_survive_what_is_in_the_cells() -> None:
    text = REPORT.as_markdown()
    assert "|  | mine\\|yours |\n| --- | ---: |\n| won > lost | 1 |" in text
    assert "```\na board\n```" in text
    assert "- a <note>" in text
    assert "| seed | 7 |" in text
    assert "python -m agents.evaluate --agent 'a b'" in text


def test_json_holds_the_numbers_and_where_they_come_from() -> None:
    data = json.loads(REPORT.as_json())
    assert data["points"] == [1, -1]
    assert data["command"] == "python -m agents.evaluate --agent 'a b'"
    assert {"python", "numpy", "revision"} <= set(data["versions"])
    assert data["weights"] == {}


def test_weights_are_known_by_the_hash_of_their_file(tmp_path: Path) -> None:
    trainer = Trainer(short_run(tmp_path, games=16))
    path = trainer.save()
    trainer.close()
    expected = sha256(path.read_bytes()).hexdigest()
    agent = open_checkpoint(path)
    assert provenance([], [agent])["weights"] == {str(path): expected}
    assert open_checkpoint(path.parent).identity == expected
    assert SearchAgent(agent, 1).identity == expected


def test_three_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = Namespace(json=tmp_path / "numbers.json", report=tmp_path / "v1.2")
    check_targets(options)
    publish(REPORT, options)
    for name, content in (
        ("numbers.json", REPORT.as_json()),
        ("v1.2.json", REPORT.as_json()),
        ("v1.2.md", REPORT.as_markdown()),
        ("v1.2.html", REPORT.as_html()),
    ):
        assert (tmp_path / name).read_text() == content
        assert f"report: {tmp_path / name}" in capsys.readouterr().out or name != "numbers.json"
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(
    ("target", "message"),
    [("none/league", "there is no folder none"), (".", "is a folder; name the report")],
)
def test_a_report_needs_a_place(target: str, message: str) -> None:
    with pytest.raises(GammonError, match=message):
        check_targets(Namespace(json=None, report=Path(target)))
