"""The graded opponents: level-1, which a beginner can beat, to level-5, the strongest we have.

They are graded by how much they see: weaker levels have smaller networks, are less sure which play
is best (`SoftmaxAgent`), and do not look ahead. No level throws random moves in. Which network and
settings make a level is data (`agents.level_table`); what the levels are worth against each other
is measured by

python -m agents.evaluate --calibrate-levels --games 2000 --seed 1

Names for `load_agent` are `level-3`, the newest version of it, and `level-3@2`.
"""

from functools import partial

from agents.leaderboard import LEVELS, score
from agents.level_table import Level, load_levels
from agents.lookahead import BEST_PLAY, Scout
from agents.network_agent import NetworkAgent, open_checkpoint
from agents.search import SearchAgent
from agents.softmax_agent import SoftmaxAgent
from agents.weights import weights_path
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON, Variant

__all__ = [
    "LEVELS",
    "Level",
    "Player",
    "find_level",
    "newest_levels",
    "open_level",
    "player_of",
    "score",
]

Player = NetworkAgent | SearchAgent | SoftmaxAgent


def newest_levels(variant: Variant = BACKGAMMON) -> list[Level]:
    """Return the newest version of each level of a variant, weakest first.

    Raises:
        GammonError: if the variant has no levels.
    """
    numbers = sorted({level.number for level in load_levels(variant)})
    return [find_level(number, variant) for number in numbers]


def find_level(number: int, variant: Variant = BACKGAMMON, version: str = "") -> Level:
    """Return a level of a variant.

    Args:
        number: 1 to 5.
        variant: the game.
        version: its number as text; "" for the newest.

    Raises:
        GammonError: if there is none; the message names those there are.
    """
    levels = load_levels(variant)
    found = [
        level for level in levels if level.number == number and version in ("", str(level.version))
    ]
    if not found:
        wanted = f"level-{number}@{version}" if version else f"level-{number}"
        known = ", ".join(level.name for level in levels)
        raise GammonError(f"{variant.name} has no {wanted}; there are: {known}")
    return max(found, key=lambda level: level.version)


def open_level(number: int, variant: Variant = BACKGAMMON, version: str = "") -> Player:
    """Return the player of a level; arguments as in `find_level`.

    Raises:
        GammonError: if there is no such level, or its weights are missing, damaged or others than
            those it was made with.
    """
    return player_of(find_level(number, variant, version), variant)


level_1, level_2, level_3, level_4, level_5 = (
    partial(open_level, number) for number in range(1, LEVELS + 1)
)


def player_of(level: Level, variant: Variant = BACKGAMMON) -> Player:
    """Return the player that a level describes.

    Raises:
        GammonError: if its weights are missing, damaged or others than those it was made with.
    """
    network = _network(level, variant)
    player: Player = network
    if level.plies or level.bearoff:
        player = SearchAgent(
            player,
            level.plies,
            level.filters or (BEST_PLAY,),
            budget=level.budget,
            bearoff=level.bearoff,
            scout=_scout(level, network),
        )
    if level.temperature:
        player = SoftmaxAgent(player, level.temperature)
    player.name, player.identity = level.name, level.identity
    return player


def _scout(level: Level, network: NetworkAgent) -> Scout | None:
    """Return who picks the replies for a level.

    Raises:
        GammonError: if its weights have no scout.
    """
    if not level.candidates:
        return None
    if network.scout is None:
        raise GammonError(f"{level.name} has candidates, but {level.weights} has no scout")
    return Scout(NetworkAgent(network.scout, variant=network.variant), level.candidates)


def _network(level: Level, variant: Variant) -> NetworkAgent:
    path = weights_path(level.weights)
    network = open_checkpoint(path, variant)
    if network.identity != level.sha256:
        raise GammonError(
            f"{level.name} was made with weights of SHA-256 {level.sha256}, but {path} has "
            f"{network.identity}; other weights are a new version, as agents.fit_levels makes them"
        )
    return network
