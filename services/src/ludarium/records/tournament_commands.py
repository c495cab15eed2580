"""Check the events that players, officials and the autopilot cause in a tournament: could their command write them?"""
from __future__ import annotations

from ludarium.tournaments import corrections, fairness, organiser_commands, player_commands, time_commands
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.event_types import AnyTournamentRow
from ludarium.tournaments.events import (
    CameBack,
    CheckedIn,
    Entered,
    Looked,
    NonceGiven,
    PairsForbidden,
    PenaltySet,
    PlanChanged,
    RoleGiven,
    Ruled,
    Sanctioned,
    Seeded,
    SitsOut,
    StatusSet,
    Substituted,
    TakenBack,
    Withdrew,
)
from ludarium.tournaments.invitation_events import InvitationAnswered, Invited, OfficialInvited
from ludarium.tournaments.invitation_events import committed as committed_to
from ludarium.tournaments.invitation_events import opened as player_in
from ludarium.tournaments.plan import is_unchanged_by_checking, plan_body
from ludarium.tournaments.player_commands import Rows
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
    TimeRow,
)


def may_follow(state: TournamentState, row: AnyTournamentRow) -> bool:
    match row:
        case Entered():
            late = len(state.rounds_of(1)) if state.begun else 0
            given = (row.joined, row.points) == (late + 1, late * state.plan.late_points)
            new = row.player not in state.by_player and row.player not in state.looked
            new = new and state.invitations.of(row.player) is None
            let_in = state.status == "open" if row.by is None else may_host(state, row.by)
            return row.entry == len(state.entrants) + 1 and let_in and new and given and is_strong_enough(state, row)
        case CheckedIn():
            return not state.begun and not state.entrants[row.entry].checked_in
        case Withdrew():
            return state.entrants[row.entry].left is None and may_host(state, row.by)
        case CameBack():
            return player_commands.come_back(state, state.entrants[row.entry], row.by) == [row] and may_host(state, row.by)
        case SitsOut():
            rows = player_commands.sit_out(state, state.entrants[row.entry], row.by, row.round, on=row.on)
            return rows == [row] and may_host(state, row.by)
        case Seeded():
            return row.entry in state.entrants and not state.begun and may_host(state, row.by)
        case PlanChanged():
            plan = plan_body(row.plan)
            return not state.begun and may_host(state, row.by) and is_unchanged_by_checking(plan)
        case StatusSet():
            return not state.is_over and state.status != row.status and may_host(state, row.by)
        case RoleGiven():
            return may_name(state, row)
        case DraftChanged():
            return state.rounds[row.stage, row.round].published is None and may_host(state, row.by)
        case Substituted() if state.invitations.of(row.player) is not None:
            return False
        case NonceGiven() | PairsForbidden() | TakenBack() | PenaltySet() | Substituted():
            return at_the_desk(state, row) == [row]
        case Paused() | Resumed() | TimeAdded() | Featured() | AutopilotSet() | DelaySet():
            return row.by == AUTOPILOT or held(state, row) == [row]
        case Looked():
            round = state.rounds[row.stage, row.round]
            return fairness.look(state, row.by, round, round.boards[row.board]) == [row]
        case Ruled():
            board = state.rounds[row.stage, row.round].boards[row.board]
            return organiser_commands.rule(
                state, row.by, state.rounds[row.stage, row.round], board, state.version, row.verdict, row.places, row.text
            ) == [row]
        case Sanctioned():
            return player_commands.sanction(state, row.by, row.officials) == [row]
        case _:
            return False


def is_strong_enough(state: TournamentState, row: Entered) -> bool:
    """As far as the stream tells how strong somebody is: the rating of who enters rated tables by themselves."""
    limits = state.plan.limits if row.by is None and state.plan.tables.policies.rated else None
    least, most = (limits.least_rating, limits.most_rating) if limits else (None, None)
    return (least is None or row.rating >= least) and (most is None or row.rating <= most)


def at_the_desk(
    state: TournamentState, row: NonceGiven | PairsForbidden | TakenBack | PenaltySet | Substituted
) -> Rows:
    """What would be written after these rows. Raises Problem."""
    version = state.version
    match row:
        case NonceGiven():
            if not 0 < len(row.nonce) <= NONCE:
                return []
            return fairness.give_nonce(state, state.entrants[row.entry].player, row.nonce)
        case PairsForbidden():
            return fairness.forbid_pairs(state, row.by, version, row.pairs)
        case TakenBack():
            return corrections.take_back(state, row.by, state.rounds[row.stage, row.round], version)
        case PenaltySet():
            return corrections.penalize(state, row.by, row.entry, version, row.stage, row.units, row.text)
        case Substituted():
            return corrections.substitute(state, row.by, row.entry, version, row.player, row.text, guest=False)


def held(state: TournamentState, row: TimeRow) -> Rows:
    """As `at_the_desk`, of what is done about time."""
    version = state.version
    match row:
        case AutopilotSet():
            return time_commands.set_autopilot(state, row.by, version, row.on, row.rest, row.settle)
        case DelaySet():
            return time_commands.set_delay(state, row.by, version, row.events, row.seconds)
        case Paused(board=board) if board == ALL:
            return time_commands.pause(state, row.by, version, row.text)
        case Resumed(board=board) if board == ALL:
            return time_commands.resume(state, row.by, version)
    round = state.rounds[row.stage, row.round]
    there = round.boards[row.board]
    match row:
        case Paused():
            return time_commands.pause_board(state, row.by, round, there, version, row.text)
        case Resumed():
            return time_commands.resume_board(state, row.by, round, there, version)
        case TimeAdded():
            given = time_commands.add_time(state, row.by, round, there, version, row.entry, row.seconds, row.text)
            return given if 0 < row.seconds <= time_commands.MOST_TIME else []
        case Featured():
            return time_commands.feature(state, row.by, round, there, version, row.on)


def wrong_invitation(
    state: TournamentState, row: Invited | OfficialInvited, version: int, *, keyed: bool
) -> str | None:
    if not may_invite(state, row):
        return "nobody could be invited so"
    player, salt = player_in(state, version, row)
    if keyed and committed_to(salt, player) != row.commitment:
        return "it does not commit to the player whom it holds"
    return None


def may_invite(state: TournamentState, row: Invited | OfficialInvited) -> bool:
    if isinstance(row, OfficialInvited):
        return state.role_of(row.by) == "owner"
    return not state.is_over and may_host(state, row.by) and (not row.entry or row.entry in state.entrants)


def may_answer(state: TournamentState, row: InvitationAnswered) -> bool:
    offered = state.role_offers.known.get(row.invitation)
    found = offered or state.invitations.known.get(row.invitation)
    if found is None or (state.is_over and not offered):
        return False
    if row.answer == "accepted":
        return row.by is None and committed_to(row.salt, row.player) == found.row.commitment
    by_host = row.by is not None and state.role_of(row.by) in (("owner",) if offered else ("owner", "host"))
    return not (row.player or row.salt or found.declined) and by_host == (row.answer == "withdrawn")


def may_name(state: TournamentState, row: RoleGiven) -> bool:
    """That an owner has gone whose place a host has taken no row tells."""
    if row.by == row.player:
        return row.role == "owner" and state.role_of(row.by) == "host"
    if row.role is not None and state.role_offers.of(row.player) is not None:
        return False
    return player_commands.give_role(state, row.by, state.version, row.player, row.role) == [row]


def may_host(state: TournamentState, by: str | None) -> bool:
    """What the autopilot does is looked at before."""
    return by is None or by == AUTOPILOT or state.role_of(by) in ("owner", "host")
