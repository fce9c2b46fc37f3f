"""The log of a match: each game as it ends, so that a match survives whatever stops it.

One JSON object a line: first what is played, then the games. A line is whole once its newline is
written; a last line without one was torn by the end of its process and is dropped, so its game is
played again. Games are a function of the seed and their number, so a match that goes on ends like
one that was never stopped.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from agents.lanes import GameRecord
from gammon_env.agent import Agent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import Variant

try:
    import fcntl
except ImportError:  # Windows keeps a file that is open for writing from others by itself
    fcntl = None  # type: ignore[assignment]

FORMAT = 1

_TUPLES = ("decisions", "seconds")


@dataclass(frozen=True)
class Settings:
    """What the games of a match depend on; how many there are changes none of them.

    Attributes:
        agent: name of the player whose points are counted.
        agent_identity: what its weights are, None where it has none; see `identity_of`.
        opponent: name of the other.
        opponent_identity: the same of it.
        variant: name of the game.
        seed: of all dice.
        max_plies: rolls after which a game is truncated.
        illegal: what an error or an illegal play does.
        luck_by: name of who judges the luck.
        luck_by_identity: what its weights are.
    """

    agent: str
    agent_identity: str | None
    opponent: str
    opponent_identity: str | None
    variant: str
    seed: int
    max_plies: int | None
    illegal: str
    luck_by: str | None
    luck_by_identity: str | None

    @classmethod
    def of(
        cls,
        agent: Agent,
        opponent: Agent,
        seed: int,
        variant: Variant,
        max_plies: int | None,
        illegal: str,
        luck_by: Agent | None,
    ) -> "Settings":
        """Return the settings of a match."""
        return cls(
            agent.name,
            identity_of(agent),
            opponent.name,
            identity_of(opponent),
            variant.name,
            seed,
            max_plies,
            illegal,
            None if luck_by is None else luck_by.name,
            None if luck_by is None else identity_of(luck_by),
        )


def identity_of(agent: Agent) -> str | None:
    """Return what tells an agent's weights from others, None where it has none.

    That is its attribute `identity`, which is no part of the protocol: the SHA-256 of its file.
    """
    identity: str | None = getattr(agent, "identity", None)
    return identity


class MatchLog:
    """The games of a match in a file. While it is open no other process can log there.

    Args:
        path: the file; it is made where there is none. None keeps nothing.
        settings: of the match.

    Attributes:
        records: the games that it held already.

    Raises:
        GammonError: if the file is the log of another match or no log, is damaged, or can't be
            opened. It is left as it was.
    """

    def __init__(self, path: Path | None, settings: Settings) -> None:
        self.path = path
        self.records: tuple[GameRecord, ...] = ()
        self._file: BinaryIO | None = None
        if path is None:
            return
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise GammonError(f"the log {path} can't be opened: {error}") from error
        try:
            self._lock()
            self.records = self._go_on(settings)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        """Return the log itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def append(self, record: GameRecord) -> None:
        """Write a game; it is in the hands of the system when this returns."""
        self._write(asdict(record))

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()

    def _lock(self) -> None:
        if fcntl is None:
            return
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise GammonError(f"another process is playing the match of {self.path}") from error

    def _go_on(self, settings: Settings) -> tuple[GameRecord, ...]:
        """Read what is there, and leave the file ready for the next game."""
        assert self._file is not None
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        head = {"format": FORMAT, **asdict(settings)}
        if not whole and not json.dumps(head).encode().startswith(content):
            raise GammonError(f"{self.path} is no log of a match; name a new file")
        lines = content[:whole].splitlines()
        records = tuple(self._records(lines, head))
        self._file.truncate(whole)
        if not lines:
            self._write(head)
        return records

    def _records(self, lines: list[bytes], head: dict[str, Any]) -> Iterator[GameRecord]:
        entries = [self._entry(number, line) for number, line in enumerate(lines, start=1)]
        if entries:
            self._compare(entries[0], head)
        for number, entry in enumerate(entries[1:], start=2):
            try:
                pairs = {name: tuple(entry[name]) for name in _TUPLES}
                yield GameRecord(**{**entry, **pairs})
            except (KeyError, TypeError) as error:
                raise GammonError(f"line {number} of {self.path} is no game: {error}") from error

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        with suppress(ValueError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                return entry
        raise GammonError(f"line {number} of {self.path} is damaged: {line[:60]!r}")

    def _compare(self, found: dict[str, Any], head: dict[str, Any]) -> None:
        """Refuse the log of another match.

        Raises:
            GammonError: naming every difference.
        """
        if "format" not in found:
            raise GammonError(f"{self.path} is no log of a match; name a new file")
        names = ["format", *(field.name for field in fields(Settings))]
        differences = [
            f"its {name.replace('_', ' ')} is {found.get(name)}, not {head[name]}"
            for name in names
            if found.get(name) != head[name]
        ]
        if differences:
            raise GammonError(
                f"{self.path} is the log of another match: {'; '.join(differences)}. "
                "Name another file, or go on with the match that it belongs to"
            )
