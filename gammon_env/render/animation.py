"""A game as an animated picture: what happens in it, scene by scene, and the file."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gammon_env.agent import Agent, ask
from gammon_env.decision import Decisions
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.game_view import Roll
from gammon_env.render import scene as scenes
from gammon_env.render.rasterise import image, imported
from gammon_env.render.scene import SEATS, Names, Scene
from gammon_env.render.shapes import ACCENT
from gammon_env.render.svg import draw_scene
from gammon_env.rules import dice as rules
from gammon_env.rules.variant import BACKGAMMON, Variant

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 480
"""Pixels; at this size a whole game stays below a megabyte or two."""
SECONDS = 1.2
LAST_SECONDS = 4.0
COLOURS = 96
"""The drawing has about a dozen; the rest smooth its edges."""
FORMATS = {".gif": "GIF", ".png": "PNG", ".apng": "PNG", ".webp": "WEBP"}

_WORDS = np.uint64(1)
"""The stream of the agents' random words, beside that of the dice."""


def watch(
    agents: Sequence[Agent],
    seed: int = 0,
    variant: Variant = BACKGAMMON,
    view: int = 0,
) -> Iterator[Scene]:
    """Let two agents play a game, and yield what there is to see: each roll, then its play.

    Args:
        agents: of seat 0 and seat 1.
        seed: of the dice and of the agents' random words.
        variant: the game.
        view: the seat from whose side the board is seen.

    Raises:
        GammonError: if the seed is negative, or an agent returns no legal play.
    """
    if seed < 0:
        raise GammonError(f"a seed is 0 or more, not {seed}")
    names = [agent.name for agent in agents]
    game = GameState(variant, key=seed)
    yield scenes.of_game(game, view, names=names)
    while not game.is_over:
        before, dice = game.clone(), _next_dice(game)
        if not game.roll():
            yield scenes.of_pass(before, dice, view, names)
            continue
        thrown = game.clone()
        yield scenes.of_game(thrown, view, names=names)
        game.play(_choice(agents[game.seat], thrown))
        yield scenes.of_game(game, view, thrown, names)


def replay(
    game: GameState,
    turns: Iterable[tuple[Roll, str]],
    view: int = 0,
    names: Names = SEATS,
) -> Iterator[Scene]:
    """Play recorded turns on from a game, and yield what there is to see: each roll, then its play.

    Args:
        game: where the record begins; it is not changed.
        turns: the dice and the play as text of each turn, as for `GameState.replay`.
        view: the seat from whose side the board is seen.
        names: of seat 0 and seat 1.

    Raises:
        GammonError: naming the turn that is not legal.
    """
    yield scenes.of_game(game, view, names=names)
    for dice, text in turns:
        before, thrown = game, game.clone()
        (game,) = before.replay([(dice, text)])
        if thrown.roll(dice):
            yield scenes.of_game(thrown, view, names=names)
            yield scenes.of_game(game, view, thrown, names)
        else:
            yield scenes.of_pass(before, dice, view, names)


def save_game(
    path: Path | str,
    shown: Iterable[Scene],
    width: int = WIDTH,
    seconds: float = SECONDS,
) -> None:
    """Save scenes as an animated picture that starts again at its end.

    Args:
        path: of the file; its suffix says the format: .gif, .png or .apng, .webp.
        shown: the scenes, from `watch`, `replay` or `scene.of_game`.
        width: in pixels.
        seconds: how long a play is shown; a roll half as long, the last scene longer.

    Raises:
        GammonError: if the suffix names no format, there is no scene, or the extra `render` is not
            installed.
    """
    path = Path(path)
    if path.suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise GammonError(f"{path} has no suffix of an animated picture; there are {known}")
    frames, lengths = [], []
    for scene in shown:
        frames.append(image(draw_scene(scene), width))
        lengths.append(round(1000 * seconds * (0.5 if _is_roll(scene) else 1)))
    if not frames:
        raise GammonError("there is no scene to show")
    lengths[-1] = round(1000 * max(LAST_SECONDS, seconds))
    first, *others = _with_one_palette(frames)
    first.save(
        path,
        FORMATS[path.suffix],
        save_all=True,
        append_images=others,
        duration=lengths,
        loop=0,
    )


def _next_dice(game: GameState) -> Roll:
    """Return the dice that the stream will throw, whatever phase they are thrown in."""
    key, counter, _ = game.stream
    return rules.roll(np.uint64(key), np.uint64(counter))


def _choice(agent: Agent, game: GameState) -> int:
    """Return the number of the play that an agent chooses."""
    assert game.dice is not None
    key, counter, _ = game.stream
    stream = np.uint64(rules.stream_key(np.uint64(key), _WORDS))
    word = int(rules.random_word(stream, np.uint64(counter)))
    return int(ask(agent, Decisions.single(game.position, game.dice, word))[0])


def _is_roll(scene: Scene) -> bool:
    """Say whether dice are shown that are still to be played."""
    return any(not die.played for die in scene.dice)


def _with_one_palette(frames: Sequence["Image"]) -> list["Image"]:
    """Reduce all frames to the same few colours, so that what stands still does not flicker."""
    pillow: Any = imported("PIL.Image")
    width, height = frames[0].size
    some = frames[:: max(1, len(frames) // 4)]
    # Marks are few and small: a patch of their colour keeps it from being averaged away.
    sheet = pillow.new("RGB", (width, height * (len(some) + 1)), ACCENT)
    for i, frame in enumerate(some):
        sheet.paste(frame, (0, height * i))
    palette = sheet.quantize(COLOURS, dither=pillow.Dither.NONE)
    return [frame.quantize(palette=palette, dither=pillow.Dither.NONE) for frame in frames]
