"""Verification of a tournament's events and pairings.

Each event must follow from the events before, and each pairing from its seed.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.records.tournament_commands import invitation_fault, may_answer, may_follow
from ludarium.records.tournament_rounds import (
    draft_fault,
    game_fault,
    has_unfinished_match,
    is_possible_recut,
    is_sealed,
    publication_fault,
    replay_fault,
    table_fault,
)
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import Damaged, NewerRelease, microseconds
from ludarium.tournaments import invitation_commands, organiser_commands, role_commands
from ludarium.tournaments.autopilot import is_unexpected
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.event_types import TOURNAMENT_EVENTS, AnyTournamentEvent, decode
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
    TournamentOpened,
)
from ludarium.tournaments.hash_chain import apply_stored, initial_state
from ludarium.tournaments.invitation_events import InvitationAnswered, OfficialInvited, PlayerInvited
from ludarium.tournaments.plan import is_unchanged_by_checking
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.time_events import AUTOPILOT
from ludarium_eventstore import Fault, StoredEvent
from ludarium_pairing.errors import Refused


class TournamentReport(NamedTuple):
    """The result of a verification: what was verified, and the first fault."""

    rows: int = 0
    rounds: int = 0
    tables: int = 0
    fault: Fault | None = None


def verify_events(
    stream: UUID, stored: Sequence[StoredEvent], *, keyed: bool
) -> tuple[TournamentState | None, TournamentReport]:
    """Verify a tournament's events without the logs of its tables.

    Args:
        keyed: whether the store has the tournament's secret key.
    """
    if [event.version for event in stored] != [*range(len(stored))] or not stored:
        return None, TournamentReport(fault=Fault(stream, None, "rows are missing"))
    version = 0
    try:
        state = initial_state(stream, stored[0], keyed=keyed)
        for version, stored_event in enumerate(stored):
            event = decode(stored_event.type, stored_event.schema, stored_event.data)
            if isinstance(event, UnreadEvent):
                what = unreadable(event)
            else:
                what = None if state.newer is not None else fault_in(state, event, stored_event, keyed=keyed)
            if what:
                return state, TournamentReport(fault=Fault(stream, version, what))
            apply_stored(state, stored_event)
    except (Damaged, NewerRelease, Refused, Problem, KeyError, IndexError) as error:
        return None, TournamentReport(fault=Fault(stream, version, error.what if isinstance(error, Damaged) else repr(error)))
    rounds = [round for round in state.rounds.values() if round.published]
    return state, TournamentReport(len(stored), len(rounds), sum(len(round.boards) for round in rounds))


def unreadable(event: UnreadEvent) -> str | None:
    """Return a fault if an event of a known type and schema cannot be decoded.

    Events of newer types are not a fault.
    """
    return "what it says does not fit its type" if (event.type, event.schema) in TOURNAMENT_EVENTS else None


def fault_in(state: TournamentState, event: AnyTournamentEvent, stored_event: StoredEvent, *, keyed: bool) -> str | None:
    """Return a description of a fault in the event, None if there is none."""
    if stored_event.at < state.at:
        return "its time runs backwards"
    if getattr(event, "by", None) == AUTOPILOT and is_unexpected(state, event, microseconds(stored_event.at)):
        return "the autopilot had something else to do, or nothing yet"
    if (agreed := state.invitations.accepted) is not None:
        entered = invitation_commands.entry_for(state, agreed)
        return None if entered == event else "it does not enter the player who has accepted"
    if (accepted := state.role_offers.accepted) is not None:
        return None if role_commands.role_for(state, accepted) == [event] else "it does not give the role that was accepted"
    match event:
        case TournamentOpened():
            return None if state.version == -1 and is_unchanged_by_checking(state.plan) else "it opens no tournament"
        case PlayerInvited() | OfficialInvited():
            return invitation_fault(state, event, stored_event.version, keyed=keyed)
        case InvitationAnswered():
            return None if may_answer(state, event) else "it does not answer an open invitation"
        case Drafted():
            return draft_fault(state, event, keyed=keyed)
        case DraftChanged() if keyed and not is_sealed(state, event, stored_event.version):
            return "the change of the draft that it holds is not the one that it commits to"
        case Published():
            return publication_fault(state, event, microseconds(stored_event.at), keyed=keyed)
        case Recut():
            return None if is_possible_recut(state, event) else "the round cannot be cut so"
        case Replayed():
            return replay_fault(state, event, microseconds(stored_event.at), keyed=keyed)
        case NextGame():
            return game_fault(state, event, microseconds(stored_event.at), keyed=keyed)
        case Result() | Begun() | Disputed():
            return table_fault(state, event)
        case RoundClosed() if has_unfinished_match(state, event):
            return "a match is not decided, and no other game of it was opened"
        case RoundClosed():
            known = organiser_commands.close(state, event.by, state.rounds[event.stage, event.round], state.version)
            return None if known == [event] else "what follows from the results is not what was closed with"
        case _:
            return None if may_follow(state, event) else "it does not follow from the rows before it"
