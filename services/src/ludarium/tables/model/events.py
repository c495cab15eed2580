"""The events of a table's stream; `lifecycle_events` has those about its players.

The structs define what each event stores, and what each audience may see of it. An event is stored whole, as a msgpack
array. Its type and schema numbers identify its struct and how it is redacted; both are a published format. A changed
field or a changed `seen` needs a new struct with the next schema number. The old struct stays, for events written with
it. Type numbers are never reused.

Types from NOTES on are notes. They change neither the game nor seats nor rights, so a process can skip an unknown one.
Any other unknown type or schema was written by a newer release, and the process leaves the table to that release.

The field `outage` has the milliseconds of an outage of the service, which are credited to all running clocks. Only the
first event that moves the clocks after an outage has it, and of consents only an agreement to pause. Other events are
encoded without it.
"""
from __future__ import annotations

from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from ludarium.clocks.ticks import Tick
from ludarium.platform.problems import Problem
from ludarium_engine.kernel import HIDDEN_ACTION, SPECTATOR, UNKNOWN, Action, Event, Title
from ludarium_engine.kernel.facts import AnyFact
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.redaction import redact_event

NOTES = 128
AnyTitle = Title[Any, Any]
Visibility = Literal["public", "private"]
UndoPolicy = Literal["free", "none"]
Way = Literal["open", "opener", "link", "invitation", "reserved", "rematch", "match"]
Reason = Literal["finished", "resigned", "timed_out", "abandoned", "agreed", "adjudicated", "voided"]


class TableEvent(msgspec.Struct, array_like=True, frozen=True):
    """An event of a table. It is public, unless a subclass overrides `seen`."""

    def seen(self, layout: Layout, audience: int) -> Self:
        return self

    def under(self, before: bytes) -> bytes:
        """Return the hash of the layout under which the event is written.

        Args:
            before: the layout of the event before it.
        """
        return before

    def is_ahead(self, title: AnyTitle) -> bool:
        """Return whether only a newer release can apply the event."""
        return False


class Deal(msgspec.Struct, array_like=True, frozen=True):
    """The source of a table's randomness.

    A shared deal is a stream. All its tables draw the same, each at its own board, and the deal has the nonces. A
    table's own deal has no stream; its nonces are those of the seats, stored in game_started.

    Attributes:
        commitment: BLAKE2b-256 of the deal's seed, 32 bytes.
        stream: id of a shared deal, 16 bytes.
        board: counted from 1; 0 for a table's own deal.
    """

    commitment: bytes
    stream: bytes | None = None
    board: int = 0
    nonces: list[bytes] = []


class TableOpened(TableEvent, frozen=True):
    """The first event of a table.

    Attributes:
        commitment: BLAKE2b-256 of the table's secret seed, which salts its hash chain and is published by
            `seeds_revealed`.
    """

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    undo: UndoPolicy
    creator: str
    commitment: bytes
    deal: Deal


class OpenedFor(TableOpened, frozen=True, kw_only=True):
    """The first event of a tournament's table.

    Attributes:
        tournament: id of its stream, 16 bytes.
        stage, round, board: counted from 1.
    """

    tournament: bytes
    stage: int
    round: int
    board: int


class Seated(TableEvent, frozen=True):
    """A player or bot takes a seat.

    Attributes:
        nonce: the seat's contribution to the randomness of the game.
    """

    seat: int
    player: str | None
    bot: str | None
    nonce: bytes = b""


class SeatedBy(Seated, frozen=True):
    """A player takes a seat in a recorded way, for example by an invitation.

    Proofs such as links are not stored.
    """

    way: Way | None = None


class SeatedBot(SeatedBy, frozen=True, kw_only=True):
    """A player that is a bot takes a seat.

    Attributes:
        owner: the player responsible for the bot.
    """

    owner: str


class Left(TableEvent, frozen=True):
    seat: int


class NamesRules(TableEvent, frozen=True):
    """An event that names the rules under which the game continues.

    Attributes:
        data: hash of the title's data.
        layout: hash of the title's layout.
    """

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
    """The game starts.

    Attributes:
        zones: hash of the document with the initial zones, to which the facts are applied.
        nonces: mixed into the deal's seed from now on.
    """

    zones: bytes
    nonces: list[bytes]
    facts: list[AnyFact]

    def seen(self, layout: Layout, audience: int) -> Self:
        return replace(self, facts=redact_event(layout, self.event, audience).facts)

    @property
    def event(self) -> Event:
        return Event(SPECTATOR, Action("new"), self.facts)


class TimedStart(GameStarted, frozen=True):
    """GameStarted at a table with a clock."""

    tick: Tick = Tick()


class BranchStarted(GameStarted, frozen=True):
    """The game continues from a position of another table.

    Its facts set up the position, regardless of rules, and new random draws begin.

    Attributes:
        table: id of the other table, 16 bytes.
        at: version of the position.
        viewer: the seat whose knowledge was used, with unknown cards dealt anew; None for the true position.
    """

    table: bytes = b""
    at: int = 0
    viewer: int | None = None


class Acted(TableEvent, frozen=True):
    """An accepted command of a seat.

    Everything that follows automatically is among its facts.
    """

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
        """Return whether the event shows nothing at all, as an audience sees it."""
        return self.seat == UNKNOWN and self.action == HIDDEN_ACTION and not self.facts


class TimedAct(Acted, frozen=True):
    """An accepted command at a table with a clock.

    Views also show which seats must act.
    """

    tick: Tick = Tick()


class Undone(TableEvent, frozen=True):
    """A seat has undone its latest commands.

    The game returns to its state after version `to`.
    """

    seat: int
    to: int


class TimedUndo(Undone, frozen=True):
    """An undo at a table with a clock."""

    tick: Tick = Tick()


class TableEnded(TableEvent, frozen=True):
    """The table is over.

    Attributes:
        outcome: the rank of each seat, None if there is no result.
    """

    reason: Reason
    outcome: list[int] | None
    outage: int = 0


class SeedsRevealed(TableEvent, frozen=True):
    """The seeds of the table and of its deal, 32 bytes each, are revealed.

    Apart from notes, this is the only event after game_ended.
    """

    seed: bytes
    deal: bytes


class RulesChanged(NamesRules, frozen=True):
    """The game continues under a later version of the rules."""


class TimedOut(TableEvent, frozen=True):
    """A seat has run out of time to answer what it was asked at version `since`."""

    seat: int
    since: int
    tick: Tick = Tick()


class LogCut(TableEvent, frozen=True):
    """A note: the log has lost events here, as after a restore from a backup.

    Attributes:
        kept: the last version before them.
        lost: the first 8 bytes of the hash of the last lost event. A viewer that knows it has seen obsolete events.
    """

    kept: int
    lost: bytes


class RatingVoided(TableEvent, frozen=True):
    """A note: an administrator has removed this finished game from the ratings.

    The reason is in the moderators' audit log.
    """


def order_of(rules: str) -> tuple[int, str]:
    """Return a sort key for versions of a title's rules: by revision, then by hash.

    A table's version never decreases.
    """
    revision, _, digest = rules.partition(".")
    return int(revision) if revision.isdecimal() else 0, digest
