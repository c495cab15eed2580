"""A table's log as a file for spectators or for a seat.

The file is complete once the seeds are revealed. Each row contains the hashes of all its leaves. Leaves that the viewer
may see are opened with bytes and salt, so the records of all audiences verify against one chain. The format is described
in docs/record.md.
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
    """An opened leaf of an event, with its content and salt.

    Leaf 0 is the stored event, leaf 1 the spectators' version, and leaf 2 + i that of seat i.
    """

    leaf: int
    data: bytes
    salt: bytes


class Hashed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts of an event that the hash chain covers.

    Bytes are in base64. `at_us` is in microseconds since 1970.

    - `leaves` has those of the spectators and of each seat. It is null for a note that the server could not read; only
      its root is given.
    - `mended` replaces the viewer's leaf after a correction of visibility. The leaf itself stays closed.
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
    """An event of a record.

    `event` is the content of the opened leaf in the form of the API.
    """

    event: EventBody


class Documents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The documents that events refer to by their BLAKE2b-256 hash.

    They are in the form that was hashed.
    """

    layouts: list[bytes]
    zones: list[bytes]


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Data of a record that is neither hashed nor signed.

    `names` has the players' names by id. `scores` has the points by seat.
    """

    names: dict[str, str] = {}
    scores: list[dict[str, int]] = []


class GameRecord(msgspec.Struct, frozen=True):
    """A game as a file that anyone can verify.

    `viewer` is a seat. It is null for spectators, and for a complete record, which opens every leaf.
    """

    format: Literal["ludarium-record/2"]
    table: str
    viewer: int | None
    rows: list[RecordRow]
    documents: Documents
    claims: Claims


def record_of(table: TableState, rows: Sequence[LogEntry], audience: int, names: Mapping[str, str] | None = None) -> GameRecord:
    """Return the complete record if the seeds are revealed, otherwise the audience's.

    Args:
        table: the state after `rows`.
    """
    known = rows[: table.version + 1]
    whole = table.is_open_to_all
    layouts = layouts_of(known)
    record_rows = [
        complete_row(table, entry, layout) if whole else redacted_row(table, entry, layout, audience)
        for entry, layout in zip(known, layouts, strict=True)
    ]
    viewer = None if whole else viewer_of(audience)
    return GameRecord(FORMAT, table.id, viewer, record_rows, documents_of(known), claims_of(table, names or {}))


def layouts_of(rows: Sequence[LogEntry]) -> list[bytes]:
    """Return the layout hash that applies to each event."""
    found, now = [], chain.NO_LAYOUT
    for entry in rows:
        now = entry.event.under(now)
        found.append(now)
    return found


def layout_of(table: TableState, hash_: bytes) -> Layout:
    """Return the layout with this hash.

    Before the game there are no facts, so any layout is valid.
    """
    return table.title.layout if hash_ == chain.NO_LAYOUT else documents.layout(hash_)


# --- rows ---------------------------------------------------------------------------------------------------------------
def complete_row(table: TableState, entry: LogEntry, layout: bytes) -> RecordRow:
    stored = Opened(chain.STORED, entry.data, chain.salt(table.secret.seed, entry.version, chain.STORED))
    event = body_of(entry.event, entry, table.title)
    if isinstance(entry.event, UnreadEvent):
        return RecordRow(**hashed_fields(table, entry, layout), leaves=None, opened=[stored], mended=None, event=event)
    seen = seen_bytes(layout_of(table, layout), table.opened.seats, entry.event)
    opened = [opened_leaf(table, entry, audience, data) for audience, data in seen.items()]
    return RecordRow(
        **hashed_fields(table, entry, layout), leaves=leaf_hashes(opened), opened=[stored, *opened], mended=None, event=event
    )


def redacted_row(table: TableState, entry: LogEntry, layout: bytes, audience: int) -> RecordRow:
    shown_event = entry.event.seen(table.shown(entry.version), audience)
    event = body_of(shown_event, entry, table.title)
    if isinstance(entry.event, UnreadEvent):
        return RecordRow(**hashed_fields(table, entry, layout), leaves=None, opened=[], mended=None, event=event)
    seen = seen_bytes(layout_of(table, layout), table.opened.seats, entry.event)
    opened = [opened_leaf(table, entry, each, data) for each, data in seen.items()]
    shown = encode(shown_event)
    fits = shown == seen[audience]
    own = [leaf for leaf in opened if fits and leaf.leaf == leaf_number(audience)]
    return RecordRow(
        **hashed_fields(table, entry, layout), leaves=leaf_hashes(opened), opened=own, mended=None if fits else shown,
        event=event,
    )  # fmt: skip


def hashed_fields(table: TableState, entry: LogEntry, layout: bytes) -> dict[str, Any]:
    """Return the fields that are the same in the records of all audiences."""
    stored = chain.salted_leaf(table.secret.seed, entry.version, chain.STORED, entry.data)
    return {
        "seq": entry.version, "type": entry.type, "schema": entry.schema, "at_us": microseconds(entry.at),
        "layout": layout, "leaf_0": stored, "root": entry.root, "link": entry.hash,
    }  # fmt: skip


def opened_leaf(table: TableState, entry: LogEntry, audience: int, data: bytes) -> Opened:
    number = leaf_number(audience)
    return Opened(number, data, chain.salt(table.secret.seed, entry.version, number))


def leaf_hashes(opened: Sequence[Opened]) -> list[bytes]:
    return [chain.leaf(leaf.salt, leaf.data) for leaf in opened]


# --- documents and claims ------------------------------------------------------------------------------------------------
def documents_of(rows: Sequence[LogEntry]) -> Documents:
    layouts = dict.fromkeys(entry.event.layout for entry in rows if isinstance(entry.event, NamesRules))
    zones = dict.fromkeys(entry.event.zones for entry in rows if isinstance(entry.event, GameStarted))
    return Documents([*map(documents.layout_document, layouts)], [*map(documents.zones, zones)])


def claims_of(table: TableState, names: Mapping[str, str]) -> Claims:
    scores = table.title.scores(table.state) if table.is_open_to_all and table.state else ()
    return Claims({**names}, [{**parts} for parts in scores])
