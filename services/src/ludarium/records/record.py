"""A table's log as a file: for spectators, for a seat, or whole when its seeds are revealed. See docs/record.md.

Every leaf of a row stands in it as a hash; those that the record's viewer may see are opened, with their bytes and their
salt. So the records of all audiences verify against one chain.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ludarium.tables.event_schemas import EventBody
from ludarium.tables.event_views import body_of
from ludarium.tables.model import documents
from ludarium.tables.model.event_types import UnreadEvent, encode
from ludarium.tables.model.events import GameStarted, NamesRules
from ludarium.tables.model.hash_chain import LogEntry, leaf_number, microseconds, seen_bytes
from ludarium.tables.model.table_state import TableState
from ludarium.tables.views import viewer_of
from ludarium_engine.kernel.layout import Layout
from ludarium_eventstore import chain

FORMAT: Literal["ludarium-record/2"] = "ludarium-record/2"


class Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leaf that is shown: 0 is the row as it is stored, 1 what spectators see of it, 2 + i what seat i sees of it."""

    leaf: int
    data: bytes
    salt: bytes


class Hashed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a row the chain covers. Bytes are base64; at_us is in microseconds since 1970.

    leaves: of spectators and of each seat; null for a note that the server could not read, of which root stands alone.
    mended: in place of the viewer's leaf, which stays shut, what the viewer may see of the row since a sight was mended.
    """

    seq: int
    type: int
    schema: int
    at_us: Annotated[int, Meta(extra_json_schema={"format": "int64"})]
    layout: bytes
    leaf_0: bytes
    leaves: list[bytes] | None
    root: bytes
    link: bytes
    opened: list[Opened]
    mended: bytes | None


class RecordRow(Hashed, frozen=True, kw_only=True):
    """event: what the opened leaf says, as the API says it."""

    event: EventBody


class Documents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rows name by its BLAKE2b-256 hash, as it was hashed."""

    layouts: list[bytes]
    zones: list[bytes]


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What no hash covers and nobody signs. names: of players by their id, as far as they have one; scores: by seat."""

    names: dict[str, str] = {}
    scores: list[dict[str, int]] = []


class Record(msgspec.Struct, frozen=True):
    """viewer: a seat, or null for spectators and for a whole record, which opens every leaf."""

    format: Literal["ludarium-record/2"]
    table: str
    viewer: int | None
    rows: list[RecordRow]
    documents: Documents
    claims: Claims


def record_of(table: TableState, rows: Sequence[LogEntry], audience: int, names: Mapping[str, str] | None = None) -> Record:
    """Whole where the seeds are revealed, else what the audience may see. table: the table after `rows`."""
    known = rows[: table.version + 1]
    whole = table.is_open_to_all
    layouts = layouts_of(known)
    made = [
        complete_row(table, entry, layout) if whole else redacted_row(table, entry, layout, audience)
        for entry, layout in zip(known, layouts, strict=True)
    ]
    viewer = None if whole else viewer_of(audience)
    return Record(FORMAT, table.id, viewer, made, documents_of(known), claims_of(table, names or {}))


def layouts_of(rows: Sequence[LogEntry]) -> list[bytes]:
    """The hash of the layout that each row was written under."""
    found, now = [], chain.NO_LAYOUT
    for entry in rows:
        now = entry.event.under(now)
        found.append(now)
    return found


def layout_of(table: TableState, hash_: bytes) -> Layout:
    """Before a game there are no facts, and every layout says the same."""
    return table.title.layout if hash_ == chain.NO_LAYOUT else documents.layout(hash_)


# --- rows ---------------------------------------------------------------------------------------------------------------
def complete_row(table: TableState, entry: LogEntry, layout: bytes) -> RecordRow:
    stored = Opened(chain.STORED, entry.data, chain.salt(table.secret.seed, entry.version, chain.STORED))
    event = body_of(entry.event, entry, table.title)
    if isinstance(entry.event, UnreadEvent):
        return RecordRow(**hashed(table, entry, layout), leaves=None, opened=[stored], mended=None, event=event)
    seen = seen_bytes(layout_of(table, layout), table.opened.seats, entry.event)
    opened = [opened_leaf(table, entry, audience, data) for audience, data in seen.items()]
    return RecordRow(
        **hashed(table, entry, layout), leaves=leaves(opened), opened=[stored, *opened], mended=None, event=event
    )


def redacted_row(table: TableState, entry: LogEntry, layout: bytes, audience: int) -> RecordRow:
    said = entry.event.seen(table.shown(entry.version), audience)
    event = body_of(said, entry, table.title)
    if isinstance(entry.event, UnreadEvent):
        return RecordRow(**hashed(table, entry, layout), leaves=None, opened=[], mended=None, event=event)
    seen = seen_bytes(layout_of(table, layout), table.opened.seats, entry.event)
    opened = [opened_leaf(table, entry, each, data) for each, data in seen.items()]
    shown = encode(said)
    fits = shown == seen[audience]
    own = [leaf for leaf in opened if fits and leaf.leaf == leaf_number(audience)]
    return RecordRow(
        **hashed(table, entry, layout), leaves=leaves(opened), opened=own, mended=None if fits else shown, event=event
    )


def hashed(table: TableState, entry: LogEntry, layout: bytes) -> dict[str, Any]:
    """What every record has of a row."""
    stored = chain.salted(table.secret.seed, entry.version, chain.STORED, entry.data)
    return {
        "seq": entry.version, "type": entry.type, "schema": entry.schema, "at_us": microseconds(entry.at),
        "layout": layout, "leaf_0": stored, "root": entry.root, "link": entry.hash,
    }  # fmt: skip


def opened_leaf(table: TableState, entry: LogEntry, audience: int, data: bytes) -> Opened:
    number = leaf_number(audience)
    return Opened(number, data, chain.salt(table.secret.seed, entry.version, number))


def leaves(opened: Sequence[Opened]) -> list[bytes]:
    return [chain.leaf(leaf.salt, leaf.data) for leaf in opened]


# --- what is beside them ------------------------------------------------------------------------------------------------
def documents_of(rows: Sequence[LogEntry]) -> Documents:
    layouts = dict.fromkeys(entry.event.layout for entry in rows if isinstance(entry.event, NamesRules))
    zones = dict.fromkeys(entry.event.zones for entry in rows if isinstance(entry.event, GameStarted))
    return Documents([*map(documents.layout_document, layouts)], [*map(documents.zones, zones)])


def claims_of(table: TableState, names: Mapping[str, str]) -> Claims:
    scores = table.title.scores(table.state) if table.is_open_to_all and table.state else ()
    return Claims({**names}, [{**parts} for parts in scores])
