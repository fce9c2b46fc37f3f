"""The Gymnasium environment for one game at a time."""

import copy
from collections.abc import Sequence
from typing import Any, Literal, Self

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gammon_env.envs.action_modes import make_mode
from gammon_env.envs.arguments import check_arguments, named_variant
from gammon_env.envs.opponents import Opponent, Opponents
from gammon_env.envs.start import NO_KEY, dice_key, start_game
from gammon_env.envs.table import Info, Observation, Table
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.game_view import checked_seat
from gammon_env.observation import get_encoder
from gammon_env.render import ansi
from gammon_env.rules.variant import Variant


class BackgammonEnv(gymnasium.Env[Observation, np.int64]):
    """Backgammon, hypergammon or long nardy, against an opponent or for both seats.

    ## Description
    Two players race fifteen checkers each around a board of 24 points and bear them off, by the
    roll of two dice. Checkers alone on a point (blots) can be hit and must start again from the
    bar. The first to bear off all checkers wins one point, two (a gammon) if the loser has borne
    off none, three (a backgammon) if the loser moreover still has a checker on the bar or in the
    winner's home board.

    The rules are complete: as many dice as possible must be played, the larger one if only one of
    them can be; checkers enter from the bar first. There is no doubling cube. The environment plays
    forced passes, so whoever is asked has a legal action, and one seat can act twice running.

    | id | game |
    |---|---|
    | `gammon_env/Backgammon-v0` | as above |
    | `gammon_env/Hypergammon-v0` | backgammon with three checkers, starting on 24, 23 and 22 |
    | `gammon_env/Nardy-v0` | long nardy: both sides run the same way round, and nothing is hit |

    In long nardy all fifteen start on point 24, the head; my point p is the opponent's p + 12 or
    p - 12. One checker closes a point, one leaves the head in a turn (two by a first 3-3, 4-4 or
    6-6), and no move may leave six points in a row on the opponent's way while no opposing checker
    is beyond them. A win counts one point, or two (a mars) if the loser has borne off none.

    Three words for three things: a *player* is who plays, a *seat* (0 or 1) is where, and *on roll*
    is whose turn it is. Without an opponent the caller plays both seats. With an opponent the
    caller has seat 0, and the environment plays seat 1 within `reset` and `step`.

    Dice come from a counter-based stream. A first or seeded `reset` draws its key from `np_random`;
    other resets go on in the same stream, or in that of the state last put in by `set_state`.

    ## Action Space
    Which actions are legal is in `info["action_mask"]` (int8, shape `(n,)`) and in
    `env.action_masks()`.

    | `action_mode` | Action Space | One step | Action |
    |---|---|---|---|
    | `"checker"` | `Discrete(150)` | one checker move | `(source - 1) * 6 + die - 1` |
    | `"play"` | `Discrete(3060)` | a whole roll | number of a play in canonical order |

    A source is a point 1 to 24 in the numbering of the player on roll, or 25 for the bar. The
    mask looks ahead: a checker move is legal only if it begins a legal play. Bearing off the last
    checker ends the game at once, whatever dice are left.

    Plays that lead to the same position are one play. They are sorted by the bytes of their
    afterstates, so in mode `"play"` the mask is a prefix of `info["num_plays"]` ones.

    An illegal action forfeits the game (see Rewards), so that no policy gains by one; with
    `illegal_action="raise"` it raises a `GammonError` and changes nothing.

    ## Observation Space
    `Box(float32)` with the true bounds of every feature, always as the player on roll sees the
    board (with an opponent: always as the caller sees it). Three encoders, each versioned:

    | `observation` | shape | what it shows |
    |---|---|---|
    | `"tesauro"` | `(220,)` | four units a point, bar, off, and the dice still to play |
    | `"board"` | `(58,)` | plain counts, and the dice still to play |
    | `"value"` | `(205,)` | what a value network reads of a position; no dice |

    In long nardy the shapes are `(219,)`, `(57,)` and `(209,)`: there is no bar, and the first two
    show how many checkers may still leave the head in this turn.

    `gammon_env.observation.get_encoder(name, variant).table` is the table of features.

    ## Starting State
    The standard position after an opening roll: each seat throws one die, ties again, and the
    higher starts with those two dice. `reset(options=...)` takes any of

    - `"position"`: a `Position` to start from; the caller is on roll and the roll may be a double;
    - `"state"`: a `GameState`, also in mid-turn; the caller is on roll, unless an opening roll is
      still to decide who is. Dice not yet thrown come
      from the environment's own stream (with `set_state`, from the state's);
    - `"dice"`: the first roll; for an opening the dice of seat 0 and seat 1.

    ## Rewards
    0 until the game ends, then what it was worth: +1, +2 or (not in nardy) +3 to the winner, the
    negative to the loser. With an opponent this is the caller's; without one the scalar is what the
    step earned the seat that acted, and `info["rewards"]` has both. Forfeiting costs the most a
    game can.

    ## Episode End
    Termination: a side has borne off its last checker, or an action was illegal.

    Truncation: `max_turns` turns have been played, passes counted, and the caller is to begin
    another one; an opponent's reply is still played, and may end the game. Truncation is never a
    loss. By default games are played to their end.

    ## Information
    `reset` and `step` return the same keys:

    | key | type | meaning |
    |---|---|---|
    | `action_mask` | int8 `(n,)` | 1 for each legal action; all zeros once the game is over |
    | `to_play` | int | the seat whose decision the observation shows; once over, the loser's |
    | `actor` | int | the seat that took the action, -1 after `reset` |
    | `passes` | int | forced passes that the environment has played since |
    | `illegal_action` | bool | whether the action was illegal and has forfeited the game |
    | `rewards` | float32 `(2,)` | what each seat has won; only without an opponent |
    | `num_plays` | int | how many plays there are; only in mode `"play"` |
    | `afterstates` | float32 `(num_plays, features)` | what each leads to; only in mode `"play"` |

    With an opponent, `to_play` is always the caller's seat, and so is the actor of every step.
    Afterstates are encoded like observations, before the roll; `SyncVectorEnv` can't stack them.

    ## Arguments
    ```python
    >>> import gymnasium, gammon_env
    >>> env = gymnasium.make("gammon_env/Backgammon-v0", opponent="random")
    >>> env.action_space, env.observation_space.shape
    (Discrete(150), (220,))

    ```

    - `action_mode`: `"checker"` (default) or `"play"`.
    - `observation`: `"tesauro"` (default), `"board"` or `"value"`.
    - `opponent`: None (default) for both seats; an agent, a function `(position, dice) -> Play`,
      the name of an agent for `load_agent`, or a list of those, of which each game draws one.
    - `seat`: the seat that starts; None (default) leaves it to the opening roll.
    - `illegal_action`: `"forfeit"` (default) or `"raise"`.
    - `max_turns`: after how many turns a game is truncated; None (default) for never.
    - `variant`: the game, `"backgammon"`, `"hypergammon"` or `"nardy"`; fixed by the id.
    - `render_mode`: None, `"ansi"` (text) or `"rgb_array"` (a picture; needs the extra `render`).

    Beyond Gymnasium: `get_state()`, `set_state(state)` and `clone()` for search.

    ## Version History
    * v0: Initial version
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        action_mode: Literal["checker", "play"] = "checker",
        observation: Literal["tesauro", "board", "value"] = "tesauro",
        opponent: Opponent | Sequence[Opponent] | None = None,
        seat: int | None = None,
        illegal_action: Literal["forfeit", "raise"] = "forfeit",
        max_turns: int | None = None,
        variant: str | Variant = "backgammon",
        render_mode: str | None = None,
    ) -> None:
        """Set up an environment; see Arguments.

        Raises:
            GammonError: naming the argument that is wrong and what it may be.
        """
        check_arguments(illegal_action, max_turns, render_mode)
        self.variant = named_variant(variant)
        self.seat = None if seat is None else checked_seat(seat)
        self.max_turns, self.render_mode = max_turns, render_mode
        mode = make_mode(action_mode, self.variant.rules)
        encoder = get_encoder(observation, self.variant)
        opponents = None if opponent is None else Opponents(opponent, self.variant)
        self._table = Table(mode, encoder, opponents, self.seat, illegal_action == "forfeit")
        self._table.remembers = render_mode == "rgb_array"
        self._has_key = False
        self.action_space = spaces.Discrete(mode.size)
        self.observation_space = spaces.Box(encoder.low, encoder.high)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game.

        Args:
            seed: of a new stream of dice; None goes on in the present one.
            options: what to start from; see Starting State.

        Returns:
            The observation of the first decision, and `info`.

        Raises:
            GammonError: naming the option that is wrong; the environment is unchanged.
        """
        if options is None:
            options = {}
        game, passes = start_game(self.variant, options, self.seat, self._table.caller)
        if self._has_key and seed is None:
            game.begin_stream(*self._table.game.stream[:2])
            return self._table.begin(game, passes)
        kept = copy.deepcopy(self._np_random), self._np_random_seed
        try:
            super().reset(seed=seed)
            game.begin_stream(dice_key(self.np_random), 0)
            seen = self._table.begin(game, passes)
        except BaseException:
            self._np_random, self._np_random_seed = kept
            raise
        self._has_key = True
        return seen

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Take one action; the opponent and forced passes are played before it returns.

        Raises:
            GammonError: if there is no game to play, the action is none of the action space or,
                with `illegal_action="raise"`, not legal; the environment is unchanged.
        """
        table = self._table
        number, turn = table.checked(action), table.game.turn
        observation, reward, info = table.step(number)
        game = table.game
        over, limit = game.is_over, self.max_turns
        truncated = limit is not None and not over and game.turn > max(turn, limit)
        return observation, reward, over, truncated, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return a new int8[n], 1 for each legal action."""
        return self._table.mask()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Draw the board from the side of seat 0, as text or as uint8[height, width, 3]."""
        if self.render_mode is None:
            gymnasium.logger.warn('nothing to render: make the environment with render_mode="ansi"')
            return None
        return ansi.draw(self._table.game) if self.render_mode == "ansi" else self._table.picture()

    def get_state(self) -> GameState:
        """Return a copy of the game, dice to come included."""
        return self._table.game.clone()

    def set_state(self, state: GameState) -> tuple[Observation, Info]:
        """Go on from a state, with the dice that are to come in it.

        Args:
            state: from `get_state` or made by hand; it is copied. Later resets go on in its stream
                of dice, if it has one. Where the opponent is on roll in
                it, the opponent plays first.

        Returns:
            The observation of the next decision, and `info` as after `reset`.

        Raises:
            GammonError: if it is a state of another game; the environment is unchanged.
        """
        if not isinstance(state, GameState):
            raise GammonError(f"a state is a GameState, not {state!r}")
        if state.variant != self.variant:
            raise GammonError(f"a state of {state.variant.name}, not of {self.variant.name}")
        seen = self._table.enter(state.clone(), 0)
        self._has_key |= state.stream[0] != NO_KEY
        return seen

    def clone(self) -> Self:
        """Return an independent copy that shares nothing but its opponents."""
        twin = copy.copy(self)
        twin._table = self._table.clone()
        twin._np_random = copy.deepcopy(self._np_random)
        twin.action_space = copy.deepcopy(self.action_space)
        twin.observation_space = copy.deepcopy(self.observation_space)
        return twin
