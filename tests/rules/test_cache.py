"""Arrays in the user's cache folder: kept, checked, and never trusted when they are damaged."""

import os

import numpy as np
import pytest

from gammon_env.rules import cache
from gammon_env.rules.cache import cache_root, cached_arrays

pytestmark = pytest.mark.small


class Builder:
    """Builds the same arrays every time, and counts."""

    def __init__(self):
        self.built = 0

    def __call__(self):
        self.built += 1
        return {"squares": np.arange(100) ** 2, "halves": np.arange(10, dtype=np.float32) / 2}


@pytest.fixture
def root(tmp_path, monkeypatch):
    folder = tmp_path / "gammon_env"
    monkeypatch.setattr(cache, "cache_root", lambda: folder)
    return folder


@pytest.fixture
def build():
    return Builder()


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.py"
    path.write_text("version 1")
    return path


@pytest.fixture
def load(root, build, source):
    """Return a function that loads the arrays and checks them against those that are built."""

    def load_and_check():
        arrays = cached_arrays("numbers", [source], build)
        expected = Builder()()
        assert arrays.keys() == expected.keys()
        for name, array in arrays.items():
            assert array.dtype == expected[name].dtype
            assert np.array_equal(array, expected[name])
        return arrays

    return load_and_check


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"NUMBA_CACHE_DIR": "/numba", "XDG_CACHE_HOME": "/xdg"}, "/numba/gammon_env"),
        ({"XDG_CACHE_HOME": "/xdg", "HOME": "/home/me"}, "/xdg/gammon_env"),
        ({"HOME": "/home/me"}, "/home/me/.cache/gammon_env"),
    ],
)
def test_where_the_folder_is(variables, folder, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_root().as_posix() == folder


def test_arrays_are_built_once_with_one_line_on_stderr(load, build, root, capsys):
    load()
    load()
    assert build.built == 1
    assert [file.name for file in root.iterdir()] == ["numbers.arrays"]
    line = capsys.readouterr().err
    assert line.startswith("gammon_env: built numbers.arrays in ")
    assert line.count("\n") == 1


def test_arrays_are_read_only_whether_built_or_read(load):
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            load()["squares"][0] = 1


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="cut short"),
        pytest.param(lambda content: content[:10], id="cut short in the checksum"),
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: content + b"0", id="too long"),
        pytest.param(lambda content: b"0" + content[1:], id="checksum"),
        pytest.param(lambda content: content[:-1] + b"0", id="last byte"),
        pytest.param(lambda content: content[:400] + b"0" + content[401:], id="a number"),
    ],
)
def test_a_damaged_file_is_built_anew(damage, load, build, root):
    load()
    file = root / "numbers.arrays"
    content = file.read_bytes()
    assert damage(content) != content
    file.write_bytes(damage(content))
    load()
    assert build.built == 2
    assert file.read_bytes() == content


def test_a_file_of_other_sources_is_built_anew(load, build, source):
    load()
    source.write_text("version 2")
    load()
    assert build.built == 2


def test_a_folder_that_cannot_be_made_costs_one_warning(load, build, root):
    root.write_text("not a folder")
    with pytest.warns(UserWarning, match="is not writable") as warnings:
        load()
    load()  # would fail on a second warning
    assert len(warnings) == 1
    assert build.built == 2


def test_a_write_that_fails_leaves_nothing_behind(load, build, root, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", fail)
        with pytest.warns(UserWarning, match="disk full"):
            load()
    assert not list(root.iterdir())
    load()
    assert build.built == 2
    assert [file.name for file in root.iterdir()] == ["numbers.arrays"]
