"""The graded opponents: found by name, made as their table says, and always the same."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.level_table import Level, load_levels, write_levels
from agents.levels import find_level, newest_levels, open_level, player_of
from agents.match import play_match
from agents.match_log import identity_of
from agents.network_agent import NetworkAgent
from agents.search import SearchAgent
from agents.softmax_agent import SoftmaxAgent
from agents.weights import weights_path
from agents.weights.__main__ import add
from agents.weights.card import read_card
from gammon_env.agent import Decisions, ask, load_agent
from gammon_env.errors import GammonError
from gammon_env.position import Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, NARDY
from tests.agents.level_folder import level_folder, run_folder
from tests.agents.players import decisions_of_random_games

SHIPPED = load_levels(BACKGAMMON)
LARGE = find_level(5, version="1").sha256
NAMES = [f"level-{number}" for number in range(1, 6)]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Level, ...]:
    return level_folder(tmp_path, monkeypatch)


# --- those that ship ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return decisions_of_random_games(8, seed=5)[7]


def test_there_are_five() -> None:
    assert [level.number for level in newest_levels()] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("level", SHIPPED, ids=lambda level: level.name)
def test_every_version_is_found_by_its_name_and_plays(level: Level, decisions: Decisions) -> None:
    player = load_agent(level.name)
    assert (player.name, identity_of(player)) == (level.name, level.identity)
    assert ask(player, decisions).tolist() == ask(player, decisions).tolist()
    assert player.choose(Position.start(), (3, 1)) in Position.start().legal_plays((3, 1))


@pytest.mark.parametrize("level", load_levels(NARDY), ids=lambda level: level.name)
def test_every_version_of_long_nardy_too(level: Level) -> None:
    player, start = load_agent(level.name, NARDY), Position.start(NARDY)
    assert (player.name, identity_of(player)) == (level.name, level.identity)
    assert player.choose(start, (3, 1)) in start.legal_plays((3, 1))


@pytest.mark.parametrize("name", NAMES)
def test_the_plain_name_is_the_newest_version(name: str) -> None:
    versions = [level for level in SHIPPED if level.name.startswith(f"{name}@")]
    assert load_agent(name).name == f"{name}@{max(level.version for level in versions)}"


@pytest.mark.parametrize("name", sorted({level.weights for level in SHIPPED}))
def test_all_weights_have_a_card_that_fits(name: str) -> None:
    card = read_card(weights_path(name).with_suffix(".json"))
    assert card.name == name
    assert card.sha256 in {level.sha256 for level in SHIPPED if level.weights == name}


def test_only_the_strongest_looks_ahead_and_knows_the_tables() -> None:
    *weaker, strongest = newest_levels()
    assert strongest.plies > 0
    assert strongest.budget is not None
    assert strongest.bearoff
    assert strongest.temperature == 0
    assert not any(level.plies or level.bearoff for level in weaker)


# --- made as the table says -----------------------------------------------------------------------


def test_a_level_is_composed_of_what_its_settings_ask_for(made: tuple[Level, ...]) -> None:
    first, *_, fourth, fifth = (player_of(level) for level in made)
    assert isinstance(first, SoftmaxAgent)
    assert isinstance(first.value, NetworkAgent)
    assert first.temperature == 0.2
    assert isinstance(fourth, NetworkAgent)
    assert isinstance(fifth, SearchAgent)
    assert (fifth.depth, fifth.filters, fifth.look_ahead.bearoff) == (1, made[-1].filters, True)


def test_look_ahead_and_temperature_go_together(made: tuple[Level, ...]) -> None:
    both = player_of(replace(made[-1], temperature=0.1))
    assert isinstance(both, SoftmaxAgent)
    assert isinstance(both.value, SearchAgent)


def test_the_tables_can_be_known_without_look_ahead(made: tuple[Level, ...]) -> None:
    player = player_of(replace(made[3], bearoff=True))
    assert isinstance(player, SearchAgent)
    assert player.depth == 0


def test_a_level_with_candidates_has_the_scout_of_its_weights() -> None:
    strongest = replace(find_level(5), weights="backgammon-large", sha256=LARGE, candidates=4)
    player = player_of(strongest)
    assert isinstance(player, SearchAgent)
    scout = player.look_ahead.scout
    assert scout is not None
    assert scout.candidates == 4
    assert isinstance(scout.agent, NetworkAgent)
    assert scout.agent.network.sizes.tolist() == [16, 5]
    assert strongest.identity.endswith("candidates=4")


def test_candidates_of_weights_without_a_scout_are_refused(made: tuple[Level, ...]) -> None:
    with pytest.raises(GammonError, match="has candidates, but one has no scout"):
        player_of(replace(made[-1], candidates=4))


@pytest.mark.usefixtures("made")
def test_a_match_is_the_same_in_every_batch() -> None:
    first, second = open_level(1), open_level(5)
    results = [play_match(first, second, 4, 1, lanes=lanes) for lanes in (1, 4)]
    assert results[0].points == results[1].points
    assert results[0].plies == results[1].plies


def test_the_identity_holds_weights_and_settings(made: tuple[Level, ...]) -> None:
    assert made[0].identity == f"{made[0].sha256} temperature=0.2"
    assert made[4].identity == f"{made[4].sha256} plies=1 filters=[[2, 0.1]] bearoff=True"
    assert len({level.identity for level in made}) == 5


# --- versions -------------------------------------------------------------------------------------


def test_an_old_version_stays(made: tuple[Level, ...], tmp_path: Path) -> None:
    newer = replace(made[2], version=2, temperature=0.5)
    write_levels(tmp_path / "weights" / "backgammon.toml", (*made, newer))
    assert open_level(3).identity == newer.identity
    assert open_level(3, version="1").identity == made[2].identity
    assert newest_levels()[2] == newer


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("version", ["2", "0", "x", "01", "-1"])
def test_a_version_that_is_not_there_is_refused(version: str) -> None:
    with pytest.raises(GammonError, match=f"backgammon has no level-3@{version}; there are: lev"):
        open_level(3, version=version)


def test_a_level_that_is_not_there_is_refused() -> None:
    with pytest.raises(GammonError, match="backgammon has no level-6; there are: level-1@1, "):
        find_level(6)
    with pytest.raises(GammonError, match=r"no agent is called 'level-6'; there are: .*level-5"):
        load_agent("level-6")


def test_a_variant_without_levels_is_refused() -> None:
    with pytest.raises(
        GammonError, match=r"hypergammon has no graded opponents; .*: backgammon, nardy$"
    ):
        load_agent("level-3", HYPERGAMMON)


@pytest.mark.usefixtures("made")
def test_other_weights_under_the_same_name_are_refused(tmp_path: Path) -> None:
    add(run_folder(tmp_path / "other", seed=1), "one", replace=True)
    with pytest.raises(GammonError, match=r"level-4@1 was made with weights of .* new version"):
        open_level(4)


@pytest.mark.usefixtures("made")
def test_missing_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights" / "one.safetensors").unlink()
    with pytest.raises(GammonError, match=r"there are no weights 'one' in .*; there are: none"):
        open_level(4)


@pytest.mark.usefixtures("made")
def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights" / "one.safetensors"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(GammonError, match="damaged or cut short"):
        open_level(4)


# --- the table ------------------------------------------------------------------------------------


def test_a_table_reads_as_it_was_written(made: tuple[Level, ...]) -> None:
    assert load_levels(BACKGAMMON) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('["level-3"]\nweights = "one"', "section 'level-3' is not named as in level-3@1"),
        ('["level-3@1"]\nheat = 3', "level-3@1 has no setting 'heat'; known: .*'temperature'"),
        ('["level-3@1"]\nweights = "one"', "missing 1 required positional argument: 'sha256'"),
        ('["level-3@1"]\nfilters = [[0]]', "a filter keeps 1 play or more"),
        ("nonsense", "is no table of levels: "),
        ("level = 3", "is no table of levels: "),
    ],
)
def test_a_table_that_says_something_else_is_refused(
    made: tuple[Level, ...], tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "weights" / "backgammon.toml").write_text(text)
    with pytest.raises(GammonError, match=message):
        load_levels(BACKGAMMON)


def test_random_words_are_those_of_the_decisions(made: tuple[Level, ...]) -> None:
    question = Position.start(), (3, 1)
    words = np.arange(64, dtype=np.uint64) << np.uint64(58)
    player = player_of(replace(made[0], temperature=0.5))
    chosen = [int(ask(player, Decisions.single(*question, int(word)))[0]) for word in words]
    assert chosen == sorted(chosen)
    assert len(set(chosen)) > 3
