"""Where a game starts: the options of `reset`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.rules.dice import checked_dice
from gammon_env.rules.variant import Variant

OPTIONS = ("state", "position", "dice")

NO_KEY = 0
"""The key of a `GameState` made by hand, whose dice nobody has drawn a stream for."""


def start_game(
    variant: Variant, options: Mapping[str, Any], seat: int | None, caller: int | None
) -> tuple[GameState, int]:
    """Return the game that the options of `reset` describe.

    Args:
        variant: the game of the environment.
        options: any of "state" and "position" (one of them), and "dice".
        seat: the seat that starts, None where nothing says so.
        caller: the seat of the caller who plays one, None where the caller plays both.

    Returns:
        The game, with the dice thrown only if they were given; and 1 if those were a forced pass.

    Raises:
        GammonError: naming the option that is wrong and what would be right.
    """
    if not isinstance(options, Mapping):
        known = ", ".join(OPTIONS)
        raise GammonError(f"options is a dictionary with any of {known}, not {options!r}")
    unknown = [key for key in options if key not in OPTIONS]
    if unknown:
        raise GammonError(f"reset has no option {unknown[0]!r}; options: {', '.join(OPTIONS)}")
    if "state" in options and "position" in options:
        raise GammonError("reset takes a state or a position, not both")
    if "state" in options:
        game = _from_state(options["state"], variant)
        if caller is not None:
            game.seat_player_on_roll(caller)
    elif "position" in options:
        game = _from_position(options["position"], variant)
        game.seat_player_on_roll(caller if caller is not None else seat or 0)
    else:
        game = GameState(variant)
    return game, _put_dice(game, options, seat)


def dice_key(generator: np.random.Generator) -> int:
    """Draw the key of a new stream of dice."""
    return int(generator.integers(2**64, dtype=np.uint64))


def check_undecided(over: bool) -> None:
    """Refuse a start from which the game ends before the caller has anything to decide.

    Raises:
        GammonError: if it is over.
    """
    if over:
        raise GammonError(
            "the game ended before the caller had a decision; start from an earlier position, or "
            "with other dice"
        )


def _from_state(state: Any, variant: Variant) -> GameState:
    if not isinstance(state, GameState):
        raise GammonError(f"option state is a GameState, not {state!r}")
    _check_variant("state", state.variant, variant)
    if state.is_over:
        raise GammonError("option state: the game is over in it; use set_state to look at it")
    return state.clone()


def _from_position(position: Any, variant: Variant) -> GameState:
    if not isinstance(position, Position):
        raise GammonError(f"option position is a Position, not {position!r}")
    _check_variant("position", position.variant, variant)
    return GameState.from_position(position)


def _check_variant(option: str, given: Variant, variant: Variant) -> None:
    if given != variant:
        raise GammonError(
            f"option {option} is of {given.name}; this environment plays {variant.name}"
        )


def _put_dice(game: GameState, options: Mapping[str, Any], seat: int | None) -> int:
    """Put given dice on the table; return how many forced passes that took."""
    if "dice" not in options:
        return 0
    opening = game.phase == "opening"
    passed = not game.roll(checked_dice(options["dice"]))
    if opening and seat is not None:
        game.seat_player_on_roll(seat)
    return int(passed)
