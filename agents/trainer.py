"""Learning by self-play: play games with frozen weights, learn from all their positions, repeat.

While an iteration is learned from, the next one is already being played, by the weights as they
were before. Every iteration plays whole games, and all its randomness is a function of the seed and
the games counted so far. A checkpoint holds the weights that play, too, so that a resumed run is
the uninterrupted one, bit for bit, on the same machine and torch build, on any number of cores.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from agents.checkpoint import NAME, Checkpoint, Counters, save_checkpoint, with_prefix
from agents.config import TrainingConfig
from agents.exact import Lessons, begin_exact
from agents.learner import Learner, Tensors
from agents.memory import Memory
from agents.network import ValueNetwork, fast, grown
from agents.selfplay import Games, Players, begin
from agents.td_lambda import lambda_returns, swap_of
from gammon_env.errors import GammonError
from gammon_env.observation import encode, get_encoder
from gammon_env.rules.variant import get_variant

SEED_SPACE = 0
"""The child of a run's SeedSequence that training draws from; matches draw from another."""

NETWORK, SCOUT = "network", "scout"


@dataclass(frozen=True)
class Report:
    """What one iteration did.

    Attributes:
        loss: mean cross-entropy a position, in nats, summed over the heads.
        learning_rate: Adam's.
        games: learned from.
        plies: mean length of a game, up to the end or to where the bear-off tables know it.
        first_mover_wins: share of games won by the side that moved first.
        gammons: share of games won by a gammon or more.
        positions: learned from.
        waiting: seconds of waiting for self-play.
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
    waiting: float
    encoding: float
    learning: float

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self.waiting + self.encoding + self.learning


class Trainer:
    """A training run in progress.

    Args:
        config: what to train.
        checkpoint: where to go on from; None begins with random weights.

    Attributes:
        counters: how far the run has come.
    """

    def __init__(self, config: TrainingConfig, checkpoint: Checkpoint | None = None) -> None:
        self.config = config
        self.variant = get_variant(config.variant)
        self._encoder = get_encoder("value", self.variant)
        # The order of torch's sums, and so the weights, must not depend on the number of cores.
        torch.set_num_threads(1)
        training = np.random.SeedSequence(config.seed, spawn_key=(SEED_SPACE,))
        weights, dice, order = training.spawn(3)
        self._weights_seed = int(weights.generate_state(1)[0])
        self._dice_seed = int(dice.generate_state(1, np.uint64)[0])
        self._order_key = order.generate_state(2, np.uint64)
        self._swap = swap_of(self.variant)
        self._pool = ThreadPoolExecutor(config.workers)
        self.counters = Counters() if checkpoint is None else checkpoint.counters
        self.learners = self._new() if checkpoint is None else self._restored(checkpoint)
        if checkpoint is None or checkpoint.is_weights:
            self._playing = self._frozen()
        else:
            self._playing = _playing(checkpoint)
        remembered = {} if checkpoint is None else with_prefix("memory.", checkpoint.training)
        self._memory = Memory.from_tensors(remembered)
        self._flight: Callable[[], Games | Lessons] | None = None

    @property
    def network(self) -> ValueNetwork:
        """The value network, learning."""
        return self.learners[NETWORK].network

    @property
    def done(self) -> bool:
        """Whether all games have been learned from."""
        return self.counters.games >= self.config.games

    def iterate(self) -> Report:
        """Learn from the next games, while those after them are played.

        Raises:
            GammonError: if learning has diverged.
        """
        t0 = time.perf_counter()
        at = self.counters.games
        self._grow()
        games = self._games_from(at)
        played = (self._flight or self._begin(games))()
        self._playing = self._frozen()
        following = self._games_from(games.stop)
        self._flight = self._begin(following) if following else None
        t1 = time.perf_counter()
        self._memory = self._memory.last(self.config.at(at).memory).followed_by(
            self._lessons(played)
        )
        features, targets = self._examples()
        t2 = time.perf_counter()
        loss = self._learn(features, targets)
        self._check_finite()
        t3 = time.perf_counter()
        rate = self.config.learning_rate_at(at)
        report = _report(played, loss, rate, t1 - t0, t2 - t1, t3 - t2)
        self.counters = Counters(
            games.stop,
            self.counters.positions + report.positions,
            self.counters.iterations + 1,
            self.counters.seconds + report.seconds,
        )
        return report

    def save(self) -> Path:
        """Write a checkpoint in the run's folder and return its path."""
        path = Path(self.config.run_dir) / NAME
        training: Tensors = {}
        for name, learner in self.learners.items():
            training |= _prefixed(f"adam.{name}.", learner.moments())
            training |= _prefixed(f"playing.{name}.", self._playing[name])
        if SCOUT in self.learners:
            training |= _prefixed("scout.", self.learners[SCOUT].network.state_dict())
        kept = self._memory.last(self.config.at(self.counters.games).memory)
        training |= _prefixed("memory.", kept.tensors())
        save_checkpoint(path, self.network, training, self.config.as_dict(), self.counters)
        return path

    def close(self) -> None:
        """Let go of the worker threads."""
        self._pool.shutdown(cancel_futures=True)

    def _new(self) -> dict[str, Learner]:
        heads = len(self.variant.heads)
        with _torch_seed(self._weights_seed):
            learners = {
                NETWORK: Learner(ValueNetwork(self._encoder.size, self.config.at(0).hidden, heads))
            }
            if self.config.scout:
                scout = ValueNetwork(self._encoder.looked_up, [self.config.scout], heads)
                learners[SCOUT] = Learner(scout)
        return learners

    def _restored(self, checkpoint: Checkpoint) -> dict[str, Learner]:
        _check_same_network(self.config, checkpoint)
        learners = {NETWORK: Learner(checkpoint.network)}
        if checkpoint.scout:
            learners[SCOUT] = Learner(checkpoint.scout)
        has_moments = checkpoint.counters.iterations and not checkpoint.is_weights
        for name, learner in learners.items() if has_moments else ():
            learner.restore(with_prefix(f"adam.{name}.", checkpoint.training))
        return learners

    def _frozen(self) -> dict[str, Tensors]:
        """Return copies of the weights as they are now."""
        return {
            name: {key: tensor.clone() for key, tensor in learner.network.state_dict().items()}
            for name, learner in self.learners.items()
        }

    def _grow(self) -> None:
        """Let the network become as large as its stage wants it, reading all features."""
        hidden = self.config.at(self.counters.games).hidden
        if list(hidden) != self.network.hidden or self.network.inputs < self._encoder.size:
            with _torch_seed(self._weights_seed + self.counters.games):
                larger = grown(self.network, hidden, self._encoder.size)
            self.learners[NETWORK] = Learner(larger)

    def _games_from(self, at: int) -> range:
        """Return the numbers of the games of the iteration that begins there."""
        stage = self.config.at(at)
        return range(at, min(at + stage.games_per_iteration, stage.games, self.config.games))

    def _begin(self, games: range) -> Callable[[], Games | Lessons]:
        """Begin to play games with the weights that play."""
        stage = self.config.at(games.start)
        network, *scout = (
            fast(ValueNetwork.from_state(s), self.variant) for s in self._playing.values()
        )
        alone = Players.alone(network)
        players = Players(network, scout[0], stage.candidates) if scout else alone
        where = self._dice_seed, games, self.variant, self._pool, stage.workers
        if stage.looks:
            return begin_exact(players, stage.looks, stage.lambda_, *where)
        return begin(players, *where)

    def _lessons(self, played: Games | Lessons) -> Lessons:
        """Return what games taught: of sampled ones their lambda-returns."""
        if isinstance(played, Lessons):
            return played
        lambda_ = self.config.at(self.counters.games).lambda_
        ends = played.lengths, played.outcomes
        targets = lambda_returns(played.values, *ends, self._swap, lambda_)
        return Lessons(played.boards, targets, *ends)

    def _examples(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features float32[M, inputs] and targets float32[M, heads] of all lessons."""
        boards = np.concatenate(self._memory.boards)
        features = encode(boards, self._encoder.name, self.variant)
        return torch.from_numpy(features), torch.from_numpy(np.concatenate(self._memory.targets))

    def _learn(self, features: torch.Tensor, targets: torch.Tensor) -> float:
        """Take some epochs of gradient steps and return the network's mean loss."""
        stream = np.random.Philox(key=self._order_key, counter=[0, 0, 0, self.counters.iterations])
        rng = np.random.Generator(stream)
        stage = self.config.at(self.counters.games)
        for learner in self.learners.values():
            learner.set_rate(self.config.learning_rate_at(self.counters.games))
            learner.precision = getattr(torch, stage.precision)
        total = 0.0
        for _ in range(stage.epochs):
            shuffled = torch.from_numpy(rng.permutation(len(features)))
            for rows in torch.split(shuffled, stage.minibatch):
                seen, wanted = features[rows], targets[rows]
                loss, *_ = (learner.step(seen, wanted) for learner in self.learners.values())
                total += loss
        return total / (stage.epochs * len(features))

    def _check_finite(self) -> None:
        if not all(learner.is_finite() for learner in self.learners.values()):
            raise GammonError(
                f"learning diverged after {self.counters.games:,} games: the weights are no longer "
                f"finite; lower learning_rate, which is {self.config.learning_rate}"
            )


@contextmanager
def _torch_seed(seed: int) -> Iterator[None]:
    """Draw torch's random numbers from a seed, and leave the global generator as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def _prefixed(prefix: str, tensors: Tensors) -> Tensors:
    return {f"{prefix}{name}": tensor for name, tensor in tensors.items()}


def _playing(checkpoint: Checkpoint) -> dict[str, Tensors]:
    """Return the weights that a checkpoint's next games are played with."""
    learning = {NETWORK: checkpoint.network.state_dict()}
    if scout := with_prefix("scout.", checkpoint.training):
        learning[SCOUT] = scout
    states = {name: with_prefix(f"playing.{name}.", checkpoint.training) for name in learning}
    for name, state in states.items():
        if state.keys() != learning[name].keys():
            raise GammonError(
                f"the checkpoint lacks the weights that its {name} plays with: its network can "
                "play, but learning can't go on from it"
            )
    return states


def _report(
    games: Games | Lessons,
    loss: float,
    rate: float,
    waiting: float,
    encoding: float,
    learning: float,
) -> Report:
    """Say what an iteration did; chances that end a game are those of the player on roll next."""
    ends, gammons = games.outcomes, games.outcomes.shape[1] // 2
    wins = np.where(games.lengths % 2 == 0, ends[:, 0], 1 - ends[:, 0])
    return Report(
        loss,
        rate,
        len(games.lengths),
        float(games.lengths.mean()),
        float(wins.mean()),
        float((ends[:, 1] + ends[:, gammons + 1]).mean()),
        len(games.boards),
        waiting,
        encoding,
        learning,
    )


def _check_same_network(config: TrainingConfig, checkpoint: Checkpoint) -> None:
    games = checkpoint.counters.games
    hidden = config.at(max(games - 1, 0)).hidden
    found = (checkpoint.variant.name, tuple(checkpoint.network.hidden))
    if found != (config.variant, hidden):
        raise GammonError(
            f"the checkpoint's network plays {found[0]} with hidden layers {list(found[1])}; "
            f"after {games:,} games of {config.variant} this run has {list(hidden)}"
        )
    scout = with_prefix("scout.", checkpoint.training)
    units = len(scout["layers.0.bias"]) if scout else 0
    if units != config.scout:
        raise GammonError(f"the checkpoint's scout has {units} units, not {config.scout}")
