"""Cards: where the weights of a network come from, and what they are worth.

A card is the JSON beside the weights, for people, web pages and scripts.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from agents.checkpoint import Checkpoint
from agents.files import write_atomically
from gammon_env.errors import GammonError

_NOT_RECIPE = {
    "run_dir",
    "hidden",
    "seed",
    "variant",
    "games",
    "workers",
    "checkpoint_every",
    "evaluate_every",
    "evaluation_games",
    "final_games",
    "opponents",
}
"""Keys of a configuration that a card has in a place of its own, or that change no weight."""


@dataclass(frozen=True)
class Strength:
    """A match that measured some weights.

    Attributes:
        player: who played with them: a level, or the weights by themselves.
        opponent: against whom.
        games: how many.
        seed: of the dice.
        points_per_game: the player's, with the ends of the 95% interval.
        luck_adjusted: the same less the luck; None where nobody judged it.
    """

    player: str
    opponent: str
    games: int
    seed: int
    points_per_game: tuple[float, float, float]
    luck_adjusted: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Card:
    """What is known of some weights.

    Attributes:
        name: of the weights.
        sha256: of their file.
        variant: the game they play.
        encoder: what the network reads of a position.
        encoder_version: which version of that.
        hidden: width of each hidden layer.
        recipe: the rest of the training run's configuration, as far as it decides the weights.
        seed: of the run.
        games: learned from.
        positions: learned from.
        hours: spent in playing and learning.
        git_revision: of the code that trained them.
        torch: its version.
        strength: measured, in the order it was.
    """

    name: str
    sha256: str
    variant: str
    encoder: str
    encoder_version: int
    hidden: tuple[int, ...]
    recipe: dict[str, Any]
    seed: int
    games: int
    positions: int
    hours: float
    git_revision: str
    torch: str
    strength: tuple[Strength, ...] = ()

    @classmethod
    def of(cls, name: str, sha256: str, checkpoint: Checkpoint) -> "Card":
        """Return the card of a checkpoint's weights, not measured yet."""
        config, done, info = checkpoint.config, checkpoint.counters, checkpoint.info
        return cls(
            name=name,
            sha256=sha256,
            recipe={key: value for key, value in config.items() if key not in _NOT_RECIPE},
            seed=config["seed"],
            games=done.games,
            positions=done.positions,
            hours=round(done.seconds / 3600, 4),
            hidden=tuple(info["hidden"]),
            **{key: info[key] for key in _OF_INFO},
        )

    def measured(self, report: dict[str, Any]) -> "Card":
        """Return the card with the match of a report of agents.evaluate, for whichever side it was.

        An earlier match of the same players is replaced.

        Raises:
            GammonError: if the report is none of a match, or neither player had these weights.
        """
        try:
            found = self._strength(report)
        except (KeyError, TypeError) as error:
            raise GammonError(f"this is no report of a match: it lacks {error}") from error
        others = (
            s for s in self.strength if (s.player, s.opponent) != (found.player, found.opponent)
        )
        return replace(self, strength=(*others, found))

    def _strength(self, report: dict[str, Any]) -> Strength:
        names = report["agent"]["name"], report["opponent"]["name"]
        # The identity of a level begins with the hash of its weights.
        own = [report["weights"].get(name, "").startswith(self.sha256) for name in names]
        if not any(own):
            raise GammonError(f"neither {names[0]} nor {names[1]} played with {self.name}")
        player, opponent = names if own[0] else names[::-1]
        sign = 1 if own[0] else -1
        adjusted = report.get("luck_adjusted")
        return Strength(
            player,
            opponent,
            report["games"],
            report["seed"],
            _interval(report["points_per_game"], sign),
            _interval(adjusted, sign) if adjusted else None,
        )


_OF_INFO = ("variant", "encoder", "encoder_version", "git_revision", "torch")


def _interval(estimate: dict[str, float], sign: int) -> tuple[float, float, float]:
    mean, *ends = (sign * round(estimate[key], 4) for key in ("mean", "low", "high"))
    low, high = sorted(ends)
    return mean, low, high


def write_card(path: Path, card: Card) -> None:
    """Write a card atomically."""
    write_atomically(path, json.dumps(asdict(card), indent=1) + "\n")


def read_card(path: Path) -> Card:
    """Return the card of a file.

    Raises:
        GammonError: if there is none, or it is something else.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        strength = tuple(Strength(**_tuples(match)) for match in values.pop("strength"))
        return Card(**_tuples(values), strength=strength)
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        names = ", ".join(field.name for field in fields(Card))
        raise GammonError(f"{path} is no card of weights, which has {names}: {error}") from error


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
