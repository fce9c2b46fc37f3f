"""Players: what an agent is, and how one is found by its name.

An agent is asked about many decisions at once, because that is how networks are fast; `choose`
answers for one position. A user's own player may be as little as a function of a position and the
dice that returns a play; `load_agent` makes an agent of it.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gammon_env.decision import Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Play, Position
from gammon_env.rules.dice import random_word, stream_key
from gammon_env.rules.variant import BACKGAMMON, Variant, checked_variant

__all__ = [
    "Agent",
    "BatchAgent",
    "Choices",
    "Decisions",
    "FunctionAgent",
    "PlayFunction",
    "ValueAgent",
    "ask",
    "load_agent",
]

ENTRY_POINTS = "gammon_env.agents"
"""The entry-point group in which distributions register agents.

An entry point is an agent, a function `(position, dice) -> Play`, or a class or factory that is
called with the variant. A factory with a parameter `version` also answers to names like NAME@2; it
is then given the text after the @. One whose name begins with a dot opens the files with that
suffix: it is called with the path and the variant.
"""

PlayFunction = Callable[[Position, tuple[int, int]], Play]


class Agent(Protocol):
    """A player of one variant."""

    @property
    def name(self) -> str:
        """What reports call the player."""

    @property
    def variant(self) -> Variant:
        """The game it plays."""

    def select(self, decisions: Decisions) -> Choices:
        """Return int64[N]: for each decision the number of the play, from 0, within its own."""

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        """Return the play for one position and roll."""


class ValueAgent(Agent, Protocol):
    """A player that also judges positions."""

    def outcomes(self, boards: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Return float32[N, heads]: the outcome chances of the player on roll of each board."""


class BatchAgent(ABC):
    """Base for agents that answer in batches: they write `select` and are given `choose`.

    Args:
        variant: the game to play.
        seed: where the agent's own random words begin. Only `choose` uses them, one a call; in
            `select` the words come with the decisions.
    """

    name: str = "agent"

    def __init__(self, variant: Variant = BACKGAMMON, seed: int = 0) -> None:
        self.variant = variant
        self._stream = np.uint64(stream_key(np.uint64(seed), np.uint64(0)))
        self._calls = 0

    @abstractmethod
    def select(self, decisions: Decisions) -> Choices:
        """Return int64[N]: for each decision the number of the play, from 0, within its own."""

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        """Return the play for one position and roll.

        Raises:
            GammonError: if the roll is a forced pass.
        """
        word = random_word(self._stream, np.uint64(self._calls))
        self._calls += 1
        choice = ask(self, Decisions.single(position, dice, int(word)))
        return position.legal_plays(dice)[int(choice[0])]


class FunctionAgent:
    """A player made of a function that returns the play for one position and roll."""

    def __init__(self, function: PlayFunction, name: str, variant: Variant = BACKGAMMON) -> None:
        self.choose, self.name, self.variant = function, name, variant

    def select(self, decisions: Decisions) -> Choices:
        """Ask the function about one decision after another.

        Raises:
            GammonError: naming the position and dice, if it fails or returns no legal play.
        """
        return np.array([self._select(decisions, i) for i in range(len(decisions))], np.int64)

    def _select(self, decisions: Decisions, index: int) -> int:
        try:
            play = self.choose(*decisions.question(index))
        except Exception as error:
            where = decisions.describe(index)
            raise GammonError(f"agent {self.name} failed at {where}: {error!r}") from error
        found = decisions.find(index, play.afterstate.board) if isinstance(play, Play) else None
        if found is None:
            legal = f"expected one of the {decisions.counts[index]} of Position.legal_plays"
            where = decisions.describe(index)
            raise GammonError(f"agent {self.name} returned {play!s} at {where}; {legal}")
        return found


def ask(agent: Agent, decisions: Decisions) -> Choices:
    """Return the agent's choices, checked.

    Raises:
        GammonError: if it does not return a legal number for every decision; names the position
            and dice.
    """
    choices = np.asarray(agent.select(decisions))
    if choices.shape != (len(decisions),) or choices.dtype.kind not in "iu":
        raise GammonError(
            f"agent {agent.name} returned {choices.dtype}{list(choices.shape)} for a batch that "
            f"begins with {decisions.describe(0)}; expected int64[{len(decisions)}]"
        )
    wrong = np.flatnonzero((choices < 0) | (choices >= decisions.counts))
    if len(wrong):
        index = wrong[0]
        raise GammonError(
            f"agent {agent.name} returned play {choices[index]} at {decisions.describe(index)}; "
            f"expected 0 to {decisions.counts[index] - 1}"
        )
    return choices.astype(np.int64, copy=False)


def load_agent(name: str | PathLike[str], variant: Variant = BACKGAMMON) -> Agent:
    """Return the agent of that name.

    Args:
        name: a registered name ("random", "level-3"), one version of such a player ("level-3@1"),
            "module:name" for one of your own (an agent, a class or
            factory that takes the variant, or a function `(position, dice) -> Play`), or the path
            of a checkpoint.
        variant: the game it is to play.

    Raises:
        GammonError: if there is no such agent, or it does not play this variant.
    """
    if not isinstance(name, str | PathLike):
        raise GammonError(f"an agent is loaded by its name or path, not {name!r}")
    checked_variant(variant)
    name = str(name)
    registered = entry_points(group=ENTRY_POINTS)
    suffix, (base, _, version) = Path(name).suffix, name.partition("@")
    if name in registered.names and not name.startswith("."):
        agent = _agent_of(_loaded(registered[name]), name, variant)
    elif suffix in registered.names:
        agent = _loaded(registered[suffix])(Path(name), variant)
    elif version and base in registered.names:
        factory = _of_version(_loaded(registered[base]), base, version)
        agent = _agent_of(factory, name, variant)
    elif ":" in name:
        agent = _agent_of(_imported(name), name, variant)
    else:
        raise _unknown(name, registered.names)
    for attribute in ("name", "variant"):
        if not hasattr(agent, attribute):
            raise GammonError(f"agent {name} has no {attribute}; see gammon_env.Agent")
    if agent.variant != variant:
        raise GammonError(f"agent {name} plays {agent.variant.name}, not {variant.name}")
    return agent


def _unknown(name: str, registered: Collection[str]) -> GammonError:
    """Return what to say of a name that stands for no agent."""
    inside = [path for path in sorted(Path(name).glob("*")) if path.suffix in registered]
    if inside and name:
        return GammonError(f"{name!r} is a folder; did you mean {str(inside[0])!r}?")
    known = sorted(known for known in registered if not known.startswith("."))
    return GammonError(
        f"no agent is called {name!r}; there are: {', '.join(known)}, module:name for your own, "
        "or the path of a checkpoint"
    )


def _loaded(registered: EntryPoint) -> Any:
    try:
        return registered.load()
    except ImportError as error:
        raise GammonError(
            f"agent {registered.name} can't be loaded: {error}; "
            "pip install 'gammon-env[agents]' brings what our players need"
        ) from error


def _of_version(found: Any, name: str, version: str) -> Callable[[Variant], Any]:
    """Return the factory of one version of a player."""
    if not callable(found) or "version" not in inspect.signature(found).parameters:
        raise GammonError(f"agent {name} has no versions; leave out @{version}")
    return partial(found, version=version)


def _imported(name: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise GammonError(f"agent {name!r} can't be imported as module:name: {error}") from error


def _agent_of(found: Any, name: str, variant: Variant) -> Agent:
    """Make an agent of what a name stands for."""
    if hasattr(found, "choose") and not isinstance(found, type):
        agent: Agent = found if hasattr(found, "select") else _adapted(found.choose, name, variant)
        return agent
    if not callable(found):
        kind = type(found).__name__
        raise GammonError(f"{name} is a {kind}; expected an agent, a class or a function")
    if isinstance(found, type) or not _is_play_function(found):
        return _agent_of(_built(found, name, variant), name, variant)
    return _adapted(found, name, variant)


def _built(factory: Callable[[Variant], Any], name: str, variant: Variant) -> Any:
    try:
        return factory(variant)
    except GammonError:
        raise
    except Exception as error:
        raise GammonError(f"agent {name} can't be made for {variant.name}: {error!r}") from error


def _is_play_function(function: Callable[..., Any]) -> bool:
    """Tell `(position, dice)` from a factory, which has at most one parameter without default."""
    parameters = inspect.signature(function).parameters.values()
    return sum(p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD for p in parameters) == 2


def _adapted(function: PlayFunction, name: str, variant: Variant) -> Agent:
    return FunctionAgent(function, name, variant)
