"""Agents: found by name, made of functions, answering singly as in batches, checked."""

import re
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import numpy as np
import pytest

from gammon_env import agent as agent_module
from gammon_env.agent import BatchAgent, Choices, Decisions, FunctionAgent, ask, load_agent
from gammon_env.errors import GammonError
from gammon_env.position import Play, Position
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON, Variant

START = Position.start()
START_ID = "4HPwATDgc/ABMA"
CLOSED_OUT = Position.from_counts({"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {"off": 3})


class LastPlay(BatchAgent):
    name = "last"

    def select(self, decisions: Decisions) -> Choices:
        return decisions.counts - 1


class Fixed(BatchAgent):
    name = "fixed"

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def select(self, decisions: Decisions) -> Choices:
        return self.answer  # type: ignore[return-value]


class ByWord(BatchAgent):
    name = "by-word"

    def select(self, decisions: Decisions) -> Choices:
        return (decisions.random % decisions.counts.astype(np.uint64)).astype(np.int64)


class OnlyChooses:
    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        return last_play(position, dice)


def last_play(position: Position, dice: tuple[int, int]) -> Play:
    return position.legal_plays(dice)[-1]


def make_last(variant: Variant = BACKGAMMON) -> BatchAgent:
    return LastPlay(variant)


def make_nothing(variant: Variant) -> BatchAgent:
    raise RuntimeError("no such luck")


ready_made = LastPlay()
a_number = 3


def two_decisions() -> Decisions:
    first, second = Decisions.single(START, (3, 1)), Decisions.single(START, (6, 5))
    return Decisions(
        boards=np.concatenate([first.boards, second.boards]),
        dice=np.concatenate([first.dice, second.dice]),
        afterstates=np.concatenate([first.afterstates, second.afterstates]),
        offsets=np.array([0, len(first.afterstates), len(first.afterstates) + 7]),
        random=np.array([5, 6], np.uint64),
    )


@pytest.mark.small
def test_a_single_decision_lists_the_plays_of_the_position_in_order() -> None:
    for dice in ((3, 1), (1, 3), (4, 4)):
        plays = [play.afterstate.board for play in START.legal_plays(dice)]
        assert np.array_equal(Decisions.single(START, dice).afterstates, plays)


@pytest.mark.small
def test_a_forced_pass_is_no_decision() -> None:
    with pytest.raises(GammonError, match=f"{CLOSED_OUT.position_id} with 6-1 has no legal play"):
        LastPlay().choose(CLOSED_OUT, (6, 1))


@pytest.mark.small
def test_choose_is_select_for_one_position() -> None:
    assert LastPlay().choose(START, (3, 1)) == START.legal_plays((3, 1))[-1]


def test_choose_draws_from_a_seeded_stream_of_its_own() -> None:
    def choices(seed: int) -> list[str]:
        player = ByWord(seed=seed)
        return [str(player.choose(START, (3, 1))) for _ in range(30)]

    assert choices(1) == choices(1)
    assert choices(1) != choices(2)
    assert len(set(choices(1))) > 8


@pytest.mark.parametrize(
    "kind", ["last_play", "LastPlay", "OnlyChooses", "make_last", "ready_made"]
)
def test_module_and_name_find_every_kind_of_agent(kind: str) -> None:
    found = load_agent(f"{__name__}:{kind}")
    decisions = two_decisions()
    assert ask(found, decisions).tolist() == [15, 6]
    assert found.choose(START, (3, 1)) == last_play(START, (3, 1))
    assert found.variant == BACKGAMMON


@pytest.mark.parametrize("name", ["random", "pip-count"])
def test_the_players_that_need_nothing_are_registered(name: str) -> None:
    found = load_agent(name)
    assert found.name == name
    assert found.choose(START, (3, 1)) in START.legal_plays((3, 1))


def test_the_variant_is_passed_on() -> None:
    assert load_agent("random", HYPERGAMMON).variant == HYPERGAMMON
    assert load_agent(f"{__name__}:last_play", HYPERGAMMON).variant == HYPERGAMMON


def test_an_agent_of_another_variant_is_refused() -> None:
    with pytest.raises(GammonError, match="plays backgammon, not hypergammon"):
        load_agent(f"{__name__}:ready_made", HYPERGAMMON)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", r"'nobody'; there are: .*pip-count, .*random, module:name"),
        ("no_such_module:player", "No module named 'no_such_module'"),
        (f"{__name__}:nobody", "no attribute 'nobody'"),
        (f"{__name__}:a_number", "is a int; expected an agent, a class or a function"),
        (f"{__name__}:make_nothing", "can't be made for backgammon: RuntimeError.'no such luck'"),
        (":", "can't be imported"),
    ],
)
def test_a_name_that_leads_nowhere_is_explained(name: str, message: str) -> None:
    with pytest.raises(GammonError, match=message):
        load_agent(name)


def open_checkpoint(path: Path, variant: Variant) -> BatchAgent:
    opened = LastPlay(variant)
    opened.name = path.name
    return opened


def test_a_suffix_is_opened_by_the_entry_point_of_that_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opener = EntryPoint(".weights", f"{__name__}:open_checkpoint", agent_module.ENTRY_POINTS)
    monkeypatch.setattr(agent_module, "entry_points", lambda group: EntryPoints([opener]))
    assert load_agent("runs/one.two/best.weights").name == "best.weights"
    with pytest.raises(GammonError, match=r"'\.weights'; there are: , module:name"):
        load_agent(".weights")


def make_version(variant: Variant, version: str = "newest") -> BatchAgent:
    made = LastPlay(variant)
    made.name = version
    return made


def register(patch: pytest.MonkeyPatch, name: str, target: str) -> None:
    entry = EntryPoint(name, target, agent_module.ENTRY_POINTS)
    patch.setattr(agent_module, "entry_points", lambda group: EntryPoints([entry]))


def test_a_version_is_asked_for_behind_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, "graded", f"{__name__}:make_version")
    assert load_agent("graded").name == "newest"
    old = load_agent("graded@2", HYPERGAMMON)
    assert (old.name, old.variant) == ("2", HYPERGAMMON)


@pytest.mark.parametrize("target", ["make_last", "LastPlay", "ready_made", "last_play"])
def test_a_player_without_versions_says_so(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    register(monkeypatch, "plain", f"{__name__}:{target}")
    with pytest.raises(GammonError, match="agent plain has no versions; leave out @2"):
        load_agent("plain@2")


@pytest.mark.parametrize("name", ["graded@", "@2", "nobody@2"])
def test_half_a_version_is_no_name(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    register(monkeypatch, "graded", f"{__name__}:make_version")
    with pytest.raises(GammonError, match=f"no agent is called '{name}'; there are: graded,"):
        load_agent(name)


def test_a_folder_says_what_could_be_meant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    register(monkeypatch, ".weights", f"{__name__}:make_last")
    with pytest.raises(GammonError, match="no agent is called"):
        load_agent(tmp_path)
    (tmp_path / "log.txt").touch()
    (tmp_path / "mine.weights").touch()
    message = re.escape(f"did you mean {str(tmp_path / 'mine.weights')!r}?")
    with pytest.raises(GammonError, match=f"is a folder; {message}"):
        load_agent(tmp_path)


@pytest.mark.parametrize("name", ["lame", "lame@2"])
def test_a_player_whose_library_is_missing_says_so(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    register(monkeypatch, "lame", "no_such_library:player")
    message = "agent lame can't be loaded: No module named 'no_such_library'; pip install 'gammon"
    with pytest.raises(GammonError, match=message):
        load_agent(name)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.array([0, 7]), rf"play 7 at position {START_ID} with 6-5; expected 0 to 6"),
        (np.array([-1, 0]), rf"play -1 at position {START_ID} with 3-1; expected 0 to 15"),
        (np.array([0]), rf"int64\[1\] .* begins with position {START_ID} .*; expected int64\[2\]"),
        (np.array([0.0, 1.0]), r"float64\[2\]"),
        (None, r"object\[\]"),
    ],
)
def test_wrong_answers_are_refused_by_position_and_dice(answer: object, message: str) -> None:
    with pytest.raises(GammonError, match=f"agent fixed returned {message}"):
        ask(Fixed(answer), two_decisions())


def test_a_function_that_fails_is_named_with_position_and_dice() -> None:
    def broken(position: Position, dice: tuple[int, int]) -> Play:
        return position.legal_plays(dice)[99]

    with pytest.raises(
        GammonError, match=rf"agent mine failed at position {START_ID} with 3-1: Ind"
    ):
        FunctionAgent(broken, "mine").select(two_decisions())


@pytest.mark.parametrize("answer", [0, None, START.legal_plays((2, 1))[0]])
def test_a_function_must_return_a_legal_play(answer: Play) -> None:
    player = FunctionAgent(lambda position, dice: answer, "mine")
    with pytest.raises(
        GammonError, match=rf"at position {START_ID} with 3-1; expected one of the 16"
    ):
        player.select(two_decisions())


# --- arguments of a wrong kind --------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, 3, b"random"])
def test_a_name_is_a_text_or_a_path(name: str) -> None:
    with pytest.raises(GammonError, match="an agent is loaded by its name or path, not"):
        load_agent(name)
    assert load_agent(Path("random")).name == "random"


def test_a_variant_is_not_its_name() -> None:
    with pytest.raises(GammonError, match="a variant is a Variant such as BACKGAMMON, not 'back"):
        load_agent("random", "backgammon")  # type: ignore[arg-type]


class Nameless:
    variant = BACKGAMMON

    def select(self, decisions: Decisions) -> Choices:
        return decisions.counts - 1

    def choose(self, position: Position, dice: tuple[int, int]) -> Play:
        return last_play(position, dice)


nameless_player = Nameless()


def test_an_agent_has_a_name() -> None:
    with pytest.raises(GammonError, match="nameless_player has no name"):
        load_agent(f"{__name__}:nameless_player")


@pytest.mark.parametrize("dice", [None, (7, 1), (0, 0), (3,), (3.0, 1), "31"])
def test_an_agent_is_asked_about_two_dice(dice: tuple[int, int]) -> None:
    with pytest.raises(GammonError, match=r"dice are two whole numbers|each die shows 1 to 6"):
        LastPlay().choose(START, dice)


def test_an_agent_is_asked_about_a_position() -> None:
    with pytest.raises(GammonError, match="a decision is about a Position, not None"):
        LastPlay().choose(None, (3, 1))  # type: ignore[arg-type]


@pytest.mark.parametrize("finished", [({6: 15}, {"off": 15}), ({"off": 15}, {6: 15})])
def test_an_agent_has_no_play_in_a_finished_game(finished: tuple[dict, dict]) -> None:
    with pytest.raises(GammonError, match="has no legal play: the game is over"):
        LastPlay().choose(Position.from_counts(*finished), (3, 1))
