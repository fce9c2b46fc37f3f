"""What `infos` of a vector environment say: arrays over the lanes, with Gymnasium's masks."""

from typing import Any, NamedTuple

import numpy as np

from gammon_env.batch import PlayPool
from gammon_env.envs.lane_arrays import (
    ACTOR,
    BOTH,
    ILLEGAL,
    PASSES,
    Flags,
    Games,
    Integers,
    Settings,
)
from gammon_env.envs.table import CALLER, Info
from gammon_env.rules.board import Board
from gammon_env.rules.turn import POINTS, SEAT

FLAT = ("afterstates", "offsets", "encoded_afterstates")
"""Keys of arrays that do not have one entry for each lane, and so no mask."""


class Plays(NamedTuple):
    """The plays of all lanes: those of lane i are afterstates[offsets[i]:offsets[i + 1]]."""

    afterstates: Board
    offsets: Integers

    @classmethod
    def joined(cls, pools: list[PlayPool]) -> "Plays":
        """Return copies of the plays in the pools of consecutive parts of the lanes."""
        counts = np.concatenate([np.diff(pool.offsets) for pool in pools])
        return cls(np.concatenate([pool.afterstates for pool in pools]), offsets_of(counts))


def offsets_of(counts: Integers) -> Integers:
    """Return where the plays of each lane begin, and at last where all end."""
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def lane_infos(settings: Settings, games: Games, notes: Integers, plays: Plays | None) -> Info:
    """Return what is to be told of some lanes beside their masks, as new arrays."""
    infos: Info = {
        "to_play": games.numbers[:, SEAT].copy(),
        "actor": notes[:, ACTOR].copy(),
        "passes": notes[:, PASSES].copy(),
        "illegal_action": notes[:, ILLEGAL] != 0,
    }
    if plays is not None:
        infos["num_plays"] = np.diff(plays.offsets)
        infos |= plays._asdict()
    if settings.caller == BOTH:
        points = games.numbers[:, POINTS]
        infos["rewards"] = np.stack([points, -points], axis=1).astype(np.float32)
    else:
        infos["to_play"][:] = CALLER
    return infos


def with_masks(infos: Info, present: Flags) -> Info:
    """Add to each array over lanes the mask `_key` of those that it speaks of."""
    masks = {f"_{key}": present.copy() for key in infos if key not in FLAT}
    return infos | masks


def spread(infos: Info, lanes: Integers, present: Flags) -> Info:
    """Return the infos of some lanes as arrays over all, zero elsewhere.

    Args:
        infos: of the lanes, in order.
        lanes: their numbers.
        present: True for them.
    """
    spread_infos: Info = {}
    for key, value in infos.items():
        if key in FLAT:
            spread_infos[key] = value
        else:
            spread_infos[key] = _spread(value, lanes, len(present))
    if "num_plays" in infos:
        spread_infos["offsets"] = offsets_of(spread_infos["num_plays"])
    return with_masks(spread_infos, present)


def _spread(value: Any, lanes: Integers, total: int) -> Any:
    full = np.zeros((total, *value.shape[1:]), value.dtype)
    full[lanes] = value
    return full
