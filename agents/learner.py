"""A network and the optimiser that teaches it: one step on one minibatch."""

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from agents.network import ValueNetwork
from gammon_env.errors import GammonError

Tensors = dict[str, torch.Tensor]


class Learner:
    """Teaches a network by Adam to give the chances of the positions it is shown.

    Args:
        network: it learns in place.

    Attributes:
        precision: what the layers are multiplied in, float32 or bfloat16; weights and their sums
            stay float32.
    """

    def __init__(self, network: ValueNetwork) -> None:
        self.network = network
        self.precision = torch.float32
        self.optimiser = torch.optim.Adam(network.parameters(), fused=True)

    def set_rate(self, rate: float) -> None:
        """Set Adam's learning rate."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def step(self, features: torch.Tensor, targets: torch.Tensor) -> float:
        """Take one step.

        Args:
            features: float32[N, n]; a network of fewer inputs reads the first ones.
            targets: float32[N, heads], chances.

        Returns:
            The cross-entropy before the step, in nats, summed over positions and heads.
        """
        with torch.autocast("cpu", self.precision, enabled=self.precision != torch.float32):
            logits = self.network(features[:, : self.network.inputs]).float()
        summed = binary_cross_entropy_with_logits(logits, targets, reduction="sum")
        self.optimiser.zero_grad()
        torch.autograd.backward(summed / len(features))
        self.optimiser.step()
        return summed.item()

    def is_finite(self) -> bool:
        """Say whether all weights are still finite."""
        return all(bool(torch.isfinite(p).all()) for p in self.network.parameters())

    def moments(self) -> Tensors:
        """Return Adam's state, named by parameter."""
        state = self.optimiser.state
        return {
            f"{name}.{key}": value
            for name, parameter in self.network.named_parameters()
            for key, value in state[parameter].items()
        }

    def restore(self, moments: Tensors) -> None:
        """Go on with a state that `moments` gave after a step.

        Raises:
            GammonError: naming the part that is missing or of another shape.
        """
        for name, parameter in self.network.named_parameters():
            shapes = {"step": (), "exp_avg": parameter.shape, "exp_avg_sq": parameter.shape}
            for key, shape in shapes.items():
                moment = moments.get(f"{name}.{key}")
                if moment is None or moment.shape != shape:
                    raise GammonError(
                        f"the checkpoint lacks Adam's {key} of {name}: its network can play, "
                        "but learning can't go on from it"
                    )
                self.optimiser.state[parameter][key] = moment
