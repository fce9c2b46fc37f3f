import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load, save

from agents import checkpoint as module
from agents.checkpoint import (
    NAME,
    Checkpoint,
    Counters,
    git_revision,
    load_checkpoint,
    save_checkpoint,
)
from agents.config import TrainingConfig
from agents.network import fast
from agents.trainer import Trainer
from gammon_env.errors import GammonError
from gammon_env.observation import VALUE
from gammon_env.rules.variant import BACKGAMMON
from tests.agents.networks import (
    assert_same_tensors,
    boards_of_random_games,
    random_network,
    short_run,
    staged_run,
)

COUNTERS = Counters(games=12_345, positions=678_901, iterations=49, seconds=12.5)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return _saved_in(tmp_path)


def _saved_in(folder: Path) -> Path:
    network = random_network((6, 3))
    training = {"adam.layers.0.weight.step": torch.tensor(7.0), "scout.bias": torch.rand(2, 3)}
    path = folder / NAME
    save_checkpoint(path, network, training, short_run(folder).as_dict(), COUNTERS)
    return path


def metadata(path: Path) -> dict[str, Any]:
    with safe_open(path, framework="pt") as file:
        description: dict[str, Any] = json.loads(file.metadata()["info"])
    return description


def rewrite(path: Path, **changes: Any) -> None:
    """Write a checkpoint again with parts of its description changed; None leaves a part out."""
    info = {**metadata(path), **changes}
    info = {key: value for key, value in info.items() if value is not None}
    path.write_bytes(save(load(path.read_bytes()), {"info": json.dumps(info)}))


# --- what is written is read ----------------------------------------------------------------------


def test_a_checkpoint_comes_back(saved: Path, tmp_path: Path) -> None:
    found = load_checkpoint(saved)
    assert found.counters == COUNTERS
    assert found.config == short_run(tmp_path).as_dict()
    assert found.variant == BACKGAMMON
    assert found.network.hidden == [6, 3]
    assert_same_tensors(found.network.state_dict(), random_network((6, 3)).state_dict())
    assert found.training["adam.layers.0.weight.step"].item() == 7
    assert set(found.training) == {"adam.layers.0.weight.step", "scout.bias"}
    assert all(parameter.requires_grad for parameter in found.network.parameters())


def test_the_folder_stands_for_the_checkpoint_in_it(saved: Path) -> None:
    assert load_checkpoint(saved.parent).counters == COUNTERS


def test_the_json_beside_says_what_the_checkpoint_says(saved: Path) -> None:
    beside = json.loads(saved.with_suffix(".json").read_text())
    assert beside == metadata(saved) == load_checkpoint(saved).info
    assert beside["counters"] == asdict(COUNTERS)
    assert (beside["encoder"], beside["encoder_version"]) == ("value", VALUE.version)
    assert beside["git_revision"] == git_revision()
    assert beside["config"]["hidden"] == [8]


@pytest.mark.parametrize(("version", "size"), VALUE.sizes.items())
def test_a_network_of_an_earlier_version_plays_as_ever(
    tmp_path: Path, version: int, size: int
) -> None:
    network = random_network((6, 3), inputs=size)
    path = tmp_path / NAME
    save_checkpoint(path, network, {}, short_run(tmp_path).as_dict(), COUNTERS)
    assert metadata(path)["encoder_version"] == version
    boards = boards_of_random_games(100)
    found = fast(load_checkpoint(path).network).outcomes(boards)
    np.testing.assert_array_equal(found, fast(network).outcomes(boards))


def test_nothing_else_is_left_in_the_folder(saved: Path) -> None:
    _saved_in(saved.parent)
    assert {path.name for path in saved.parent.iterdir()} == {NAME, "checkpoint.json"}


def test_the_folder_is_made(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    assert _saved_in(tmp_path / "deep" / "er").is_file()


@pytest.mark.parametrize("run", [short_run, staged_run])
def test_what_learning_needs_comes_back_bit_for_bit(
    tmp_path: Path, run: Callable[[Path], TrainingConfig]
) -> None:
    trainer = Trainer(run(tmp_path))
    trainer.iterate()
    first = load_checkpoint(trainer.save())
    trainer.close()
    restored = Trainer(run(tmp_path), first)
    again = load_checkpoint(restored.save())
    restored.close()
    parameters = len(list(first.network.parameters()))
    assert sum(name.startswith("adam.network.") for name in first.training) == 3 * parameters
    assert sum(name.startswith("playing.network.") for name in first.training) == parameters
    assert_same_tensors(first.training, again.training)
    assert_same_tensors(first.network.state_dict(), again.network.state_dict())
    assert first.config == again.config == run(tmp_path).as_dict()


def test_a_failed_write_leaves_the_old_checkpoint(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def full_disk(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        save_checkpoint(
            saved, random_network((4,)), {}, short_run(saved.parent).as_dict(), COUNTERS
        )
    assert saved.read_bytes() == before
    assert load_checkpoint(saved).counters == COUNTERS


def test_outside_a_working_tree_the_revision_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setattr(module, "__file__", str(tmp_path / "checkpoint.py"))
    assert git_revision() == "unknown"
    monkeypatch.setenv("PATH", "")
    assert git_revision() == "unknown"


# --- what is not a checkpoint is refused, always as one error -------------------------------------


def refusal(path: Path) -> str:
    with pytest.raises(GammonError) as caught:
        load_checkpoint(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    assert "there is no checkpoint" in refusal(tmp_path / "none.safetensors")


def test_a_folder_without_one(tmp_path: Path) -> None:
    assert "there is no checkpoint" in refusal(tmp_path / NAME)
    with pytest.raises(GammonError, match="there is no checkpoint"):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.1, 0.5, 0.99, 0.9999])
def test_a_truncated_file(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(len(content) * share)])
    assert "damaged or cut short" in refusal(saved)


def test_a_file_with_something_behind_it(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes() + b"\0")
    assert "damaged" in refusal(saved)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300))
def test_random_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "random.safetensors"
    path.write_bytes(content)
    refusal(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return _saved_in(tmp_path_factory.mktemp("whole")).read_bytes()


@pytest.mark.filterwarnings("ignore:Initializing zero-element tensors")
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_header_is_refused_or_harmless(
    tmp_path: Path, whole: bytes, data: st.DataObject
) -> None:
    path = tmp_path / NAME
    header = 8 + int.from_bytes(whole[:8], "little")
    at = data.draw(st.integers(0, header - 1))
    path.write_bytes(whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :])
    with suppress(GammonError):
        assert isinstance(load_checkpoint(path), Checkpoint)


def test_safetensors_of_another_project(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    path.write_bytes(save({"weight": torch.zeros(3)}))
    assert "no checkpoint of this project" in refusal(path)


@pytest.mark.parametrize("info", ["", "{", "[]", "null", "3", '"text"', "{}"])
def test_a_description_that_is_none(tmp_path: Path, info: str) -> None:
    path = tmp_path / "other.safetensors"
    path.write_bytes(save({"weight": torch.zeros(3)}, {"info": info}))
    assert "no checkpoint of this project" in refusal(path)


def test_another_format(saved: Path) -> None:
    rewrite(saved, format=1)
    assert "format is 1, this release reads 2" in refusal(saved)


@pytest.mark.parametrize(
    ("encoder", "version"), [("value", VALUE.version + 1), ("value", 0), ("tesauro", 1)]
)
def test_another_encoder(saved: Path, encoder: str, version: int) -> None:
    rewrite(saved, encoder=encoder, encoder_version=version)
    message = refusal(saved)
    assert f"trained on encoder {encoder!r} version {version}" in message
    assert f"reads 'value' version {VALUE.version}" in message


@pytest.mark.filterwarnings("ignore:Initializing zero-element tensors")
@pytest.mark.parametrize("hidden", [[6], [6, 4], [6, 3, 3], [], [0], [-1], "six", [None], 6])
def test_a_network_of_another_shape(saved: Path, hidden: Any) -> None:
    rewrite(saved, hidden=hidden)
    assert "does not hold the network it describes" in refusal(saved)


def test_a_missing_tensor(saved: Path) -> None:
    tensors = load(saved.read_bytes())
    del tensors["network.layers.0.bias"]
    saved.write_bytes(save(tensors, {"info": json.dumps(metadata(saved))}))
    assert "layers.0.bias" in refusal(saved)


@pytest.mark.parametrize("part", ["encoder", "hidden", "variant", "config", "counters", "format"])
def test_a_description_that_lacks_a_part(saved: Path, part: str) -> None:
    rewrite(saved, **{part: None})
    refusal(saved)


@pytest.mark.parametrize(
    "changes",
    [
        {"variant": "chess"},
        {"variant": 5},
        {"variant": []},
        {"counters": {"turns": 3}},
        {"counters": 3},
        {"counters": [1, 2, 3, 4]},
        {"config": "quick"},
    ],
    ids=str,
)
def test_a_description_that_makes_no_sense(saved: Path, changes: dict[str, Any]) -> None:
    rewrite(saved, **changes)
    refusal(saved)
