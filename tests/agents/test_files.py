from pathlib import Path

import pytest

from agents.files import write_atomically


@pytest.mark.parametrize("content", ["first\n", b"\x00\xff"])
def test_the_content_is_what_was_given(tmp_path: Path, content: str | bytes) -> None:
    target = tmp_path / "file"
    write_atomically(target, content)
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.json"
    write_atomically(target, "old")

    def full_disk(descriptor: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
