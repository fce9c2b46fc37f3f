"""Learning by self-play: play games with frozen weights, learn from all their positions, repeat.

Every iteration plays whole games, so no game is ever in flight between two of them, and all its
randomness is a function of the seed and the games counted so far. A resumed run is therefore the
uninterrupted one, bit for bit, on the same machine and torch build, on any number of cores.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from agents.checkpoint import NAME, Checkpoint, Counters, save_checkpoint
from agents.config import TrainingConfig
from agents.network import ValueNetwork, fast
from agents.selfplay import Games, play
from agents.td_lambda import lambda_returns, swap_of
from gammon_env.errors import GammonError
from gammon_env.observation import VALUE, encode
from gammon_env.rules.variant import get_variant

SEED_SPACE = 0
"""The child of a run's SeedSequence that training draws from; matches draw from another."""


@dataclass(frozen=True)
class Report:
    """What one iteration did.

    Attributes:
        loss: mean cross-entropy a position, in nats, summed over the heads.
        learning_rate: Adam's.
        games: played.
        plies: mean length of a game.
        first_mover_wins: share of games won by the side that moved first.
        gammons: share of games won by a gammon or more.
        positions: learned from.
        playing: seconds of self-play.
        encoding: seconds of lambda-returns and features.
        learning: seconds of gradient steps.
    """

    loss: float
    learning_rate: float
    games: int
    plies: float
    first_mover_wins: float
    gammons: float
    positions: int
    playing: float
    encoding: float
    learning: float

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self.playing + self.encoding + self.learning


class Trainer:
    """A training run in progress.

    Args:
        config: what to train.
        checkpoint: where to go on from; None begins with random weights.

    Attributes:
        counters: how far the run has come.
        network: the value network, learning.
    """

    def __init__(self, config: TrainingConfig, checkpoint: Checkpoint | None = None) -> None:
        self.config = config
        self.variant = get_variant(config.variant)
        torch.set_num_threads(
            1
        )  # the order of its sums, and so the weights, must not depend on cores
        training = np.random.SeedSequence(config.seed, spawn_key=(SEED_SPACE,))
        weights, dice, order = training.spawn(3)
        self._dice_seed = int(dice.generate_state(1, np.uint64)[0])
        self._order_key = order.generate_state(2, np.uint64)
        self._swap = swap_of(self.variant)
        self._pool = ThreadPoolExecutor(config.workers)
        self.counters = Counters()
        if checkpoint is None:
            torch.manual_seed(int(weights.generate_state(1)[0]))
            self.network = ValueNetwork(VALUE.size, config.hidden, len(self.variant.heads))
        else:
            _check_same_network(config, checkpoint)
            self.network, self.counters = checkpoint.network, checkpoint.counters
        self.optimiser = torch.optim.Adam(self.network.parameters(), fused=True)
        if checkpoint is not None:
            self._restore(checkpoint.optimiser)

    @property
    def done(self) -> bool:
        """Whether all games have been learned from."""
        return self.counters.games >= self.config.games

    def iterate(self) -> Report:
        """Play the next games and learn from them.

        Raises:
            GammonError: if learning has diverged.
        """
        begin = self.counters.games
        games = range(begin, min(begin + self.config.games_per_iteration, self.config.games))
        t0 = time.perf_counter()
        played = play(
            fast(self.network),
            self._dice_seed,
            games,
            self.variant,
            self._pool,
            self.config.workers,
        )
        t1 = time.perf_counter()
        features, targets = self._examples(played)
        t2 = time.perf_counter()
        loss = self._learn(features, targets)
        self._check_finite()
        t3 = time.perf_counter()
        report = Report(
            loss,
            self.config.learning_rate_at(begin),
            len(games),
            float(played.lengths.mean()),
            float((played.lengths % 2 == 1).mean()),
            float((played.points > 1).mean()),
            len(features),
            t1 - t0,
            t2 - t1,
            t3 - t2,
        )
        self.counters = Counters(
            games.stop,
            self.counters.positions + len(features),
            self.counters.iterations + 1,
            self.counters.seconds + report.seconds,
        )
        return report

    def save(self) -> Path:
        """Write a checkpoint in the run's folder and return its path."""
        path = Path(self.config.run_dir) / NAME
        save_checkpoint(path, self.network, self._moments(), self.config.as_dict(), self.counters)
        return path

    def close(self) -> None:
        """Let go of the worker threads."""
        self._pool.shutdown()

    def _examples(self, games: Games) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features float32[M, inputs] and lambda-returns float32[M, heads]."""
        targets = lambda_returns(
            games.values, games.lengths, games.outcomes, self._swap, self.config.lambda_
        )
        features = encode(games.boards, VALUE.name, self.variant)
        return torch.from_numpy(features), torch.from_numpy(targets)

    def _learn(self, features: torch.Tensor, targets: torch.Tensor) -> float:
        """Take one epoch of gradient steps and return the mean loss."""
        stream = np.random.Philox(key=self._order_key, counter=[0, 0, 0, self.counters.iterations])
        rng = np.random.Generator(stream)
        shuffled = torch.from_numpy(rng.permutation(len(features)))
        rate = self.config.learning_rate_at(self.counters.games)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        total = 0.0
        for rows in torch.split(shuffled, self.config.minibatch):
            logits = self.network(features[rows])
            summed = binary_cross_entropy_with_logits(logits, targets[rows], reduction="sum")
            self.optimiser.zero_grad()
            torch.autograd.backward(summed / len(rows))
            self.optimiser.step()
            total += summed.item()
        return total / len(features)

    def _check_finite(self) -> None:
        if not all(bool(torch.isfinite(p).all()) for p in self.network.parameters()):
            raise GammonError(
                f"learning diverged after {self.counters.games:,} games: the weights are no longer "
                f"finite; lower learning_rate, which is {self.config.learning_rate}"
            )

    def _moments(self) -> dict[str, torch.Tensor]:
        """Return Adam's state, named by parameter."""
        named = self.network.named_parameters()
        state = self.optimiser.state
        return {
            f"{name}.{key}": value
            for name, parameter in named
            for key, value in state[parameter].items()
        }

    def _restore(self, moments: dict[str, torch.Tensor]) -> None:
        if not moments and not self.counters.iterations:
            return  # saved before the first step
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


def _check_same_network(config: TrainingConfig, checkpoint: Checkpoint) -> None:
    found = (checkpoint.variant.name, tuple(checkpoint.network.hidden))
    if found != (config.variant, config.hidden):
        raise GammonError(
            f"the checkpoint's network plays {found[0]} with hidden layers {list(found[1])}; "
            f"it can't go on as {config.variant} with {list(config.hidden)}"
        )
