"""Snapshots of tables, so that long logs need not be folded from the beginning.

Snapshots are only a cache. A snapshot is used only if the log has the snapshot's hash at the snapshot's version, its
bytes are intact, and it was written with the same revision of the title; otherwise the whole log is folded. Events after
the snapshot are checked against the hash chain.
"""
from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.clocks.clocks import Clocks
from ludarium.tables.model.events import Acted, AnyTitle, Seated, SeedsRevealed, TableEnded
from ludarium.tables.model.folding import apply_entries
from ludarium.tables.model.hash_chain import LogEntry, undone_versions
from ludarium.tables.model.lifecycle import Lifecycle
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_eventstore import EventStore, StoreUnavailable

log = logging.getLogger(__name__)

FORMAT = 7
EVERY = 200
"""Events between two snapshots of a table."""
WORTH = 50
"""Minimum number of new events for which a table is saved once more when it leaves the cache."""
MOST_UNDER_WAY = 64
DIGEST = 32


class Snapshot(msgspec.Struct, array_like=True, frozen=True):
    """The fields of a TableState, except those that follow from the first event.

    Attributes:
        state: the game's state, encoded by the title's type.
    """

    version: int
    hash: bytes
    at: datetime
    seats: list[Seated | None]
    state: msgspec.Raw
    rules: str
    data: bytes
    since: list[int]
    trail: list[tuple[int, Acted]]
    ended: TableEnded | None
    revealed: SeedsRevealed | None
    life: Lifecycle
    nonces: list[bytes] | None
    layouts: list[tuple[int, bytes]]
    clocks: Clocks | None


encode = msgspec.msgpack.Encoder().encode
decode = msgpack_decoder(Snapshot)


def revision(title: AnyTitle) -> str:
    """Return the revision that a snapshot of the title must have to be readable.

    It changes with the snapshot format, the title's version, and the fields of its state.
    """
    fields = hashlib.blake2b(encode(title.state.__struct_fields__), digest_size=8).hexdigest()
    return f"{FORMAT}.{title.id}.{title.version}.{fields}"


def digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST).digest()


def packed(h: TableState) -> bytes:
    """Encode a snapshot, preceded by its digest."""
    state = msgspec.Raw(encode(h.state))
    data = encode(
        Snapshot(
            h.version, h.hash, h.at, h.seats, state, h.rules, h.data, h.since, h.trail, h.ended, h.revealed, h.lifecycle,
            h.nonces, h.layouts, h.clocks,
        )
    )
    return digest(data) + data


def resume(begun: TableState, data: bytes, tail: Sequence[LogEntry]) -> TableState | None:
    """Return the table after the events of `tail`, starting from a snapshot.

    Args:
        begun: the table when it was opened.
        data: the encoded snapshot.
        tail: the events from the snapshot's version on.

    Returns:
        None if the log does not match the snapshot, or undoes an event that the snapshot includes.

    Raises:
        Damaged: an event of `tail` is damaged.
    """
    snapshot = matching_snapshot(data, tail)
    if snapshot is None:
        log.warning("a snapshot of table %s does not fit its log, which is folded whole", begun.stream)
        return None
    events = tail[1:]
    if any(version <= snapshot.version for version in undone_versions(begun.title, events)):
        return None
    return apply_entries(restore(begun, snapshot), events)


def matching_snapshot(data: bytes, tail: Sequence[LogEntry]) -> Snapshot | None:
    if digest(data[DIGEST:]) != data[:DIGEST]:
        return None
    snapshot = decode(data[DIGEST:])
    return snapshot if tail and (tail[0].version, tail[0].hash) == (snapshot.version, snapshot.hash) else None


def restore(table: TableState, snapshot: Snapshot) -> TableState:
    """Copy a snapshot into a table that has only been opened."""
    table.version, table.hash, table.at = snapshot.version, snapshot.hash, snapshot.at
    table.seats, table.since = snapshot.seats, snapshot.since
    table.rules, table.data = snapshot.rules, snapshot.data
    table.state = msgpack_decoder(table.title.state | None)(snapshot.state)
    table.trail, table.ended, table.revealed = snapshot.trail, snapshot.ended, snapshot.revealed
    table.lifecycle, table.nonces, table.layouts = snapshot.life, snapshot.nonces, snapshot.layouts
    table.layout = snapshot.layouts[-1][1] if snapshot.layouts else table.layout
    table.clocks, table.snapshot_version = snapshot.clocks, snapshot.version
    return table


class Snapshots:
    """Writes snapshots in the background; a failure is only logged."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.under_way: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        await asyncio.gather(*self.under_way)

    def after_commit(self, table: TableState) -> None:
        if table.version - table.snapshot_version >= EVERY:
            self.save(table)

    def before_forgotten(self, table: TableState) -> None:
        if table.version - table.snapshot_version >= WORTH:
            self.save(table)

    def save(self, table: TableState) -> None:
        if len(self.under_way) < MOST_UNDER_WAY and table.newer is None:
            writing = asyncio.create_task(self.write(table.stream, table.version, revision(table.title), packed(table)))
            self.under_way.add(writing)
            writing.add_done_callback(self.under_way.discard)
            table.snapshot_version = table.version

    async def write(self, stream: UUID, version: int, code: str, data: bytes) -> None:
        try:
            await self.store.put_snapshot(stream, version, code, data)
        except StoreUnavailable as error:
            log.warning("no snapshot of table %s: %s", stream, error)
