"""The training script, from its command line to what lies in the run's folder."""

from pathlib import Path

import pytest

from agents.checkpoint import NAME, load_checkpoint
from agents.config import parse
from tests.agents.networks import assert_same_state
from tests.runs import MATCHLESS, arguments, contents, scalars
from train import main

# --- a run from end to end ------------------------------------------------------------------------


def test_a_run_leaves_a_checkpoint_a_configuration_and_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs" / "tiny"
    assert main(arguments(folder)) == 0
    checkpoint = load_checkpoint(folder)
    assert checkpoint.counters.games == 80
    assert checkpoint.counters.iterations == 5
    names = set(contents(folder))
    assert {NAME, "checkpoint.json", "config.toml"} < names
    assert len(names) == 4, "and TensorBoard's events, nothing else"
    config = parse(["--config", str(folder / "config.toml")]).config
    assert config.as_dict() == checkpoint.config
    assert config == parse(arguments(folder)).config

    output = capsys.readouterr().out
    for told in (
        "80 games in",
        f"checkpoint:  {folder / NAME}",
        f"tensorboard --logdir {folder}",
        f"python train.py --resume {folder} --games 160",
        "points per game over 4 paired games, with 95% intervals:",
        "against random",
        "not measured against nobody: no agent is called 'nobody'",
    ):
        assert told in output


def test_the_log_shows_learning_speed_and_matches(tmp_path: Path) -> None:
    main(arguments(tmp_path, final_games="0"))
    events = scalars(tmp_path)
    tags = set(events.Tags()["scalars"])
    for expected in (
        "training/loss",
        "training/learning_rate",
        "speed/games_per_second",
        "speed/turns_per_second",
        "self_play/plies_per_game",
        "self_play/first_mover_win_rate",
        "self_play/gammon_rate",
        "points_per_game/random",
        "points_per_game_margin/random",
        "training_seconds/random",
        "points_per_game_by_second/random",
    ):
        assert expected in tags
    assert [event.step for event in events.Scalars("points_per_game/random")] == [48, 80]
    assert [event.step for event in events.Scalars("training/loss")] == [80]
    assert "configuration/text_summary" in events.Tags()["tensors"]


def test_a_configuration_file_makes_the_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    folder = tmp_path / "run"
    file.write_text(parse(arguments(folder, **MATCHLESS)).config.as_toml())
    assert main(["--config", str(file), "--games=20"]) == 0
    assert load_checkpoint(folder).counters.games == 20


def test_the_checkpoint_is_a_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(arguments(tmp_path / "a", **MATCHLESS))
    player = str(tmp_path / "a" / NAME)
    assert main(arguments(tmp_path / "b", opponents=f'["{player}"]')) == 0
    assert f"against {player}" in capsys.readouterr().out


def test_matches_do_not_change_the_run(tmp_path: Path) -> None:
    main(arguments(tmp_path / "with"))
    main(arguments(tmp_path / "without", **MATCHLESS))
    assert_same_state(load_checkpoint(tmp_path / "with"), load_checkpoint(tmp_path / "without"))


# --- refusals -------------------------------------------------------------------------------------


def test_an_old_run_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(arguments(tmp_path, **MATCHLESS))
    before = contents(tmp_path)
    assert main(arguments(tmp_path, seed="2")) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path} already holds a run; continue it with --resume {tmp_path}" in error
    assert contents(tmp_path) == before


def test_a_resumed_run_does_not_overwrite_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    main(arguments(one, **MATCHLESS))
    main(arguments(other, **MATCHLESS))
    before = contents(other)
    assert main([f"--resume={one}", f"--run_dir={other}"]) == 2
    assert f"{other} already holds a run" in capsys.readouterr().err
    assert contents(other) == before


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--wibble=1"], "--wibble"),
        (["--games=many"], "games"),
        (["--lambda_=2"], "lambda_"),
        (["--resume=nowhere"], "there is no checkpoint nowhere"),
        (["--config=nowhere.toml"], "no configuration file nowhere.toml"),
    ],
)
def test_wrong_arguments_begin_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str], told: str
) -> None:
    folder = tmp_path / "run"
    assert main([*arguments(folder), *argv]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert told in error
    assert not folder.exists()


@pytest.mark.parametrize("inside", ["", "/below"])
def test_a_run_needs_a_folder_it_can_write_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], inside: str
) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    assert main(arguments(Path(f"{taken}{inside}"), **MATCHLESS)) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: run_dir {taken}{inside} can't be written in: ")
    assert error.endswith("choose another --run_dir\n")


def test_no_arguments_tell_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "run_dir, games" in capsys.readouterr().err


def test_another_network_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(arguments(tmp_path, **MATCHLESS))
    before = contents(tmp_path)
    assert main([f"--resume={tmp_path}", "--hidden=[9]"]) == 2
    assert "hidden layers [8]" in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_diverged_learning_ends_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(arguments(tmp_path, **MATCHLESS))
    before = (tmp_path / NAME).read_bytes()
    assert main([f"--resume={tmp_path}", "--games=999", "--learning_rate=1e39"]) == 1
    assert "error: learning diverged" in capsys.readouterr().err
    assert (tmp_path / NAME).read_bytes() == before
