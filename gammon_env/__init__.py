"""Backgammon as a Gymnasium environment with exact rules.

Importing this package registers the environment ids and nothing else: the names below are imported
when first used, and kernels are compiled when first called.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from gammon_env import batch
    from gammon_env.agent import Agent, BatchAgent, ValueAgent, load_agent
    from gammon_env.decision import Decisions
    from gammon_env.errors import GammonError
    from gammon_env.game import GameState
    from gammon_env.position import CheckerMove, Outcome, Play, Position
    from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, NARDY, Variant

__all__ = [
    "BACKGAMMON",
    "HYPERGAMMON",
    "NARDY",
    "Agent",
    "BatchAgent",
    "CheckerMove",
    "Decisions",
    "GameState",
    "GammonError",
    "Outcome",
    "Play",
    "Position",
    "ValueAgent",
    "Variant",
    "batch",
    "load_agent",
]

_MODULES = {
    "agent": ("Agent", "BatchAgent", "ValueAgent", "load_agent"),
    "decision": ("Decisions",),
    "errors": ("GammonError",),
    "game": ("GameState",),
    "position": ("CheckerMove", "Outcome", "Play", "Position"),
    "rules.variant": ("BACKGAMMON", "HYPERGAMMON", "NARDY", "Variant"),
}
_HOME = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name == "batch":
        return import_module(f"{__name__}.batch")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, also those not imported yet."""
    return sorted({*globals(), *__all__})


for _game in ("Backgammon", "Hypergammon", "Nardy"):
    gymnasium.register(
        id=f"gammon_env/{_game}-v0",
        entry_point="gammon_env.envs.backgammon_env:BackgammonEnv",
        vector_entry_point="gammon_env.envs.vector_env:BackgammonVectorEnv",
        kwargs={"variant": _game.lower()},
    )
