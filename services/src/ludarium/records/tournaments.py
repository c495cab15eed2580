"""Does a tournament hold? Its rows as they follow from each other, its pairings as they follow from the seeds."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace

from ludarium.platform.problems import Problem
from ludarium.tables.model.endings import are_places
from ludarium.tables.model.event_types import Unread
from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND, commitment, microseconds
from ludarium.tables.model.log_entries import Damaged, NewerRelease
from ludarium.tournaments import (
    appointing,
    corrections,
    fairness,
    inviting,
    matches,
    organiser_commands,
    player_commands,
    time_commands,
)
from ludarium.tournaments.autopilot import wrong_act
from ludarium.tournaments.derived import given_at, names, paired, recut
from ludarium.tournaments.draft_events import DraftChanged, Locked, Swapped, committed, keeps_its_word, opened, revealed
from ludarium.tournaments.event_types import TOURNAMENT_KINDS, AnyTournamentRow, decode, encode
from ludarium.tournaments.events import (
    Begun,
    BroadcasterNamed,
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
    PublishedChanged,
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
    TournamentOpened,
    Withdrew,
)
from ludarium.tournaments.invitation_events import InvitationAnswered, Invited, OfficialInvited
from ludarium.tournaments.invitation_events import committed as committed_to
from ludarium.tournaments.invitation_events import opened as player_in
from ludarium.tournaments.plan import is_unchanged_by_checking, plan_body
from ludarium.tournaments.player_commands import SECOND, Rows
from ludarium.tournaments.state import NONCE, TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.store import add, begun
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
from ludarium_eventstore import Fault, StoredEvent
from ludarium_pairing.errors import Refused

LONGEST_PUBLICATION = 60 * SECOND
"""From the moment that it is asked for to its row."""


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
            if isinstance(row, Unread):
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


def unreadable(row: Unread) -> str | None:
    """A newer release may write other types and schemas, but those that are known stay as they are."""
    return "what it says does not fit its type" if (row.type, row.schema) in TOURNAMENT_KINDS else None


# --- each row, after those before it --------------------------------------------------------------------------------------
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
        case RoleGiven() | BroadcasterNamed():
            return may_name(state, row)
        case Locked() | Swapped() | DraftChanged():
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
            (ruled,) = organiser_commands.rule(
                state, row.by, state.rounds[row.stage, row.round], board, state.version, row.verdict, row.places, row.text
            )
            return type(row) in (type(ruled), Ruled) and encode(ruled) == encode(row)
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


def may_host(state: TournamentState, by: str | None) -> bool:
    """What the autopilot does is looked at before."""
    return by is None or by == AUTOPILOT or state.role_of(by) in ("owner", "host")


def may_name(state: TournamentState, row: RoleGiven | BroadcasterNamed) -> bool:
    """That an owner has gone whose place a host has taken no row tells."""
    if row.by == row.player:
        return row.role == "owner" and state.role_of(row.by) == "host"
    if row.role is not None and state.role_offers.of(row.player) is not None:
        return False
    return player_commands.give_role(state, row.by, state.version, row.player, row.role) == [row]


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
    salts, changes = (row.salts, row.changes) if isinstance(row, PublishedChanged) else ([], [])
    if not keeps_its_word(round.changes, salts, changes):
        return "it does not reveal the changes of the draft that were committed to"
    shown = replace(round, changes=revealed(round.changes, salts, changes))
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
