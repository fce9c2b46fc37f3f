"""Paired matches: the fair and precise way to compare two players.

Every roll sequence is played twice with the seats swapped, which takes out most of the luck of the
dice. The two games of a pair are not independent, so all intervals come from the pairs.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from agents.lanes import GameRecord, Lanes
from agents.luck import LuckJudge
from agents.match_log import MatchLog, Settings
from agents.match_result import MatchResult, Side
from agents.referee import ILLEGAL, Illegal
from gammon_env.agent import Agent, ValueAgent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON, Variant

__all__ = ["LANES", "MatchInterrupted", "MatchResult", "Side", "play_match"]

LANES = 512
"""Games in progress at once, so that each player is asked about some 250 decisions a call."""


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a match.

    Attributes:
        played: how many games had ended.
        result: of the pairs of which both had.
    """

    def __init__(self, played: int, result: MatchResult) -> None:
        super().__init__(f"stopped after {played} games")
        self.played, self.result = played, result


def _ignore(_: GameRecord) -> None:
    """Do nothing when a game ends."""


def play_match(
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int = 0,
    variant: Variant = BACKGAMMON,
    *,
    lanes: int = LANES,
    on_game: Callable[[GameRecord], object] = _ignore,
    max_plies: int | None = None,
    illegal: Illegal = "raise",
    luck_by: ValueAgent | None = None,
    log: Path | None = None,
) -> MatchResult:
    """Play a paired match: games 2k and 2k + 1 share the dice, the seats swapped.

    Rolls that leave no choice are played without asking, and are not counted as decisions.

    Args:
        agent: the player whose points are counted; in seat 0 in even games.
        opponent: the other; may be the same object.
        games: how many, an even number.
        seed: decides all dice and random words.
        variant: the game.
        lanes: games in progress at once. It changes the speed, never the result.
        on_game: called with each game as it ends, for progress bars; first with those in the log.
        max_plies: a game that has taken so many rolls is truncated. None plays all to their end.
        illegal: "raise" stops the match at an error or an illegal play; "forfeit" lets the player
            that made it lose the most that the game can cost.
        luck_by: judges the luck of every roll, for `MatchResult.luck_adjusted`. None leaves it out.
        log: a file to which each game is appended as it ends. The games that it holds already are
            not played again, so an interrupted match goes on, and a longer one begins where a
            shorter one ended.

    Raises:
        GammonError: for numbers that make no match, players of another variant, the log of another
            match, or an illegal play.
        MatchInterrupted: after Ctrl-C, with what was played.
    """
    players = (agent, opponent) if luck_by is None else (agent, opponent, luck_by)
    _check(players, games, seed, variant, lanes, max_plies, illegal)
    settings = Settings.of(agent, opponent, seed, variant, max_plies, illegal, luck_by)
    judge = None if luck_by is None else LuckJudge(luck_by)
    with MatchLog(log, settings) as kept:
        ended: dict[int, GameRecord] = {r.game: r for r in kept.records if r.game < games}
        result = partial(_result, settings, variant, ended)
        for record in ended.values():
            on_game(record)
        try:
            for record in Lanes(
                (agent, opponent),
                [game for game in range(games) if game not in ended],
                seed,
                lanes,
                variant,
                max_plies=max_plies,
                illegal=illegal,
                judge=judge,
            ):
                kept.append(record)
                ended[record.game] = record
                on_game(record)
        except KeyboardInterrupt:
            raise MatchInterrupted(len(ended), result()) from None
    return result()


def _result(settings: Settings, variant: Variant, ended: dict[int, GameRecord]) -> MatchResult:
    names = settings.agent, settings.opponent
    return MatchResult.of(names, variant, settings.seed, ended.values(), settings.luck_by)


def _check(
    players: Sequence[Agent],
    games: int,
    seed: int,
    variant: Variant,
    lanes: int,
    max_plies: int | None,
    illegal: Illegal,
) -> None:
    if games < 4 or games % 2:
        raise GammonError(f"a paired match has an even number of games, at least 4, not {games}")
    if seed < 0:
        raise GammonError(f"a seed is 0 or more, not {seed}")
    if lanes < 1:
        raise GammonError(f"a match needs at least 1 lane, not {lanes}")
    if max_plies is not None and max_plies < 1:
        raise GammonError(f"games are truncated after 1 roll or more, not {max_plies}")
    if illegal not in ILLEGAL:
        raise GammonError(f"illegal is one of {', '.join(ILLEGAL)}, not {illegal!r}")
    for player in players:
        if player.variant != variant:
            raise GammonError(f"{player.name} plays {player.variant.name}, not {variant.name}")
