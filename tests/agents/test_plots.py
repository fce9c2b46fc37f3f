import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from agents.plots import Curve, heat_map, learning_curves, running_means, ticks
from agents.statistics import Estimate

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("size", [2, 5, 100, 3000])
def test_a_running_mean_is_the_estimate_of_the_samples_so_far(size: int) -> None:
    samples = np.random.default_rng(size).normal(5, 2, size)
    running = Curve.running(samples)
    assert running.at[-1] == size
    assert (np.diff(running.at) > 0).all()
    for count, mean, margin in zip(running.at, running.means, running.margins, strict=True):
        estimate = Estimate.of(samples[: int(count)])
        assert mean == pytest.approx(estimate.mean)
        assert margin == pytest.approx(estimate.margin)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 6, [0, 1, 2, 3, 4, 5, 6]),
        (-0.3, 0.9, [-0.2, 0, 0.2, 0.4, 0.6, 0.8]),
        (0, 20_000, [0, 5000, 10_000, 15_000, 20_000]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def numbers(points: str | None) -> np.ndarray:
    return np.array(re.findall(r"[-\d.]+", points or ""), float).reshape(-1, 2)


def test_a_curve_lies_in_its_band_and_both_in_the_frame() -> None:
    curve = Curve.running(np.random.default_rng(1).normal(0.5, 1, 400))
    root = ElementTree.fromstring(running_means({"a < b": curve}, "pairs"))
    band = numbers(root.find(f"{SVG}polygon").get("points"))  # type: ignore[union-attr]
    line = numbers(root.find(f"{SVG}polyline").get("points"))  # type: ignore[union-attr]
    high, low = band[: len(line)], band[len(line) :][::-1]
    assert (high[:, 1] <= line[:, 1]).all()
    assert (line[:, 1] <= low[:, 1]).all()
    assert (high[:, 0] == line[:, 0]).all()
    _, _, width, height = (float(number) for number in (root.get("viewBox") or "").split())
    assert (band >= 0).all()
    assert (band <= [width, height]).all()
    assert "a < b" in [text.text for text in root.iter(f"{SVG}text")]


def test_samples_that_are_all_alike_are_drawn_too() -> None:
    root = ElementTree.fromstring(running_means({"none": Curve.running([0.0] * 50)}, "pairs"))
    line = numbers(root.find(f"{SVG}polyline").get("points"))  # type: ignore[union-attr]
    assert np.isfinite(line).all()
    assert len(set(line[:, 1])) == 1


def test_learning_curves_share_one_axis_and_each_has_its_name_in_its_colour() -> None:
    at, means = np.array([1.0, 2.0, 4.0]), np.array([0.2, 0.5, 0.4])
    runs = {f"seed{n}": Curve(at * n, means + n, np.full(3, 0.1)) for n in range(1, 7)}
    root = ElementTree.fromstring(learning_curves(runs, "points", "minutes"))
    lines = list(root.iter(f"{SVG}polyline"))
    ends = [numbers(line.get("points"))[-1, 0] for line in reversed(lines)]
    assert ends == pytest.approx(
        [ends[-1] * n / 6 + (1 - n / 6) * 64 for n in range(1, 7)], abs=0.1
    )
    words = {text.text: text.get("fill") for text in root.iter(f"{SVG}text")}
    assert {"points", "minutes"} <= set(words)
    colours = [line.get("stroke") for line in reversed(lines)]
    assert [words[name] for name in runs] == colours
    assert all(one != other for one, other in pairwise(colours))


def test_a_heat_map_shows_each_cell_and_who_is_ahead() -> None:
    cells = {(0, 1): Estimate(0.5, 0.1, 50), (1, 0): Estimate(-0.5, 0.1, 50)}
    root = ElementTree.fromstring(heat_map(["first", "second", f"runs/{'long/' * 9}best"], cells))
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"+0.500", "-0.500", "1. first", "second"} <= set(words)
    assert any(word and word.startswith("3. …") for word in words)
    told = [title.text for title in root.iter(f"{SVG}title")]
    assert told[0] == f"first against second: +0.500 ± {cells[0, 1].margin:.3f}"
    ahead, behind = (box.get("fill") or "" for box in root.iter(f"{SVG}rect"))
    assert int(ahead[1:3], 16) < int(ahead[5:7], 16)
    assert int(behind[1:3], 16) > int(behind[5:7], 16)
