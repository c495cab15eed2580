"""Apply the events of a tournament to its state, one after the other. No rule is run: what was decided is in the events."""
from __future__ import annotations

from uuid import UUID

from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tournaments.draft_events import DraftChanged, opened, revealed
from ludarium.tournaments.event_types import AnyTournamentRow
from ludarium.tournaments.events import (
    Begun,
    CameBack,
    CheckedIn,
    Disputed,
    Drafted,
    Entered,
    Looked,
    NextGame,
    NonceGiven,
    PairsForbidden,
    PenaltySet,
    PlanChanged,
    Published,
    Recut,
    Replayed,
    Result,
    RoleGiven,
    RoundClosed,
    Ruled,
    Sanctioned,
    Seeded,
    SitsOut,
    StatusSet,
    Substituted,
    TakenBack,
    Withdrew,
)
from ludarium.tournaments.invitation_events import Invitation, InvitationAnswered, Invited, OfficialInvited, RoleOffer
from ludarium.tournaments.invitation_events import opened as player_in
from ludarium.tournaments.plan import plan_body
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant, PlayedGame, RoundState
from ludarium.tournaments.time_events import AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded
from ludarium.tournaments.times import SECOND
from ludarium_eventstore import StoredEvent


def apply_event(state: TournamentState, event: StoredEvent, row: AnyTournamentRow | UnreadEvent) -> None:
    """Apply the next event of the stream, which was checked against the hash chain.

    The state stays as it is from the first event on that only a newer release can read.
    """
    if state.newer is not None:
        return
    if isinstance(row, UnreadEvent) and not row.is_note:
        state.newer = event.version
        return
    state.version, state.hash, state.at = event.version, event.hash, event.at
    apply(state, row, event.version, microseconds(event.at))


def apply(state: TournamentState, row: AnyTournamentRow | UnreadEvent, version: int, at: int) -> None:
    state.invitations.agreed = state.role_offers.agreed = None
    match row:
        case PlanChanged():
            state.plan, state.text, state.plan_seq = plan_body(row.plan), row.text, version
        case StatusSet():
            state.status, state.status_seq, state.status_at = row.status, version, at
        case RoleGiven():
            give_role(state, row, version)
        case Entered() | CheckedIn() | Withdrew() | Seeded() | CameBack() | SitsOut():
            take_entrant(state, row, version)
        case Invited():
            state.invitations.known[version] = Invitation(version, row, *player_in(state, version, row))
        case OfficialInvited():
            state.role_offers.known[version] = RoleOffer(version, row, *player_in(state, version, row))
        case InvitationAnswered():
            (state.role_offers if row.invitation in state.role_offers.known else state.invitations).answer(row)
        case Drafted():
            drafted = RoundState(row.stage, row.round, row, version, state.forbidden, boards={}, made=version)
            state.rounds[row.stage, row.round] = drafted
        case TakenBack():
            take_back(state, state.rounds[row.stage, row.round], version)
        case DraftChanged():
            change_draft(state, state.rounds[row.stage, row.round], row, version)
        case Published() | Recut():
            if isinstance(row, Recut):
                sit_out(state, row)
            seat(state, state.rounds[row.stage, row.round], row, version)
        case Begun():
            for number in row.boards:
                state.rounds[row.stage, row.round].boards[number].begun = True
        case Result() | Disputed() | Ruled():
            judge(state.rounds[row.stage, row.round].boards[row.board], row, version, at)
        case Replayed():
            play_again(state, state.rounds[row.stage, row.round].boards[row.board], row, version, at)
        case NextGame():
            play_on(state, state.rounds[row.stage, row.round].boards[row.board], row, version, at)
        case Looked():
            state.looked.add(row.by)
            board = state.rounds[row.stage, row.round].boards[row.board]
            board.looks = (*board.looks, (row.by, version))
        case Sanctioned():
            state.sanction = row if row.officials else None
        case NonceGiven() | PenaltySet() | Substituted():
            change_entrant(state, state.entrants[row.entry], row, version)
        case PairsForbidden():
            state.forbidden, state.forbidden_seq = tuple((one, other) for one, other in row.pairs), version
        case RoundClosed():
            close(state, row, version, at)
        case Paused() | Resumed() | TimeAdded() | Featured() | AutopilotSet() | DelaySet():
            state.times.take_in(row, state.current, state.plan.grace * SECOND, version, at)


def give_role(state: TournamentState, row: RoleGiven, version: int) -> None:
    if row.role == "owner":
        state.roles[state.owner] = ("host", version)
    if row.role is None:
        state.roles.pop(row.player, None)
        state.former[row.player] = version
    else:
        state.roles[row.player] = (row.role, version)
        state.role_offers.forget(row.player)


def take_entrant(
    state: TournamentState, row: Entered | CheckedIn | Withdrew | Seeded | CameBack | SitsOut, version: int
) -> None:
    match row:
        case Entered():
            state.entrants[row.entry] = Entrant(row.entry, row.player, row.rating, row.joined, row.points, version)
            state.by_player[row.player] = row.entry
            state.invitations.forget(row.player)
            unsettle(state, version)
        case CheckedIn():
            state.entrants[row.entry].checked_in = True
        case Withdrew():
            withdraw(state, state.entrants[row.entry], version)
            state.entrants[row.entry].removed = row.by is not None
        case CameBack():
            come_back(state, state.entrants[row.entry], row, version)
        case SitsOut():
            rest(state, state.entrants[row.entry], row, version)
        case Seeded():
            entrant = state.entrants[row.entry]
            entrant.rating, entrant.seq = row.rating, version


def change_entrant(
    state: TournamentState, entrant: Entrant, row: NonceGiven | PenaltySet | Substituted, version: int
) -> None:
    match row:
        case NonceGiven():
            entrant.nonce, entrant.given_for = row.nonce, state.next_round
        case PenaltySet():
            entrant.penalties, entrant.seq = entrant.penalties | {row.stage: row}, version
            unsettle(state, version)
        case Substituted():
            del state.by_player[entrant.player]
            entrant.former, entrant.player, entrant.seq = (*entrant.former, entrant.player), row.player, version
            entrant.replaced = row
            state.by_player[row.player] = entrant.number
            state.invitations.forget(row.player)
            for seq in [seq for seq, one in state.invitations.known.items() if one.row.entry == row.entry]:
                del state.invitations.known[seq]


def withdraw(state: TournamentState, entrant: Entrant, version: int) -> None:
    entrant.seq, entrant.listed, entrant.left, entrant.left_at = version, state.begun, state.next_round, version
    if not entrant.listed:
        del state.by_player[entrant.player]
    unsettle(state, version)


def come_back(state: TournamentState, entrant: Entrant, row: CameBack, version: int) -> None:
    missed = range(entrant.left[1] if entrant.left else row.round, row.round)
    entrant.out = entrant.out | {(row.stage, round) for round in missed}
    entrant.left, entrant.seq = None, version
    unsettle(state, version, row.stage, row.round)


def rest(state: TournamentState, entrant: Entrant, row: SitsOut, version: int) -> None:
    this = row.stage, row.round
    entrant.out = entrant.out | {this} if row.on else entrant.out - {this}
    entrant.rests, entrant.seq = entrant.rests | {this: version}, version
    unsettle(state, version, *this)


def unsettle(state: TournamentState, version: int, *of: int) -> None:
    """Pair a draft anew when there are others to pair. of: stage and round, where only that one has."""
    if state.current and state.current.published is None and of in ((), (state.current.stage, state.current.number)):
        state.current.seq, state.current.changes = version, ()


def change_draft(state: TournamentState, round: RoundState, row: DraftChanged, version: int) -> None:
    round.seq, round.changes = version, (*round.changes, opened(state, version, row))


def take_back(state: TournamentState, round: RoundState, version: int) -> None:
    """The draft itself if nothing was changed in it."""
    if not round.changes:
        del state.rounds[round.stage, round.number]
        return
    round.changes, round.seq = round.changes[:-1], version


def seat(state: TournamentState, round: RoundState, row: Published | Recut, version: int) -> None:
    """A re-cut leaves the boards and their tables where they are."""
    round.seq, round.byes = version, tuple(row.byes)
    if isinstance(row, Published):
        round.published, round.nonce = row, state.mixed
        round.changes = revealed(round.changes, row.salts, row.changes)
        told = zip(row.ids, row.tables, round.drafted.deals[: len(row.ids)], strict=True)
        round.boards = {
            at: Board(
                at, UUID(bytes=id_), tuple(seats), version, deal, row.starts_at, ends_at=ends_at(state, row),
                best_of=state.stage_of(row.stage).best_of,
            )
            for at, (id_, seats, deal) in enumerate(told, 1)
        }
        return
    round.recuts += 1
    for number, board in round.boards.items():
        seats = tuple(row.tables[number - 1]) if number <= len(row.tables) else ()
        if seats != board.seats:
            board.seats, board.seq = seats, version


def ends_at(state: TournamentState, row: Published | Replayed) -> int:
    """0: it has no end."""
    time = state.stage_of(row.stage).round_time
    return 0 if time is None else row.starts_at + time * SECOND


def sit_out(state: TournamentState, row: Recut) -> None:
    this = row.stage, row.round
    for entrant in state.entrants.values():
        entrant.out = entrant.out | {this} if entrant.number in row.out else entrant.out - {this}


def judge(board: Board, row: Result | Disputed | Ruled, version: int, at: int) -> None:
    match row:
        case Result():
            board.result, board.ended_at, board.settled_at = row, at, at
        case Disputed():
            board.disputed, board.said, board.seq = row.entry, row.text, version
        case Ruled():
            board.ruling, board.disputed, board.seq, board.settled_at = row, None, version, at


def play_on(state: TournamentState, board: Board, row: NextGame, version: int, at: int) -> None:
    """The round's end is that of the whole match."""
    assert board.result is not None
    board.games = (*board.games, PlayedGame(board.table, board.deal, board.begun, board.result))
    board.table, board.deal, board.seq, board.starts_at = UUID(bytes=row.table), row.deal, version, row.starts_at
    board.begun, board.result, board.ended_at, board.settled_at = False, None, 0, 0
    board.held, board.added = at if board.paused or state.times.paused else 0, ()


def play_again(state: TournamentState, board: Board, row: Replayed, version: int, at: int) -> None:
    board.earlier, board.table, board.deal = (*board.earlier, board.table), UUID(bytes=row.table), row.deal
    board.seq, board.starts_at, board.begun, board.result = version, row.starts_at, False, None
    board.replayed, board.ended_at, board.ruling, board.disputed, board.said = row, 0, None, None, b""
    board.ends_at, board.added = ends_at(state, row), ()
    board.held = at if board.paused or state.times.paused else 0


def close(state: TournamentState, row: RoundClosed, version: int, at: int) -> None:
    round = state.rounds[row.stage, row.round]
    round.closed, round.seq, round.closed_at = True, version, at
    if not row.last:
        return
    if row.stage == len(state.plan.stages):
        state.status, state.status_seq = "over", version
    else:
        state.stage_entries[row.stage + 1] = tuple(row.through)
        state.stage = row.stage + 1
