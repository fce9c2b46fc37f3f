"""What the distribution promises: its names, its version, and how light the environment is."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENTS = [
    Requirement(text)
    for group in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for text in group
]


@pytest.mark.parametrize("target", PROJECT["entry-points"]["gammon_env.agents"].values())
def test_every_registered_player_exists(target: str) -> None:
    module, _, name = target.partition(":")
    assert callable(getattr(import_module(module), name))


def test_citation_names_the_version_of_the_distribution() -> None:
    assert f"version: {PROJECT['version']}" in (ROOT / "CITATION.cff").read_text().splitlines()


@pytest.mark.parametrize("wanted", REQUIREMENTS, ids=str)
def test_every_pin_lies_in_the_range_that_the_distribution_asks_for(wanted: Requirement) -> None:
    if wanted.name == PROJECT["name"]:
        assert wanted.extras <= PROJECT["optional-dependencies"].keys()
    else:
        assert wanted.specifier.contains(_pins()[canonicalize_name(wanted.name)], prereleases=True)


@pytest.mark.parametrize("heavy", ["torch", "agents", "numba"])
def test_importing_the_environment_does_not_import(heavy: str) -> None:
    program = f"import sys, gammon_env; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def _pins() -> dict[str, str]:
    lines = (ROOT / ".constraints.txt").read_text().splitlines()
    pins = (line.split("==") for line in lines if not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pins}
