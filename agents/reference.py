"""References: stronger judges that say what a play gave away.

A reference judges all plays of a decision quickly, then the promising ones and the one that was
made slowly. What it judges slowly decides: the loss is the best of these less the play that was
made. Any slow judge serves: GNU Backgammon's look-ahead, our own, or rollouts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from agents.gnubg_agent import GNUBG_AGENTS
from agents.lookahead import Filter, LookAhead
from agents.losses import TIE, Doubles
from agents.recording import ends_of
from agents.replies import Floats, Ints, least, narrow
from agents.rollout import roll_out
from agents.search import SearchAgent
from gammon_env.agent import Choices, Decisions, ValueAgent, load_agent
from gammon_env.errors import GammonError
from gammon_env.rules.board import OFF, Board
from gammon_env.rules.variant import BACKGAMMON, Variant

Judge = Callable[[Board], npt.NDArray[np.floating]]
"""Returns the equity of the player on roll of each board; finished games are among them."""

PROMISING = Filter(8, 0.16)
"""The plays that are judged slowly besides the one that was made."""

ROLLOUT = "rollout:"
"""What the name of a reference that rolls out begins with."""


@dataclass(frozen=True)
class Reference:
    """A judge of decisions.

    Attributes:
        name: what reports call it.
        quick: judges all plays.
        slow: judges the ones that stay.
        promising: which plays stay, as the quick judge sees them.
    """

    name: str
    quick: Judge
    slow: Judge
    promising: Filter = PROMISING

    def judge(self, decisions: Decisions, choices: Choices) -> tuple[Choices, Doubles]:
        """Return the best play of each decision, and how many points worse the choice is."""
        begins = decisions.offsets[:-1]
        kept, offsets = self._kept(decisions, choices)
        equity = np.asarray(self.slow(decisions.afterstates[kept]), np.float32)
        best = np.empty(len(decisions), np.int64)
        least(equity, offsets, best)  # an afterstate is judged as the next player sees it
        chosen = np.searchsorted(kept, begins + choices)
        points = equity[chosen].astype(np.float64) - equity[best]
        points[points < TIE] = 0
        return np.where(points > 0, kept[best] - begins, choices), points

    def _kept(self, decisions: Decisions, choices: Choices) -> tuple[Ints, Ints]:
        """Return the promising plays and the choices in order, and each decision's offsets."""
        equity = np.asarray(self.quick(decisions.afterstates), np.float32)
        plays = np.full(len(decisions), self.promising.plays)
        kept, offsets = np.empty(len(equity), np.int64), np.empty_like(decisions.offsets)
        count = narrow(equity, decisions.offsets, plays, self.promising.within, kept, offsets)
        kept = np.union1d(kept[:count], decisions.offsets[:-1] + choices)
        owners = np.searchsorted(decisions.offsets, kept, side="right") - 1
        return kept, ends_of(np.bincount(owners, minlength=len(decisions)))


def gnubg_reference(plies: int = 2, promising: Filter = PROMISING) -> Reference:
    """Return GNU Backgammon's look-ahead as a reference, through gnubg-nn.

    Raises:
        GammonError: if it is not installed.
    """
    quick, slow = GNUBG_AGENTS[min(plies, 1)](), GNUBG_AGENTS[plies]()
    return Reference(slow.name, _equities(quick), _equities(slow), promising)


def search_reference(player: SearchAgent, promising: Filter = PROMISING) -> Reference:
    """Return our own look-ahead, as deep as the player looks, as a reference."""
    look, depth = player.look_ahead, player.depth
    return Reference(
        player.name, look.equities, lambda boards: look.equities(boards, depth), promising
    )


def rollout_reference(
    value: ValueAgent, trials: int, seed: int = 0, promising: Filter = PROMISING
) -> Reference:
    """Return rollouts as a reference.

    Args:
        value: plays and ends the trials; see `agents.rollout.roll_out`.
        trials: of each promising play and the one that was made.
        seed: decides all dice.
        promising: which plays are promising.
    """
    look = LookAhead(value)

    def rolled(boards: Board) -> Floats:
        equity = look.equities(
            boards
        )  # exact where the game is over, which no trial can start from
        playing = np.flatnonzero(~_over(boards))
        if len(playing):
            ends = roll_out(boards[playing], value, trials=trials, seed=seed)
            equity[playing] = [ends.equity(i).mean for i in range(len(playing))]
        return equity

    return Reference(f"rollouts of {value.name}, {trials} trials", look.equities, rolled, promising)


def load_reference(name: str, variant: Variant = BACKGAMMON, trials: int = 324) -> Reference:
    """Return the reference of that name.

    Args:
        name: "gnubg-0ply" to "gnubg-2ply", NAME.2ply of any agent that judges positions, or
            "rollout:NAME" for rollouts by one.
        variant: the game.
        trials: of each rollout.

    Raises:
        GammonError: if there is no such agent, it does not judge positions, or plays another game.
    """
    for plies, kind in enumerate(GNUBG_AGENTS):
        if name == kind.name and variant == BACKGAMMON:
            return gnubg_reference(plies)
    agent = load_agent(name.removeprefix(ROLLOUT), variant)
    if not hasattr(agent, "outcomes"):
        raise GammonError(f"{name} does not judge positions: it has no outcomes(boards)")
    if name.startswith(ROLLOUT):
        return rollout_reference(cast(ValueAgent, agent), trials)
    player = agent if isinstance(agent, SearchAgent) else SearchAgent(cast(ValueAgent, agent), 0)
    return search_reference(player)


def _equities(judge: ValueAgent) -> Judge:
    return lambda boards: np.asarray(judge.variant.equity(judge.outcomes(boards)))


def _over(boards: Board) -> npt.NDArray[np.bool_]:
    over: npt.NDArray[np.bool_] = boards[:, :, :OFF].sum(axis=2).min(axis=1) == 0
    return over
