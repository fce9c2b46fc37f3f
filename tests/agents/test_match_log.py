"""Logs of matches: whatever stops one, it ends like one that was never stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agents.lanes import GameRecord
from agents.match import MatchInterrupted, MatchResult, play_match
from agents.match_log import MatchLog, Settings
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from gammon_env.errors import GammonError
from gammon_env.rules.variant import BACKGAMMON

ROOT = Path(__file__).parents[2]
AGENT, OPPONENT = PipCountAgent(), RandomAgent()
SETTINGS = Settings.of(AGENT, OPPONENT, 1, BACKGAMMON, None, "raise", None)


def play(log: Path | None, games: int = 30, **more: Any) -> MatchResult:
    return play_match(AGENT, OPPONENT, games, seed=1, log=log, **more)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "match.log"


def test_a_log_holds_what_is_played_and_every_game(log: Path) -> None:
    result = play(log)
    head, *games = [json.loads(line) for line in log.read_text().splitlines()]
    assert head["agent"] == "pip-count"
    assert head["opponent"] == "random"
    assert head["seed"] == 1
    assert {game["game"]: game["points"] for game in games} == dict(enumerate(result.points))
    assert len(games) == 30


def test_games_come_back_as_they_were_written(log: Path) -> None:
    record = GameRecord(7, -2, 61, 0.1 + 0.2, "failed at ä", (21, 23), (0.25, 0.5))
    with MatchLog(log, SETTINGS) as written:
        written.append(record)
    with MatchLog(log, SETTINGS) as read:
        assert read.records == (record,)
        assert read.records[0].seconds == (0.25, 0.5)


@pytest.mark.parametrize("cut", [0, 10, 400, 2000, -1, -20, -200])
def test_a_match_cut_off_anywhere_goes_on_to_the_same_end(log: Path, cut: int) -> None:
    whole = play(log)
    content = log.read_bytes()
    log.write_bytes(content[:cut])
    assert play(log) == whole
    games = [json.loads(line)["game"] for line in log.read_text().splitlines()[1:]]
    assert sorted(games) == list(range(30))


def test_what_is_in_the_log_is_not_played_again(log: Path) -> None:
    whole = play(log)
    asked = []

    class Watched(PipCountAgent):
        def select(self, decisions):  # type: ignore[no-untyped-def]
            asked.append(len(decisions))
            return super().select(decisions)

    assert play_match(Watched(), OPPONENT, 30, seed=1, log=log) == whole
    assert not asked
    longer = play_match(Watched(), OPPONENT, 40, seed=1, log=log)
    assert asked
    assert longer == play(None, 40)


def test_a_shorter_match_takes_only_its_own_games(log: Path) -> None:
    play(log)
    assert play(log, 20) == play(None, 20)


def test_ctrl_c_keeps_what_was_played(log: Path) -> None:
    told = []

    def stop(record: GameRecord) -> None:
        told.append(record.game)
        if len(told) == 15:
            raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted) as stopped:
        play(log, on_game=stop, lanes=4)
    assert stopped.value.played == 15
    result, whole = stopped.value.result, play(None)
    pairs = {game // 2 for game in told if game ^ 1 in told}
    assert 2 <= len(pairs) < 15
    expected = [points for game, points in enumerate(whole.points) if game // 2 in pairs]
    assert list(result.points) == expected
    assert play(log) == whole


def test_a_process_killed_at_any_moment_loses_nothing_that_it_wrote(log: Path) -> None:
    program = (
        "from pathlib import Path\n"
        "from agents.match import play_match\n"
        "from agents.pip_count_agent import PipCountAgent\n"
        "from agents.random_agent import RandomAgent\n"
        f"play_match(PipCountAgent(), RandomAgent(), 100_000, 1, lanes=16, log=Path({str(log)!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while not (log.exists() and log.read_bytes().count(b"\n") > 10):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    with log.open("ab") as torn:
        torn.write(b'{"game": 99')
    with MatchLog(log, SETTINGS) as kept:
        assert len(kept.records) >= 10
        games = {record.game: record for record in kept.records}
        assert len(games) == len(kept.records)
    last = max(game for game in games) // 2 * 2 + 2
    whole = play(log, last)
    assert whole == play(None, last)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 2}, "its seed is 2, not 1"),
        ({"max_plies": 50}, "its max plies is 50, not None"),
        ({"illegal": "forfeit"}, "its illegal is forfeit, not raise"),
        ({"opponent": "pubeval"}, "its opponent is pubeval, not random"),
        ({"agent_identity": "12ab"}, "its agent identity is 12ab, not None"),
        ({"luck_by": "judge"}, "its luck by is judge, not None"),
        ({"format": 2}, "its format is 2, not 1"),
    ],
)
def test_the_log_of_another_match_is_refused_and_left_alone(
    log: Path, change: dict[str, Any], difference: str
) -> None:
    play(log)
    head, _, rest = log.read_text().partition("\n")
    text = json.dumps(json.loads(head) | change) + "\n" + rest + "torn"
    log.write_text(text)
    with pytest.raises(GammonError, match=f"is the log of another match: {difference}\\."):
        play(log)
    assert log.read_text() == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("my notes", "is no log of a match"),
        ("my notes\nand more\n", "line 1 of .* is damaged: b'my notes'"),
        ('{"a": 1}\n', "is no log of a match"),
        ("[]\n", "line 1 of .* is damaged"),
    ],
)
def test_a_file_that_is_no_log_is_left_alone(log: Path, content: str, message: str) -> None:
    log.write_text(content)
    with pytest.raises(GammonError, match=message):
        play(log)
    assert log.read_text() == content


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{'game'", "line 3 of .* is damaged"),
        ('{"game": 3}', "line 3 of .* is no game"),
        ('{"decisions": [1, 2], "seconds": [0, 0], "score": 3}', "line 3 of .* is no game"),
    ],
)
def test_damage_inside_is_not_passed_over(log: Path, line: str, message: str) -> None:
    play(log)
    lines = log.read_text().splitlines()
    text = "\n".join([*lines[:2], line, *lines[3:], ""])
    log.write_text(text)
    with pytest.raises(GammonError, match=message):
        play(log)
    assert log.read_text() == text


def test_two_processes_do_not_share_a_log(log: Path) -> None:
    pytest.importorskip("fcntl")
    with (
        MatchLog(log, SETTINGS),
        pytest.raises(GammonError, match="another process is playing the match of"),
    ):
        MatchLog(log, SETTINGS)
    MatchLog(log, SETTINGS).__exit__(None, None, None)


def test_a_log_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="can't be opened"):
        play(tmp_path / "none" / "match.log")
