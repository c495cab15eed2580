"""Rows of a table as they are stored and read: each in its place, under its hash."""
from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.tables.model.event_types import AnyRow, Unread, decode, encode, is_command
from ludarium.tables.model.events import AnyTitle, TableOpened, Undone
from ludarium.tables.model.hash_chain import RowHeader, Secret, Seen, encoded, leaves_of, link
from ludarium_engine.kernel.contract import PREFER
from ludarium_eventstore import StoredEvent, chain


class Damaged(Exception):
    """A row does not fit its hash or cannot be read; version says which."""

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class NewerRelease(Exception):
    """The table was opened by a release that knows more than this one."""


class NoTable(Exception):
    """The stream is of another kind."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A row in its place in the stream, as it is stored and as it is read. secret: beside the first row."""

    version: int
    at: datetime
    row: AnyRow | Unread
    hash: bytes
    type: int
    schema: int
    data: bytes
    root: bytes
    secret: bytes | None = None


def entries(stored: Iterable[StoredEvent], first: int = 0) -> list[Entry]:
    """Rows from version `first` on. Raises Damaged for what is not where it belongs."""
    read = []
    for nth, event in enumerate(stored, first):
        if event.version != nth:
            raise Damaged(event.stream, nth, f"version {event.version} stands in its place")
        read.append(entry_of(event))
    return read


def entry_of(event: StoredEvent) -> Entry:
    row = decode(event.type, event.schema, event.data)
    return Entry(event.version, event.at, row, event.hash, event.type, event.schema, event.data, event.root, event.secret)


def new_entry(secret: Secret, prev: bytes, place: RowHeader, layout: bytes, row: AnyRow, seen: Seen) -> Entry:
    """A row that is about to be appended behind the one of hash `prev`."""
    data, root = encode(row), chain.root(leaves_of(secret.seed, place.version, encoded(seen)))
    hash_ = link(secret.seed, prev, place, layout, data, root)
    beside = secret.data if isinstance(row, TableOpened) else None
    return Entry(place.version, place.at, row, hash_, place.type, place.schema, data, root, beside)


def taken_back(title: AnyTitle, rows: Iterable[Entry]) -> set[int]:
    """The versions of commands that were undone, by rows before the first one that only a newer release can take in."""
    dead: set[int] = set()
    for entry in rows:
        row = entry.row
        if isinstance(row, Undone):
            dead.update(range(row.to + 1, entry.version))
        elif row.is_ahead(title):
            break
    return dead


def is_dead(entry: Entry, dead: set[int]) -> bool:
    """Preferences and seats outlive an undo; commands do not."""
    return entry.version in dead and is_command(entry.row) and entry.row.action.verb != PREFER
