"""Where the games of a vector environment start, and where their dice come from."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from gammon_env.envs.lane_arrays import Flags
from gammon_env.envs.start import dice_key
from gammon_env.errors import GammonError
from gammon_env.rules.turn import COUNTER, FIRST, KEY

Seeds = int | Sequence[int | None] | None
Streams = npt.NDArray[np.uint64]


def checked_mask(mask: Any, lanes: int) -> Flags:
    """Return the lanes that the option "reset_mask" names; None names all.

    Raises:
        GammonError: if it is no mask of the lanes, or an empty one.
    """
    if mask is None:
        return np.ones(lanes, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (lanes,):
        given = f"{mask.dtype}{list(mask.shape)}" if isinstance(mask, np.ndarray) else repr(mask)
        raise GammonError(f"option reset_mask is a numpy array bool[{lanes}], not {given}")
    if not mask.any():
        raise GammonError("option reset_mask names no lane; leave it out to reset all")
    return mask.copy()


def checked_seeds(seeds: Seeds, lanes: int) -> list[int | None]:
    """Return the seed of each lane: seed + i, or the one given for it; None goes on.

    Raises:
        GammonError: if there is not one for each lane.
    """
    if seeds is None:
        return [None] * lanes
    if isinstance(seeds, Integral):
        return [int(seeds) + lane for lane in range(lanes)]
    if not isinstance(seeds, Sequence) or len(seeds) != lanes:
        raise GammonError(f"seed is a number, {lanes} numbers, or None; not {seeds!r}")
    return list(seeds)


def streams(
    present: Streams | None, entering: Flags, seeds: Seeds, generator: np.random.Generator
) -> Streams:
    """Return the dice to come in every lane.

    A seeded lane begins the stream that a single environment of that seed begins. Others go on in
    theirs; where there is none yet, its key is drawn from the generator.

    Args:
        present: uint64[N, 3], None before the first games.
        entering: the lanes where a game begins.
        seeds: see `checked_seeds`.
        generator: of keys that no seed decides.
    """
    lanes = len(entering)
    coming = np.zeros((lanes, 3), np.uint64) if present is None else present.copy()
    if present is None:
        coming[:, KEY] = generator.integers(2**64, dtype=np.uint64, size=lanes)
    coming[entering, FIRST] = coming[entering, COUNTER]
    for lane, seed in enumerate(checked_seeds(seeds, lanes)):
        if seed is not None and entering[lane]:
            coming[lane] = dice_key(seeding.np_random(seed)[0]), 0, 0
    return coming
