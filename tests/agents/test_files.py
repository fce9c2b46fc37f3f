import os
from pathlib import Path

import pytest

from agents.files import write_atomically


@pytest.mark.parametrize("content", ["first\n", "zwölf\r\n", "", b"\x00\xff", b""])
def test_the_content_is_what_was_given(tmp_path: Path, content: str | bytes) -> None:
    target = tmp_path / "file"
    write_atomically(target, content)
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [target]


def test_the_new_content_replaces_the_old(tmp_path: Path) -> None:
    target = tmp_path / "file"
    write_atomically(target, "a longer old text")
    write_atomically(target, "new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    target = tmp_path / "report.json"
    write_atomically(target, "old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(call, fail)
    with pytest.raises(type(error)):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_old_file_stands_until_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file"
    write_atomically(target, "old")
    seen = []
    monkeypatch.setattr("os.fsync", lambda _: seen.append(target.read_text()))
    write_atomically(target, "new")
    assert seen == ["old"]


def test_the_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    ordinary, target = tmp_path / "ordinary", tmp_path / "file"
    ordinary.write_text("x")
    write_atomically(target, "x")
    assert target.stat().st_mode == ordinary.stat().st_mode


def test_what_a_killed_process_left_does_not_disturb(tmp_path: Path) -> None:
    target = tmp_path / "file"
    (tmp_path / f".file.{os.getpid()}").write_text("half")
    write_atomically(target, "whole")
    assert target.read_text() == "whole"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "file", "x")
