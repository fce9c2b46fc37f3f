"""The compiled steps of a vector environment: every lane acts, and is shown, in one call.

What happens in one lane is what `Table` does for its game, by the same rules: act, throw dice, pass
where it is forced, settle, begin anew, show.
"""

from gammon_env.envs.lane_arrays import (
    ACTOR,
    BEFORE,
    BOTH,
    DISABLED,
    ILLEGAL,
    PASSES,
    SAME_STEP,
    SETTLED,
    Choices,
    Finals,
    Flags,
    Games,
    Integers,
    Results,
    Settings,
)
from gammon_env.envs.table import NOBODY
from gammon_env.observation import write_features
from gammon_env.rules import turn
from gammon_env.rules.backgammon import CODES, MAX_PLAYS, legal_checker_moves
from gammon_env.rules.board import WIDTH, Board
from gammon_env.rules.jit import lean_kernel
from gammon_env.rules.turn import OVER, PHASE, POINTS, SEAT, TO_PLAY, TURN


@lean_kernel
def first_refused(settings: Settings, actions: Integers, choices: Choices, ended: Flags) -> int:
    """Return the first lane whose action cannot be taken, -1 if all can."""
    size = MAX_PLAYS if settings.whole_plays else CODES
    for lane in range(len(actions)):
        action = actions[lane]
        if ended[lane]:
            refused = settings.autoreset == DISABLED
        elif 0 <= action < size:
            refused = not (settings.forfeits or _is_legal(settings, choices, lane, action))
        else:
            refused = True
        if refused:
            return lane
    return -1


@lean_kernel
def _is_legal(settings: Settings, choices: Choices, lane: int, action: int) -> bool:
    if settings.whole_plays:
        return bool(action < choices.offsets[lane + 1] - choices.offsets[lane])
    return bool(choices.masks[lane, action] != 0)


@lean_kernel
def step_lanes(
    settings: Settings,
    start: Board,
    games: Games,
    actions: Integers,
    choices: Choices,
    ended: Flags,
    results: Results,
    finals: Finals,
) -> None:
    """Take an action in every lane, or begin a new game in those that ended a step before."""
    for lane in range(len(actions)):
        if ended[lane]:
            _begin(settings, start, games, lane, results.notes)
        else:
            _act(settings, games, lane, actions[lane], choices, results.notes)
        _go_on(settings, start, games, lane, results, finals)


@lean_kernel
def answer_lanes(
    settings: Settings,
    start: Board,
    games: Games,
    lanes: Integers,
    afterstates: Board,
    results: Results,
    finals: Finals,
) -> None:
    """Make the opponent's plays in the lanes that wait for them."""
    for i in range(len(lanes)):
        lane = lanes[i]
        board, left, numbers = games.board[lane], games.left[lane], games.numbers[lane]
        turn.finish_turn(board, left, numbers, afterstates[i], settings.kinds)
        results.notes[lane, PASSES] += _advance(settings, games, lane)
        _go_on(settings, start, games, lane, results, finals)


@lean_kernel
def enter_lanes(
    settings: Settings,
    start: Board,
    games: Games,
    entering: Flags,
    passes: int,
    results: Results,
    finals: Finals,
) -> None:
    """Go on from games just put into some lanes, after so many passes, and show all lanes."""
    for lane in range(len(entering)):
        if entering[lane]:
            _note_entry(results.notes, lane, passes + _advance(settings, games, lane))
        _go_on(settings, start, games, lane, results, finals)


@lean_kernel
def show_lanes(settings: Settings, games: Games, results: Results) -> None:
    """Write the observation of every lane, and the mask where actions are checker moves."""
    for lane in range(len(games.board)):
        _show(settings, games, lane, results)


@lean_kernel
def _begin(settings: Settings, start: Board, games: Games, lane: int, notes: Integers) -> None:
    """Begin the lane's next game."""
    turn.set_up(games.board[lane], games.left[lane], games.numbers[lane], games.stream[lane], start)
    _note_entry(notes, lane, _advance(settings, games, lane))


@lean_kernel
def _note_entry(notes: Integers, lane: int, passes: int) -> None:
    """Note that no action has led here."""
    notes[lane, ACTOR] = NOBODY
    notes[lane, PASSES] = passes
    notes[lane, ILLEGAL] = 0
    notes[lane, SETTLED] = 1


@lean_kernel
def _act(
    settings: Settings, games: Games, lane: int, action: int, choices: Choices, notes: Integers
) -> None:
    """Take the caller's action, or forfeit if it is not legal, and throw the next dice."""
    board, left, numbers = games.board[lane], games.left[lane], games.numbers[lane]
    legal = _is_legal(settings, choices, lane, action)
    notes[lane, ACTOR] = numbers[SEAT]
    notes[lane, BEFORE] = numbers[TURN]
    notes[lane, ILLEGAL] = not legal
    notes[lane, SETTLED] = 0
    if not legal:
        turn.forfeit(left, numbers, settings.most)
    elif settings.whole_plays:
        afterstate = choices.afterstates[choices.offsets[lane] + action]
        turn.finish_turn(board, left, numbers, afterstate, settings.kinds)
    else:
        turn.move_checker(board, left, numbers, action, settings.kinds)
    notes[lane, PASSES] = _advance(settings, games, lane)


@lean_kernel
def _advance(settings: Settings, games: Games, lane: int) -> int:
    """Throw dice until somebody has a choice; return how many forced passes that took."""
    return turn.advance(
        games.board[lane],
        games.left[lane],
        games.numbers[lane],
        games.stream[lane],
        settings.starter,
        settings.kinds,
    )


@lean_kernel
def _go_on(
    settings: Settings, start: Board, games: Games, lane: int, results: Results, finals: Finals
) -> None:
    """Settle and show a lane, unless an opponent has to answer first.

    Where the game has ended and makes room within the step, the next one may have to wait, too.
    """
    if _waits(settings, games, lane):
        return
    settled = results.notes[lane, SETTLED] != 0
    if not settled and _settle(settings, games, lane, results) and settings.autoreset == SAME_STEP:
        _keep(games, results.notes, lane, finals)
        _begin(settings, start, games, lane, results.notes)
    if not _waits(settings, games, lane):
        _show(settings, games, lane, results)


@lean_kernel
def _waits(settings: Settings, games: Games, lane: int) -> bool:
    """Say whether it is the opponent who has a choice."""
    numbers = games.numbers
    to_play = numbers[lane, PHASE] == TO_PLAY and numbers[lane, SEAT] != settings.caller
    return bool(to_play and settings.caller != BOTH)


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
def _show(settings: Settings, games: Games, lane: int, results: Results) -> None:
    """Write what the caller sees of the lane, and the mask of its checker moves."""
    board, left = games.board[lane], games.left[lane]
    # The caller has just won where the board is not the caller's view.
    turned = settings.caller != BOTH and games.numbers[lane, SEAT] != settings.caller
    if turned:
        turn.swap_rows(board)
    write_features(settings.encoder, board, left, results.observations[lane])
    if turned:
        turn.swap_rows(board)
    if not settings.whole_plays:
        legal_checker_moves(board, left, results.masks[lane])
