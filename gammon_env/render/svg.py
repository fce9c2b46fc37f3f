"""A game as a picture: the board, the dice and the players as SVG, without any library."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gammon_env.render import layout as at
from gammon_env.render import scene as scenes
from gammon_env.render import shapes
from gammon_env.render.layout import Layout, Stack
from gammon_env.render.scene import SEATS, Names, Scene
from gammon_env.render.words import counted
from gammon_env.rules.board import BAR, OFF, pip_count

if TYPE_CHECKING:  # both draw themselves with this module
    from gammon_env.game_view import GameView, Roll
    from gammon_env.position import Play, Position

NAME = 20
"""Letters of a name that fit beside the note."""


def draw(
    game: "GameView",
    view: int = 0,
    before: "GameView | None" = None,
    names: Names = SEATS,
) -> str:
    """Draw a game.

    Args:
        game: also in mid-turn, or over.
        view: the seat from whose side the board is seen.
        before: the same game at an earlier moment, to mark what has moved since.
        names: of seat 0 and seat 1.

    Returns:
        An SVG document. Pale dice have been played.

    Raises:
        GammonError: if there is no such seat.
    """
    return draw_scene(scenes.of_game(game, view, before, names))


def draw_position(position: "Position", dice: "Roll | None" = None) -> str:
    """Draw a position, seen by the player on roll, with or without a roll to play."""
    return draw_scene(scenes.of_position(position, dice))


def draw_play(play: "Play") -> str:
    """Draw the position after a play, seen by the mover, with what has moved marked."""
    return draw_scene(scenes.of_play(play))


def draw_scene(scene: Scene) -> str:
    """Draw what a scene shows."""
    layout = Layout(scene.variant, scene.view)
    width, height = layout.width, layout.height
    return shapes.element(
        "svg",
        shapes.title(_description(scene)),
        *_board(layout),
        *(_strip(scene, layout, seat) for seat in range(2)),
        *_checkers(scene, layout),
        *_dice(scene, layout),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        font_family=shapes.FONT,
    )


def _description(scene: Scene) -> str:
    """Return the picture in words, for who can't see it."""
    said = [
        f"{name} ({counted(_pips(scene, seat), 'pip')}) {scene.notes[seat]}".rstrip()
        for seat, name in enumerate(scene.names)
    ]
    return f"{scene.variant.name}: {', '.join(said)}"


def _pips(scene: Scene, seat: int) -> int:
    return int(pip_count(scene.rows[seat].copy()))


def _board(layout: Layout) -> Iterator[str]:
    """Draw all that never changes."""
    width, height = layout.width - 1, layout.height - 1
    yield shapes.rectangle(0.5, 0.5, width, height, rx=12, fill=shapes.PAPER, stroke=shapes.BORDER)
    yield from _wood(layout)
    for left in (layout.left, layout.bar + at.BAR):
        yield _surface(left, at.TOP, at.HALF, at.HEIGHT)
    for on_left in (True, False) if layout.has_left_tray else (False,):
        for y in (at.TOP, at.MIDDLE + at.RAIL / 2):
            yield _surface(layout.tray_left(on_left), y, at.TRAY, at.HEIGHT / 2 - at.RAIL / 2)
    for number in range(1, 25):
        yield from _point(layout, number)


def _wood(layout: Layout) -> Iterator[str]:
    """Draw the frame and the bar, which is lighter so that dark checkers show on it."""
    top, width, height = at.TOP - at.EDGE, layout.width - 2 * at.MARGIN, at.HEIGHT + 2 * at.EDGE
    edge = shapes.WOOD_EDGE
    yield shapes.rectangle(
        at.MARGIN, top, width, height, rx=7, fill=shapes.WOOD, stroke=edge, stroke_width=1.5
    )
    yield _surface(layout.bar + 4, at.TOP, at.BAR - 8, at.HEIGHT, shapes.BAR)


def _surface(x: float, y: float, width: float, height: float, fill: str = shapes.FELT) -> str:
    edge = shapes.WOOD_EDGE
    return shapes.rectangle(x, y, width, height, fill=fill, stroke=edge, stroke_width=1.5)


def _point(layout: Layout, number: int) -> Iterator[str]:
    """Draw an empty point and its number."""
    place = layout.point(number)
    tip = place.start + place.down * (at.TALLEST * at.STEP - 8)
    yield shapes.triangle(place.x, place.start, tip, at.POINT - 3, shapes.POINTS[number % 2])
    y = place.start - place.down * at.EDGE / 2
    yield shapes.text(str(number), place.x, y, 14, class_="number", fill=shapes.ON_WOOD)


def _strip(scene: Scene, layout: Layout, seat: int) -> str:
    """Draw a player's line: who, what there is to say, and the pip count."""
    y, left, right = layout.strip(seat), at.MARGIN + 4, layout.width - at.MARGIN - 4
    on_roll, settled = seat == scene.on_roll, scene.on_roll is None
    pips = counted(_pips(scene, seat), "pip")
    words = [
        shapes.checker(seat, left + 30, y, radius=11),
        shapes.text(_shortened(scene.names[seat]), left + 50, y, 18, "start", heavy=on_roll),
        shapes.text(scene.notes[seat], layout.width / 2, y, 17, heavy=settled, class_="note"),
        shapes.text(pips, right, y, 18, "end", heavy=on_roll, class_="pips"),
    ]
    if on_roll:
        corners = f"{left:g},{y - 7:g} {left:g},{y + 7:g} {left + 12:g},{y:g}"
        words.append(shapes.element("polygon", class_="on-roll", points=corners, fill=shapes.INK))
    return shapes.group(words, class_="player")


def _shortened(name: str) -> str:
    """Return a name that leaves room for what there is to say beside it."""
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


def _checkers(scene: Scene, layout: Layout) -> Iterator[str]:
    """Draw the checkers of both sides wherever they are, and the traces of those that moved."""
    for seat in range(2):
        for index in range(OFF):
            yield from _stack(scene, layout, seat, index)
        yield from _tray(scene, layout, seat)


def _stack(scene: Scene, layout: Layout, seat: int, index: int) -> Iterator[str]:
    """Draw a seat's checkers on a point or the bar, and the traces of those that have left."""
    count, gained = int(scene.rows[seat][index]), _gained(scene, seat, index)
    place = layout.on_bar(seat) if index == BAR else layout.point(layout.number(seat, index + 1))
    if gained < 0 and not _is_taken(scene, seat, index):
        for y in _traces(place, count, -gained):
            yield shapes.ghost(seat, place.x, y)
    if count:
        words = shapes.title(_place_in_words(scene, seat, index))
        yield shapes.group([words, *_pile(seat, place, count, gained)], class_="stack")


def _traces(place: Stack, count: int, lost: int) -> Iterator[float]:
    """Yield the heights at which checkers have left; a tall stack hides most of the only one."""
    if count >= at.TALLEST:
        yield place.centre(at.TALLEST - 0.7)
    for depth in range(count, min(count + lost, at.TALLEST)):
        yield place.centre(depth)


def _pile(seat: int, place: Stack, count: int, gained: int) -> Iterator[str]:
    """Draw a stack, at most `TALLEST` checkers of it and then its number."""
    shown = min(count, at.TALLEST)
    for depth in range(shown):
        moved = depth >= shown - gained
        yield shapes.checker(seat, place.x, place.centre(depth), moved=moved)
    if count > shown:
        yield shapes.number_on(seat, place.x, place.centre(shown - 1), count)


def _gained(scene: Scene, seat: int, index: int) -> int:
    """Return how many checkers more than before a place has; being hit is no move."""
    if scene.before is None:
        return 0
    gained = int(scene.rows[seat][index]) - int(scene.before[seat][index])
    return min(gained, 0) if index == BAR else gained


def _is_taken(scene: Scene, seat: int, index: int) -> bool:
    """Say whether the other seat stands on a point now."""
    if index == BAR:
        return False
    return bool(scene.rows[1 - seat][scene.variant.opponent_point[index + 1] - 1])


def _place_in_words(scene: Scene, seat: int, index: int) -> str:
    place = "bar" if index == BAR else f"point {index + 1}"
    return f"{scene.names[seat]}, {place}: {scene.rows[seat][index]}"


def _tray(scene: Scene, layout: Layout, seat: int) -> Iterator[str]:
    """Draw a seat's borne-off checkers and their number."""
    count, gained = int(scene.rows[seat][OFF]), _gained(scene, seat, OFF)
    place = layout.tray(seat)
    if not count:
        return
    for depth in range(count):
        y = place.start + place.down * (shapes.SLAB * (depth + 0.5) + 4)
        yield shapes.slab(seat, place.x, y, at.TRAY - 14, moved=depth >= count - gained)
    y = place.start + place.down * (shapes.SLAB * count + 17)
    yield shapes.text(str(count), place.x, y, 17, heavy=True, class_="off-count")


def _dice(scene: Scene, layout: Layout) -> Iterator[str]:
    """Draw the dice in the middle of their thrower's right half."""
    middle, step = layout.dice(scene.thrower), at.DIE + 9
    for i, die in enumerate(scene.dice):
        x = middle + (i - (len(scene.dice) - 1) / 2) * step
        yield shapes.die(scene.thrower, x, at.MIDDLE, at.DIE, die.face, die.played)
