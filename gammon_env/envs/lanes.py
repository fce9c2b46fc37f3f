"""The compiled step of a vector environment: every lane acts, and is shown, in one call.

What happens in one lane is what `Table` does for its game, by the same rules: act, throw dice, pass
where it is forced, settle, begin anew, show. Lanes where an opponent has a choice stop there, and
go on when the step is called again with its answers.
"""

from gammon_env.envs.lane_arrays import (
    ACT,
    ACTOR,
    ANSWER,
    BEFORE,
    BEGIN,
    BOTH,
    DISABLED,
    ILLEGAL,
    PASSES,
    SAME_STEP,
    SETTLED,
    SHOWN,
    WAITS,
    Finals,
    Flags,
    Games,
    Integers,
    Masks,
    Plays,
    Results,
    Settings,
)
from gammon_env.envs.table import NOBODY
from gammon_env.observation import write_features
from gammon_env.rules import turn
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.moves import CODES, MAX_PLAYS, legal_checker_moves
from gammon_env.rules.turn import OVER, PHASE, POINTS, SEAT, TO_PLAY, TURN


@lean_kernel
def first_refused(
    settings: Settings, actions: Integers, masks: Masks | None, plays: Plays, ended: Flags
) -> int:
    """Return the first lane whose action cannot be taken, -1 if all can."""
    size = MAX_PLAYS if masks is None else CODES
    for lane in range(len(actions)):
        action = actions[lane]
        if ended[lane]:
            refused = settings.autoreset == DISABLED
        elif 0 <= action < size:
            refused = not (settings.forfeits or _is_legal(masks, plays, lane, action))
        else:
            refused = True
        if refused:
            return lane
    return -1


@lean_kernel
def _is_legal(masks: Masks | None, plays: Plays, lane: int, action: int) -> bool:
    if masks is None:
        return bool(action < plays.offsets[lane + 1] - plays.offsets[lane])
    return bool(masks[lane, action] != 0)


@lean_kernel
def step_lanes(
    settings: Settings,
    start: Board,
    games: Games,
    stages: Integers,
    actions: Integers,
    masks: Masks | None,
    plays: Plays,
    answers: Board,
    results: Results,
    finals: Finals,
) -> None:
    """Bring every lane to the caller's next decision, or to where an opponent has to answer.

    Args:
        settings: of the environment.
        start: the board that games begin with.
        games: of all lanes.
        stages: what is to happen in each lane; after the call `SHOWN` or `WAITS`.
        actions: of the lanes that act.
        masks: legal checker moves, before and after; None if actions are whole plays.
        plays: the plays that actions choose from, if they are whole plays.
        answers: int8[N, 2, 26], the afterstates of opponents' plays, in the lanes that wait for
            them.
        results: to be filled.
        finals: to be filled where a game ends and makes room within the step.
    """
    for lane in range(len(stages)):
        stage = stages[lane]
        if stage == SHOWN:
            continue
        if stage == ACT:
            _act(settings, games, lane, actions[lane], masks, plays, results.notes)
        elif stage == BEGIN:
            _begin(start, games, lane, results.notes)
        elif stage == ANSWER:
            board, left, numbers = games.board[lane], games.left[lane], games.numbers[lane]
            turn.finish_turn(board, left, numbers, answers[lane], settings.rules)
        stages[lane] = _go_on(settings, start, games, lane, masks, results, finals)


@lean_kernel
def _act(
    settings: Settings,
    games: Games,
    lane: int,
    action: int,
    masks: Masks | None,
    plays: Plays,
    notes: Integers,
) -> None:
    """Take the caller's action, or forfeit if it is not legal."""
    board, left, numbers = games.board[lane], games.left[lane], games.numbers[lane]
    legal = _is_legal(masks, plays, lane, action)
    notes[lane, ACTOR] = numbers[SEAT]
    notes[lane, PASSES] = 0
    notes[lane, ILLEGAL] = not legal
    notes[lane, BEFORE] = numbers[TURN]
    notes[lane, SETTLED] = 0
    if not legal:
        turn.forfeit(left, numbers, settings.most)
    elif masks is None:
        afterstate = plays.afterstates[plays.offsets[lane] + action]
        turn.finish_turn(board, left, numbers, afterstate, settings.rules)
    else:
        turn.move_checker(board, left, numbers, action, settings.rules)


@lean_kernel
def _begin(start: Board, games: Games, lane: int, notes: Integers) -> None:
    """Set up the lane's next game, to which no action has led."""
    board, left, numbers = games.board[lane], games.left[lane], games.numbers[lane]
    turn.set_up(board, left, numbers, games.stream[lane], start)
    notes[lane, ACTOR] = NOBODY
    notes[lane, PASSES] = 0
    notes[lane, ILLEGAL] = 0
    notes[lane, SETTLED] = 1


@lean_kernel
def _go_on(
    settings: Settings,
    start: Board,
    games: Games,
    lane: int,
    masks: Masks | None,
    results: Results,
    finals: Finals,
) -> int:
    """Throw the next dice, settle and show a lane; return whether it is shown or waits.

    Where the game has ended and makes room within the step, the next one may have to wait, too.
    """
    if _waits(settings, games, lane, results.notes):
        return WAITS
    settled = results.notes[lane, SETTLED] != 0
    if not settled and _settle(settings, games, lane, results) and settings.autoreset == SAME_STEP:
        _keep(games, results.notes, lane, finals)
        _begin(start, games, lane, results.notes)
        if _waits(settings, games, lane, results.notes):
            return WAITS
    _show(settings, games, lane, masks, results)
    return SHOWN


@lean_kernel
def _waits(settings: Settings, games: Games, lane: int, notes: Integers) -> bool:
    """Throw dice until somebody has a choice; say whether that is an opponent."""
    numbers, starter = games.numbers[lane], settings.starter
    board, left, stream = games.board[lane], games.left[lane], games.stream[lane]
    passes = turn.advance(board, left, numbers, stream, starter, settings.rules)
    notes[lane, PASSES] += passes
    to_play = settings.caller != BOTH and numbers[PHASE] == TO_PLAY
    return bool(to_play and numbers[SEAT] != settings.caller)


@lean_kernel
def _settle(settings: Settings, games: Games, lane: int, results: Results) -> bool:
    """Write what the step earned its actor and whether the game has ended; return the latter."""
    numbers, notes, limit = games.numbers, results.notes, settings.max_turns
    points = numbers[lane, POINTS]
    over = numbers[lane, PHASE] == OVER
    cut = not over and limit > 0 and numbers[lane, TURN] > max(notes[lane, BEFORE], limit)
    results.rewards[lane] = points if notes[lane, ACTOR] == 0 else -points
    results.terminations[lane] = over
    results.truncations[lane] = cut
    notes[lane, SETTLED] = 1
    return bool(over or cut)


@lean_kernel
def _keep(games: Games, notes: Integers, lane: int, finals: Finals) -> None:
    """Keep the game that has ended, for what is returned of it."""
    for i in range(WIDTH):
        finals.games.board[lane, 0, i] = games.board[lane, 0, i]
        finals.games.board[lane, 1, i] = games.board[lane, 1, i]
    for i in range(games.left.shape[1]):
        finals.games.left[lane, i] = games.left[lane, i]
    for i in range(games.numbers.shape[1]):
        finals.games.numbers[lane, i] = games.numbers[lane, i]
    for i in range(notes.shape[1]):
        finals.notes[lane, i] = notes[lane, i]


@lean_kernel
def _show(
    settings: Settings, games: Games, lane: int, masks: Masks | None, results: Results
) -> None:
    """Write what the caller sees of the lane, and the mask of its checker moves."""
    board, left = games.board[lane], games.left[lane]
    # The caller has just won where the board is not the caller's view.
    turned = settings.caller != BOTH and games.numbers[lane, SEAT] != settings.caller
    if turned:
        turn.swap_rows(board)
    write_features(settings.encoder, board, left, results.observations[lane])
    if turned:
        turn.swap_rows(board)
    if masks is not None:
        legal_checker_moves(settings.rules, board, left, masks[lane])
