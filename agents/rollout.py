"""Rollouts: what positions are worth, by playing them out many times.

A trial plays some plies and ends with the value function's judgement, or with the exact outcome
where the game ends before. Each roll's luck is taken out as it falls: what the roll made of the
position, less the mean over all 21 rolls, both as judged by the value function. That luck is zero
on average whatever the value function says, so the estimate stays that of the player who plays the
trials; the better the value function, the less of the dice is left in it.
"""

from dataclasses import dataclass

import numpy as np

from agents.lookahead import ALL_PLAYS, Filter, LookAhead
from agents.statistics import Estimate
from agents.trials import Doubles, Table
from gammon_env.agent import Agent, Decisions, ValueAgent
from gammon_env.errors import GammonError
from gammon_env.play import Dice, Play
from gammon_env.position import Position
from gammon_env.rules.board import Board
from gammon_env.rules.variant import Variant

TRIALS = 324
PLIES = 11

LANES = 4096
"""Trials in progress at once. It changes the speed and the memory, never the result."""


@dataclass(frozen=True, eq=False)
class Rollout:
    """The trials of some positions, all from the side of the player on roll there.

    Attributes:
        variant: the game.
        outcomes: float64[N, trials, heads], the end of each trial less its luck.
        unadjusted: the same with the luck left in.
    """

    variant: Variant
    outcomes: Doubles
    unadjusted: Doubles

    @property
    def chances(self) -> Doubles:
        """The mean outcome chances of each position, float64[N, heads]."""
        means: Doubles = self.outcomes.mean(axis=1)
        return means

    def equity(self, index: int) -> Estimate:
        """Return the cubeless equity of one position with its interval."""
        return Estimate.of(self._equities(self.outcomes[index]))

    def difference(self, index: int, other: int) -> Estimate:
        """Return how much more one position is worth than another.

        Trials of one number share their dice, so the interval comes from their differences.
        """
        ours, theirs = self.outcomes[index], self.outcomes[other]
        return Estimate.of(self._equities(ours) - self._equities(theirs))

    def reduction(self, index: int) -> float:
        """Return how many times as many trials the same interval would have taken unadjusted."""
        adjusted = np.var(self._equities(self.outcomes[index]))
        unadjusted = np.var(self._equities(self.unadjusted[index]))
        return float(unadjusted / adjusted) if adjusted else np.inf

    def _equities(self, outcomes: Doubles) -> Doubles:
        equities: Doubles = (outcomes * self.variant.weights).sum(axis=-1) - 1
        return equities


@dataclass(frozen=True)
class RankedPlay:
    """A play and what rollouts say about it, for the player who makes it.

    Attributes:
        play: the play.
        equity: what it is worth.
        behind: how much less that is than the best play's; 0 for the best itself.
    """

    play: Play
    equity: Estimate
    behind: Estimate


def roll_out(
    boards: Board,
    value: ValueAgent,
    *,
    player: Agent | None = None,
    trials: int = TRIALS,
    plies: int | None = PLIES,
    seed: int = 0,
    luck_adjusted: bool = True,
) -> Rollout:
    """Play positions out.

    A position's trials depend on the seed alone, not on the other positions. Trial t of every
    position gets the same dice.

    Args:
        boards: int8[N, 2, 26].
        value: ends the trials and judges the luck.
        player: plays both sides; None for `value` itself. A `SearchAgent` makes better, slower
            trials.
        trials: of each position.
        plies: after how many a trial ends; None plays all games to their end.
        seed: decides all dice and random words.
        luck_adjusted: whether to take the luck out, which takes some twenty times the work a ply.

    Raises:
        GammonError: for numbers that make no rollout, or a player of another game.
    """
    player = value if player is None else player
    _check(value, player, trials, plies, seed)
    table = Table(LookAhead(value), player, seed, luck_adjusted)
    heads = len(value.variant.heads)
    unadjusted, luck = np.zeros((2, len(boards) * trials, heads))
    for begin in range(0, len(unadjusted), LANES):
        lanes = np.arange(begin, min(begin + LANES, len(unadjusted)))
        started = boards[lanes // trials], lanes % trials
        unadjusted[lanes], luck[lanes] = table.play_out(*started, plies)
    shape = len(boards), trials, heads
    adjusted = (unadjusted - luck).reshape(shape)
    return Rollout(value.variant, adjusted, unadjusted.reshape(shape))


def rank_plays(
    position: Position,
    dice: Dice,
    value: ValueAgent,
    *,
    filter_: Filter = ALL_PLAYS,
    player: Agent | None = None,
    trials: int = TRIALS,
    plies: int | None = PLIES,
    seed: int = 0,
) -> list[RankedPlay]:
    """Return the plays of a roll by their rollouts, the best first; equals in canonical order.

    Args:
        position: before the play.
        dice: the roll.
        value: see `roll_out`.
        filter_: which plays are rolled out, as `value` judges them.
        player: see `roll_out`.
        trials: of each play.
        plies: see `roll_out`.
        seed: see `roll_out`.

    Raises:
        GammonError: if the roll is a forced pass, or see `roll_out`.
    """
    decision, look = Decisions.single(position, dice), LookAhead(value)
    kept, _ = look.narrow(
        look.equities(decision.afterstates),
        decision.offsets,
        np.array([filter_.plays]),
        filter_.within,
    )
    rolled = roll_out(
        decision.afterstates[kept], value, player=player, trials=trials, plies=plies, seed=seed
    )
    plays, means = position.legal_plays(dice), [rolled.equity(i).mean for i in range(len(kept))]
    order = [int(i) for i in np.argsort(means, kind="stable")]
    return [
        RankedPlay(plays[kept[i]], _negated(rolled.equity(i)), rolled.difference(i, order[0]))
        for i in order
    ]


def _negated(estimate: Estimate) -> Estimate:
    """Return an equity as the other side sees it."""
    return Estimate(-estimate.mean, estimate.standard_error, estimate.samples)


def _check(value: ValueAgent, player: Agent, trials: int, plies: int | None, seed: int) -> None:
    if trials < 2 or (plies is not None and plies < 1) or seed < 0:
        raise GammonError(
            "a rollout takes at least 2 trials and 1 ply, and a seed of 0 or more, "
            f"not {trials}, {plies} and {seed}"
        )
    if player.variant != value.variant:
        raise GammonError(f"{player.name} plays {player.variant.name}, not {value.variant.name}")
