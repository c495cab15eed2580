"""Requests and views of tables in the API."""
from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.clocks.settings import Clock
from ludarium.platform import ids
from ludarium.tables.model.events import Deal, OpenedFor, Reason, TableOpened
from ludarium.tables.model.lifecycle_events import Question
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
    """Who may watch.

    With `named` (`people`, by their ids) and `nobody` the table is private: others get `not-found`. `delayed`:
    spectators see the game this many events and seconds late, whichever is more, and all of it when it is over.
    `listed`: whether others find the table in lists.
    """

    who: Watchers = "everybody"
    events: Annotated[int, Meta(ge=0, le=1000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    people: Annotated[tuple[Annotated[str, Meta(pattern=ids.PATTERN)], ...], Meta(max_length=100)] = ()
    listed: bool = True


class AbsenceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What happens when a seat's time is over.

    The ruleset's default or a `bot` plays until the player is back, the seat is out of the game (`forfeit`), or an
    opponent may `claim` that. `grace`: seconds after which a game ends that all people have left; in a tournament it
    ends at once.
    """

    remedy: Remedy = "default"
    bot: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    grace: Annotated[int, Meta(ge=10, le=7 * DAY)] = 300


class PoliciesBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The settings of a table.

    `join`: who can sit down. `undo`: `free` lets a seat undo what revealed nothing to others, `consent` also lets it
    ask for more. `auto_start`: the game begins when all seats are taken and ready. `expires`: seconds that the table
    waits to begin. `order`: whether seats stay as chosen, or are drawn at random when the game begins. `substitutes`:
    whether another player may take over the seat of an absent one. `branches`: whether seats may try variations at
    another table during the game.
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
    """A table to open, with its settings."""

    ruleset: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = {}
    policies: PoliciesBody = PoliciesBody()


class NewBranch(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A branch to open. `at`: the event after which to continue.

    `seat`: the caller's seat; by default their own, otherwise the first. `bot`: plays all other seats.
    """

    at: Seq
    seat: Seat | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=32)] = "simple"


class ActionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An offer by its id, and the chosen subset of its pool if it has one."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    subset: Annotated[list[Annotated[int, Meta(ge=-(2**31), lt=2**31)]], Meta(max_length=256)] = []


class Command(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A command. `expected_seq`: the table's `seq` that the caller decided on.

    `head`: of that event; if the log has lost it, the command is refused.
    """

    expected_seq: Seq
    action: ActionBody
    head: Head | None = None


class Undo(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An undo. `expected_seq`, `head`: as for a command."""

    expected_seq: Seq
    head: Head | None = None


class Preference(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Whether to always pass a window. Other players do not learn of it.

    `window`: a name as in `always_passes` and in `passes` of a choice.
    """

    seat: Seat
    window: Annotated[str, Meta(max_length=64)]
    on: bool


class SeatBody(msgspec.Struct, frozen=True):
    """A seat.

    `reserved`: the player it is reserved for. `ready`: whether its player is ready to begin. `retired`: whether it is
    out of the game. `away`: whether its player is absent. `by`: what answers instead, a bot's name or `default`.
    `left`: its former players in this game, in order; they are ranked below all seats. `owner`: for a player that is a
    bot, the player responsible for it.
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
    """A seat's question to all other people, and the seats that have agreed so far."""

    seat: int
    question: Question
    agreed: list[int]


class PresenceBody(msgspec.Struct, frozen=True):
    """The seats with connected players, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class DealBody(msgspec.Struct, frozen=True):
    """The source of the table's chance. `commitment`: BLAKE2b-256 of its seed, in hex.

    For a shared deal also its id, the board played here, and the nonces for all its tables.
    """

    commitment: str
    id: str | None
    board: int
    nonces: list[str]


class TournamentPlace(msgspec.Struct, frozen=True):
    """A table's place in a tournament; stage, round and board are counted from 1."""

    id: str
    stage: int
    round: int
    board: int


class TableBody(msgspec.Struct, frozen=True):
    """What everyone may know about a table.

    `reason`, `outcome`: of its end, with each seat's place. `presence`: if requested and available. `rematch`: the id
    of the next table, if requested and visible to the caller. `tournament`: to which the table belongs. `policy_texts`:
    the policies in sentences, by setting, in the requested language.
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
    policy_texts: dict[str, str] | UnsetType = UNSET


class Choice(msgspec.Struct, frozen=True):
    """What the viewer's seat is asked.

    A command for it is accepted with any `expected_seq` from `since` on. `passes`: for a window, the names under which
    it can always be passed.
    """

    id: str
    since: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class UndoBody(msgspec.Struct, frozen=True):
    """How many of its latest commands the viewer's seat can undo now.

    `cause`: null if there are any.
    """

    count: int
    cause: Cause = None


class ClockBody(msgspec.Struct, frozen=True):
    """A seat's clock.

    `remaining_ms`: time left at the moment of the clocks; it decreases while the clock `runs`, and is otherwise the
    time for the seat's next turn. Outages are credited, here and in the deadline. `deadline`: of a running turn-based
    clock, null in a pause. `late_ms`: latency that can still be credited.
    """

    seat: int
    remaining_ms: int
    runs: bool
    late_ms: int
    deadline: str | None = None


class ClocksBody(msgspec.Struct, frozen=True):
    """All clocks. `as_of`: the moment of these times, by the server's clock."""

    as_of: str
    seats: list[ClockBody]


class TableView(msgspec.Struct, frozen=True):
    """A table as its viewer may see it: `viewer` is a seat, or null for a spectator.

    `clocks`: if the table has any. `halted`: whether officials of the tournament have paused it, so that players cannot
    resume it.
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
    """Changes of the view by an event, in addition to its facts.

    Facts already describe the changes of zones, turn, outcome and preferences. Each field replaces the one in the view;
    fields left out are unchanged. `sights`: visibility of the zones that its facts move cards into, where some viewers
    do not see all, as `sight` of the ruleset's zones. `sum`: in some events, the CRC-32 of the view's `zones` as JSON
    without spaces, in their order. If yours differs, request the view.
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
