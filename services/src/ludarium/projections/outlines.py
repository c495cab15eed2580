"""Outlines of tables: the data shown in lists, without the events of the game."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from ludarium.clocks.settings import Clock
from ludarium.platform import ids
from ludarium.projections.schemas import LobbyTable
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, decode, type_of
from ludarium.tables.model.events import GameStarted, Left, Seated, SeatedBot, SeedsRevealed, TableEnded, TableOpened
from ludarium.tables.model.lifecycle_events import PoliciesSet, Replaced, TakenOver
from ludarium.tables.model.policies import Spectators
from ludarium.tables.schemas import SeatBody, Status
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection
from ludarium_eventstore.store import COLUMNS, stored

OUTLINE_EVENTS = (TableOpened, PoliciesSet, Seated, Left, GameStarted, Replaced, TakenOver, TableEnded, SeedsRevealed)
OUTLINE_TYPES = frozenset(type_of(kind) for kind in OUTLINE_EVENTS)
"""The event types that outlines are folded from; few occur in the middle of a game."""
FINISHED = frozenset({type_of(SeedsRevealed)})
"""A table's seeds are revealed once it, and every table that shares its deal, is over."""


def visibility(watched: Spectators) -> str:
    """Return `private`, `unlisted`, or `public`; lists contain only public tables."""
    return "private" if watched.are_private else "public" if watched.listed else "unlisted"


class Outline:
    """A table after some event: its seats, whether the game has begun, and its result."""

    def __init__(self, stream: UUID, opened: TableOpened, opened_at: datetime) -> None:
        self.stream, self.opened, self.opened_at = stream, opened, opened_at
        self.seats: list[Seated | None] = [None] * opened.seats
        self.status: Status = "open"
        self.ended: TableEnded | None = None
        self.visibility: str = opened.visibility
        self.clock: Clock | None = None
        self.rated = False
        self.version = 0
        self.begun = self.unread = False

    def apply(self, version: int, row: AnyEvent | UnreadEvent) -> None:
        """Apply an event.

        From the first event that only a newer release can read, the outline no longer changes.
        """
        self.unread = self.unread or isinstance(row, UnreadEvent)
        if self.unread:
            return
        self.version = version
        match row:
            case Seated():
                self.seats[row.seat] = row
            case Replaced():
                self.seats[row.seat] = Seated(row.seat, row.player, None)
            case Left():
                self.seats[row.seat] = None
            case TakenOver():
                self.seats[row.seat] = Seated(row.seat, row.player, None)
            case GameStarted():
                self.status, self.begun = "playing", True
            case TableEnded():
                self.status, self.ended = "over", row
            case PoliciesSet():
                self.visibility, self.clock = visibility(row.policies.spectators), row.policies.clock
                self.rated = row.policies.rated

    @property
    def people(self) -> int:
        """The number of people at the table."""
        return sum(seat is not None and seat.player is not None for seat in self.seats)

    def body(self) -> LobbyTable:
        opened = self.opened
        seats = [seat_body(seat, seated) for seat, seated in enumerate(self.seats)]
        return LobbyTable(
            ids.encode(self.stream), opened.ruleset, opened.options, self.status, opened.creator, seats, self.clock,
            self.rated,
        )  # fmt: skip


def seat_body(seat: int, seated: Seated | None) -> SeatBody:
    if seated is None:
        return SeatBody(seat, None, None)
    return SeatBody(seat, seated.player, seated.bot, owner=seated.owner if isinstance(seated, SeatedBot) else None)


async def outlines_of(connection: Connection, rows: Sequence[StoredEvent], archive: Archive) -> list[Outline]:
    """Return the tables of these events, as they were after the last event."""
    streams = list(dict.fromkeys(row.stream for row in rows))
    last = max(row.position for row in rows)
    found = await connection.fetch(
        f"select {COLUMNS} from es.events"
        " where (partition, stream_id) in (select es.partition_of(s), s from unnest($1::uuid[]) s)"
        " and position <= $2 and type = any ($3::smallint[]) order by stream_id, version",
        streams, last, [*OUTLINE_TYPES],
    )  # fmt: skip
    bundled = [row for row in await archive.rows_of(connection, streams) if row.position <= last and row.type in OUTLINE_TYPES]
    made = fold_outlines(map(stored, found)) | fold_outlines(bundled)
    return [made[stream] for stream in streams if stream in made]


def fold_outlines(rows: Iterable[StoredEvent]) -> dict[UUID, Outline]:
    """Fold the events of tables into outlines, by stream.

    The events of each table must be in order and begin with the first.
    """
    outlines: dict[UUID, Outline] = {}
    for row in rows:
        event = decode(row.type, row.schema, row.data)
        if isinstance(event, TableOpened):
            outlines[row.stream] = Outline(row.stream, event, row.at)
        elif row.stream in outlines:
            outlines[row.stream].apply(row.version, event)
    return outlines
