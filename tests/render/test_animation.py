"""Animated pictures: the scenes of a game, and the files they become."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from gammon_env.agent import load_agent
from gammon_env.errors import GammonError
from gammon_env.game import GameState
from gammon_env.position import Position
from gammon_env.render.animation import LAST_SECONDS, replay, save_game, watch
from gammon_env.render.scene import Scene
from gammon_env.render.svg import draw_scene

RECORD = [((3, 1), "8/5 6/5"), ((6, 4), "24/14"), ((2, 2), "13/11*(2) 6/4(2)")]
CLOSED_OUT = Position.from_counts({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {"off": 3})


def scenes(seed: int = 1) -> list[Scene]:
    return list(watch([load_agent("pip-count"), load_agent("random")], seed))


def kinds(shown: Iterator[Scene] | list[Scene]) -> str:
    """Return a letter for each scene: a roll, a play, a pass, or nothing thrown."""

    def kind(scene: Scene) -> str:
        if not scene.dice:
            return "-"
        if any(not die.played for die in scene.dice):
            return "r"
        return "p" if scene.before is not None else "x"

    return "".join(map(kind, shown))


class TestWatching:
    def test_each_roll_is_seen_and_then_what_was_played(self) -> None:
        shown = kinds(scenes())
        assert shown.startswith("-rprp")
        assert set(shown[1:].replace("rp", "").replace("x", "")) == set()

    def test_a_pass_shows_the_dice_that_cannot_be_played(self) -> None:
        passed = [s for seed in range(4) for s in scenes(seed) if kinds([s]) == "x"]
        assert passed
        assert all("cannot move" in s.notes[s.thrower] for s in passed)
        assert all(s.rows[s.thrower][24] for s in passed), "on the bar, as a rule"

    def test_the_last_scene_is_the_end_and_the_players_have_their_names(self) -> None:
        last = scenes()[-1]
        assert last.on_roll is None
        assert any("wins" in note for note in last.notes)
        assert last.names == ["pip-count", "random"]

    def test_a_seed_decides_the_game(self) -> None:
        first, again = (list(map(draw_scene, scenes())) for _ in range(2))
        assert first == again
        assert first != list(map(draw_scene, scenes(2)))

    def test_a_seed_is_not_negative(self) -> None:
        with pytest.raises(GammonError, match="0 or more, not -1"):
            scenes(-1)


class TestReplaying:
    def test_a_record_is_shown_roll_by_roll(self) -> None:
        shown = list(replay(GameState(), RECORD, names=("Ann", "Bob")))
        assert kinds(shown) == "-rprprp"
        assert [scene.notes[scene.thrower] for scene in shown[2::2]] == [
            "3-1: 8/5 6/5",
            "6-4: 24/14",
            "2-2: 13/11*(2) 6/4(2)",
        ]
        assert shown[0].names == ("Ann", "Bob")

    def test_a_pass_shows_its_dice_too(self) -> None:
        game = GameState.from_position(CLOSED_OUT)
        shown = list(replay(game, [((5, 4), ""), ((6, 1), "6/off 6/5")]))
        assert kinds(shown) == "-xrp"
        assert [die.face for die in shown[1].dice] == [5, 4]
        assert game == GameState.from_position(CLOSED_OUT), "it is not played on"

    def test_an_illegal_turn_is_named(self) -> None:
        with pytest.raises(GammonError, match="turn 2, 6-4"):
            list(replay(GameState(), [RECORD[0], ((6, 4), "24/20")]))


class TestSaving:
    SCENES = tuple(replay(GameState(), RECORD))

    @pytest.mark.parametrize("suffix", [".gif", ".png", ".apng", ".webp"])
    def test_every_scene_is_a_frame(self, suffix: str, tmp_path: Path) -> None:
        save_game(tmp_path / f"game{suffix}", self.SCENES, width=120)
        with Image.open(tmp_path / f"game{suffix}") as picture:
            assert picture.width == 120
            assert picture.n_frames == len(self.SCENES)
            assert picture.info["loop"] == 0

    def test_plays_are_shown_longer_than_rolls_and_the_last_scene_longest(
        self, tmp_path: Path
    ) -> None:
        save_game(tmp_path / "game.gif", self.SCENES, width=120, seconds=1.0)
        with Image.open(tmp_path / "game.gif") as picture:
            lengths = [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]
        assert lengths == [1000, 500, 1000, 500, 1000, 500, 1000 * LAST_SECONDS]

    def test_what_stands_still_does_not_flicker(self, tmp_path: Path) -> None:
        save_game(tmp_path / "game.gif", self.SCENES, width=240)
        with Image.open(tmp_path / "game.gif") as picture:
            wood = {frame.convert("RGB").getpixel((8, 100)) for frame in _frames(picture)}
        assert len(wood) == 1

    def test_a_file_is_named_after_its_format(self, tmp_path: Path) -> None:
        with pytest.raises(GammonError, match=r"no suffix of an animated picture; there are \.gif"):
            save_game(tmp_path / "game.mp4", self.SCENES)

    def test_no_scene_is_no_picture(self, tmp_path: Path) -> None:
        with pytest.raises(GammonError, match="no scene"):
            save_game(tmp_path / "game.gif", [])
        assert not any(tmp_path.iterdir())


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    for frame in ImageSequence.Iterator(picture):
        yield frame.copy()
