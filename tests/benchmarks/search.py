"""Decisions that look ahead, one at a time, beside gnubg-nn's at the same depth."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from tempfile import TemporaryDirectory

import numpy as np

from agents.config import TrainingConfig
from agents.gnubg_agent import GNUBG_AGENTS
from agents.lookahead import LookAhead
from agents.match import play_match
from agents.network import fast
from agents.network_agent import NetworkAgent
from agents.search import NORMAL, SearchAgent
from agents.trainer import Trainer
from gammon_env.agent import Agent, Decisions, ask
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.expectimax import expectimax, value_of
from tests.agents.players import Recorder
from tests.benchmarks.harness import race, table
from tests.reference import from_board

TRAINING_GAMES = 10_000
HIDDEN = (128,)
DECISIONS = {0: 400, 1: 150, 2: 30}
GNUBG_DECISIONS = {0: 60, 1: 12, 2: 3}
ROUNDS = 5


def trained_network() -> NetworkAgent:
    """Return a network that has learned enough to play games as players do."""
    with TemporaryDirectory() as folder:
        config = TrainingConfig(run_dir=folder, games=TRAINING_GAMES, hidden=HIDDEN, workers=1)
        trainer = Trainer(config)
        while not trainer.done:
            trainer.iterate()
        trainer.close()
    return NetworkAgent(fast(trainer.network))


class Player(Recorder):
    """Keeps the decisions of a network's games."""

    def __init__(self, agent: NetworkAgent) -> None:
        super().__init__()
        self.agent = agent

    def select(self, decisions: Decisions) -> np.ndarray:
        super().select(decisions)
        return self.agent.select(decisions)


def decisions_of_games(agent: NetworkAgent) -> list[Decisions]:
    """Return decisions of the network's games against itself, drawn from all phases."""
    player = Player(agent)
    play_match(player, agent, games=40, seed=1, lanes=1)
    drawn = np.random.default_rng(0).choice(len(player.asked), max(DECISIONS.values()), False)
    return [player.asked[i] for i in drawn]


def check(agent: NetworkAgent) -> None:
    """Assert the value of one position one ply ahead before anything is timed."""
    board = BACKGAMMON.start_board()
    expected = expectimax(from_board(board), 1, value_of(agent))
    assert abs(LookAhead(agent).outcomes(board[np.newaxis], 1)[0] - expected).max() < 1e-5


def measure() -> str:
    """Return the results as Markdown."""
    agent = trained_network()
    check(agent)
    decisions = decisions_of_games(agent)
    contenders: dict[str, Callable[[], int]] = {}
    nodes = {}
    for depth, count in DECISIONS.items():
        name = f"gammon-env, {depth}-ply"
        contenders[name] = partial(_decide, agent, depth, decisions[:count])
        search = SearchAgent(agent, depth)
        _ask_all(search, decisions[:count])
        nodes[name] = f"{search.look_ahead.nodes / count:.1f}"
    contenders |= _gnubg(decisions)
    rows = [
        (timing.name, f"{timing.rate:,.0f}", nodes.get(timing.name, ""))
        for timing in race(contenders, ROUNDS).values()
    ]
    header = ("decisions, one at a time, filters on", "decisions/s", "positions looked ahead from")
    filters = ", ".join(f"{one.plays} plays within {one.within}" for one in NORMAL)
    plays = np.mean([len(one.afterstates) for one in decisions])
    about = (
        f"A network {'-'.join(map(str, HIDDEN))} wide after {TRAINING_GAMES:,} games, in decisions "
        f"of its own games, {plays:.1f} plays each. Filters from ply to ply: {filters}; inside the "
        "look-ahead the best reply. Nothing is remembered from the round before. gnubg-nn uses its "
        "own filters."
    )
    return f"{table(header, rows)}\n\n{about}"


def _decide(agent: NetworkAgent, depth: int, decisions: list[Decisions]) -> int:
    return _ask_all(SearchAgent(agent, depth), decisions)


def _ask_all(agent: Agent, decisions: list[Decisions]) -> int:
    for decision in decisions:
        ask(agent, decision)
    return len(decisions)


def _gnubg(decisions: list[Decisions]) -> dict[str, Callable[[], int]]:
    """Return gnubg-nn's turns in the race. It remembers, so each round has decisions of its own."""
    try:
        agents = [agent() for agent in GNUBG_AGENTS]
    except GammonError:
        return {}
    return {
        f"gnubg-nn, {agent.plies}-ply": partial(
            _ask_next, agent, iter(decisions), GNUBG_DECISIONS[agent.plies]
        )
        for agent in agents
    }


def _ask_next(agent: Agent, decisions: Iterator[Decisions], count: int) -> int:
    return _ask_all(agent, list(islice(decisions, count)))
