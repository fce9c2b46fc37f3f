"""The README keeps what it promises: its examples run, and the names in it exist."""

import pydoc
import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
NAMES = sorted(set(re.findall(r"gammon_env(?:\.[A-Za-z_]\w*)+", TEXT)))


def test_there_are_examples_and_names() -> None:
    assert len(EXAMPLES) >= 2
    assert NAMES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_an_example_runs(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_example_of_an_opening_says_what_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = [text for text in EXAMPLES if "# 8/5 6/5" in text]
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-1] == "8/5 6/5"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_exists(name: str) -> None:
    assert pydoc.locate(name) is not None
