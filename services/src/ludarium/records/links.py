"""Checks of a record's bytes: the hash chain and the opened leaves."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.records.reading import ReadRecord, ReadRow
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, decode
from ludarium.tables.model.events import GameStarted, TableOpened
from ludarium.tables.model.hash_chain import leaf_number
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.published import document_hash
from ludarium_eventstore import chain

MAX_TIME = 253_402_300_799_999_999
"""The end of the year 9999, in microseconds since 1970."""
TYPE_LIMIT = 1 << 15
"""The limit that event types and schema numbers are below."""
SEAT_RANGE = range(1, (1 << 16) - 1)
"""The leaves of seats and spectators are numbered in 16 bits."""
RowContent = AnyEvent | UnreadEvent | None
"""The event of a row; None if nothing of it is open."""


class VerificationFailed(Exception):
    """A fault found in a record; `seq` is its row, or None for the record as a whole."""

    def __init__(self, seq: int | None, what: str) -> None:
        super().__init__(seq, what)
        self.seq, self.what = seq, what


def is_whole(record: ReadRecord) -> bool:
    """Return whether the record opens the stored events themselves."""
    return bool(record.rows) and chain.STORED in [leaf.leaf for leaf in record.rows[0].opened]


def content_of(row: ReadRow) -> RowContent:
    """Decode a row's first open leaf, or the data that replaces a closed leaf."""
    data = row.opened[0].data if row.opened else row.mended
    return None if data is None else decode(row.type, row.schema, data)


def check_links(stream: UUID, record: ReadRecord) -> list[RowContent]:
    """Check the hash chain, and return the events of the rows.

    Raises:
        VerificationFailed: for the first wrong row.
    """
    rows = [*map(content_of, record.rows)]
    first = rows[0] if rows else None
    if not isinstance(first, TableOpened) or first.seats not in SEAT_RANGE:
        raise VerificationFailed(0, "it opens no table")
    check_viewer(record, first.seats)
    prev, at, layout = chain.genesis(stream), 0, chain.NO_LAYOUT
    for nth, (row, content) in enumerate(zip(record.rows, rows, strict=True)):
        layout = layout if content is None else content.under(layout)
        if what := row_fault(record, row, nth, at, first.seats) or link_fault(row, prev, layout):
            raise VerificationFailed(nth, what)
        prev, at = row.link, row.at_us
    check_documents(record, rows)
    return rows


def check_viewer(record: ReadRecord, seats: int) -> None:
    if record.viewer is not None and (is_whole(record) or record.viewer not in range(seats)):
        raise VerificationFailed(None, "viewer: it is not the one whose leaves are open")


def row_fault(record: ReadRecord, row: ReadRow, nth: int, at: int, seats: int) -> str | None:
    """Return a description of a fault in a single row, None if there is none."""
    if row.seq != nth:
        return f"row {row.seq} stands in its place"
    if not at <= row.at_us <= MAX_TIME:
        return "its time runs backwards, or is none"
    if row.type not in range(TYPE_LIMIT) or row.schema not in range(TYPE_LIMIT):
        return "its type or schema is no such number"
    if {len(part) for part in (row.layout, row.leaf_0, row.root, row.link, *(row.leaves or ()))} != {chain.SIZE}:
        return "a hash in it is too short or too long"
    if row.leaves is not None and (len(row.leaves) != seats + 1 or chain.root(row.leaves) != row.root):
        return "its leaves do not fit their root"
    return leaf_fault(record, row)


def leaf_fault(record: ReadRecord, row: ReadRow) -> str | None:
    """Return a description of a fault in a row's open leaves, None if there is none."""
    if tuple(leaf.leaf for leaf in row.opened) != tuple(expected_leaves(record, row)):
        return "it does not open the leaves that its record shows"
    hashes = [row.leaf_0, *(row.leaves or ())]
    if any(chain.leaf(leaf.salt, leaf.data) != hashes[leaf.leaf] for leaf in row.opened):
        return "an open leaf is not what it was hashed from"
    return None


def expected_leaves(record: ReadRecord, row: ReadRow) -> Sequence[int]:
    """Return the numbers of the leaves that a row of this record must open.

    A leaf whose visibility was corrected stays closed. So do the leaves of a note that the server could not read.
    """
    if is_whole(record):
        return range(1 if row.leaves is None else len(row.leaves) + 1)
    if row.leaves is None or row.mended is not None:
        return ()
    return (leaf_number(SPECTATOR if record.viewer is None else record.viewer),)


def link_fault(row: ReadRow, prev: bytes, layout: bytes) -> str | None:
    if row.layout != layout:
        return "it is not written under the layout that was named last"
    link = chain.link(prev, row.seq, row.type, row.schema, row.at_us, row.layout, row.leaf_0, row.root)
    return None if link == row.link else "it does not fit its link"


def check_documents(record: ReadRecord, rows: Sequence[RowContent]) -> None:
    """Check that the record contains exactly the documents that its events refer to."""
    layouts = {row.layout for row in record.rows} - {chain.NO_LAYOUT}
    zones = {row.zones for row in rows if isinstance(row, GameStarted)}
    for what, named, found in (("layouts", layouts, record.documents.layouts), ("zones", zones, record.documents.zones)):
        if sorted(map(document_hash, found)) != sorted(named):
            raise VerificationFailed(None, f"documents.{what}: they are not those that the rows name")
