import json
import shlex
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from agents.config import Stage, TrainingConfig, from_dict, parse, resume_path
from gammon_env.errors import GammonError

STAGES = (Stage(100, hidden=(9,), lambda_=0.5), Stage(300, learning_rate=0.5, minibatch=7))
CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run.toml"
    path.write_text('run_dir = "runs/mine"\ngames = 1000\nlambda_ = 0.5\nhidden = [40, 20]\n')
    return path


def parsed(*argv: object) -> TrainingConfig:
    return parse([str(word) for word in argv]).config


def refusal(*argv: object) -> str:
    with pytest.raises(GammonError) as caught:
        parsed(*argv)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- the files that ship --------------------------------------------------------------------------


def test_there_are_configurations() -> None:
    assert {"quick.toml", "backgammon_5min.toml"} <= {path.name for path in CONFIGS}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_file_in_configs_loads(path: Path) -> None:
    config = parsed("--config", path)
    assert config.run_dir == f"runs/{path.stem}"
    assert config.final_games >= 1000
    assert config.opponents


# --- files, the command line, and what wins -------------------------------------------------------


def test_a_file_sets_what_it_names(file: Path) -> None:
    expected = TrainingConfig(run_dir="runs/mine", games=1000, lambda_=0.5, hidden=(40, 20))
    assert parsed("--config", file) == expected


def test_the_command_line_beats_the_file(file: Path) -> None:
    config = parsed("--config", file, "--games", 7, "--lambda_=1", "--hidden", "[3]")
    assert (config.games, config.lambda_, config.hidden) == (7, 1.0, (3,))
    assert config.run_dir == "runs/mine"


def test_no_file_is_needed() -> None:
    config = parsed("--run_dir", "here", "--games", "5", "--opponents", '["pubeval"]')
    assert config == TrainingConfig(run_dir="here", games=5, opponents=("pubeval",))


def test_numbers_keep_their_types(file: Path) -> None:
    config = parsed("--config", file, "--learning_rate", "1", "--lambda_", "0")
    types = {
        field.name: type(getattr(TrainingConfig("x", 1), field.name)) for field in fields(config)
    }
    assert {key: type(value) for key, value in asdict(config).items()} == types


def test_a_resumed_run_keeps_its_configuration() -> None:
    old = TrainingConfig(
        "runs/old", 500, hidden=(9, 9), opponents=("random",), seed=4, stages=STAGES, scout=5
    )
    asked = parse(["--resume", "runs/old"], old.as_dict())
    assert asked.config == old
    assert asked.resume == Path("runs/old")


def test_the_command_line_beats_a_resumed_configuration(file: Path) -> None:
    old = TrainingConfig("runs/old", 500, hidden=(9, 8), seed=4)
    config = parse(["--resume", "runs/old", "--games", "900"], old.as_dict()).config
    assert (config.games, config.seed, config.hidden) == (900, 4, (9, 8))
    config = parse(["--resume", "x", "--config", str(file), "--seed", "5"], old.as_dict()).config
    assert (config.run_dir, config.games, config.seed) == ("runs/mine", 1000, 5)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("--resume runs/a", "runs/a"),
        ("--resume=runs/a", "runs/a"),
        ("--games 5 --resume runs/a --seed 1", "runs/a"),
        ("--resume runs/a --resume runs/b", "runs/b"),
        ("--games 5", None),
        ("--resume", None),
        ("", None),
    ],
)
def test_the_checkpoint_to_resume_is_known_before_the_rest(line: str, found: str | None) -> None:
    argv = shlex.split(line)
    assert resume_path(argv) == (None if found is None else Path(found))
    if found is not None:
        config = TrainingConfig("runs/a", 10)
        assert parse(argv, config.as_dict()).resume == Path(found)


# --- what is refused, by name ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("wibble = 1", "wibble"),
        ('games = "many"', "games"),
        ("games = 10.5", "games"),
        ("games = 1e6", "games"),
        ("seed = true", "seed"),
        ('learning_rate = "fast"', "learning_rate"),
        ("hidden = 64", "hidden"),
        ('hidden = ["wide"]', "hidden"),
        ("hidden = [1.5]", "hidden"),
        ('opponents = "random"', "opponents"),
        ("opponents = [1]", "opponents"),
        ("run_dir = 5", "run_dir"),
        ("[training]\nseed = 1", "training"),
        ('resume = "runs/a"', "resume"),
        ("seed = ", "Problems parsing config"),
    ],
)
def test_a_wrong_key_or_type_in_a_file(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(line)
    assert named in refusal("--config", path, "--run_dir", "r", "--games", "4")


@pytest.mark.parametrize(
    ("argv", "named"),
    [
        ("--wibble 1", "--wibble"),
        ("--seed x", "seed"),
        ("--seed 1.5", "seed"),
        ("--seed", "--seed"),
        ("--learning_rate fast", "learning_rate"),
        ("--hidden 64", "hidden"),
        ("--hidden '[64,x]'", "hidden"),
        ("--opponents random", "opponents"),
        ("--resume", "--resume"),
        ("--res runs/a", "--res"),
        ("stray", "stray"),
    ],
)
def test_a_wrong_key_or_type_on_the_command_line(file: Path, argv: str, named: str) -> None:
    assert named in refusal("--config", file, *shlex.split(argv))


@pytest.mark.parametrize("key", ["run_dir", "games"])
def test_a_missing_key(tmp_path: Path, key: str) -> None:
    path = tmp_path / "short.toml"
    lines = {"run_dir": 'run_dir = "r"\n', "games": "games = 5\n"}
    path.write_text("".join(line for name, line in lines.items() if name != key))
    assert key in refusal("--config", path)
    assert key in refusal()


def test_a_missing_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    assert f"no configuration file {missing}" in refusal("--config", missing)
    assert f"no configuration file {tmp_path}" in refusal(f"--config={tmp_path}")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[(key, 0) for key in ("games", "games_per_iteration", "minibatch", "workers")],
        ("checkpoint_every", 0),
        ("candidates", 0),
        ("scout", -1),
        ("games", -1),
        ("hidden", ()),
        ("hidden", (8, 0)),
        ("hidden", (-3,)),
        ("lambda_", -0.1),
        ("lambda_", 1.1),
        ("lambda_", float("nan")),
        ("learning_rate", -0.1),
        ("learning_rate", float("nan")),
        ("learning_rate", float("inf")),
        ("final_learning_rate", -1.0),
        ("final_learning_rate", float("inf")),
        ("seed", -1),
        ("precision", "float16"),
        ("evaluate_every", -1),
        *[(key, value) for key in ("evaluation_games", "final_games") for value in (-2, 2, 5)],
    ],
)
def test_a_value_that_makes_no_run(key: str, value: Any) -> None:
    values: dict[str, Any] = {"run_dir": "r", "games": 10, key: value}
    with pytest.raises(GammonError, match=f"configuration key {key} is .*; it must be "):
        TrainingConfig(**values)


def test_an_unknown_variant() -> None:
    assert "'chess'; there are: backgammon" in refusal(
        "--run_dir=r", "--games=5", "--variant=chess"
    )


def test_a_configuration_of_another_release() -> None:
    values = TrainingConfig("r", 10).as_dict()
    with pytest.raises(GammonError, match="unknown configuration key momentum; known: "):
        from_dict({**values, "momentum": 0.9})
    with pytest.raises(GammonError, match="unknown configuration key momentum"):
        parse(["--resume", "r"], {**values, "momentum": 0.9})
    with pytest.raises(GammonError, match="games"):
        parse(["--resume", "r"], {"run_dir": "r"})


def test_a_key_that_an_older_run_did_not_have_takes_its_default() -> None:
    values = TrainingConfig("r", 10).as_dict()
    del values["minibatch"]
    assert parse(["--resume", "r"], values).config == TrainingConfig("r", 10)


# --- out and in again -----------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
rates = st.floats(0, 10)
layers = st.lists(st.integers(1, 999), min_size=1, max_size=4).map(tuple)
a_stage = st.builds(
    Stage,
    until=st.integers(1, 10**9),
    lambda_=st.none() | st.floats(0, 1),
    learning_rate=st.none() | rates,
    final_learning_rate=st.none() | rates,
    games_per_iteration=st.none() | st.integers(1, 999),
    minibatch=st.none() | st.integers(1, 999),
)


@st.composite
def staged(draw: DrawFn, hidden: tuple[int, ...]) -> tuple[Stage, ...]:
    """Draw stages in order, whose networks grow up to the last one."""
    stages = draw(st.lists(a_stage, max_size=3, unique_by=lambda stage: stage.until))
    width = min(hidden)
    return tuple(
        replace(stage, hidden=(max(width - 3 + n, 1),))
        for n, stage in enumerate(sorted(stages, key=lambda stage: stage.until))
    )


games = st.sampled_from([0, 4, 6, 400])
configs = st.builds(
    TrainingConfig,
    run_dir=texts,
    games=st.integers(1, 10**9),
    seed=st.integers(0, 2**70),
    hidden=layers,
    lambda_=st.floats(0, 1),
    learning_rate=rates,
    final_learning_rate=rates,
    evaluation_games=games,
    final_games=games,
    opponents=st.lists(texts, max_size=3).map(tuple),
    scout=st.integers(0, 64),
    candidates=st.integers(1, 64),
).flatmap(lambda config: staged(config.hidden).map(lambda some: replace(config, stages=some)))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(config=configs)
def test_a_configuration_survives_its_file(tmp_path: Path, config: TrainingConfig) -> None:
    path = tmp_path / "config.toml"
    path.write_text(config.as_toml(), encoding="utf-8")
    assert parsed("--config", path) == config


@given(config=configs)
def test_a_configuration_survives_its_dictionary(config: TrainingConfig) -> None:
    assert from_dict(config.as_dict()) == config
    assert from_dict(json.loads(json.dumps(config.as_dict()))) == config


@settings(max_examples=60)
@given(config=configs)
def test_a_configuration_survives_being_resumed(config: TrainingConfig) -> None:
    assert parse(["--resume", "r"], json.loads(json.dumps(config.as_dict()))).config == config


@pytest.mark.parametrize("folder", ['a "quoted" run', r"C:\runs\new", "runs/ä ö", "#1", "a'b", "1"])
def test_folders_with_odd_names(tmp_path: Path, folder: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(TrainingConfig(folder, 10).as_toml(), encoding="utf-8")
    assert parsed("--config", path).run_dir == folder


# --- the learning rate ----------------------------------------------------------------------------


def test_the_learning_rate_falls_linearly_over_the_games() -> None:
    config = TrainingConfig("r", 1000, learning_rate=0.004, final_learning_rate=0.001)
    rates = [config.learning_rate_at(games) for games in (0, 250, 500, 1000)]
    assert rates == pytest.approx([0.004, 0.00325, 0.0025, 0.001])


def test_beyond_the_last_game_the_learning_rate_stays() -> None:
    config = TrainingConfig("r", 1000, learning_rate=0.004, final_learning_rate=0.001)
    assert config.learning_rate_at(5000) == pytest.approx(0.001)


# --- stages ---------------------------------------------------------------------------------------

TABLES = """
[[stages]]
until = 100
hidden = [9]
lambda_ = 0.5

[[stages]]
until = 300
learning_rate = 0.5
minibatch = 7
"""


def with_tables(path: Path, tables: str) -> Path:
    path.write_text(f'run_dir = "r"\ngames = 1000\nhidden = [9, 9]\n{tables}')
    return path


def test_a_file_sets_stages(tmp_path: Path) -> None:
    config = parsed("--config", with_tables(tmp_path / "run.toml", TABLES))
    assert config == TrainingConfig("r", 1000, hidden=(9, 9), stages=STAGES)


def test_the_command_line_sets_stages(file: Path) -> None:
    words = '[{"until": 100, "hidden": [9], "lambda_": 0.5}, {"until": 300, "minibatch": 7}]'
    expected = (STAGES[0], Stage(300, minibatch=7))
    assert parsed("--config", file, f"--stages={words}").stages == expected
    assert parsed("--config", file, "--stages", "[]").stages == ()


def test_what_is_asked_for_replaces_the_stages_of_a_resumed_run(tmp_path: Path) -> None:
    old = TrainingConfig("old", 500, hidden=(9, 9), stages=(Stage(7), Stage(8), Stage(9)))
    tables = with_tables(tmp_path / "run.toml", TABLES)
    argv = ["--resume", "old", "--config", str(tables)]
    assert parse(argv, old.as_dict()).config.stages == STAGES
    assert parse([*argv, "--stages=[]"], old.as_dict()).config.stages == ()
    assert parse(["--resume", "old", "--seed=5"], old.as_dict()).config.stages == old.stages


def test_each_stage_takes_the_rest_from_the_run() -> None:
    run = TrainingConfig("r", 1000, hidden=(9, 9), lambda_=0.8, stages=STAGES)
    assert run.at(0) == run.at(99) == replace(run, stages=(), games=100, hidden=(9,), lambda_=0.5)
    second = replace(run, stages=(), games=300, learning_rate=0.5, minibatch=7)
    assert run.at(100) == run.at(299) == second
    assert run.at(300) == run.at(999) == run.at(5000) == replace(run, stages=())


def test_the_learning_rate_falls_over_each_stage() -> None:
    stages = (Stage(100, learning_rate=0.04, final_learning_rate=0.02), Stage(300, None, 0.5))
    run = TrainingConfig("r", 500, learning_rate=0.01, final_learning_rate=0.002, stages=stages)
    games = (0, 50, 99, 100, 200, 300, 400, 500, 900)
    expected = [0.04, 0.03, 0.0202, 0.01, 0.006, 0.01, 0.006, 0.002, 0.002]
    assert [run.learning_rate_at(n) for n in games] == pytest.approx(expected)


def test_a_run_may_end_with_a_stage_or_within_one() -> None:
    run = TrainingConfig("r", 100, final_learning_rate=0.001, stages=(Stage(100), Stage(200)))
    assert run.learning_rate_at(0) == 0.002
    assert run.learning_rate_at(100) == 0.002
    assert run.learning_rate_at(200) == 0.001


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ("until = 10\nwibble = 3", "wibble"),
        ("until = 10\nseed = 3", "seed"),
        ("until = 10\ngames = 3", "games"),
        ("hidden = [3]", "until"),
        ('until = "soon"', "until"),
        ("until = 1.5", "until"),
        ("until = 10\nhidden = 3", "hidden"),
        ("until = 10\nhidden = []", "hidden"),
        ("until = 10\nhidden = [0]", "hidden"),
        ("until = 10\nlambda_ = 3.0", "lambda_"),
        ("until = 10\nlearning_rate = -0.1", "learning_rate"),
        ("until = 10\nfinal_learning_rate = inf", "final_learning_rate"),
        ("until = 10\ngames_per_iteration = 0", "games_per_iteration"),
        ("until = 10\nminibatch = 0", "minibatch"),
        ("until = 0", "stages"),
        ("until = -5", "stages"),
        ("until = 9\n[[stages]]\nuntil = 9", "stages is [9, 9]"),
        ("until = 9\n[[stages]]\nuntil = 8", "stages is [9, 8]"),
        ("until = 9\nhidden = [10]", "no smaller than (10,) of the stage before"),
        ("until = 9\nhidden = [9, 9, 9]", "hidden is (9, 9); it must be no smaller than (9, 9, 9)"),
        ("until = 8\nhidden = [5]\n[[stages]]\nuntil = 9\nhidden = [4]", "hidden is (4,)"),
        ("until = 8\n[[stages]]\nuntil = 9\nhidden = [4]", "hidden is (4,)"),
    ],
)
def test_a_stage_that_makes_no_run(tmp_path: Path, lines: str, named: str) -> None:
    path = with_tables(tmp_path / "wrong.toml", f"[[stages]]\n{lines}\n")
    assert named in refusal("--config", path)


@pytest.mark.parametrize(
    ("stages", "named"),
    [
        ("3", "stages"),
        ("[3]", "stages"),
        ("x", "stages"),
        ("null", "stages"),
        ('{"until": 5}', "stages"),
        ('[{"until": 5, "wibble": 3}]', "wibble"),
        ('[{"lambda_": 0.5}]', "until"),
    ],
)
def test_wrong_stages_on_the_command_line(file: Path, stages: str, named: str) -> None:
    assert named in refusal("--config", file, f"--stages={stages}")


@pytest.mark.parametrize(
    ("stages", "named"),
    [
        ([{"until": 5, "wibble": 3}], "wibble"),
        ([{"lambda_": 0.5}], "until"),
        ([3], "stages"),
        (3, "stages"),
        (None, "stages"),
        ({"until": 5}, "stages"),
    ],
)
def test_stages_of_another_release(stages: Any, named: str) -> None:
    values = {**TrainingConfig("r", 10).as_dict(), "stages": stages}
    with pytest.raises(GammonError, match=named):
        from_dict(values)
    with pytest.raises(GammonError, match=named):
        parse(["--resume", "r"], values)


def test_a_run_of_a_release_without_stages_has_none() -> None:
    values = TrainingConfig("r", 10).as_dict()
    for key in ("stages", "scout", "candidates"):
        del values[key]
    assert parse(["--resume", "r"], values).config == TrainingConfig("r", 10)
