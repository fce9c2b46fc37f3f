from pathlib import Path

import pytest

from tests.benchmarks import __main__ as benchmarks


def test_a_part_replaces_its_own_section_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "RESULTS.md"
    monkeypatch.setattr(benchmarks, "RESULTS", results)
    for title, section in (("Soak", "a\n\nb\n"), ("Training", "c\n"), ("Soak", "d\n\ne\n")):
        benchmarks.record(title, section)
    benchmarks.record("Generation, one core", "f\n")
    sections = "## Generation, one core\n\nf\n\n## Soak\n\nd\n\ne\n\n## Training\n\nc\n"
    assert results.read_text() == f"{benchmarks.HEAD}\n{sections}"


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmarks.main(["speed"]) == 2
    assert "no such benchmark: speed; there are: generation" in capsys.readouterr().out
