"""GameState: a game in progress that is played on, also in mid-turn."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from gammon_env.actions import RollPlays, decode
from gammon_env.errors import GammonError
from gammon_env.game_view import GameView, Phase, Roll, checked_seat, checked_whole, checked_word
from gammon_env.position import Play, Position
from gammon_env.render import ansi, svg
from gammon_env.rules import turn as rules
from gammon_env.rules.board import Board
from gammon_env.rules.dice import checked_dice
from gammon_env.rules.moves import CODES

__all__ = ["GameState", "GameView", "Phase", "Roll"]

PASS = ("", "pass")
"""How a record of turns writes a forced pass."""


class GameState(GameView):
    """A game in progress: the position, who is on roll, and the dice still to play.

    It changes in place; `clone` first where the old state is still wanted. A game begins in phase
    "opening"; then each turn is "to roll" until dice are thrown and "to play" while its player has
    a choice; at the end the phase is "over". A forced pass is played as soon as it is thrown.

    The dice come from a stream that is a pure function of a key and a counter, so a state carries
    all that will follow. They can also be given, for search and for tests.
    """

    __slots__ = ()

    @classmethod
    def from_position(cls, position: Position, *, seat: int = 0, key: int = 0) -> Self:
        """Return a game that goes on from a position: `seat` is on roll and has yet to roll.

        Raises:
            GammonError: if the game is over in this position, or there is no such seat or key.
        """
        if not isinstance(position, Position):
            raise GammonError(f"a game goes on from a Position, not {position!r}")
        if position.is_over:
            raise GammonError(f"the game is over in position {position.position_id}")
        game = cls(position.variant, key=key)
        game._board[:] = position.board
        game._numbers[rules.PHASE] = rules.TO_ROLL
        game.seat_player_on_roll(seat)
        return game

    def seat_player_on_roll(self, seat: int) -> None:
        """Let the player on roll sit on `seat`, the other one on the other.

        Raises:
            GammonError: if there is no such seat.
        """
        self._numbers[rules.SEAT] = checked_seat(seat)

    def begin_stream(self, key: int, counter: int = 0) -> None:
        """Take the dice to come from this place of a stream, and count the game from there.

        Raises:
            GammonError: if these are not two 64-bit numbers.
        """
        counter = checked_word(counter, "counter")
        self._stream[:] = checked_word(key, "key"), counter, counter

    def set(self, other: GameView) -> None:
        """Become the same state as another game, dice to come included.

        Raises:
            GammonError: if the other is no game.
        """
        if not isinstance(other, GameView):
            raise GammonError(f"a game can become another GameState, not {other!r}")
        self.variant = other.variant
        self._board[:], self._left[:] = other._board, other._left
        self._numbers[:], self._stream[:] = other._numbers, other._stream
        self._mask = other._mask

    def roll(self, dice: Roll | None = None) -> bool:
        """Throw the dice, or put given ones on the table.

        In the opening, given dice are those of seat 0 and seat 1, and the higher starts. Given dice
        may also replace a roll of which nothing has been played yet.

        Returns:
            Whether there is something to play; if not, the turn has passed on.

        Raises:
            GammonError: if it is no time to roll, or these are no dice that can be thrown.
        """
        if dice is not None:
            self._put(dice)
        elif self.phase in ("opening", "to roll"):
            rules.throw(*self._turn_arrays, self._stream, rules.BY_DICE, self._rules)
        else:
            raise GammonError(f"no time to roll: {self._situation}")
        self._mask = None
        return bool(rules.goes_on(*self._turn_arrays, self._rules))

    def _put(self, dice: Roll) -> None:
        die1, die2 = checked_dice(dice)
        untouched = self.dice is not None and len(self.dice_left) == _moves(self.dice)
        if self.phase == "over" or (self.phase == "to play" and not untouched):
            raise GammonError(f"no time for other dice: {self._situation}")
        if self.phase == "opening":
            if die1 == die2:
                raise GammonError(f"{die1}-{die2} cannot open the game: ties are thrown again")
            self.seat_player_on_roll(int(die2 > die1))
        rules.set_dice(*self._turn_arrays, die1, die2, self._rules)

    def advance(self, starter: int | None = None) -> int:
        """Throw dice until somebody has a choice; return how many forced passes that took.

        Args:
            starter: the seat that plays the opening roll; by default the one with the higher die.
        """
        by = rules.BY_DICE if starter is None else checked_seat(starter)
        self._mask = None
        return int(rules.advance(*self._turn_arrays, self._stream, by, self._rules))

    def move(self, code: int) -> bool:
        """Make one checker move; the turn is handed over when nothing more can be played.

        Returns:
            Whether the same turn goes on.

        Raises:
            GammonError: if it is not legal.
        """
        code = checked_whole(code, "a checker-move code")
        if not (0 <= code < CODES and self._legal[code]):
            raise GammonError(self._refusal(code))
        self._mask = None
        return rules.move_checker(*self._turn_arrays, code, self._rules)

    def plays(self) -> RollPlays:
        """Return the distinct plays of the dice left, in canonical order."""
        plays = RollPlays(self._rules)
        plays.find(self._board, self._left)
        return plays

    def play(self, play: int | str | Play) -> None:
        """Play the rest of the turn at once.

        Args:
            play: its number in canonical order; or, at the start of a turn, a `Play` or a text such
                as "8/5 6/5".

        Raises:
            GammonError: if it is not legal.
        """
        if isinstance(play, str):
            play = self.position.parse_play(play, self._whole_roll)
        plays = self.plays()
        if isinstance(play, Play):
            number = plays.number_of(play.afterstate.board)
        else:
            number = checked_whole(play, "a play that is not a Play or a text")
        if number is None or not 0 <= number < plays.count:
            raise GammonError(f"play {play} is not one of the {plays.count}: {self._situation}")
        self.finish_turn(plays.afterstates[number])

    def finish_turn(self, afterstate: Board) -> None:
        """Go on to an afterstate that is known to be one of `plays`; this hands the turn over."""
        self._mask = None
        rules.finish_turn(*self._turn_arrays, afterstate, self._rules)

    def forfeit(self) -> None:
        """End the game where it stands: the seat on roll loses the most that a game can cost.

        Raises:
            GammonError: if the game is over.
        """
        if self.is_over:
            raise GammonError("the game is over; nobody can forfeit it")
        self._mask = None
        rules.forfeit(self._left, self._numbers, max(self.variant.points))

    def replay(self, turns: Iterable[tuple[Roll, str]]) -> Iterator[Self]:
        """Play recorded turns on from here, and yield a copy of the state after each.

        Args:
            turns: the dice and the play as text of each turn, "" for a forced pass. Dice of an
                opening are those of seat 0 and seat 1.

        Raises:
            GammonError: naming the turn that is not legal.
        """
        game = self.clone()
        for number, turn in enumerate(turns, start=game.turn):
            dice, text = _checked_turn(number, turn)
            try:
                game._replay_turn(dice, text)
            except GammonError as error:
                raise GammonError(f"turn {number}, {dice[0]}-{dice[1]}: {error}") from error
            yield game.clone()

    def _replay_turn(self, dice: Roll, text: str) -> None:
        if self.roll(dice):
            self.play(text)
        elif not isinstance(text, str) or text.strip().lower() not in PASS:
            raise GammonError(f"{text!r} cannot be played: this roll is a forced pass")

    def __str__(self) -> str:
        return ansi.draw(self)

    _repr_svg_ = svg.draw

    @property
    def _whole_roll(self) -> Roll:
        dice = self.dice
        if dice is None or len(self.dice_left) < _moves(dice):
            raise GammonError(f"no whole roll to play: {self._situation}")
        return dice

    @property
    def _situation(self) -> str:
        """Say where the game is, for messages."""
        left = "-".join(map(str, self.dice_left))
        dice = f" with {left} left" if left else ""
        return f"seat {self.seat} is on roll in phase {self.phase!r}{dice}"

    def _refusal(self, code: int) -> str:
        """Say why a checker move is not legal, and which are."""
        legal = ", ".join(f"{legal} ({_text(legal)})" for legal in self.legal_codes())
        return (
            f"code {code} ({_text(code)}) is not legal: {self._situation}; legal: {legal or 'none'}"
        )


def _checked_turn(number: int, turn: Any) -> tuple[Roll, str]:
    """Return the dice and the text of a recorded turn."""
    try:
        dice, text = turn
        return checked_dice(dice), text
    except (TypeError, ValueError) as error:  # a GammonError is a ValueError too
        raise GammonError(
            f"turn {number} is dice and a text such as ((3, 1), '8/5 6/5'), not {turn!r}"
        ) from error


def _moves(dice: Roll) -> int:
    return 4 if dice[0] == dice[1] else 2


def _text(code: int) -> str:
    """Return a checker-move code in words, for messages."""
    source, die = decode(code)
    return f"{'bar' if source == 25 else source} with a {die}"
