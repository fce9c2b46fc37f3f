"""The command line: the pictures of the README, and what it says to a wrong argument."""

from pathlib import Path

import pytest
from PIL import Image

from gammon_env.position import Position
from gammon_env.render.__main__ import main
from gammon_env.render.svg import draw_play, draw_position

ROOT = Path(__file__).parents[2]
START = Position.start()
README_PICTURE = ["board", "--dice", "31", "--play", "8/5 6/5"]


def test_a_position_becomes_a_picture(tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert main(["board", START.position_id, "--out", str(out)]) == 0
    assert out.read_text() == draw_position(START) + "\n"
    assert main(["board", "--dice", "6-1", "--out", str(out)]) == 0
    assert out.read_text() == draw_position(START, (6, 1)) + "\n"


def test_the_picture_of_the_readme_is_what_its_command_draws(tmp_path: Path) -> None:
    assert main([*README_PICTURE, "--out", str(tmp_path / "board.svg")]) == 0
    drawn = (tmp_path / "board.svg").read_text()
    assert drawn == draw_play(START.parse_play("8/5 6/5", (3, 1))) + "\n"
    assert drawn == (ROOT / ".github" / "board.svg").read_text()


def test_a_game_becomes_an_animated_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.gif"
    arguments = ["--agents", "pip-count", "random", "--seed", "1", "--width", "60"]
    assert main(["game", *arguments, "--view", "1", "--out", str(out)]) == 0
    with Image.open(out) as picture:
        assert picture.width == 60
        assert picture.n_frames > 20
    assert capsys.readouterr().out == f"picture: {out}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board", "4HPw"], "not a position ID"),
        (["board", "--play", "8/5 6/5"], "needs the roll"),
        (["board", "--play", "8/2", "--dice", "31"], "not a legal play"),
        (["board", "--out", "no/such/folder/board.svg"], "no folder no/such/folder"),
        (["board", "--out", "board.jpg"], "no .svg or .png"),
        (["game", "--agents", "pip-count", "nobody"], "no agent is called 'nobody'"),
        (["game", "--agents", "random", "random", "--out", "game.mp4"], "no suffix"),
    ],
)
def test_what_makes_no_picture_is_refused(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_a_roll_is_two_dice(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["board", "--dice", "7"])
    assert "write two dice such as 31" in capsys.readouterr().err
