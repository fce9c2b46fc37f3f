"""What `infos` of a vector environment say: arrays over the lanes, with Gymnasium's masks."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon_env.actions import MAX_PLAYS
from gammon_env.envs.lane_arrays import (
    ACTOR,
    BOTH,
    ILLEGAL,
    PASSES,
    Flags,
    Games,
    Integers,
    Masks,
    Plays,
    Settings,
    offsets_of,
)
from gammon_env.envs.table import CALLER, Info
from gammon_env.observation import encode
from gammon_env.rules.turn import POINTS, SEAT
from gammon_env.rules.variant import Variant

FLAT = ("afterstates", "offsets", "encoded_afterstates")
"""Keys of arrays that do not have one entry for each lane, and so no mask."""


class View(NamedTuple):
    """Lanes as they are shown: with masks where actions are checker moves, else with plays."""

    games: Games
    notes: Integers
    checker_masks: Masks | None
    plays: Plays

    def masks(self) -> npt.NDArray[np.int8]:
        """Return a new int8[N, actions], 1 for each legal action."""
        if self.checker_masks is not None:
            return self.checker_masks.copy()
        counts = np.diff(self.plays.offsets)
        return (np.arange(MAX_PLAYS) < counts[:, np.newaxis]).astype(np.int8)


class Telling(NamedTuple):
    """What infos are to hold of a view.

    Attributes:
        settings: of the compiled step.
        masks: whether to tell which actions are legal.
        encoder: the name of the encoder of afterstates, None for boards only.
        variant: the game.
    """

    settings: Settings
    masks: bool
    encoder: str | None
    variant: Variant

    def infos(self, view: View) -> Info:
        """Return the infos of some lanes, without Gymnasium's masks, as new arrays."""
        numbers, notes = view.games.numbers, view.notes
        infos: Info = {"action_mask": view.masks()} if self.masks else {}
        infos |= {
            "to_play": numbers[:, SEAT].copy(),
            "actor": notes[:, ACTOR].copy(),
            "passes": notes[:, PASSES].copy(),
            "illegal_action": notes[:, ILLEGAL] != 0,
        }
        if view.checker_masks is None:
            infos |= self._of_plays(view.plays)
        if self.settings.caller == BOTH:
            points = numbers[:, POINTS]
            infos["rewards"] = np.stack([points, -points], axis=1).astype(np.float32)
        else:
            infos["to_play"][:] = CALLER
        return infos

    def _of_plays(self, plays: Plays) -> Info:
        infos: Info = {"num_plays": np.diff(plays.offsets), **plays._asdict()}
        if self.encoder is not None:
            encoded = encode(plays.afterstates, self.encoder, self.variant)
            infos["encoded_afterstates"] = encoded
        return infos


def with_masks(infos: Info, present: Flags) -> Info:
    """Add to each array over lanes the mask `_key` of those that it speaks of."""
    return infos | {f"_{key}": present.copy() for key in infos if key not in FLAT}


def spread(infos: Info, lanes: Integers, present: Flags) -> Info:
    """Return the infos of some lanes as arrays over all, zero elsewhere.

    Args:
        infos: of those lanes, in order.
        lanes: their numbers.
        present: True for them.
    """
    everywhere: Info = {}
    for key, value in infos.items():
        everywhere[key] = value
        if key not in FLAT:
            everywhere[key] = np.zeros((len(present), *value.shape[1:]), value.dtype)
            everywhere[key][lanes] = value
    if "offsets" in infos:
        everywhere["offsets"] = offsets_of(everywhere["num_plays"])
    return with_masks(everywhere, present)
