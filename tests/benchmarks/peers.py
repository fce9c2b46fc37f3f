"""Other backgammon environments, where they are installed: OpenSpiel, and pgx with jax."""

import random
from collections.abc import Callable
from typing import Any

START_RESULTS = {(1, 1): 42, (2, 1): 15, (3, 1): 16, (6, 6): 11, (6, 5): 7, (4, 4): 52}
"""How many afterstates these rolls lead to from the start."""


def open_spiel_turns(turns: int) -> Callable[[], int] | None:
    """Return OpenSpiel's turn in a race of random games, None where it is not installed.

    It does what an environment does: every decision has its observation and its legal actions.
    """
    game = _open_spiel()
    if game is None:
        return None
    chooser = random.Random(0)

    def work() -> int:
        done, state = 0, game.new_initial_state()
        while done < turns:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()  # all equally likely
                state.apply_action(outcomes[int(chooser.random() * len(outcomes))][0])
                done += 1
            else:
                state.observation_tensor()
                legal = state.legal_actions()
                state.apply_action(legal[int(chooser.random() * len(legal))])
        return done

    return work


def open_spiel_children(rolls: int) -> Callable[[], int] | None:
    """Return OpenSpiel's turn in a race of generation, None where it is not installed.

    It makes all children of the decisions of random games, the two checker moves of a roll being
    one action; a double is two decisions, and each counts as a roll.
    """
    game = _open_spiel()
    if game is None:
        return None
    chooser = random.Random(0)
    decisions: list[Any] = []
    state = game.new_initial_state()
    while len(decisions) < rolls:
        if not state.is_terminal() and not state.is_chance_node():
            decisions.append(state.clone())
        legal = [] if state.is_terminal() else state.legal_actions()
        if legal:
            state.apply_action(legal[int(chooser.random() * len(legal))])
        else:
            state = game.new_initial_state()

    def work() -> int:
        for decision in decisions:
            for action in decision.legal_actions():
                decision.child(action)
        return rolls

    return work


def _open_spiel() -> Any:
    """Return OpenSpiel's game once its openings are right, None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    for roll, count in START_RESULTS.items():
        if roll[0] != roll[1]:  # an opening roll is never a double
            assert len(_results(game.new_initial_state(), roll)) == count, roll
    return game


def _results(state: Any, roll: tuple[int, int]) -> set[str]:
    """Return the boards that a roll can lead to from the start."""
    throws = [action for action, _ in state.chance_outcomes()]
    shown = f"(roll: {roll[0]}{roll[1]})"
    state.apply_action(next(a for a in throws if shown in state.action_to_string(-1, a)))
    children = [str(state.child(action)) for action in state.legal_actions()]
    return {text.partition("Turn")[0] + text.partition("Bar:")[2] for text in children}


def pgx_steps(lanes: int, steps: int) -> Callable[[], int] | None:
    """Return pgx's turn in a race of checker moves, None where it is not installed.

    Drawing the actions is compiled together with the environment; a finished game begins anew
    within the step.
    """
    try:
        import jax
        import pgx
        from jax import numpy as jnp
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    env = pgx.make("backgammon")
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def take(state: Any, key: Any) -> tuple[Any, Any]:
        own, others = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(own, logits)
        state = step(state, actions, jax.random.split(others, lanes))
        return state, (state.observation.sum(), state.rewards.sum())

    @jax.jit
    def run(state: Any, key: Any) -> tuple[Any, Any]:
        return jax.lax.scan(take, state, jax.random.split(key, steps))

    key = jax.random.PRNGKey(0)
    state = jax.jit(init)(jax.random.split(key, lanes))
    assert (abs(state._board[:, :24]).sum(axis=1) == 30).all(), "all checkers are on the board"
    moves, _ = run(state, key)
    assert (abs(moves._board).sum(axis=1) == 30).all(), "and none was lost"

    def work() -> int:
        jax.block_until_ready(run(state, key))
        return lanes * steps

    return work
