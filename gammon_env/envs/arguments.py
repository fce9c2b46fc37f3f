"""What the arguments of an environment may be, for one game and for many."""

from numbers import Integral

from gymnasium.vector import AutoresetMode

from gammon_env.envs.lane_arrays import DISABLED, NEXT_STEP, SAME_STEP
from gammon_env.errors import GammonError
from gammon_env.rules.variant import Variant, checked_variant, get_variant

ILLEGAL_ACTIONS = ("forfeit", "raise")
AUTORESETS = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}


def check_arguments(illegal_action: str, max_turns: int | None, render_mode: str | None) -> None:
    """Refuse arguments that no environment takes.

    Raises:
        GammonError: naming the argument that is wrong and what it may be.
    """
    if illegal_action not in ILLEGAL_ACTIONS:
        raise GammonError(f"illegal_action is forfeit or raise, not {illegal_action!r}")
    if max_turns is not None and not (isinstance(max_turns, Integral) and max_turns >= 1):
        raise GammonError(f"max_turns is None or a whole number of at least 1, not {max_turns!r}")
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
    if not (isinstance(count, Integral) and count >= 1):
        raise GammonError(f"{name} is a whole number of at least 1, not {count!r}")
    return count


def named_variant(variant: str | Variant) -> Variant:
    """Return a variant, or the one of that name.

    Raises:
        GammonError: if it is neither.
    """
    return get_variant(variant) if isinstance(variant, str) else checked_variant(variant)
