"""The value network, as it learns and as it plays.

The network reads the "value" features of a position and gives the outcome chances of the player on
roll. It learns as a torch module; it plays as a `FastNetwork`, the same weights laid out for the
compiled forward in `agents.forward`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Self

import numpy as np
import torch
from torch import nn

from agents.forward import MAX_COUNT, MAX_HEADS, FastNetwork, Floats
from gammon_env.errors import GammonError
from gammon_env.observation import encode, get_encoder
from gammon_env.rules.bearoff import load_tables
from gammon_env.rules.board import WIDTH
from gammon_env.rules.variant import BACKGAMMON, Variant


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

    @classmethod
    def from_state(cls, state: Mapping[str, torch.Tensor]) -> Self:
        """Return the network whose `state_dict` this is."""
        weights = [tensor for name, tensor in state.items() if name.endswith("weight")]
        hidden = [layer.shape[0] for layer in weights[:-1]]
        network = cls(weights[0].shape[1], hidden, weights[-1].shape[0])
        network.load_state_dict(state)
        return network

    @property
    def inputs(self) -> int:
        """How many features it reads."""
        return int(self.parts()[0][0].shape[1])

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


def grown(network: ValueNetwork, hidden: Sequence[int], inputs: int | None = None) -> ValueNetwork:
    """Return a larger network that gives the same chances.

    New units read at random and are not listened to yet; a new last layer copies the one before it.

    Args:
        network: it stays as it is.
        hidden: width of each hidden layer, none smaller than before; there may be more of them.
        inputs: how many features it reads; None for as many as before. New ones come after the old.

    Raises:
        GammonError: if a layer would shrink, or a new one is narrower than the one it copies.
    """
    old = network.hidden
    least = [*old, *[old[-1]] * (len(hidden) - len(old))]
    if len(hidden) < len(old) or any(a < b for a, b in zip(hidden, least, strict=True)):
        raise GammonError(f"hidden layers {old} can grow but not shrink; {list(hidden)} does")
    larger = ValueNetwork(inputs or network.inputs, hidden, network.parts()[-1][0].shape[0])
    copies = [(np.eye(old[-1], dtype=np.float32), np.zeros(old[-1], np.float32))]
    layers = [*network.parts()[:-1], *copies * (len(hidden) - len(old)), network.parts()[-1]]
    for (weights, bias), (old_weights, old_bias) in zip(larger.parts(), layers, strict=True):
        rows, columns = old_weights.shape
        weights[:rows, columns:] = 0
        weights[:rows, :columns], bias[:rows] = old_weights, old_bias
    return larger


def fast(network: ValueNetwork, variant: Variant = BACKGAMMON) -> FastNetwork:
    """Return the fast copy of a network as it is now."""
    encoder = get_encoder("value", variant)
    (first, bias), *later = [(weights.T, bias) for weights, bias in network.parts()]
    sizes = np.array([len(bias), *(len(bias) for _, bias in later)], np.int64)
    first = np.array(first, order="C")
    with np.errstate(over="ignore", invalid="ignore"):  # learning that diverged is told elsewhere
        points = count_features(variant) @ first[: encoder.looked_up]
    whole = first[encoder.looked_up :].ravel()
    padding = (0, MAX_HEADS - int(sizes[-1]))
    heads, heads_bias = later.pop()
    later.append((np.pad(heads, ((0, 0), padding)), np.pad(heads_bias, padding)))
    dense = np.concatenate([part.ravel() for layer in later for part in layer])
    layers = points.ravel(), whole, bias.copy(), sizes, dense
    return FastNetwork(*layers, encoder.number, *load_tables())


@lru_cache
def count_features(variant: Variant) -> Floats:
    """Return what each count of checkers on each place of a board adds to the features looked up.

    Returns:
        float32[2 x 26 x 16, looked up], by side, index and count.
    """
    boards = np.zeros((2, WIDTH, MAX_COUNT, 2, WIDTH), np.int8)
    for side in range(2):
        for index in range(WIDTH):
            boards[side, index, :, side, index] = np.arange(MAX_COUNT)
    features = encode(boards.reshape(-1, 2, WIDTH), "value", variant)
    return np.ascontiguousarray(features[:, : get_encoder("value", variant).looked_up])
