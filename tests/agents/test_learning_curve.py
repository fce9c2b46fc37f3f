"""Learning curves: what the picture of some runs shows, and what it is made from."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents.learning_curve import main, read_curve
from gammon_env.errors import GammonError
from tests.runs import arguments, scalars
from train import main as train

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    paths = [folder / "a", folder / "b"]
    for seed, path in enumerate(paths):
        assert train(arguments(path, seed=str(seed), final_games="0")) == 0
    return paths


def test_a_curve_is_what_the_run_logged_over_minutes(runs: list[Path]) -> None:
    curve, log = read_curve(runs[0], "random"), scalars(runs[0])
    assert len(curve.at) == 2
    assert (curve.at > 0).all()
    for tag, values in (
        ("points_per_game", curve.means),
        ("points_per_game_margin", curve.margins),
        ("training_seconds", 60 * curve.at),
    ):
        logged = [event.value for event in log.Scalars(f"{tag}/random")]
        assert values.tolist() == pytest.approx(logged)


def test_one_picture_shows_all_runs(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "curves.svg"
    assert main([*map(str, runs), "--opponent", "random", "--out", str(out)]) == 0
    root = ElementTree.fromstring(out.read_text())
    assert {"a", "b", "minutes of training"} <= {text.text for text in root.iter(f"{SVG}text")}
    assert len(list(root.iter(f"{SVG}polyline"))) == 2
    assert [line[:2] for line in capsys.readouterr().out.splitlines()[:4]] == [
        "a:",
        "a:",
        "b:",
        "b:",
    ]


def test_an_opponent_it_never_met_is_refused(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="against 'nobody'; it has them against: random"):
        read_curve(runs[0], "nobody")
    with pytest.raises(GammonError, match="is no folder of a training run"):
        read_curve(tmp_path, "random")


def test_runs_of_one_name_are_refused(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = [str(runs[0]), str(runs[0]), "--opponent", "random"]
    assert main([*twice, "--out", str(tmp_path / "c.svg")]) == 2
    assert "need different names" in capsys.readouterr().err
