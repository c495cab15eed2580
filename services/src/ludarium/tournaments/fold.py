"""Apply events to a tournament's state without evaluating any rules."""
from __future__ import annotations

from uuid import UUID

from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tournaments import draft_events, events, invitation_events
from ludarium.tournaments.draft_events import open_change, reveal_changes
from ludarium.tournaments.event_types import (
    AnyTournamentEvent,
    BoardEvent,
    DraftEvent,
    EntryEvent,
    InvitationEvent,
    PlanEvent,
    RoundEvent,
    TimeEvent,
)
from ludarium.tournaments.invitation_events import Invitation, RoleOffer
from ludarium.tournaments.invitation_events import open_invitation as player_in
from ludarium.tournaments.plan import plan_body
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant, PlayedGame, RoundState
from ludarium.tournaments.times import SECOND
from ludarium_eventstore import StoredEvent


def apply_event(state: TournamentState, stored: StoredEvent, event: AnyTournamentEvent | UnreadEvent) -> None:
    """Apply the stream's next event, which was checked against the hash chain.

    From the first event that only a newer release can read, the state no longer changes.
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
    if isinstance(event, EntryEvent):
        apply_to_entries(state, event, version, at)
    elif isinstance(event, BoardEvent):
        apply_to_board(state, state.rounds[event.stage, event.round].boards[event.board], event, version, at)
    elif isinstance(event, RoundEvent):
        apply_to_round(state, state.rounds[event.stage, event.round], event, version, at)
    elif isinstance(event, DraftEvent):
        apply_to_draft(state, event, version)
    elif isinstance(event, InvitationEvent):
        apply_to_invitations(state, event, version)
    elif isinstance(event, TimeEvent):
        state.times.apply(event, state.current, state.plan.grace * SECOND, version, at)
    elif isinstance(event, PlanEvent):
        apply_to_plan(state, event, version, at)


def apply_to_plan(state: TournamentState, event: PlanEvent, version: int, at: int) -> None:
    match event:
        case events.PlanChanged():
            state.plan, state.text, state.plan_seq = plan_body(event.plan), event.text, version
        case events.StatusSet():
            state.status, state.status_seq, state.status_at = event.status, version, at
        case events.RoleGiven():
            give_role(state, event, version)
        case events.PairsForbidden():
            state.forbidden, state.forbidden_seq = tuple((one, other) for one, other in event.pairs), version
        case events.Sanctioned():
            state.sanction = event if event.officials else None


def apply_to_invitations(state: TournamentState, event: InvitationEvent, version: int) -> None:
    match event:
        case invitation_events.PlayerInvited():
            state.invitations.known[version] = Invitation(version, event, *player_in(state, version, event))
        case invitation_events.OfficialInvited():
            state.role_offers.known[version] = RoleOffer(version, event, *player_in(state, version, event))
        case invitation_events.InvitationAnswered():
            (state.role_offers if event.invitation in state.role_offers.known else state.invitations).answer(event)


def apply_to_draft(state: TournamentState, event: DraftEvent, version: int) -> None:
    this = event.stage, event.round
    match event:
        case events.Drafted():
            state.rounds[this] = RoundState(*this, event, version, state.forbidden, boards={}, draft_version=version)
        case events.DraftUndone():
            undo_draft_change(state, state.rounds[this], version)
        case draft_events.DraftChanged():
            change_draft(state, state.rounds[this], event, version)


def apply_to_round(state: TournamentState, round: RoundState, event: RoundEvent, version: int, at: int) -> None:
    match event:
        case events.Published():
            round.published_at = at
            seat_round(state, round, event, version)
        case events.Recut():
            apply_absences(state, event)
            seat_round(state, round, event, version)
        case events.Begun():
            for number in event.boards:
                round.boards[number].begun = True
        case events.RoundClosed():
            close_round(state, round, event, version, at)


def apply_to_board(state: TournamentState, board: Board, event: BoardEvent, version: int, at: int) -> None:
    match event:
        case events.Result() | events.Disputed() | events.Ruled():
            apply_verdict(board, event, version, at)
        case events.Replayed():
            replay_board(state, board, event, version, at)
        case events.NextGame():
            start_next_game(state, board, event, version, at)
        case events.HandsSeen():
            state.saw_hands.add(event.by)
            board.hands_seen = (*board.hands_seen, (event.by, version))


def give_role(state: TournamentState, event: events.RoleGiven, version: int) -> None:
    if event.role == "owner":
        state.roles[state.owner] = ("host", version)
    if event.role is None:
        state.roles.pop(event.player, None)
        state.former_officials[event.player] = version
    else:
        state.roles[event.player] = (event.role, version)
        state.role_offers.forget(event.player)


def apply_to_entries(state: TournamentState, event: EntryEvent, version: int, at: int) -> None:
    match event:
        case events.Entered():
            state.entrants[event.entry] = Entrant(event.entry, event.player, event.rating, event.joined, event.points, version)
            state.by_player[event.player] = event.entry
            state.invitations.forget(event.player)
            reset_draft(state, version)
        case events.CheckedIn():
            state.entrants[event.entry].checked_in = True
        case events.Withdrew():
            withdraw(state, state.entrants[event.entry], version)
            state.entrants[event.entry].removed = event.by is not None
        case events.Returned():
            return_entry(state, state.entrants[event.entry], event, version)
        case events.SitsOut():
            sit_out_round(state, state.entrants[event.entry], event, version)
        case events.Seeded():
            entrant = state.entrants[event.entry]
            entrant.rating, entrant.seq = event.rating, version
        case events.NonceGiven() | events.PenaltySet() | events.Substituted():
            change_entrant(state, state.entrants[event.entry], event, version, at)


def change_entrant(
    state: TournamentState, entrant: Entrant, event: events.NonceGiven | events.PenaltySet | events.Substituted, version: int,
    at: int,
) -> None:  # fmt: skip
    match event:
        case events.NonceGiven():
            entrant.nonce, entrant.nonce_round = event.nonce, state.next_round
        case events.PenaltySet():
            entrant.penalties, entrant.seq = entrant.penalties | {event.stage: event}, version
            entrant.penalized_at = entrant.penalized_at | {event.stage: at}
            reset_draft(state, version)
        case events.Substituted():
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


def return_entry(state: TournamentState, entrant: Entrant, event: events.Returned, version: int) -> None:
    missed = range(entrant.left[1] if entrant.left else event.round, event.round)
    entrant.sits_out = entrant.sits_out | {(event.stage, round) for round in missed}
    entrant.left, entrant.seq = None, version
    reset_draft(state, version, event.stage, event.round)


def sit_out_round(state: TournamentState, entrant: Entrant, event: events.SitsOut, version: int) -> None:
    this = event.stage, event.round
    entrant.sits_out = entrant.sits_out | {this} if event.on else entrant.sits_out - {this}
    entrant.rest_changes, entrant.seq = entrant.rest_changes | {this: version}, version
    reset_draft(state, version, *this)


def reset_draft(state: TournamentState, version: int, *of: int) -> None:
    """Mark a draft to be paired again because entries have changed.

    Args:
        of: the affected stage and round; without them, any draft is affected.
    """
    if state.current and state.current.published is None and of in ((), (state.current.stage, state.current.number)):
        state.current.seq, state.current.changes = version, ()


def change_draft(state: TournamentState, round: RoundState, event: draft_events.DraftChanged, version: int) -> None:
    round.seq, round.changes = version, (*round.changes, open_change(state, version, event))


def undo_draft_change(state: TournamentState, round: RoundState, version: int) -> None:
    """Undo a draft's last change, or remove the draft if it has no changes."""
    if not round.changes:
        del state.rounds[round.stage, round.number]
        return
    round.changes, round.seq = round.changes[:-1], version


def seat_round(state: TournamentState, round: RoundState, event: events.Published | events.Recut, version: int) -> None:
    """Set the seats of a round. A recut keeps the boards and their tables."""
    round.seq, round.byes = version, tuple(event.byes)
    if isinstance(event, events.Published):
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


def ends_at(state: TournamentState, event: events.Published | events.Replayed) -> int:
    """Return when the round's time is up in microseconds since 1970, or 0 for never."""
    time = state.stage_of(event.stage).round_time
    return 0 if time is None else event.starts_at + time * SECOND


def apply_absences(state: TournamentState, event: events.Recut) -> None:
    this = event.stage, event.round
    for entrant in state.entrants.values():
        entrant.sits_out = entrant.sits_out | {this} if entrant.number in event.out else entrant.sits_out - {this}


def apply_verdict(board: Board, event: events.Result | events.Disputed | events.Ruled, version: int, at: int) -> None:
    match event:
        case events.Result():
            board.result, board.ended_at, board.settled_at = event, at, at
        case events.Disputed():
            board.disputed, board.dispute_text, board.seq = event.entry, event.text, version
        case events.Ruled():
            board.ruling, board.disputed, board.seq, board.settled_at = event, None, version, at


def start_next_game(state: TournamentState, board: Board, event: events.NextGame, version: int, at: int) -> None:
    """Open a match's next game. The end of the round applies to the whole match."""
    assert board.result is not None
    board.games = (*board.games, PlayedGame(board.table, board.deal, board.begun, board.result))
    board.table, board.deal, board.seq, board.starts_at = UUID(bytes=event.table), event.deal, version, event.starts_at
    board.begun, board.result, board.ended_at, board.settled_at = False, None, 0, 0
    board.stopped_at, board.time_added = at if board.paused or state.times.paused else 0, ()


def replay_board(state: TournamentState, board: Board, event: events.Replayed, version: int, at: int) -> None:
    board.earlier_tables, board.table, board.deal = (*board.earlier_tables, board.table), UUID(bytes=event.table), event.deal
    board.seq, board.starts_at, board.begun, board.result = version, event.starts_at, False, None
    board.replayed, board.ended_at, board.ruling, board.disputed, board.dispute_text = event, 0, None, None, b""
    board.ends_at, board.time_added = ends_at(state, event), ()
    board.stopped_at = at if board.paused or state.times.paused else 0


def close_round(state: TournamentState, round: RoundState, event: events.RoundClosed, version: int, at: int) -> None:
    round.closed, round.seq, round.closed_at = True, version, at
    if not event.last:
        return
    if event.stage == len(state.plan.stages):
        state.status, state.status_seq = "over", version
    else:
        state.stage_entries[event.stage + 1] = tuple(event.through)
        state.stage = event.stage + 1
