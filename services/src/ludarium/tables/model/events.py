"""The events of a table's stream: what each kind stores, and what of it each audience may see.

An event is stored whole, as a msgpack array. Its type and schema number name its struct here and how it is redacted; both are
a published format. A changed field or a changed `seen` takes a new struct under the next schema number, and the old one
stays, for the events that were written with it. Type numbers are never used again. Those from NOTES on are notes: they change
neither the game nor seats nor rights, so who does not know one passes over it. An event of any other type or schema that
a process does not know was written by a newer release, and the process leaves the table to that.

`outage`: milliseconds of an outage of the service, credited to all whose clocks ran. Only the first event that moves the clocks
after an outage has it, and of consents only an agreement to pause; the bytes of the others end without it.
"""
from __future__ import annotations

from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from ludarium.clocks.ticks import Tick
from ludarium.platform.problems import Problem
from ludarium.tables.model.policies import LatestPolicies, Policies, TablePolicies, shortened
from ludarium_engine.kernel import HIDDEN_ACTION, SPECTATOR, UNKNOWN, Action, Event, Title
from ludarium_engine.kernel.facts import AnyFact, redact_event
from ludarium_engine.kernel.layout import Layout

NOTES = 128
AnyTitle = Title[Any, Any]
Visibility = Literal["public", "private"]
UndoPolicy = Literal["free", "none"]
Way = Literal["open", "opener", "link", "invitation", "reserved", "rematch", "match"]
Retreat = Literal["resigned", "timed_out"]
Question = Literal["draw", "takeback", "pause", "resume"]
Answer = Literal["asked", "agreed", "refused", "settled"]
Reason = Literal["finished", "resigned", "timed_out", "abandoned", "agreed", "adjudicated", "voided"]


class TableEvent(msgspec.Struct, array_like=True, frozen=True):
    """Seen by everybody as it is, unless a kind says otherwise."""

    def seen(self, layout: Layout, audience: int) -> Self:
        return self

    def under(self, before: bytes) -> bytes:
        """The hash of the layout that it is written under; before: of that of the event before it."""
        return before

    def is_ahead(self, title: AnyTitle) -> bool:
        """Whether only a newer release can take it in."""
        return False


class Deal(msgspec.Struct, array_like=True, frozen=True):
    """Where a table's chance comes from. commitment: BLAKE2b-256 of the deal's seed, 32 bytes.

    A shared deal is the stream of this id (16 bytes); its tables, each at a board of its own, counted from 1, all draw the
    same, and nonces are the deal's. A table's own deal is no stream: its board is 0, its nonces the seats', in game_started.
    """

    commitment: bytes
    stream: bytes | None = None
    board: int = 0
    nonces: list[bytes] = []


class TableOpened(TableEvent, frozen=True):
    """The first event. commitment: BLAKE2b-256 of the table's secret seed, which salts its chain; `seeds_revealed` tells it."""

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    undo: UndoPolicy
    creator: str
    commitment: bytes
    deal: Deal


class OpenedFor(TableOpened, frozen=True, kw_only=True):
    """As before, of a table that belongs to a tournament: its stream (16 bytes), the stage, round and board, each from 1 on."""

    tournament: bytes
    stage: int
    round: int
    board: int


class Seated(TableEvent, frozen=True):
    """A player or a bot takes a seat; nonce is what the seat adds to the chance of the game."""

    seat: int
    player: str | None
    bot: str | None
    nonce: bytes = b""


class SeatedBy(Seated, frozen=True):
    """As before; way: by which somebody came in. What they showed for it stands in no event."""

    way: Way | None = None


class SeatedBot(SeatedBy, frozen=True, kw_only=True):
    """As before, of a player that is somebody's program. owner: who answers for it."""

    owner: str


class Left(TableEvent, frozen=True):
    seat: int


class NamesRules(TableEvent, frozen=True):
    """Under which version of the rules the game goes on; data, layout: the hashes of documents, which are stored by them."""

    version: str
    data: bytes
    layout: bytes

    def under(self, before: bytes) -> bytes:
        return self.layout

    def check_supported(self, title: AnyTitle) -> None:
        """Raise Problem `superseded-rules` if the title no longer has this revision."""
        if order_of(self.version)[0] < title.oldest_revision:
            raise Problem(
                "superseded-rules", f"{title.id} {self.version}: the oldest supported revision is {title.oldest_revision}"
            )

    def is_ahead(self, title: AnyTitle) -> bool:
        theirs, ours = order_of(self.version), order_of(title.version)
        return theirs[0] > ours[0] or (self.layout != title.layout_hash and theirs > ours)


class GameStarted(NamesRules, frozen=True):
    """zones: the hash of the document of those before the set-up, onto which the facts are folded. nonces: what is mixed
    into the deal's seed from now on."""

    zones: bytes
    nonces: list[bytes]
    facts: list[AnyFact]

    def seen(self, layout: Layout, audience: int) -> Self:
        return replace(self, facts=redact_event(layout, self.event, audience).facts)

    @property
    def event(self) -> Event:
        return Event(SPECTATOR, Action("new"), self.facts)


class TimedStart(GameStarted, frozen=True):
    """At a table with a clock."""

    tick: Tick = Tick()


class BranchStarted(GameStarted, frozen=True):
    """Goes on from a position of another table: its facts put that there, under no rule, and chance begins anew.

    table: that other one, its id as 16 bytes; at: the version after which it stood so; viewer: the seat that knew it so, where
    cards were dealt anew as far as that seat did not know them, None where the position is as it truly was.
    """

    table: bytes = b""
    at: int = 0
    viewer: int | None = None


class Acted(TableEvent, frozen=True):
    """One accepted command of a seat, whole: what follows by itself is facts of the same event."""

    seat: int
    action: Action
    facts: list[AnyFact]

    def seen(self, layout: Layout, audience: int) -> Self:
        event = redact_event(layout, self.event, audience)
        return replace(self, seat=event.seat, action=event.action, facts=event.facts)

    @property
    def event(self) -> Event:
        return Event(self.seat, self.action, self.facts)

    @property
    def hidden(self) -> bool:
        """Whether this, as some audience sees it, shows nothing at all."""
        return self.seat == UNKNOWN and self.action == HIDDEN_ACTION and not self.facts


class TimedAct(Acted, frozen=True):
    """At a table with a clock. Who owes an answer, views say as well."""

    tick: Tick = Tick()


class Undone(TableEvent, frozen=True):
    """A seat took back its latest commands: the game stands again as after version `to`."""

    seat: int
    to: int


class TimedUndo(Undone, frozen=True):
    """At a table with a clock."""

    tick: Tick = Tick()


class TableEnded(TableEvent, frozen=True):
    """The table is over. outcome: the place of each seat, None if there is no result."""

    reason: Reason
    outcome: list[int] | None
    outage: int = 0


class SeedsRevealed(TableEvent, frozen=True):
    """The seeds of the table and of its deal, 32 bytes each. Notes apart, the only event that follows game_ended."""

    seed: bytes
    deal: bytes


class RulesChanged(NamesRules, frozen=True):
    """The version is a later one than before."""


class PoliciesSet(TableEvent, frozen=True):
    """What holds at the table from here on. Comes right behind the opening, and again whenever it changes."""

    policies: Policies


class AllPoliciesSet(PoliciesSet, frozen=True):
    """With those that came later."""

    policies: TablePolicies


class LatestPoliciesSet(PoliciesSet, frozen=True):
    """With those that came after that."""

    policies: LatestPolicies


class HandedOver(TableEvent, frozen=True):
    """The table is this player's now, as if they had opened it."""

    player: str


class Reserved(TableEvent, frozen=True):
    """An empty seat is kept for this player; for anybody again if there is none."""

    seat: int
    player: str | None


class Ready(TableEvent, frozen=True):
    """Whether who sits there wants to begin under the policies as they are now."""

    seat: int
    on: bool


class Retired(TableEvent, frozen=True):
    """A seat is out of the game, which goes on without its player; it is ranked behind all who stay."""

    seat: int
    why: Retreat


class StoodIn(TableEvent, frozen=True):
    """Who plays the seat is absent. by: what answers in their place, a bot's name or `default`; None: nobody does."""

    seat: int
    by: str | None
    outage: int = 0


class Returned(TableEvent, frozen=True):
    """Who plays the seat is there again."""

    seat: int
    outage: int = 0


class Replaced(TableEvent, frozen=True):
    """Somebody else plays the seat of who is absent from here on, for good. way: as of `seated`."""

    seat: int
    player: str
    way: Way | None = None
    outage: int = 0


class Consent(TableEvent, frozen=True):
    """A question to all other people at the table, or what a seat says to it; by `settled` the last one agrees."""

    seat: int
    question: Question
    answer: Answer
    outage: int = 0


class TimeGiven(TableEvent, frozen=True):
    """A seat gives another one time on its clock. seconds: above 0."""

    seat: int
    to: int
    seconds: int
    outage: int = 0


class TimedOut(TableEvent, frozen=True):
    """A seat has had its time for the answers that it owes since the event of this version."""

    seat: int
    since: int
    tick: Tick = Tick()


class TakenOver(TableEvent, frozen=True):
    """Who plays the seat from here on, in the place of who did: the same person on their account."""

    seat: int
    player: str


class Arrived(TableEvent, frozen=True):
    """The player of a seat is at the table of a tournament, whether or not they have answered yet. Written once a seat."""

    seat: int


class LogCut(TableEvent, frozen=True):
    """A note: the log has lost events that stood here, as after going back to a backup. kept: the last version before them.

    lost: the first 8 bytes of the hash of the last event that went; whoever knows it has seen what is not so any more.
    """

    kept: int
    lost: bytes


class RatingVoided(TableEvent, frozen=True):
    """A note: an administrator took this finished game out of the ratings. Why stands in the audit of moderators."""


def policies_event(policies: LatestPolicies) -> PoliciesSet:
    """Of the earliest schema that can say it, so that earlier releases read it."""
    match shortened(policies):
        case LatestPolicies() as latest:
            return LatestPoliciesSet(latest)
        case TablePolicies() as longer:
            return AllPoliciesSet(longer)
        case earliest:
            return PoliciesSet(earliest)


def order_of(rules: str) -> tuple[int, str]:
    """Versions of a title's rules are ordered, and a table's never go back: by the revision, then by the hash."""
    revision, _, digest = rules.partition(".")
    return int(revision) if revision.isdecimal() else 0, digest
