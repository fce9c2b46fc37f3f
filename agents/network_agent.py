"""The player that leaves the opponent the position its network judges worst."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from agents.checkpoint import NAME, load_checkpoint
from agents.files import digest
from agents.forward import FastNetwork, evaluate
from agents.network import fast
from gammon_env.agent import BatchAgent, Choices, Decisions
from gammon_env.batch import checked_boards
from gammon_env.errors import GammonError
from gammon_env.rules.board import Board
from gammon_env.rules.jit import kernel
from gammon_env.rules.variant import BACKGAMMON, Variant

Floats = npt.NDArray[np.float32]


class NetworkAgent(BatchAgent):
    """Plays the afterstate with the least equity for the next player; the first of equals.

    Args:
        network: see `agents.network.fast`.
        name: what reports call it.
        variant: the game it was trained for.
        identity: what tells its weights from others in reports; see `agents.match_log`.
        scout: the small network that learned beside it, if there is one; it takes no part in play.
    """

    def __init__(
        self,
        network: FastNetwork,
        name: str = "network",
        variant: Variant = BACKGAMMON,
        identity: str | None = None,
        scout: FastNetwork | None = None,
    ) -> None:
        super().__init__(variant)
        self.network, self.scout = network, scout
        self.name, self.identity = name, identity

    def select(self, decisions: Decisions) -> Choices:
        """Return int64[N]: the play that leaves the next player the least equity."""
        choices = np.empty(len(decisions), np.int64)
        weights = np.asarray(self.variant.weights, np.float32)
        outcomes = self._judged(decisions.afterstates)
        _least(outcomes, weights, decisions.offsets, choices)
        return choices

    def outcomes(self, boards: Board) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], of boards int8[N, 2, 26].

        A finished game has its exact outcome.

        Raises:
            GammonError: naming the first board that is impossible.
        """
        return self._judged(checked_boards(boards, self.variant))

    def _judged(self, boards: Board) -> Floats:
        out = np.empty((len(boards), len(self.variant.heads)), np.float32)
        evaluate(boards, self.network, out)
        return out


@kernel
def _least(
    outcomes: Floats, weights: Floats, offsets: npt.NDArray[np.int64], choices: Choices
) -> None:
    """Write the number of each decision's afterstate with the least equity."""
    for i in range(len(choices)):
        lowest = np.float32(np.inf)
        choices[i] = 0
        for j in range(offsets[i], offsets[i + 1]):
            equity = np.float32(0)
            for h in range(len(weights)):
                equity += weights[h] * outcomes[j, h]
            if equity < lowest:
                lowest = equity
                choices[i] = j - offsets[i]


def open_checkpoint(path: Path, variant: Variant = BACKGAMMON) -> NetworkAgent:
    """Return the player of a training checkpoint.

    Raises:
        GammonError: if there is no checkpoint, it is damaged, or it plays another variant.
    """
    checkpoint = load_checkpoint(path)
    if checkpoint.variant != variant:
        raise GammonError(f"{path} plays {checkpoint.variant.name}, not {variant.name}")
    file = path / NAME if path.is_dir() else path
    scout = fast(checkpoint.scout, variant) if checkpoint.scout else None
    return NetworkAgent(fast(checkpoint.network, variant), str(path), variant, digest(file), scout)
