"""Analysis of one position: its plays ranked by what an agent thinks of them."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.lookahead import LookAhead
from agents.report import Figure, Report, Table, provenance, publish
from agents.td_lambda import swap_of
from gammon_env.agent import Agent, Decisions, ValueAgent, ask, load_agent
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.play import Dice, Play
from gammon_env.position import Position
from gammon_env.render import ansi, svg
from gammon_env.rules.variant import Variant, get_variant

ANALYSTS = ("level-5", "gnubg-0ply")
"""Who is asked where nobody is named: the first of these that is there."""


@dataclass(frozen=True)
class JudgedPlay:
    """A play and what an agent thinks of it, for the player who makes it.

    Attributes:
        play: the play.
        outcomes: the chances after it, in the order of the variant's heads.
        equity: what it is worth in points.
        chosen: whether the agent would play it.
    """

    play: Play
    outcomes: tuple[float, ...]
    equity: float
    chosen: bool


def judge_plays(agent: ValueAgent, position: Position, dice: Dice) -> list[JudgedPlay]:
    """Return the plays of a roll, the best first; equals in canonical order.

    Raises:
        GammonError: if the agent does not judge positions, or the roll is a forced pass.
    """
    look, decision = LookAhead(agent), Decisions.single(position, dice)
    chosen = int(ask(agent, decision)[0])
    outcomes = swap_of(position.variant)(look.outcomes(decision.afterstates))
    equities = -look.equities(decision.afterstates)
    plays = position.legal_plays(dice)
    judged = [
        JudgedPlay(play, tuple(outcomes[i].tolist()), float(equities[i]), i == chosen)
        for i, play in enumerate(plays)
    ]
    return sorted(judged, key=lambda play: -play.equity)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what an analysis takes."""
    group = parser.add_argument_group("analysis of a position")
    group.add_argument("--position", metavar="ID", help="a position ID of GNU Backgammon")
    group.add_argument("--dice", type=_dice, metavar="31", help="the roll to be played")


def _dice(text: str) -> Dice:
    """Read a roll: "31" or "3-1"."""
    match = re.fullmatch(r"([1-6])-?([1-6])", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no roll; write two dice such as 31 or 3-1")
    return int(match[1]), int(match[2])


def run(options: argparse.Namespace, argv: Sequence[str]) -> int:
    """Analyse the position that the options name, print and save the result."""
    if options.dice is None:
        raise GammonError("an analysis takes a position and a roll: --position ID --dice 31")
    variant = get_variant(options.variant)
    position = Position.from_id(options.position, variant)
    agent = analyst(options.agent, variant)
    judged = judge_plays(cast(ValueAgent, agent), position, options.dice)
    about = provenance(argv, [agent])
    publish(position_report(agent, position, options.dice, judged, about), options)
    return 0


def analyst(name: str | None, variant: Variant) -> Agent:
    """Return the agent of that name, or the first of `ANALYSTS` that is there.

    Raises:
        GammonError: if there is none.
    """
    for known in ANALYSTS if name is None else (name,):
        try:
            return load_agent(known, variant)
        except GammonError:
            if name is not None:
                raise
    raise GammonError("name an agent that judges positions: --agent NAME")


def position_report(
    agent: Agent,
    position: Position,
    dice: Dice,
    judged: Sequence[JudgedPlay],
    about: dict[str, Any],
) -> Report:
    """Return the report of an analysis."""
    game = GameState.from_position(position)
    game.roll(dice)
    rolled, best = f"{dice[0]}-{dice[1]}", judged[0]
    return Report(
        title=f"Position {position.position_id}, {rolled} to play",
        summary=f"{agent.name} likes {best.play} best: equity {best.equity:+.4f}",
        data=_as_dict(agent, position, dice, judged),
        provenance=about,
        tables=[_plays_table(agent, position.variant, judged)],
        notes=["Equity in points, cubeless; g: gammons or better, bg: backgammons; ✓: its play."],
        figures=[Figure(f"{rolled} to play", svg.draw_position(position, dice))],
        drawing=ansi.draw(game),
    )


def _plays_table(agent: Agent, variant: Variant, judged: Sequence[JudgedPlay]) -> Table:
    heads = [
        head.replace("backgammon", "bg").replace("gammon", "g").replace("_", " ")
        for head in variant.heads
    ]
    best = judged[0].equity
    rows = [
        (
            f"{rank}. {judgement.play}{' ✓' if judgement.chosen else ''}",
            f"{judgement.equity:+.4f}",
            f"{judgement.equity - best:+.4f}" if judgement.equity < best else "",
            *(f"{chance:.1%}" for chance in judgement.outcomes),
        )
        for rank, judgement in enumerate(judged, start=1)
    ]
    return Table(f"Plays as {agent.name} judges them", ("", "equity", "behind", *heads), rows)


def _as_dict(
    agent: Agent, position: Position, dice: Dice, judged: Sequence[JudgedPlay]
) -> dict[str, Any]:
    return {
        "position": position.position_id,
        "variant": position.variant.name,
        "dice": list(dice),
        "agent": agent.name,
        "plays": [
            {
                "play": str(judgement.play),
                "afterstate": judgement.play.afterstate.position_id,
                "equity": judgement.equity,
                "outcomes": dict(zip(position.variant.heads, judgement.outcomes, strict=True)),
                "chosen": judgement.chosen,
            }
            for judgement in judged
        ],
    }
