"""Requests and views of tables in the API."""
from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.clocks.settings import Clock
from ludarium.platform import ids
from ludarium.tables.model.events import Deal, OpenedFor, Question, Reason, TableOpened
from ludarium.tables.model.policies import (
    DAY,
    Absence,
    Entrance,
    LatestPolicies,
    Order,
    Remedy,
    Spectators,
    Takeback,
    Talk,
    UndoCause,
    Watchers,
)
from ludarium_engine.kernel.bodies import Focus, FrameBody, Message, OfferBody, ViewBody
from ludarium_engine.kernel.decoding import converter
from ludarium_engine.kernel.describe import OfferGroup

HEAD = "^[0-9a-f]{16}$"
Seq = Annotated[int, Meta(ge=0, description="The table's version: one more with each event, the same for all.")]
Head = Annotated[
    str,
    Meta(
        pattern=HEAD,
        description="Of the event at `seq`: the first 8 bytes of its link in the hash chain. A log that has lost its newest "
        "rows goes on with the same numbers and other heads.",
    ),
]
Seat = Annotated[int, Meta(ge=0, le=15)]
Status = Literal["open", "playing", "over"]
Cause = Annotated[
    UndoCause | None,
    Meta(
        description="Why not one: the game is not going on; the seat has done nothing yet; the table takes nothing back; "
        "another seat has acted since; the turn has passed; chance was drawn; somebody learned what the seat did not know."
    ),
]


class SpectatorsBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Who may watch. With `named` (`people`, by their ids) and `nobody` the table is private: to all others it is not there.

    `delayed`: so many events and seconds late, whichever is more; all of it when the game is over. listed: whether strangers
    find the table in lists.
    """

    who: Watchers = "everybody"
    events: Annotated[int, Meta(ge=0, le=1000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    people: Annotated[tuple[Annotated[str, Meta(pattern=ids.PATTERN)], ...], Meta(max_length=100)] = ()
    listed: bool = True


class AbsenceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What becomes of a seat whose time is up: the ruleset's default or a `bot` plays it until its player is back, it is out
    of the game (`forfeit`), or an opponent may `claim` that.

    grace: seconds after which a game ends that the last person has left; in a tournament it ends at once.
    """

    remedy: Remedy = "default"
    bot: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    grace: Annotated[int, Meta(ge=10, le=7 * DAY)] = 300


class PoliciesBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What holds at a table.

    join: who may sit down. undo: `free` lets a seat take back what told nobody anything, `consent` also asks for more.
    auto_start: the game begins when all seats are taken and ready. expires: seconds for which the table waits to begin.
    order: seats are as they were taken, or drawn by lot when the game begins. substitutes: whether a seat whose player is away
    may be taken over by somebody else. branches: whether seats may try things out at a table beside it before it is over.
    """

    spectators: SpectatorsBody = SpectatorsBody()
    join: Entrance = "anybody"
    undo: Takeback = "free"
    chat: Talk = "everybody"
    absence: AbsenceBody = AbsenceBody()
    clock: Clock | None = None
    rated: bool = False
    auto_start: bool = False
    expires: Annotated[int, Meta(ge=60, le=30 * DAY)] = 7 * DAY
    order: Order = "chosen"
    substitutes: bool = False
    branches: bool = False


class NewTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table to be opened, and what is to hold at it."""

    ruleset: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = {}
    policies: PoliciesBody = PoliciesBody()


class NewBranch(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """at: the event behind which to go on. seat: which one the caller plays; by default their own, else the first.

    bot: plays all others.
    """

    at: Seq
    seat: Seat | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=32)] = "simple"


class ActionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An offer by its id, and the chosen subset of its pool if it has one."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    subset: Annotated[list[Annotated[int, Meta(ge=-(2**31), lt=2**31)]], Meta(max_length=256)] = []


class Command(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """expected_seq: the table's seq that the caller decided on. head: of that event; nothing is done if the log has lost it."""

    expected_seq: Seq
    action: ActionBody
    head: Head | None = None


class Undo(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """expected_seq, head: as of a command."""

    expected_seq: Seq
    head: Head | None = None


class Preference(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Always pass a window from now on, or no longer. Nobody else is told.

    window: a name as in `always_passes` and in `passes` of a choice.
    """

    seat: Seat
    window: Annotated[str, Meta(max_length=64)]
    on: bool


class SeatBody(msgspec.Struct, frozen=True):
    """reserved: for whom it is kept. ready: whether who sits there wants to begin. retired: out of the game.

    away: who plays it is absent; by: what answers in their place, a bot's name or `default`. left: who had it in this game
    before, the first one first; they are ranked behind all seats. owner: the player is a bot, and this player answers for it.
    """

    seat: int
    player: str | None
    bot: str | None
    reserved: str | None = None
    ready: bool = False
    away: bool = False
    by: str | None = None
    retired: bool = False
    left: list[str] = []
    owner: str | None = None


class ProposalBody(msgspec.Struct, frozen=True):
    """What a seat has asked all other people at the table, and the seats that have agreed so far."""

    seat: int
    question: Question
    agreed: list[int]


class PresenceBody(msgspec.Struct, frozen=True):
    """The seats whose players are connected, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class DealBody(msgspec.Struct, frozen=True):
    """Where the chance comes from; commitment: BLAKE2b-256 of its seed, hex. Of a shared deal also its id, the board
    that is played here, and the nonces that it gives to all its tables."""

    commitment: str
    id: str | None
    board: int
    nonces: list[str]


class TournamentPlace(msgspec.Struct, frozen=True):
    """Where in a tournament a table belongs: stage, round and board from 1 on."""

    id: str
    stage: int
    round: int
    board: int


class TableBody(msgspec.Struct, frozen=True):
    """The facts of a table that everybody may know. host: whose table it is. reason, outcome: of its end, by seat its place.
    presence: where it was asked for and can be told. rematch: where it was asked for and there is one that the caller may find,
    its id. tournament: whose table it is, and whose round says what its result is worth.
    """

    id: str
    ruleset: str
    options: dict[str, Any]
    status: Status
    policies: PoliciesBody
    creator: str
    host: str
    seats: list[SeatBody]
    seq: int
    rules: str
    commitment: str
    deal: DealBody
    reason: Reason | None
    outcome: list[int] | None
    presence: PresenceBody | UnsetType = UNSET
    rematch: str | UnsetType = UNSET
    tournament: TournamentPlace | UnsetType = UNSET


class Choice(msgspec.Struct, frozen=True):
    """What the viewer's seat is asked. A command for it is accepted with any expected_seq from `since` on.

    passes: of a window, the names under which it may always be passed.
    """

    id: str
    since: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class UndoBody(msgspec.Struct, frozen=True):
    """How many of its latest commands the viewer's seat may take back now. cause: null where there is one."""

    count: int
    cause: Cause = None


class ClockBody(msgspec.Struct, frozen=True):
    """A seat's clock. remaining_ms: of its time, at the moment of the clocks; while it `runs`, it has less with every moment.
    While it does not run, what the seat has for its next span. Outages are credited, as they are at the deadline.

    deadline: of a turn-based one that runs, when that is over; null in a pause. late_ms: of lag, what may still be
    credited to it.
    """

    seat: int
    remaining_ms: int
    runs: bool
    late_ms: int
    deadline: str | None = None


class ClocksBody(msgspec.Struct, frozen=True):
    """as_of: the moment that they are told of, in the service's time."""

    as_of: str
    seats: list[ClockBody]


class TableView(msgspec.Struct, frozen=True):
    """A table as its viewer may see it: `viewer` is a seat, or null for a spectator. clocks: where the table has one.

    halted: paused by the desk of its tournament, so that its players cannot have it go on.
    """

    table: str
    seq: int
    head: Head
    viewer: int | None
    status: Status
    seats: list[SeatBody]
    view: ViewBody | None
    choice: Choice | None
    undo: UndoBody | None
    proposal: ProposalBody | None
    paused: bool
    clocks: ClocksBody | None = None
    halted: bool = False


class Change(msgspec.Struct, frozen=True):
    """What is another in the view with an event, besides what its facts tell of zones, turn, outcome and preferences: these
    are put in the places of those that were. What is not here stays as it was.

    sights: of the zones into which its facts move cards, where somebody does not see all there: as `sight` of the ruleset's
    zones. sum: now and then, the CRC-32 of the view's `zones` as JSON without spaces, in their order. Whose zones have another
    one asks for the view.
    """

    asked: list[int] | UnsetType = UNSET
    agenda: list[FrameBody] | UnsetType = UNSET
    focus: Focus | UnsetType | None = UNSET
    choice: Choice | UnsetType | None = UNSET
    undo: UndoBody | UnsetType | None = UNSET
    proposal: ProposalBody | UnsetType | None = UNSET
    clocks: ClocksBody | UnsetType | None = UNSET
    sights: dict[str, str] | UnsetType = UNSET
    sum: int | UnsetType = UNSET


def place_of(event: TableOpened) -> TournamentPlace | UnsetType:
    if not isinstance(event, OpenedFor):
        return UNSET
    return TournamentPlace(ids.encode(UUID(bytes=event.tournament)), event.stage, event.round, event.board)


def deal_body(deal: Deal) -> DealBody:
    shared = ids.encode(UUID(bytes=deal.stream)) if deal.stream else None
    return DealBody(deal.commitment.hex(), shared, deal.board, [nonce.hex() for nonce in deal.nonces])


_policies = converter(PoliciesBody, from_attributes=True)


def policies_body(policies: LatestPolicies) -> PoliciesBody:
    return _policies(policies)


def policies_of(body: PoliciesBody) -> LatestPolicies:
    """Return policies as they are stored. Private tables are not listed."""
    watched = body.spectators
    listed = watched.listed and watched.who not in ("named", "nobody")
    spectators = Spectators(watched.who, watched.events, watched.seconds, watched.people, listed)
    absence = Absence(body.absence.remedy, body.absence.bot, body.absence.grace)
    return LatestPolicies(
        spectators, body.join, body.undo, body.chat, absence, body.clock, body.rated, body.auto_start, body.expires,
        body.order, body.substitutes, body.branches,
    )  # fmt: skip
