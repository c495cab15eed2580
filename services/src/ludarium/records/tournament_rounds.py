"""Check the events of a tournament's rounds: drafts, publications, boards, results."""
from __future__ import annotations

from uuid import UUID

from msgspec.structs import replace

from ludarium.records.tournament_commands import may_host
from ludarium.tables.model.endings import are_places
from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND, commitment
from ludarium.tournaments import corrections, matches, organiser_commands
from ludarium.tournaments.derived import given_at, names, paired, recut
from ludarium.tournaments.draft_events import DraftChanged, committed, keeps_its_word, opened, revealed
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

LONGEST_PUBLICATION = 60 * SECOND
"""From the moment that it is asked for to its row."""


def wrong_draft(state: TournamentState, row: Drafted, *, keyed: bool) -> str | None:
    if (row.stage, row.round) != state.next_round or (state.current and not state.current.closed):
        return "it is not the round that is next"
    if len(row.deals) != organiser_commands.most_boards(state, row.stage, row.round) or not may_host(state, row.by):
        return "it is not drafted as it would be"
    if not keyed:
        return None
    seed = commitment(state.pairing_seed(row.stage, row.round))
    deals = [commitment(state.deal_seed(row.stage, row.round, board)) for board in range(1, len(row.deals) + 1)]
    return None if (row.commitment, row.deals) == (seed, deals) else "it is committed to other seeds"


def is_sealed(state: TournamentState, row: DraftChanged, version: int) -> bool:
    change = opened(state, version, row)
    return change.made is not None and committed(change.salt, change.made) == row.commitment


def wrong_publication(state: TournamentState, row: Published, at: int) -> str | None:
    round = state.rounds[row.stage, row.round]
    if state.times.paused:
        return "the tournament is paused"
    if round.published or commitment(row.seed) != round.drafted.commitment or not may_host(state, row.by):
        return "it does not publish the draft that was committed to"
    if not keeps_its_word(round.changes, row.salts, row.changes):
        return "it does not reveal the changes of the draft that were committed to"
    shown = replace(round, changes=revealed(round.changes, row.salts, row.changes))
    pairing = paired(given_at(state, row.stage, row.round, row.seed, shown))
    told = tuple(map(names, row.tables)), names(row.byes)
    if told != (pairing.tables, pairing.byes):
        return "who plays whom does not follow from the seed"
    if not 0 <= at + state.plan.wait * SECOND - row.starts_at <= LONGEST_PUBLICATION:
        return "its time is not the one that its plan says"
    return None if len({*row.ids}) == len(row.ids) == len(row.tables) else "it does not name a table for each board"


def is_possible_recut(state: TournamentState, row: Recut) -> bool:
    round = state.rounds[row.stage, row.round]
    found = organiser_commands.cut_again(state, row.by, round, state.version, row.tables, row.byes, row.out)
    return found == [row] and recut(state, round, row.tables, row.byes, row.out) is not None


def wrong_replay(state: TournamentState, row: Replayed, at: int, *, keyed: bool) -> str | None:
    round = state.rounds[row.stage, row.round]
    board = round.boards[row.board]
    now = EPOCH + at * MICROSECOND
    wanted = corrections.replay(state, row.by, round, board, state.version, row.text, now)[0]
    assert isinstance(wanted, Replayed)
    if not 0 <= wanted.starts_at - row.starts_at <= LONGEST_PUBLICATION:
        return "its time is not the one that its plan says"
    if UUID(bytes=row.table) in (board.table, *board.earlier):
        return "it is played again at a table that it had"
    return "it is committed to another seed" if keyed and row.deal != wanted.deal else None


def wrong_game(state: TournamentState, row: NextGame, at: int, *, keyed: bool) -> str | None:
    round = state.rounds[row.stage, row.round]
    board = round.boards[row.board]
    if board.result is None or round.closed or not matches.goes_on(state, board, board.ended_at - LONGEST_PUBLICATION):
        return "its match does not go on"
    wanted = matches.next_game(state, round, board, EPOCH + at * MICROSECOND)
    if row.game != wanted.game or not 0 <= wanted.starts_at - row.starts_at <= LONGEST_PUBLICATION:
        return "it is not the game that is next, at its time"
    if UUID(bytes=row.table) in (*board.earlier, *(each.table for each in board.by_game)):
        return "it is played at a table that the board had"
    return "it is committed to another seed" if keyed and row.deal != wanted.deal else None


def unfinished(state: TournamentState, row: RoundClosed) -> bool:
    """Whether one of its matches should have gone on."""
    boards = state.rounds[row.stage, row.round].boards.values()
    return any(board.seats and board.result and matches.goes_on(state, board, board.ended_at) for board in boards)


def wrong_at_table(state: TournamentState, row: Result | Begun | Disputed) -> str | None:
    round = state.rounds[row.stage, row.round]
    boards = row.boards if isinstance(row, Begun) else [row.board]
    if round.closed or not round.published:
        return "its round is not played"
    if boards != sorted({*boards}):
        return "it names a board twice, or boards in no order"
    if isinstance(row, Begun) and state.shares(row.stage) and not begins_together(round, row):
        return "a shared deal begins at all its boards at once"
    for board in map(round.boards.__getitem__, boards):
        if what := wrong_at_board(board, row):
            return what
    return None


def begins_together(round: RoundState, row: Begun) -> bool:
    """All its boards, or none of them but such as are played again."""
    sharing = {board.number for board in round.open_boards if not board.begun and not board.earlier}
    return sharing <= {*row.boards} or not sharing & {*row.boards}


def wrong_at_board(board: Board, row: Result | Begun | Disputed) -> str | None:
    match row:
        case Begun():
            if board.held:
                return "the board is paused"
            return "the board has begun before" if board.begun or not board.seats else None
        case Disputed():
            return None if board.result and row.entry in board.seats else "nobody can dispute that"
        case Result():
            size = len(board.seats)
            fits = not row.places or are_places(row.places, size)
            fits = fits and len(row.points) in (0, size) and {*row.absent} <= {*range(size)}
            return None if fits and board.result is None else "it is no result of this board, or its second one"
