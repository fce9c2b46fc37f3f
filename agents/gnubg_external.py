"""The program GNU Backgammon as a player, over the socket that it calls `external`.

Where the program is installed (Debian and Ubuntu: `apt install gnubg`) it needs no Python package,
looks ahead faster than gnubg-nn, and is a second opinion about our adapter to that. A question is
the position in the format of the FIBS server, the answer a play as text.
"""

import os
import shutil
import socket
import subprocess
import time
import weakref
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.errors import GammonError
from gammon_env.position import Dice, Position
from gammon_env.rules.board import BAR, OFF
from gammon_env.rules.variant import BACKGAMMON, Variant

PLACES = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
"""Where the program is looked for. Debian keeps games in folders that root's PATH leaves out."""

SECONDS_TO_START = 30.0
SECONDS_TO_ANSWER = 300.0

# Cubeless, for money, gammons counting whatever the cube: what everything here measures.
SETTINGS = """\
set jacoby off
set threads 1
set evaluation chequerplay evaluation plies {plies}
set evaluation chequerplay evaluation cubeful off
set evaluation chequerplay evaluation noise 0
external {address}
"""


class GnubgExternalAgent(BatchAgent):
    """Plays what the program GNU Backgammon plays, which is started with the agent.

    Args:
        variant: backgammon; the program is asked about no other game.
        plies: how far it looks ahead, with its own filters of moves.

    Attributes:
        program: the running program; `program.close()` ends it before the agent is forgotten.

    Raises:
        GammonError: for another variant, or where the program is not installed or does not answer.
    """

    def __init__(self, variant: Variant = BACKGAMMON, plies: int = 2) -> None:
        self.name = f"gnubg-external-{plies}ply"
        if variant != BACKGAMMON:
            raise GammonError(f"{self.name} plays {BACKGAMMON.name}, not {variant.name}")
        super().__init__(variant)
        self.program = Program(plies)

    def select(self, decisions: Decisions) -> Choices:
        """Ask the program about one decision after another.

        Raises:
            GammonError: naming the position and dice, if it gives no legal play or no answer.
        """
        choices = [self._select(decisions, i) for i in range(len(decisions))]
        return np.array(choices, np.int64)

    def _select(self, decisions: Decisions, index: int) -> int:
        position, dice = decisions.question(index)
        try:
            answer = self.program.ask(fibs_board(position, dice))
            play = position.parse_play(answer, dice)
        except GammonError as error:
            where = decisions.describe(index)
            raise GammonError(f"{self.name} failed at {where}: {error}") from error
        found = decisions.find(index, play.afterstate.board)
        if found is None:
            raise GammonError(f"{self.name} returned {play} at {decisions.describe(index)}")
        return found


class Program:
    """A running GNU Backgammon that answers questions until it is closed or forgotten.

    Args:
        plies: how far it looks ahead.

    Raises:
        GammonError: if it is not installed, or does not start.
    """

    def __init__(self, plies: int) -> None:
        command = [find_program(), "--tty", "--quiet", "--no-rc"]
        folder = TemporaryDirectory(prefix="gnubg-")
        self._output = Path(folder.name) / "output"
        address = str(Path(folder.name) / "socket")
        with self._output.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": folder.name, "LC_ALL": "C"},  # it writes at home
            )
        self.close = weakref.finalize(self, _stop, process, folder)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # one that has ended already is told of below
            process.stdin.write(SETTINGS.format(plies=plies, address=address).encode())
            process.stdin.flush()
        self._socket = self._connected(process, address)
        self._answers = self._socket.makefile("r")

    def ask(self, question: str) -> str:
        """Return the answer to one question, a line each.

        Raises:
            GammonError: if the program has ended or takes too long.
        """
        try:
            self._socket.sendall(f"{question}\n".encode())
            answer = self._answers.readline()
        except OSError as error:
            raise GammonError(f"gnubg does not answer: {error}") from error
        if not answer:
            raise GammonError(f"gnubg has ended: {self._last_words()}")
        return answer.strip()

    def _connected(self, process: subprocess.Popen[bytes], address: str) -> socket.socket:
        """Connect once the program listens, which it says only by listening."""
        deadline = time.monotonic() + SECONDS_TO_START
        while process.poll() is None and time.monotonic() < deadline:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(address)
            except OSError:
                connection.close()
                time.sleep(0.02)
            else:
                connection.settimeout(SECONDS_TO_ANSWER)
                weakref.finalize(self, connection.close)
                return connection
        last_words = self._last_words()
        self.close()
        raise GammonError(f"gnubg does not listen on its external socket: {last_words}")

    def _last_words(self) -> str:
        if not self._output.exists():
            return "it said nothing"
        return self._output.read_text(errors="replace").strip()[-300:] or "it said nothing"


def find_program() -> str:
    """Return the path of the program.

    Raises:
        GammonError: if it is not installed.
    """
    found = shutil.which("gnubg", path=PLACES)
    if found is None:
        raise GammonError(
            "the program gnubg is not installed; Debian and Ubuntu have it as package gnubg "
            "(apt install gnubg). The agents gnubg-0ply to gnubg-2ply do without it"
        )
    return found


def fibs_board(position: Position, dice: Dice) -> str:
    """Return a roll of an unlimited game as FIBS writes it, the player on roll moving downwards.

    Points run from the opponent's bar (0) to the own bar (25), the opponent's checkers negative.
    """
    own, theirs = position.board.astype(int)
    points = [0, *own[: BAR + 1]]
    for index in range(BAR + 1):
        points[BAR - index] -= theirs[index]
    on_roll, direction, home, bar = 1, -1, 0, 25
    # Both may double: from a player who may not, gnubg takes dice for an answer to a double.
    cube = 1, 1, 1, 0
    fields = (
        *(0, 0, 0),  # match length and score
        *points,
        *(on_roll, *dice, *dice),
        *cube,
        *(on_roll, direction, home, bar),
        *(own[OFF], theirs[OFF], own[BAR], theirs[BAR]),
        *(len(dice), 0, 0),
    )
    return "board:own:opponent:" + ":".join(str(int(field)) for field in fields)


def _stop(process: subprocess.Popen[bytes], folder: TemporaryDirectory[str]) -> None:
    process.terminate()
    process.communicate()
    folder.cleanup()
