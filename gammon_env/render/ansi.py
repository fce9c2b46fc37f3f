"""A game as text: a board that a backgammon player recognises in a terminal.

The board is always seen from one seat, so that it does not turn around with every ply: that seat's
numbering, its home at the lower right, its way from the upper right (24) around to the lower right
(1). Seat 0 has the filled checkers, seat 1 the open ones.
"""

from gammon_env.game_view import GameView, checked_seat
from gammon_env.render.words import counted, ending
from gammon_env.rules.board import BAR, OFF, Board, pip_count

CHECKERS = ("●", "○")
HEIGHT = 5
"""Checkers drawn one above the other; a taller stack shows its number instead of the last one."""

_CELL = 4
_HALF = 6 * _CELL
_SIDE = 5
_LEFT_HALF, _RIGHT_HALF = range(12, 18), range(18, 24)


def draw(game: GameView, view: int = 0) -> str:
    """Draw a game.

    Args:
        game: also in mid-turn, or over.
        view: the seat from whose side the board is seen.

    Returns:
        Lines of text. Dice in brackets are still to play, those in parentheses have been played.

    Raises:
        GammonError: if there is no such seat.
    """
    rows = _Rows(game, checked_seat(view))
    numbers = [str(point) for point in range(1, 25)]
    upper = [_line(rows, depth, top=True) for depth in range(HEIGHT)]
    lower = [_line(rows, depth, top=False) for depth in reversed(range(HEIGHT))]
    return "\n".join(
        [
            rows.title(1 - view),
            _edge(("┌", "┬", "┐"), numbers, top=True),
            *upper,
            _frame(*_dice_halves(game, view), "BAR" if game.variant.has_bar else "", "OFF"),
            *lower,
            _edge(("└", "┴", "┘"), numbers, top=False),
            rows.title(view),
            _status(game),
        ]
    )


class _Rows:
    """The two sides of a board as one seat sees them."""

    def __init__(self, game: GameView, view: int) -> None:
        self.game, self.view = game, view
        self.sides = [_row(game, seat) for seat in range(2)]

    def stack(self, index: int) -> tuple[str, int]:
        """Return who holds a point of the viewing seat, and with how many checkers."""
        other = self.game.variant.opponent_point[index + 1] - 1
        mine, theirs = int(self.sides[self.view][index]), int(self.sides[1 - self.view][other])
        return (CHECKERS[self.view], mine) if mine else (CHECKERS[1 - self.view], theirs)

    def place(self, seat: int, index: int) -> tuple[str, int]:
        """Return a seat's checkers on the bar or off."""
        return CHECKERS[seat], int(self.sides[seat][index])

    def title(self, seat: int) -> str:
        """Return the line above or below the board: who, pips, and whether on roll."""
        pips = counted(int(pip_count(self.sides[seat])), "pip")
        on_roll = "   on roll" if seat == self.game.seat and not self.game.is_over else ""
        return f"  {_name(seat)}   {pips}{on_roll}"


def _row(game: GameView, seat: int) -> Board:
    row: Board = game.board[0 if seat == game.seat else 1]
    return row


def _line(rows: _Rows, depth: int, top: bool) -> str:
    """Draw one row of checkers, `depth` away from the edge."""
    across = 1 - rows.view
    points = ("".join(_point(rows.stack(i), depth) for i in half) for half in _halves(top))
    left, right = points
    # A checker on the bar stands where it will enter, next to the middle; borne off, at the edge.
    bar = _cell(rows.place(rows.view if top else across, BAR), HEIGHT - 1 - depth, _SIDE)
    off = rows.place(across if top else rows.view, OFF)
    tray = f"{off[1]} {off[0]}" if off[1] and depth == 0 else ""
    return _frame(left, right, bar, tray)


def _halves(top: bool) -> tuple[range, range]:
    """Return the board indices of the left and the right half, from left to right."""
    if top:
        return _LEFT_HALF, _RIGHT_HALF
    return range(11, 5, -1), range(5, -1, -1)


def _point(stack: tuple[str, int], depth: int) -> str:
    """Draw one place of a point; a dot marks an empty point, so that points can be counted."""
    return _cell(stack, depth) if stack[1] or depth else "·".center(_CELL)


def _cell(stack: tuple[str, int], depth: int, width: int = _CELL) -> str:
    """Draw one place of a stack: a checker, the number in a tall stack, or nothing."""
    checker, count = stack
    if count <= depth:
        return " " * width
    if depth == HEIGHT - 1 and count > HEIGHT:
        return str(count).center(width)
    return checker.center(width)


def _frame(left: str, right: str, bar: str, tray: str) -> str:
    return f" │{left:{_HALF}}│{bar.center(_SIDE)}│{right:{_HALF}}│{tray.center(_SIDE)}│"


def _edge(corners: tuple[str, str, str], numbers: list[str], top: bool) -> str:
    """Draw the upper or lower edge with the numbers of its points."""
    left, right = (
        "".join(numbers[index].center(_CELL).replace(" ", "─") for index in half)
        for half in _halves(top)
    )
    start, tee, end = corners
    return f" {start}{left}{tee}{'─' * _SIDE}{tee}{right}{tee}{'─' * _SIDE}{end}"


def _dice_halves(game: GameView, view: int) -> tuple[str, str]:
    """Return the dice in the left and the right half: a player throws into the own right one."""
    dice = _dice(game).center(_HALF)
    return ("", dice) if game.seat == view else (dice, "")


def _dice(game: GameView) -> str:
    """Return the dice as text, marked whether still to play or played."""
    if game.dice is None:
        return ""
    left = list(game.dice_left)
    thrown = game.dice * 2 if game.dice[0] == game.dice[1] else game.dice
    faces = []
    for die in thrown:
        to_play = die in left
        if to_play:
            left.remove(die)
        faces.append(f"[{die}]" if to_play else f"({die})")
    return " ".join(faces)


def _status(game: GameView) -> str:
    """Say in words what happens next, or how the game ended."""
    who = f"  turn {game.turn}: {_name(game.seat)}"
    if game.phase == "opening":
        return "  opening: each seat throws one die"
    if game.phase == "to roll":
        return f"{who} to roll"
    if game.phase == "to play":
        return f"{who} to play {' '.join(map(str, game.dice_left))}"
    return f"  over: {_result(game)}"


def _result(game: GameView) -> str:
    winner = game.winner
    assert winner is not None
    won, lost = ending(game)
    loss = f"{_name(1 - winner)} {lost}, " if lost else ""
    return f"{loss}{_name(winner)} {won}"


def _name(seat: int) -> str:
    return f"{CHECKERS[seat]} seat {seat}"
