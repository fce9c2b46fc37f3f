"""What the arguments of an environment may be, for one game and for many."""

from gymnasium.vector import AutoresetMode

from gammon_env.errors import GammonError

ILLEGAL_ACTIONS = ("forfeit", "raise")


def check_arguments(illegal_action: str, max_turns: int | None, render_mode: str | None) -> None:
    """Refuse arguments that no environment takes.

    Raises:
        GammonError: naming the argument that is wrong and what it may be.
    """
    if illegal_action not in ILLEGAL_ACTIONS:
        raise GammonError(f"illegal_action is forfeit or raise, not {illegal_action!r}")
    if max_turns is not None and max_turns < 1:
        raise GammonError(f"max_turns is None or at least 1, not {max_turns}")
    if render_mode not in (None, "ansi", "rgb_array"):
        raise GammonError(f"render_mode is None, ansi or rgb_array, not {render_mode!r}")


def checked_autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the autoreset mode of that name.

    Raises:
        GammonError: if there is none.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(known.value for known in AutoresetMode)
        raise GammonError(f"autoreset_mode is one of {names}, not {mode!r}") from None


def checked_count(name: str, count: int) -> int:
    """Return how many there are to be of something.

    Raises:
        GammonError: if it is not at least one.
    """
    if count < 1:
        raise GammonError(f"{name} is at least 1, not {count}")
    return count
