"""Checks that events of players, officials and autopilot follow from commands."""
from __future__ import annotations

from ludarium.tournaments import corrections, fairness, organiser_commands, player_commands, time_commands
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.event_types import AnyTournamentEvent
from ludarium.tournaments.events import (
    CheckedIn,
    DraftUndone,
    Entered,
    HandsSeen,
    NonceGiven,
    PairsForbidden,
    PenaltySet,
    PlanChanged,
    Returned,
    RoleGiven,
    Ruled,
    Sanctioned,
    Seeded,
    SitsOut,
    StatusSet,
    Substituted,
    Withdrew,
)
from ludarium.tournaments.invitation_events import InvitationAnswered, OfficialInvited, PlayerInvited
from ludarium.tournaments.invitation_events import commit_to_player as committed_to
from ludarium.tournaments.invitation_events import open_invitation as player_in
from ludarium.tournaments.plan import is_unchanged_by_checking, plan_body
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import NONCE, TournamentState
from ludarium.tournaments.time_events import (
    ALL,
    AUTOPILOT,
    AutopilotSet,
    DelaySet,
    Featured,
    Paused,
    Resumed,
    TimeAdded,
    TimeEvent,
)


def may_follow(state: TournamentState, event: AnyTournamentEvent) -> bool:
    match event:
        case Entered():
            late = len(state.rounds_of(1)) if state.begun else 0
            given = (event.joined, event.points) == (late + 1, late * state.plan.late_points)
            new = event.player not in state.by_player and event.player not in state.saw_hands
            new = new and state.invitations.of(event.player) is None
            admitted = state.status == "open" if event.by is None else may_host(state, event.by)
            return event.entry == len(state.entrants) + 1 and admitted and new and given and is_strong_enough(state, event)
        case CheckedIn():
            return not state.begun and not state.entrants[event.entry].checked_in
        case Withdrew():
            return state.entrants[event.entry].left is None and may_host(state, event.by)
        case Returned():
            events = player_commands.return_entry(state, state.entrants[event.entry], event.by)
            return events == [event] and may_host(state, event.by)
        case SitsOut():
            events = player_commands.sit_out(state, state.entrants[event.entry], event.by, event.round, on=event.on)
            return events == [event] and may_host(state, event.by)
        case Seeded():
            return event.entry in state.entrants and not state.begun and may_host(state, event.by)
        case PlanChanged():
            plan = plan_body(event.plan)
            return not state.begun and may_host(state, event.by) and is_unchanged_by_checking(plan)
        case StatusSet():
            return not state.is_over and state.status != event.status and may_host(state, event.by)
        case RoleGiven():
            return may_give_role(state, event)
        case DraftChanged():
            return state.rounds[event.stage, event.round].published is None and may_host(state, event.by)
        case Substituted() if state.invitations.of(event.player) is not None:
            return False
        case NonceGiven() | PairsForbidden() | DraftUndone() | PenaltySet() | Substituted():
            return expected_events(state, event) == [event]
        case Paused() | Resumed() | TimeAdded() | Featured() | AutopilotSet() | DelaySet():
            return event.by == AUTOPILOT or expected_time_events(state, event) == [event]
        case HandsSeen():
            round = state.rounds[event.stage, event.round]
            return fairness.see_hands(state, event.by, round, round.boards[event.board]) == [event]
        case Ruled():
            board = state.rounds[event.stage, event.round].boards[event.board]
            return organiser_commands.rule(
                state, event.by, state.rounds[event.stage, event.round], board, state.version, event.verdict, event.places,
                event.text,
            ) == [event]  # fmt: skip
        case Sanctioned():
            return player_commands.sanction(state, event.by, event.officials) == [event]
        case _:
            return False


def is_strong_enough(state: TournamentState, event: Entered) -> bool:
    """Return whether the player's logged rating is within the limits of entry.

    The limits apply to players who enter without a host.
    """
    limits = state.plan.limits if event.by is None and state.plan.tables.policies.rated else None
    least, most = (limits.least_rating, limits.most_rating) if limits else (None, None)
    return (least is None or event.rating >= least) and (most is None or event.rating <= most)


def expected_events(
    state: TournamentState, event: NonceGiven | PairsForbidden | DraftUndone | PenaltySet | Substituted
) -> Events:
    """Return the events that the command would write in this state.

    Raises:
        Problem: the command is refused.
    """
    version = state.version
    match event:
        case NonceGiven():
            if not 0 < len(event.nonce) <= NONCE:
                return []
            return fairness.give_nonce(state, state.entrants[event.entry].player, event.nonce)
        case PairsForbidden():
            return fairness.forbid_pairs(state, event.by, version, event.pairs)
        case DraftUndone():
            return corrections.undo_draft_change(state, event.by, state.rounds[event.stage, event.round], version)
        case PenaltySet():
            return corrections.penalize(state, event.by, event.entry, version, event.stage, event.units, event.text)
        case Substituted():
            return corrections.substitute(state, event.by, event.entry, version, event.player, event.text, guest=False)


def expected_time_events(state: TournamentState, event: TimeEvent) -> Events:
    """Return the events that a command about time would write in this state."""
    version = state.version
    match event:
        case AutopilotSet():
            return time_commands.set_autopilot(state, event.by, version, event.on, event.rest, event.settle)
        case DelaySet():
            return time_commands.set_delay(state, event.by, version, event.events, event.seconds)
        case Paused(board=board) if board == ALL:
            return time_commands.pause(state, event.by, version, event.text)
        case Resumed(board=board) if board == ALL:
            return time_commands.resume(state, event.by, version)
    round = state.rounds[event.stage, event.round]
    place = round.boards[event.board]
    match event:
        case Paused():
            return time_commands.pause_board(state, event.by, round, place, version, event.text)
        case Resumed():
            return time_commands.resume_board(state, event.by, round, place, version)
        case TimeAdded():
            events = time_commands.add_time(state, event.by, round, place, version, event.entry, event.seconds, event.text)
            return events if 0 < event.seconds <= time_commands.MOST_TIME else []
        case Featured():
            return time_commands.feature(state, event.by, round, place, version, event.on)


def invitation_fault(
    state: TournamentState, event: PlayerInvited | OfficialInvited, version: int, *, keyed: bool
) -> str | None:
    if not may_invite(state, event):
        return "nobody could be invited so"
    player, salt = player_in(state, version, event)
    if keyed and committed_to(salt, player) != event.commitment:
        return "it does not commit to the player whom it holds"
    return None


def may_invite(state: TournamentState, event: PlayerInvited | OfficialInvited) -> bool:
    if isinstance(event, OfficialInvited):
        return state.role_of(event.by) == "owner"
    return not state.is_over and may_host(state, event.by) and (not event.entry or event.entry in state.entrants)


def may_answer(state: TournamentState, event: InvitationAnswered) -> bool:
    offered = state.role_offers.known.get(event.invitation)
    found = offered or state.invitations.known.get(event.invitation)
    if found is None or (state.is_over and not offered):
        return False
    if event.answer == "accepted":
        return event.by is None and committed_to(event.salt, event.player) == found.event.commitment
    by_host = event.by is not None and state.role_of(event.by) in (("owner",) if offered else ("owner", "host"))
    return not (event.player or event.salt or found.declined) and by_host == (event.answer == "withdrawn")


def may_give_role(state: TournamentState, event: RoleGiven) -> bool:
    """Return whether a role may be given.

    A host may take over from an owner who has left, but no event shows that the owner has left.
    """
    if event.by == event.player:
        return event.role == "owner" and state.role_of(event.by) == "host"
    if event.role is not None and state.role_offers.of(event.player) is not None:
        return False
    return player_commands.give_role(state, event.by, state.version, event.player, event.role) == [event]


def may_host(state: TournamentState, by: str | None) -> bool:
    """Return whether this actor may act as a host.

    The autopilot's events have been checked before.
    """
    return by is None or by == AUTOPILOT or state.role_of(by) in ("owner", "host")
