"""How kernels are compiled: cached, announced, and never stale."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gammon_env.rules import jit

COUNT_PIPS = """
import sys
import numpy as np
from gammon_env.rules.board import pip_count
row = np.zeros(26, np.int8)
row[23] = 2
print(pip_count(row), sum(pip_count.stats.cache_hits.values()))
"""
LINE = "gammon_env: compiling kernels once, about 10 s\n"


def run(program: str, cache: Path, **environment: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), **environment}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )


def test_compiling_is_announced_once_and_loading_is_not(tmp_path: Path) -> None:
    first, second = run(COUNT_PIPS, tmp_path), run(COUNT_PIPS, tmp_path)
    assert (first.stdout, first.stderr) == ("48 0\n", LINE)
    assert (second.stdout, second.stderr) == ("48 1\n", "")


def test_what_others_compile_is_not_announced(tmp_path: Path) -> None:
    program = "import gammon_env.rules.jit, numba\nprint(numba.njit(lambda x: x + 1)(2))"
    ran = run(program, tmp_path)
    assert (ran.stdout, ran.stderr) == ("3\n", "")


def test_without_the_compiler_there_is_nothing_to_announce(tmp_path: Path) -> None:
    program = COUNT_PIPS.replace(", sum(pip_count.stats.cache_hits.values())", "")
    ran = run(program, tmp_path, NUMBA_DISABLE_JIT="1")
    assert (ran.stdout, ran.stderr) == ("48\n", "")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "constants.py").write_text("ANSWER = 42\n")
    (tmp_path / "unused.py").write_text("ANSWER = 42\n")
    (tmp_path / "some.py").write_text(
        "from x.constants import ANSWER\n\n@kernel\ndef one():\n    return ANSWER\n"
    )
    (tmp_path / "lean.py").write_text("@lean_kernel\ndef two():\n    return 2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "matters"), [("some", True), ("lean", True), ("constants", True), ("unused", False)]
)
def test_the_folder_changes_with_what_kernels_are_made_from(
    sources: Path, file: str, matters: bool
) -> None:
    before = jit._digest(sources)
    path = sources / f"{file}.py"
    path.write_text(path.read_text().replace("2", "3"))
    path.write_text(path.read_text() + "# changed\n")
    assert (jit._digest(sources) != before) == matters


def test_a_change_in_this_package_matters_to_kernels_elsewhere(sources: Path) -> None:
    assert jit._digest(sources) != jit._digest(jit._CORE)


@jit.kernel
def doubled(values: np.ndarray) -> np.ndarray:
    out = np.empty_like(values)
    for i in range(len(values)):
        out[i] = 2 * values[i]
    return out


@jit.lean_kernel
def row_sums(rows: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(rows)):
        row = rows[i]
        out[i] = 0
        for value in row:
            out[i] += value


@pytest.mark.small
def test_kernels_with_and_without_arrays_of_their_own() -> None:
    rows = np.arange(12).reshape(3, 4)
    out = np.zeros(3, np.int64)
    row_sums(rows, out)
    assert out.tolist() == [6, 22, 38]
    assert doubled(out).tolist() == [12, 44, 76]
