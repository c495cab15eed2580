"""Schemas of requests and views of tables in the API."""
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
    """Who can watch a table.

    With `named` and `nobody` the table is private: all others get `not-found`. `named` lets the players in `people`
    watch, by their ids.

    - `events` and `seconds` delay what spectators see, by whichever is longer. Once the game is over, they see all of
      it.
    - `listed` says whether others find the table in lists.
    """

    who: Watchers = "everybody"
    events: Annotated[int, Meta(ge=0, le=1000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    people: Annotated[tuple[Annotated[str, Meta(pattern=ids.PATTERN)], ...], Meta(max_length=100)] = ()
    listed: bool = True


class AbsenceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What happens when a seat's time runs out.

    - `remedy` is `default` or `bot` if the ruleset's default action or a bot plays until the player is back. With
      `forfeit` the seat is out of the game. With `claim` an opponent can demand that.
    - `grace` is the number of seconds until the game ends after all people have left. In a tournament it ends
      immediately.
    """

    remedy: Remedy = "default"
    bot: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    grace: Annotated[int, Meta(ge=10, le=7 * DAY)] = 300


class PoliciesBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The settings of a table.

    - `join` says who can sit down.
    - `undo` is `free` if a seat can undo commands that revealed nothing to others, `consent` if it can also ask the
      others to undo more.
    - `auto_start` starts the game as soon as all seats are taken and ready.
    - `expires` is the number of seconds after which a table that has not started is closed.
    - `order` says whether players keep the seats that they chose, or seats are drawn at random when the game starts.
    - `substitutes` lets another player take over the seat of an absent player.
    - `branches` lets players try variations at another table during the game.
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
    """A branch to open, with the position from which it continues.

    - `at` is the number of the event after which to continue.
    - `seat` is the caller's seat: by default the same as in the game or, for a caller without a seat, the first one.
    - `bot` plays all other seats.
    """

    at: Seq
    seat: Seat | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=32)] = "simple"


class ActionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The id of an offer, with the chosen subset if the offer has a pool."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    subset: Annotated[list[Annotated[int, Meta(ge=-(2**31), lt=2**31)]], Meta(max_length=256)] = []


class Command(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A command of a seat.

    `expected_seq` is the table's `seq` on which the caller based the decision. `head` is the head of that event. If the
    log has lost the event, the command is refused.
    """

    expected_seq: Seq
    action: ActionBody
    head: Head | None = None


class Undo(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request to undo the seat's latest command.

    `expected_seq` and `head` are as for a command.
    """

    expected_seq: Seq
    head: Head | None = None


class Preference(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A setting to always pass a window. Other players do not see it.

    `window` is a name from `passes` of a choice, as listed in `always_passes` of the view.
    """

    seat: Seat
    window: Annotated[str, Meta(max_length=64)]
    on: bool


class SeatBody(msgspec.Struct, frozen=True):
    """A seat, with its player or bot.

    - `reserved` is the player for whom the seat is reserved.
    - `ready` says whether its player is ready to begin.
    - `away` says whether its player is absent. `by` is what plays instead: a bot's name, or `default`.
    - `retired` says whether the seat is out of the game.
    - `left` lists its former players in this game, in order. They are ranked below all seats.
    - `owner` is the player responsible for the seat's player, if that is a bot.
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
    """A seat's proposal to all other people, and the seats that have agreed so far."""

    seat: int
    question: Question
    agreed: list[int]


class PresenceBody(msgspec.Struct, frozen=True):
    """The seats with connected players, and the number of spectators' connections."""

    seats: list[int]
    spectators: int


class DealBody(msgspec.Struct, frozen=True):
    """The source of a table's randomness.

    `commitment` is the BLAKE2b-256 hash of its seed, in hexadecimal. If several tables share the deal, `id` identifies
    it, `board` is the board played here, and `nonces` lists the nonces for all its tables.
    """

    commitment: str
    id: str | None
    board: int
    nonces: list[str]


class TournamentPlace(msgspec.Struct, frozen=True):
    """A table's place in a tournament.

    Stage, round and board are counted from 1.
    """

    id: str
    stage: int
    round: int
    board: int


class TableBody(msgspec.Struct, frozen=True):
    """A table as everyone may see it.

    - `reason` and `outcome` say why the game ended, and the rank of each seat.
    - `presence` is included if you request it and it is available.
    - `rematch` is the id of the next table, if you request it and may see that table.
    - `tournament` is the table's place in a tournament, if it belongs to one.
    - `policy_texts` has a sentence for each policy, in the requested language.
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
    """A question to the viewer's seat, with the offers to choose from.

    A command is accepted if its `expected_seq` is `since` or later. If the question is a window, `passes` has the names
    under which the seat can always pass it.
    """

    id: str
    since: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class UndoBody(msgspec.Struct, frozen=True):
    """The number of its latest commands that the viewer's seat can undo now.

    `cause` is null unless `count` is 0.
    """

    count: int
    cause: Cause = None


class ClockBody(msgspec.Struct, frozen=True):
    """A seat's clock.

    - `remaining_ms` is the time left at `as_of`. It decreases while the clock `runs`. Otherwise, it is the time for the
      seat's next turn.
    - `deadline` is when a running turn-based clock runs out; null during a pause.
    - `late_ms` is the latency that can still be credited.

    Outages are credited to the remaining time and to the deadline.
    """

    seat: int
    remaining_ms: int
    runs: bool
    late_ms: int
    deadline: str | None = None


class ClocksBody(msgspec.Struct, frozen=True):
    """The clocks of all seats.

    `as_of` is the moment of these times, by the server's clock.
    """

    as_of: str
    seats: list[ClockBody]


class TableView(msgspec.Struct, frozen=True):
    """A table as its viewer may see it.

    - `viewer` is the viewer's seat, or null for spectators.
    - `clocks` is null if the table has none.
    - `halted` means that officials of the tournament have paused the table, so that players cannot resume it.
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

    The facts already describe changes of zones, turn, outcome and preferences. Each field here replaces the one in the
    view. Fields that are left out are unchanged.

    - `sights` has the visibility of the zones into which the facts move cards, if some viewers do not see all of them.
      It uses the values of `sight` in the ruleset's zones.
    - `sum`, in some events, is the CRC-32 of the view's `zones` as JSON without spaces, in their order. If yours
      differs, request the view.
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
    """Return policies in the form in which they are stored.

    Private tables are not listed.
    """
    watched = body.spectators
    listed = watched.listed and watched.who not in ("named", "nobody")
    spectators = Spectators(watched.who, watched.events, watched.seconds, watched.people, listed)
    absence = Absence(body.absence.remedy, body.absence.bot, body.absence.grace)
    return LatestPolicies(
        spectators, body.join, body.undo, body.chat, absence, body.clock, body.rated, body.auto_start, body.expires,
        body.order, body.substitutes, body.branches,
    )  # fmt: skip
