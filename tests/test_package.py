"""The package: its public names, and how little importing it does."""

import subprocess
import sys

import pytest

import gammon_env


@pytest.mark.parametrize("name", gammon_env.__all__)
def test_every_public_name_is_there(name: str) -> None:
    value = getattr(gammon_env, name)
    assert name in dir(gammon_env)
    if hasattr(value, "__module__"):
        assert value.__module__.startswith("gammon_env")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="'gammon_env' has no attribute 'NoSuchName'"):
        _ = gammon_env.NoSuchName


def test_importing_registers_and_compiles_nothing() -> None:
    code = (
        "import sys, gammon_env, gymnasium\n"
        "assert 'gammon_env/Backgammon-v0' in gymnasium.registry\n"
        "assert not {'numba', 'torch', 'agents'} & set(sys.modules)\n"
        "gammon_env.Position.start()\n"
        "from gammon_env.rules import backgammon, turn\n"
        "assert not backgammon.legal_plays.signatures and not turn.advance.signatures\n"
        "assert not {'torch', 'agents'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
