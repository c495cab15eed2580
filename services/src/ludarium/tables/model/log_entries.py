"""Events of a table as they are stored and read: each in its place, under its hash."""
from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, decode, encode, is_command
from ludarium.tables.model.events import AnyTitle, TableOpened, Undone
from ludarium.tables.model.hash_chain import EventHeader, Seen, StreamSecret, encoded, leaves_of, link
from ludarium_engine.kernel.contract import PREFER
from ludarium_eventstore import StoredEvent, chain


class Damaged(Exception):
    """An event does not fit its hash or cannot be read; version says which."""

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class NewerRelease(Exception):
    """The table was opened by a release that knows more than this one."""


class NoTable(Exception):
    """The stream is of another kind."""


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An event in its place in the stream, as it is stored and as it is read. secret: beside the first event."""

    version: int
    at: datetime
    event: AnyEvent | UnreadEvent
    hash: bytes
    type: int
    schema: int
    data: bytes
    root: bytes
    secret: bytes | None = None


def decoded_entries(stored: Iterable[StoredEvent], first: int = 0) -> list[LogEntry]:
    """Events from version `first` on. Raises Damaged for what is not where it belongs."""
    read = []
    for nth, event in enumerate(stored, first):
        if event.version != nth:
            raise Damaged(event.stream, nth, f"version {event.version} stands in its place")
        read.append(entry_of(event))
    return read


def entry_of(event: StoredEvent) -> LogEntry:
    row = decode(event.type, event.schema, event.data)
    return LogEntry(event.version, event.at, row, event.hash, event.type, event.schema, event.data, event.root, event.secret)


def new_entry(secret: StreamSecret, prev: bytes, place: EventHeader, layout: bytes, event: AnyEvent, seen: Seen) -> LogEntry:
    """An event that is about to be appended behind the one of hash `prev`."""
    data, root = encode(event), chain.root(leaves_of(secret.seed, place.version, encoded(seen)))
    hash_ = link(secret.seed, prev, place, layout, data, root)
    beside = secret.data if isinstance(event, TableOpened) else None
    return LogEntry(place.version, place.at, event, hash_, place.type, place.schema, data, root, beside)


def undone_versions(title: AnyTitle, events: Iterable[LogEntry]) -> set[int]:
    """The versions of commands that were undone, by events before the first one that only a newer release can take in."""
    dead: set[int] = set()
    for entry in events:
        event = entry.event
        if isinstance(event, Undone):
            dead.update(range(event.to + 1, entry.version))
        elif event.is_ahead(title):
            break
    return dead


def is_undone(entry: LogEntry, dead: set[int]) -> bool:
    """Preferences and seats outlive an undo; commands do not."""
    return entry.version in dead and is_command(entry.event) and entry.event.action.verb != PREFER
