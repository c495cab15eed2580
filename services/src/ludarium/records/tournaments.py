"""Verify a tournament: each event must follow from those before it, and each pairing from its seed."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.records.tournament_commands import may_answer, may_follow, wrong_invitation
from ludarium.records.tournament_rounds import (
    is_possible_recut,
    is_sealed,
    unfinished,
    wrong_at_table,
    wrong_draft,
    wrong_game,
    wrong_publication,
    wrong_replay,
)
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tables.model.log_entries import Damaged, NewerRelease
from ludarium.tournaments import appointing, inviting, organiser_commands
from ludarium.tournaments.autopilot import wrong_act
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.event_types import TOURNAMENT_KINDS, AnyTournamentRow, decode
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
from ludarium.tournaments.invitation_events import InvitationAnswered, Invited, OfficialInvited
from ludarium.tournaments.plan import is_unchanged_by_checking
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import add, begun
from ludarium.tournaments.time_events import AUTOPILOT
from ludarium_eventstore import Fault, StoredEvent
from ludarium_pairing.errors import Refused


class Report(NamedTuple):
    """What was computed again, and the first thing that does not hold."""

    rows: int = 0
    rounds: int = 0
    tables: int = 0
    fault: Fault | None = None


def verify_rows(stream: UUID, stored: Sequence[StoredEvent], *, keyed: bool) -> tuple[TournamentState | None, Report]:
    """From the rows alone. keyed: the log has the tournament's key beside them."""
    if [row.version for row in stored] != [*range(len(stored))] or not stored:
        return None, Report(fault=Fault(stream, None, "rows are missing"))
    version = 0
    try:
        state = begun(stream, stored[0], keyed=keyed)
        for version, event in enumerate(stored):
            row = decode(event.type, event.schema, event.data)
            if isinstance(row, UnreadEvent):
                what = unreadable(row)
            else:
                what = None if state.newer is not None else wrong(state, row, event, keyed=keyed)
            if what:
                return state, Report(fault=Fault(stream, version, what))
            add(state, event)
    except (Damaged, NewerRelease, Refused, Problem, KeyError, IndexError) as error:
        return None, Report(fault=Fault(stream, version, error.what if isinstance(error, Damaged) else repr(error)))
    rounds = [round for round in state.rounds.values() if round.published]
    return state, Report(len(stored), len(rounds), sum(len(round.boards) for round in rounds))


def unreadable(row: UnreadEvent) -> str | None:
    """A newer release may write other types and schemas, but those that are known stay as they are."""
    return "what it says does not fit its type" if (row.type, row.schema) in TOURNAMENT_KINDS else None


def wrong(state: TournamentState, row: AnyTournamentRow, event: StoredEvent, *, keyed: bool) -> str | None:
    """What is wrong with it."""
    if event.at < state.at:
        return "its time runs backwards"
    if getattr(row, "by", None) == AUTOPILOT and wrong_act(state, row, microseconds(event.at)):
        return "the autopilot had something else to do, or nothing yet"
    if (agreed := state.invitations.agreed) is not None:
        return None if inviting.entry_for(state, agreed) == row else "it does not enter the player who has accepted"
    if (accepted := state.role_offers.agreed) is not None:
        return None if appointing.role_for(state, accepted) == [row] else "it does not give the role that was accepted"
    match row:
        case TournamentOpened():
            return None if state.version == -1 and is_unchanged_by_checking(state.plan) else "it opens no tournament"
        case Invited() | OfficialInvited():
            return wrong_invitation(state, row, event.version, keyed=keyed)
        case InvitationAnswered():
            return None if may_answer(state, row) else "it does not answer an open invitation"
        case Drafted():
            return wrong_draft(state, row, keyed=keyed)
        case DraftChanged() if keyed and not is_sealed(state, row, event.version):
            return "the change of the draft that it holds is not the one that it commits to"
        case Published():
            return wrong_publication(state, row, microseconds(event.at))
        case Recut():
            return None if is_possible_recut(state, row) else "the round cannot be cut so"
        case Replayed():
            return wrong_replay(state, row, microseconds(event.at), keyed=keyed)
        case NextGame():
            return wrong_game(state, row, microseconds(event.at), keyed=keyed)
        case Result() | Begun() | Disputed():
            return wrong_at_table(state, row)
        case RoundClosed() if unfinished(state, row):
            return "a match is not decided, and no other game of it was opened"
        case RoundClosed():
            known = organiser_commands.close(state, row.by, state.rounds[row.stage, row.round], state.version)
            return None if known == [row] else "what follows from the results is not what was closed with"
        case _:
            return None if may_follow(state, row) else "it does not follow from the rows before it"
