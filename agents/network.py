"""The value network, as it learns and as it plays.

The network reads the "value" features of a position and gives the outcome chances of the player on
roll. It learns as a torch module; it plays as a `FastNetwork`, the same weights laid out for the
compiled forward in `agents.forward`.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.forward import MAX_COUNT, MAX_HEADS, Floats, evaluate
from gammon_env.observation import (
    PIPS_SCALE,
    POINT_UNITS,
    SIDE_SIZE,
    VALUE_SIZE,
    point_unit,
)
from gammon_env.rules.board import BAR, OFF, WIDTH, Board
from gammon_env.rules.jit import kernel


class ValueNetwork(nn.Module):
    """Rectified hidden layers, and the outcome chances as logits.

    Args:
        inputs: features of a position.
        hidden: width of each hidden layer.
        heads: outcome chances.
    """

    def __init__(self, inputs: int, hidden: Sequence[int], heads: int) -> None:
        super().__init__()
        sizes = [inputs, *hidden, heads]
        self.layers = nn.ModuleList(
            nn.Linear(width, next_width) for width, next_width in pairwise(sizes)
        )

    @property
    def hidden(self) -> list[int]:
        """Width of each hidden layer."""
        return [weights.shape[0] for weights, _ in self.parts()][:-1]

    def parts(self) -> list[tuple[Floats, Floats]]:
        """Return weights float32[out, in] and bias float32[out] of each layer, not copied."""
        tensors = [parameter.detach().numpy() for parameter in self.parameters()]
        return list(zip(tensors[::2], tensors[1::2], strict=True))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return logits float32[N, heads] of the chances of the player on roll."""
        for layer in self.layers[:-1]:
            features = torch.relu(layer(features))
        logits: torch.Tensor = self.layers[-1](features)
        return logits


class FastNetwork(NamedTuple):
    """A frozen copy of a `ValueNetwork` for the compiled forward.

    Attributes:
        points: float32[2 x 26 x 16 x width], what `n` checkers on an index of a side add.
        extras: float32[7 x width], the first layer's rows of the features of a whole side
            (rearmost, home points, blocked ahead; own, then opposing) and of contact.
        bias: float32[width] of the first layer.
        sizes: int64[layers + 1], widths from the first hidden layer to the heads.
        dense: float32[...], the later layers one after another: weights [in, out], then bias [out].
    """

    points: Floats
    extras: Floats
    bias: Floats
    sizes: npt.NDArray[np.int64]
    dense: Floats

    def outcomes(self, boards: Board) -> Floats:
        """Return the chances of the player on roll, float32[N, heads], of boards int8[N, 2, 26]."""
        out = np.empty((len(boards), self.sizes[-1]), np.float32)
        evaluate(boards, *self, out)
        return out


def fast(network: ValueNetwork) -> FastNetwork:
    """Return the fast copy of a network as it is now."""
    (first, bias), *later = [(weights.T, bias) for weights, bias in network.parts()]
    sizes = np.array([len(bias), *(len(bias) for _, bias in later)], np.int64)
    points = np.zeros((2, WIDTH, MAX_COUNT, len(bias)), np.float32)
    extras = np.empty((7, len(bias)), np.float32)
    _fill_tables(np.ascontiguousarray(first), points, extras)
    padding = (0, MAX_HEADS - int(sizes[-1]))
    heads, heads_bias = later.pop()
    later.append((np.pad(heads, ((0, 0), padding)), np.pad(heads_bias, padding)))
    dense = np.concatenate([part.ravel() for layer in later for part in layer])
    return FastNetwork(points.ravel(), extras.ravel(), bias.copy(), sizes, dense)


@kernel
def _fill_tables(weights: Floats, points: Floats, extras: Floats) -> None:
    for side in range(2):
        start = side * SIDE_SIZE
        bar = start + 24 * POINT_UNITS
        for count in range(1, MAX_COUNT):
            for index in range(24):
                for unit in range(POINT_UNITS):
                    value = np.float32(point_unit(unit, count))
                    points[side, index, count] += (
                        value * weights[start + index * POINT_UNITS + unit]
                    )
            for index in range(BAR + 1):
                pips = np.float32(count * (index + 1)) * PIPS_SCALE
                points[side, index, count] += pips * weights[bar + 2]
            points[side, BAR, count] += np.float32(count / 2) * weights[bar]
            points[side, OFF, count] += np.float32(count / 15) * weights[bar + 1]
        extras[side * 3 : side * 3 + 3] = weights[bar + 3 : bar + 6]
    extras[6] = weights[VALUE_SIZE - 1]
