"""Apply the events of a tournament to its state, one after the other. No rule is run: what was decided is in the events."""
from __future__ import annotations

from uuid import UUID

from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tournaments.draft_events import DraftChanged, open_change, reveal_changes
from ludarium.tournaments.event_types import AnyTournamentEvent
from ludarium.tournaments.events import (
    Begun,
    CheckedIn,
    Disputed,
    Drafted,
    DraftUndone,
    Entered,
    HandsSeen,
    NextGame,
    NonceGiven,
    PairsForbidden,
    PenaltySet,
    PlanChanged,
    Published,
    Recut,
    Replayed,
    Result,
    Returned,
    RoleGiven,
    RoundClosed,
    Ruled,
    Sanctioned,
    Seeded,
    SitsOut,
    StatusSet,
    Substituted,
    Withdrew,
)
from ludarium.tournaments.invitation_events import Invitation, InvitationAnswered, OfficialInvited, PlayerInvited, RoleOffer
from ludarium.tournaments.invitation_events import open_invitation as player_in
from ludarium.tournaments.plan import plan_body
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant, PlayedGame, RoundState
from ludarium.tournaments.time_events import AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded
from ludarium.tournaments.times import SECOND
from ludarium_eventstore import StoredEvent


def apply_event(state: TournamentState, stored: StoredEvent, event: AnyTournamentEvent | UnreadEvent) -> None:
    """Apply the next event of the stream, which was checked against the hash chain.

    The state stays as it is from the first event on that only a newer release can read.
    """
    if state.newer is not None:
        return
    if isinstance(event, UnreadEvent) and not event.is_note:
        state.newer = stored.version
        return
    state.version, state.hash, state.at = stored.version, stored.hash, stored.at
    apply(state, event, stored.version, microseconds(stored.at))


def apply(state: TournamentState, event: AnyTournamentEvent | UnreadEvent, version: int, at: int) -> None:
    state.invitations.accepted = state.role_offers.accepted = None
    match event:
        case PlanChanged():
            state.plan, state.text, state.plan_seq = plan_body(event.plan), event.text, version
        case StatusSet():
            state.status, state.status_seq, state.status_at = event.status, version, at
        case RoleGiven():
            give_role(state, event, version)
        case Entered() | CheckedIn() | Withdrew() | Seeded() | Returned() | SitsOut():
            apply_to_entries(state, event, version)
        case PlayerInvited():
            state.invitations.known[version] = Invitation(version, event, *player_in(state, version, event))
        case OfficialInvited():
            state.role_offers.known[version] = RoleOffer(version, event, *player_in(state, version, event))
        case InvitationAnswered():
            (state.role_offers if event.invitation in state.role_offers.known else state.invitations).answer(event)
        case Drafted():
            drafted = RoundState(event.stage, event.round, event, version, state.forbidden, boards={}, draft_version=version)
            state.rounds[event.stage, event.round] = drafted
        case DraftUndone():
            undo_draft_change(state, state.rounds[event.stage, event.round], version)
        case DraftChanged():
            change_draft(state, state.rounds[event.stage, event.round], event, version)
        case Published() | Recut():
            if isinstance(event, Recut):
                apply_absences(state, event)
            seat_round(state, state.rounds[event.stage, event.round], event, version)
        case Begun():
            for number in event.boards:
                state.rounds[event.stage, event.round].boards[number].begun = True
        case Result() | Disputed() | Ruled():
            apply_verdict(state.rounds[event.stage, event.round].boards[event.board], event, version, at)
        case Replayed():
            replay_board(state, state.rounds[event.stage, event.round].boards[event.board], event, version, at)
        case NextGame():
            start_next_game(state, state.rounds[event.stage, event.round].boards[event.board], event, version, at)
        case HandsSeen():
            state.saw_hands.add(event.by)
            board = state.rounds[event.stage, event.round].boards[event.board]
            board.hands_seen = (*board.hands_seen, (event.by, version))
        case Sanctioned():
            state.sanction = event if event.officials else None
        case NonceGiven() | PenaltySet() | Substituted():
            change_entrant(state, state.entrants[event.entry], event, version)
        case PairsForbidden():
            state.forbidden, state.forbidden_seq = tuple((one, other) for one, other in event.pairs), version
        case RoundClosed():
            close_round(state, event, version, at)
        case Paused() | Resumed() | TimeAdded() | Featured() | AutopilotSet() | DelaySet():
            state.times.apply(event, state.current, state.plan.grace * SECOND, version, at)


def give_role(state: TournamentState, event: RoleGiven, version: int) -> None:
    if event.role == "owner":
        state.roles[state.owner] = ("host", version)
    if event.role is None:
        state.roles.pop(event.player, None)
        state.former_officials[event.player] = version
    else:
        state.roles[event.player] = (event.role, version)
        state.role_offers.forget(event.player)


def apply_to_entries(
    state: TournamentState, event: Entered | CheckedIn | Withdrew | Seeded | Returned | SitsOut, version: int
) -> None:
    match event:
        case Entered():
            state.entrants[event.entry] = Entrant(event.entry, event.player, event.rating, event.joined, event.points, version)
            state.by_player[event.player] = event.entry
            state.invitations.forget(event.player)
            reset_draft(state, version)
        case CheckedIn():
            state.entrants[event.entry].checked_in = True
        case Withdrew():
            withdraw(state, state.entrants[event.entry], version)
            state.entrants[event.entry].removed = event.by is not None
        case Returned():
            return_entry(state, state.entrants[event.entry], event, version)
        case SitsOut():
            sit_out_round(state, state.entrants[event.entry], event, version)
        case Seeded():
            entrant = state.entrants[event.entry]
            entrant.rating, entrant.seq = event.rating, version


def change_entrant(
    state: TournamentState, entrant: Entrant, event: NonceGiven | PenaltySet | Substituted, version: int
) -> None:
    match event:
        case NonceGiven():
            entrant.nonce, entrant.nonce_round = event.nonce, state.next_round
        case PenaltySet():
            entrant.penalties, entrant.seq = entrant.penalties | {event.stage: event}, version
            reset_draft(state, version)
        case Substituted():
            del state.by_player[entrant.player]
            entrant.former_players = (*entrant.former_players, entrant.player)
            entrant.player, entrant.seq = event.player, version
            entrant.substitution = event
            state.by_player[event.player] = entrant.number
            state.invitations.forget(event.player)
            for seq in [seq for seq, one in state.invitations.known.items() if one.event.entry == event.entry]:
                del state.invitations.known[seq]


def withdraw(state: TournamentState, entrant: Entrant, version: int) -> None:
    entrant.seq, entrant.listed, entrant.left, entrant.left_at = version, state.begun, state.next_round, version
    if not entrant.listed:
        del state.by_player[entrant.player]
    reset_draft(state, version)


def return_entry(state: TournamentState, entrant: Entrant, event: Returned, version: int) -> None:
    missed = range(entrant.left[1] if entrant.left else event.round, event.round)
    entrant.sits_out = entrant.sits_out | {(event.stage, round) for round in missed}
    entrant.left, entrant.seq = None, version
    reset_draft(state, version, event.stage, event.round)


def sit_out_round(state: TournamentState, entrant: Entrant, event: SitsOut, version: int) -> None:
    this = event.stage, event.round
    entrant.sits_out = entrant.sits_out | {this} if event.on else entrant.sits_out - {this}
    entrant.rest_changes, entrant.seq = entrant.rest_changes | {this: version}, version
    reset_draft(state, version, *this)


def reset_draft(state: TournamentState, version: int, *of: int) -> None:
    """Pair a draft anew when there are others to pair. of: stage and round, where only that one has."""
    if state.current and state.current.published is None and of in ((), (state.current.stage, state.current.number)):
        state.current.seq, state.current.changes = version, ()


def change_draft(state: TournamentState, round: RoundState, event: DraftChanged, version: int) -> None:
    round.seq, round.changes = version, (*round.changes, open_change(state, version, event))


def undo_draft_change(state: TournamentState, round: RoundState, version: int) -> None:
    """The draft itself if nothing was changed in it."""
    if not round.changes:
        del state.rounds[round.stage, round.number]
        return
    round.changes, round.seq = round.changes[:-1], version


def seat_round(state: TournamentState, round: RoundState, event: Published | Recut, version: int) -> None:
    """A re-cut leaves the boards and their tables where they are."""
    round.seq, round.byes = version, tuple(event.byes)
    if isinstance(event, Published):
        round.published, round.nonce = event, state.mixed_nonce
        round.changes = reveal_changes(round.changes, event.salts, event.changes)
        told = zip(event.ids, event.tables, round.drafted.deals[: len(event.ids)], strict=True)
        round.boards = {
            at: Board(
                at, UUID(bytes=id_), tuple(seats), version, deal, event.starts_at, ends_at=ends_at(state, event),
                best_of=state.stage_of(event.stage).best_of,
            )
            for at, (id_, seats, deal) in enumerate(told, 1)
        }
        return
    round.recuts += 1
    for number, board in round.boards.items():
        seats = tuple(event.tables[number - 1]) if number <= len(event.tables) else ()
        if seats != board.seats:
            board.seats, board.seq = seats, version


def ends_at(state: TournamentState, event: Published | Replayed) -> int:
    """0: it has no end."""
    time = state.stage_of(event.stage).round_time
    return 0 if time is None else event.starts_at + time * SECOND


def apply_absences(state: TournamentState, event: Recut) -> None:
    this = event.stage, event.round
    for entrant in state.entrants.values():
        entrant.sits_out = entrant.sits_out | {this} if entrant.number in event.out else entrant.sits_out - {this}


def apply_verdict(board: Board, event: Result | Disputed | Ruled, version: int, at: int) -> None:
    match event:
        case Result():
            board.result, board.ended_at, board.settled_at = event, at, at
        case Disputed():
            board.disputed, board.dispute_text, board.seq = event.entry, event.text, version
        case Ruled():
            board.ruling, board.disputed, board.seq, board.settled_at = event, None, version, at


def start_next_game(state: TournamentState, board: Board, event: NextGame, version: int, at: int) -> None:
    """The round's end is that of the whole match."""
    assert board.result is not None
    board.games = (*board.games, PlayedGame(board.table, board.deal, board.begun, board.result))
    board.table, board.deal, board.seq, board.starts_at = UUID(bytes=event.table), event.deal, version, event.starts_at
    board.begun, board.result, board.ended_at, board.settled_at = False, None, 0, 0
    board.stopped_at, board.time_added = at if board.paused or state.times.paused else 0, ()


def replay_board(state: TournamentState, board: Board, event: Replayed, version: int, at: int) -> None:
    board.earlier_tables, board.table, board.deal = (*board.earlier_tables, board.table), UUID(bytes=event.table), event.deal
    board.seq, board.starts_at, board.begun, board.result = version, event.starts_at, False, None
    board.replayed, board.ended_at, board.ruling, board.disputed, board.dispute_text = event, 0, None, None, b""
    board.ends_at, board.time_added = ends_at(state, event), ()
    board.stopped_at = at if board.paused or state.times.paused else 0


def close_round(state: TournamentState, event: RoundClosed, version: int, at: int) -> None:
    round = state.rounds[event.stage, event.round]
    round.closed, round.seq, round.closed_at = True, version, at
    if not event.last:
        return
    if event.stage == len(state.plan.stages):
        state.status, state.status_seq = "over", version
    else:
        state.stage_entries[event.stage + 1] = tuple(event.through)
        state.stage = event.stage + 1
