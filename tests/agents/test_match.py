"""Paired matches: the same games in any number of lanes, and in a plain loop over positions."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agents.elo import elo_difference
from agents.lanes import SEED_SPACE, GameRecord, draw_words, throw, turn_over
from agents.match import MatchResult, play_match
from agents.pip_count_agent import PipCountAgent
from agents.random_agent import RandomAgent
from gammon_env.agent import Agent, Choices, Decisions, FunctionAgent
from gammon_env.errors import GammonError
from gammon_env.position import Play, Position
from gammon_env.rules.dice import opening_roll, random_word, roll, stream_key
from gammon_env.rules.variant import BACKGAMMON, HYPERGAMMON
from tests.agents.players import Recorder

RANDOM, PIP_COUNT = RandomAgent(), PipCountAgent()


def plain_game(players: tuple[Agent, Agent], game: int, seed: int) -> GameRecord:
    """Play one game of a match with the immutable objects, a ply at a time."""
    dice_seed, word_seed = np.random.SeedSequence(seed, spawn_key=(SEED_SPACE,)).generate_state(
        2, np.uint64
    )
    dice_key = np.uint64(stream_key(dice_seed, np.uint64(game // 2)))
    word_key = np.uint64(stream_key(word_seed, np.uint64(game)))
    seats = players if game % 2 == 0 else players[::-1]
    dice = opening_roll(dice_key, np.uint64(0))
    seat, position, ply = int(dice[1] > dice[0]), Position.start(), 0
    while position.outcome is None:
        plays = position.legal_plays(dice)
        if plays:
            word = int(random_word(word_key, np.uint64(ply)))
            choice = seats[seat].select(Decisions.single(position, dice, word))[0]
            position = plays[choice].afterstate
        else:
            position = position.swapped()
        seat, ply = 1 - seat, ply + 1
        dice = roll(dice_key, np.uint64(ply))
    winner = seats[1 - seat]
    points = position.outcome.points
    return GameRecord(game, points if winner is players[0] else -points, ply)


def test_a_plain_loop_plays_the_same_games() -> None:
    for players in ((RANDOM, PIP_COUNT), (PIP_COUNT, RANDOM)):
        result = play_match(*players, games=6, seed=11)
        plain = [plain_game(players, game, seed=11) for game in range(6)]
        assert result.points == tuple(record.points for record in plain)
        assert result.plies == tuple(record.plies for record in plain)


@pytest.mark.parametrize("lanes", [1, 7, 64])
def test_the_number_of_lanes_changes_nothing(lanes: int) -> None:
    assert play_match(RANDOM, PIP_COUNT, 40, seed=2, lanes=lanes) == play_match(
        RANDOM, PIP_COUNT, 40, seed=2
    )


def test_the_seed_decides() -> None:
    assert play_match(RANDOM, PIP_COUNT, 40, seed=2) != play_match(RANDOM, PIP_COUNT, 40, seed=3)


def test_swapping_fixed_players_swaps_the_games_of_each_pair() -> None:
    def last_play(position: Position, dice: tuple[int, int]) -> Play:
        return position.legal_plays(dice)[-1]

    last = FunctionAgent(last_play, "last")
    there, back = play_match(last, PIP_COUNT, 10, seed=5), play_match(PIP_COUNT, last, 10, seed=5)
    assert there.points[::2] == tuple(-points for points in back.points[1::2])
    assert there.points[1::2] == tuple(-points for points in back.points[::2])
    assert there.points_per_game.mean == pytest.approx(-back.points_per_game.mean)


@pytest.mark.small
def test_a_pair_shares_its_dice_and_swaps_the_start() -> None:
    games, dice, on_roll = np.arange(60), np.zeros((60, 2), np.int8), np.zeros(60, np.int64)
    throw(games, np.zeros(60, np.int64), np.uint64(4), dice, on_roll)
    assert (dice[::2] == dice[1::2]).all()
    assert (dice[:, 0] != dice[:, 1]).all()
    assert (on_roll[::2] == (dice[::2, 0] < dice[::2, 1])).all()
    assert (on_roll[::2] != on_roll[1::2]).all()
    started = on_roll.copy()
    throw(games, np.ones(60, np.int64), np.uint64(4), dice, on_roll)
    assert (dice[::2] == dice[1::2]).all()
    assert (dice[:, 0] == dice[:, 1]).any()
    assert (on_roll == started).all()


@pytest.mark.small
def test_a_pair_does_not_share_its_random_words() -> None:
    words = np.zeros(100, np.uint64)
    draw_words(np.repeat(np.arange(50), 2), np.tile([0, 1], 50), np.uint64(4), words)
    assert len(set(words.tolist())) == 100


@pytest.mark.small
def test_the_mover_wins_what_the_board_says() -> None:
    won = Position.from_counts({24: 15}, {"off": 15}).board
    boards = np.array([won, won, Position.start().board])
    plies, on_roll, points = np.array([8, 9, 3]), np.array([0, 1, 1]), np.zeros(3, np.int64)
    turn_over(boards, 3, plies, on_roll, points)
    assert points.tolist() == [3, -3, 0]
    assert plies.tolist() == [9, 10, 4]
    assert on_roll.tolist() == [1, 0, 0]


def test_players_are_asked_where_they_have_a_choice() -> None:
    recorder, other = Recorder(), Recorder()
    result = play_match(recorder, other, 20, seed=6)
    assert all((decisions.counts > 1).all() for decisions in recorder.asked + other.asked)
    assert result.agent.decisions == sum(map(len, recorder.asked))
    assert result.agent.decisions + result.opponent.decisions < sum(result.plies)
    first = recorder.asked[0].boards, other.asked[0].boards
    assert (np.concatenate(first) == BACKGAMMON.start_board()).all()


def test_every_game_is_told_once_as_it_ends() -> None:
    told: list[GameRecord] = []
    result = play_match(RANDOM, PIP_COUNT, 30, seed=9, lanes=8, on_game=told.append)
    assert sorted(record.game for record in told) == list(range(30))
    assert [record.game for record in told] != list(range(30))
    assert all(result.points[record.game] == record.points for record in told)


def result_of(points: tuple[int, ...], seconds: float = 1.0) -> MatchResult:
    """Return a result as if those games had been played."""
    times = seconds / len(points), 2 * seconds / len(points)
    records = (
        GameRecord(game, won, 50, decisions=(15, 20), seconds=times)
        for game, won in enumerate(points)
    )
    return MatchResult.of(("one", "two"), BACKGAMMON, 7, records)


def test_rates_are_cumulative_and_intervals_come_from_pairs() -> None:
    result = result_of((1, -1, 2, 3, -2, 1, -3, 1))
    assert result.rates(result.agent) == {"win": 5 / 8, "gammon": 2 / 8, "backgammon": 1 / 8}
    assert result.rates(result.opponent) == {"win": 3 / 8, "gammon": 2 / 8, "backgammon": 1 / 8}
    assert result.points_per_game.samples == 4
    assert result.points_per_game.mean == 0.25
    # Pair means 0, 2.5, -0.5 and -1 deviate by -0.25, 2.25, -0.75 and -1.25: 7.25 in squares.
    assert result.points_per_game.standard_error == pytest.approx((7.25 / 3 / 4) ** 0.5)
    assert result.win_rate.mean == 5 / 8
    # Seat 0 won games 0, 1, 2: the agent sits there in even games, the opponent in odd ones.
    assert result.seat_0_win_rate.mean == 3 / 8
    # After 50 rolls whoever moved second has moved last.
    assert result.first_mover.mean == -14 / 8
    assert result.agent.decisions_per_second == pytest.approx(8 * 15)
    assert result.opponent.decisions_per_second == pytest.approx(8 * 20 / 2)


def test_speed_is_no_part_of_a_comparison() -> None:
    result = result_of((1, -1, 2, 3))
    faster = result_of((1, -1, 2, 3), seconds=0.5)
    assert faster == result
    assert faster.agent == result.agent
    assert faster.agent.seconds < result.agent.seconds
    assert replace(result, seed=8) != result


def test_random_is_as_good_as_random() -> None:
    result = play_match(RANDOM, RandomAgent(), 2000, seed=12)
    assert result.points_per_game.low < 0 < result.points_per_game.high
    assert result.points_per_game.margin < 0.1
    assert result.seat_0_win_rate.mean == pytest.approx(0.5, abs=0.022)


def test_in_a_mirror_match_of_a_fixed_player_each_seat_wins_half() -> None:
    # Both games of a pair are the same game, so 4,000 games are 2,000 different ones.
    result = play_match(PIP_COUNT, PIP_COUNT, 4000, seed=13)
    assert result.points_per_game.mean == 0
    assert result.seat_0_win_rate.mean == pytest.approx(0.5, abs=0.022)


def test_another_variant_is_a_value() -> None:
    players = RandomAgent(HYPERGAMMON), PipCountAgent(HYPERGAMMON)
    result = play_match(*players, 100, seed=1, variant=HYPERGAMMON)
    assert result.points_per_game.high < 0
    assert sum(result.agent.wins) + sum(result.opponent.wins) == 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 3}, "even number of games, at least 4, not 3"),
        ({"games": 2}, "even number of games, at least 4, not 2"),
        ({"seed": -1}, "0 or more, not -1"),
        ({"lanes": 0}, "at least 1 lane, not 0"),
        ({"max_plies": 0}, "after 1 roll or more, not 0"),
        ({"illegal": "ignore"}, "one of raise, forfeit, not 'ignore'"),
        ({"variant": HYPERGAMMON}, "random plays backgammon, not hypergammon"),
    ],
)
def test_what_makes_no_match_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(GammonError, match=message):
        play_match(RANDOM, PIP_COUNT, **{"games": 4, "seed": 0, **change})


def test_a_play_of_another_position_stops_the_match() -> None:
    stuck = FunctionAgent(lambda position, dice: Position.start().legal_plays((3, 1))[0], "stuck")
    with pytest.raises(GammonError, match=r"agent stuck returned .* at position \S+ with \d-\d"):
        play_match(stuck, RANDOM, 4, seed=1)


class Faulty(PipCountAgent):
    """Fails where it throws double sixes."""

    name = "faulty"

    def select(self, decisions: Decisions) -> Choices:
        if (decisions.dice == 6).all(axis=1).any():
            raise ValueError("no sixes please")
        return super().select(decisions)


def test_an_agent_that_fails_is_named_with_the_position_and_dice() -> None:
    with pytest.raises(GammonError, match=r"agent faulty failed at position \S+ with 6-6: Value"):
        play_match(Faulty(), RANDOM, 20, seed=1)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_fault_costs_the_most_that_a_game_can_and_only_that_game(sign: int) -> None:
    players = [Faulty(), RANDOM][::sign]
    result = play_match(players[0], players[1], 60, seed=1, illegal="forfeit")
    sound = play_match(*[PIP_COUNT, RANDOM][::sign], 60, seed=1)
    forfeited = [record for record in result.records if record.forfeited]
    assert 5 < len(forfeited) < 55
    for record, without in zip(result.records, sound.records, strict=True):
        if record.forfeited:
            assert record.points == -3 * sign
            assert record.plies <= without.plies
            assert "6-6: ValueError" in record.fault
        else:
            assert record == without
    faulty, other = [result.agent, result.opponent][::sign]
    assert (faulty.forfeits, other.forfeits) == (len(forfeited), 0)


def test_forfeits_do_not_depend_on_the_number_of_lanes() -> None:
    one, many = (
        play_match(Faulty(), RANDOM, 20, seed=1, illegal="forfeit", lanes=lanes)
        for lanes in (1, 512)
    )
    assert one == many


def test_games_that_take_too_long_are_truncated() -> None:
    result = play_match(RANDOM, PIP_COUNT, 40, seed=2, max_plies=70, lanes=7)
    whole = play_match(RANDOM, PIP_COUNT, 40, seed=2)
    assert max(result.plies) == 70
    for record, without in zip(result.records, whole.records, strict=True):
        assert record.truncated == (without.plies > 70)
        assert record.points == (0 if record.truncated else without.points)
    assert result.truncated == sum(plies > 70 for plies in whole.plies)
    assert 0 < result.truncated < 20


def cut_result() -> MatchResult:
    """Return four pairs: one with a truncated game, one with a forfeit, and two whole ones."""
    games = [(1, ""), (-1, ""), (0, ""), (2, ""), (-3, "6-6"), (-1, ""), (2, ""), (1, "")]
    records = [GameRecord(game, won, 10 * game, fault=why) for game, (won, why) in enumerate(games)]
    return MatchResult.of(("one", "two"), BACKGAMMON, 7, records)


def test_pairs_with_cut_games_do_not_count() -> None:
    result = cut_result()
    assert result.counted.tolist() == [True] * 2 + [False] * 4 + [True] * 2
    assert result.pairs_left_out == 2
    assert result.points_per_game.mean == 0.75
    assert result.points_per_game.samples == 2
    assert result.win_rate.mean == 0.75
    assert result.plies_per_game == (0 + 10 + 60 + 70) / 4
    assert result.agent.wins == (2, 1, 0)
    assert result.opponent.wins == (1, 0, 0)
    assert result.rates(result.agent)["win"] == 0.75
    # The forfeit is lost by 3 points; only the truncated game says nothing at all.
    assert result.points_with_forfeits.mean == pytest.approx((0 - 2 + 1.5) / 3)
    data = result.as_dict()
    assert (data["truncated"], data["pairs_left_out"], data["faults"]) == (1, 2, ["6-6"])
    assert data["agent"]["forfeits"] == 1
    assert json.loads(json.dumps(data)) == data


def test_a_match_of_cut_games_says_so() -> None:
    result = play_match(RANDOM, PIP_COUNT, 8, seed=2, max_plies=3)
    with pytest.raises(GammonError, match=r"of 4 pairs .* only 0 .*8 games were truncated, 0 forf"):
        _ = result.points_per_game


def test_games_without_their_pair_do_not_count() -> None:
    records = [GameRecord(game, 1, 50) for game in (9, 2, 3, 4, 8, 7)]
    result = MatchResult.of(("one", "two"), BACKGAMMON, 7, records)
    assert [record.game for record in result.records] == [2, 3, 8, 9]


def test_wins_give_a_difference_in_elo() -> None:
    result = play_match(PIP_COUNT, RANDOM, 200, seed=3)
    assert result.elo == elo_difference(result.win_rate)
    assert result.as_dict()["elo"] == result.elo.as_dict()
