"""Checks of events in rounds: drafts, publications, boards and results."""
from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from ludarium.records.tournament_commands import may_host
from ludarium.tables.model.endings import are_places
from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND, commitment
from ludarium.tournaments import corrections, matches, organiser_commands
from ludarium.tournaments.derived import compute_pairing, names, pair_recut, pairing_input_at
from ludarium.tournaments.draft_events import DraftChanged, commit_to_change, open_change, reveal_changes, reveals_commitments
from ludarium.tournaments.events import (
    Begun,
    Disputed,
    Drafted,
    NextGame,
    Published,
    Recut,
    Replayed,
    Result,
    RoundClosed,
)
from ludarium.tournaments.player_commands import SECOND
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState

MAX_PUBLICATION_DELAY = 60 * SECOND
"""The longest time between the request and its event, in microseconds."""
OTHER_TABLE = "the id of a table does not follow from its key"


def draft_fault(state: TournamentState, event: Drafted, *, keyed: bool) -> str | None:
    if (event.stage, event.round) != state.next_round or (state.current and not state.current.closed):
        return "it is not the round that is next"
    if len(event.deals) != organiser_commands.most_boards(state, event.stage, event.round) or not may_host(state, event.by):
        return "it is not drafted as it would be"
    if not keyed:
        return None
    seed = commitment(state.pairing_seed(event.stage, event.round))
    deals = [commitment(state.deal_seed(event.stage, event.round, board)) for board in range(1, len(event.deals) + 1)]
    return None if (event.commitment, event.deals) == (seed, deals) else "it is committed to other seeds"


def is_sealed(state: TournamentState, event: DraftChanged, version: int) -> bool:
    change = open_change(state, version, event)
    return change.made is not None and commit_to_change(change.salt, change.made) == event.commitment


def requested_at(state: TournamentState, event: Published | Replayed | NextGame) -> datetime:
    """Return the time of the request, which the ids of the event's tables contain."""
    return EPOCH + (event.starts_at - state.plan.wait * SECOND) * MICROSECOND


def is_on_time(state: TournamentState, event: Published | Replayed | NextGame, at: int) -> bool:
    """Return whether games begin as long after the event's request as the plan says.

    Args:
        at: time of the event in microseconds since 1970.
    """
    return 0 <= at + state.plan.wait * SECOND - event.starts_at <= MAX_PUBLICATION_DELAY


def publication_fault(state: TournamentState, event: Published, at: int, *, keyed: bool) -> str | None:
    round = state.rounds[event.stage, event.round]
    if state.times.paused:
        return "the tournament is paused"
    if round.published or commitment(event.seed) != round.drafted.commitment or not may_host(state, event.by):
        return "it does not publish the draft that was committed to"
    if not reveals_commitments(round.changes, event.salts, event.changes):
        return "it does not reveal the changes of the draft that were committed to"
    shown = replace(round, changes=reveal_changes(round.changes, event.salts, event.changes))
    pairing = compute_pairing(pairing_input_at(state, event.stage, event.round, event.seed, shown))
    published = tuple(map(names, event.tables)), names(event.byes)
    if published != (pairing.tables, pairing.byes):
        return "who plays whom does not follow from the seed"
    if not is_on_time(state, event, at):
        return "its time is not the one that its plan says"
    if not len({*event.ids}) == len(event.ids) == len(event.tables):
        return "it does not name a table for each board"
    now, boards = requested_at(state, event), range(1, len(event.ids) + 1)
    derived = [state.table_id(event.stage, event.round, board, now).bytes for board in boards] if keyed else event.ids
    return None if event.ids == derived else OTHER_TABLE


def is_possible_recut(state: TournamentState, event: Recut) -> bool:
    round = state.rounds[event.stage, event.round]
    found = organiser_commands.recut_round(state, event.by, round, state.version, event.tables, event.byes, event.out)
    return found == [event] and pair_recut(state, round, event.tables, event.byes, event.out) is not None


def replay_fault(state: TournamentState, event: Replayed, at: int, *, keyed: bool) -> str | None:
    round = state.rounds[event.stage, event.round]
    board = round.boards[event.board]
    now = requested_at(state, event)
    expected = corrections.replay(state, event.by, round, board, state.version, event.text, now)[0]
    assert isinstance(expected, Replayed)
    if not is_on_time(state, event, at):
        return "its time is not the one that its plan says"
    if UUID(bytes=event.table) in (board.table, *board.earlier_tables):
        return "it is played again at a table that it had"
    return key_fault(event, expected) if keyed else None


def game_fault(state: TournamentState, event: NextGame, at: int, *, keyed: bool) -> str | None:
    round = state.rounds[event.stage, event.round]
    board = round.boards[event.board]
    if board.result is None or round.closed or not matches.continues(state, board, board.ended_at - MAX_PUBLICATION_DELAY):
        return "its match does not go on"
    expected = matches.next_game(state, round, board, requested_at(state, event))
    if event.game != expected.game or not is_on_time(state, event, at):
        return "it is not the game that is next, at its time"
    if UUID(bytes=event.table) in (*board.earlier_tables, *(each.table for each in board.by_game)):
        return "it is played at a table that the board had"
    return key_fault(event, expected) if keyed else None


def key_fault(event: Replayed | NextGame, expected: Replayed | NextGame) -> str | None:
    """Return what does not follow from the tournament's key, None if all does."""
    if event.deal != expected.deal:
        return "it is committed to another seed"
    return None if event.table == expected.table else OTHER_TABLE


def has_unfinished_match(state: TournamentState, event: RoundClosed) -> bool:
    """Return whether a match of the round should have continued."""
    boards = state.rounds[event.stage, event.round].boards.values()
    return any(board.seats and board.result and matches.continues(state, board, board.ended_at) for board in boards)


def table_fault(state: TournamentState, event: Result | Begun | Disputed) -> str | None:
    round = state.rounds[event.stage, event.round]
    boards = event.boards if isinstance(event, Begun) else [event.board]
    if round.closed or not round.published:
        return "its round is not played"
    if boards != sorted({*boards}):
        return "it names a board twice, or boards in no order"
    if isinstance(event, Begun) and state.has_shared_deals(event.stage) and not begins_together(round, event):
        return "a shared deal begins at all its boards at once"
    for board in map(round.boards.__getitem__, boards):
        if what := board_fault(board, event):
            return what
    return None


def begins_together(round: RoundState, event: Begun) -> bool:
    """Return whether all boards of a shared deal begin together.

    Replayed boards may begin alone.
    """
    sharing = {board.number for board in round.open_boards if not board.begun and not board.earlier_tables}
    return sharing <= {*event.boards} or not sharing & {*event.boards}


def board_fault(board: Board, event: Result | Begun | Disputed) -> str | None:
    match event:
        case Begun():
            if board.stopped_at:
                return "the board is paused"
            return "the board has begun before" if board.begun or not board.seats else None
        case Disputed():
            return None if board.result and event.entry in board.seats else "nobody can dispute that"
        case Result():
            if event.reason != "voided" and not board.begun:
                return "it is the result of a game that has not begun"
            size = len(board.seats)
            fits = not event.places or are_places(event.places, size)
            fits = fits and len(event.points) in (0, size) and {*event.absent} <= {*range(size)}
            return None if fits and board.result is None else "it is no result of this board, or its second one"
