"""A table's log as a file: for spectators, for a seat, or whole when the game is over. All verify against one chain."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec

from engine import titles
from engine.kernel import SPECTATOR
from eventstore import chain
from services import ids
from services.tables.bodies import viewer_of
from services.tables.chain import leaves_of, microseconds, seen_by_all
from services.tables.events import EventBody, event_body
from services.tables.history import Entry, History
from services.tables.rows import NUMBERS, SCHEMA, AnyTitle, GameEnded, encode

FORMAT: Literal["ludarium-record/1"] = "ludarium-record/1"


class OwnRow(msgspec.Struct, frozen=True):
    """A row as a seat may see it, and the salt of its leaf."""

    salt: bytes
    data: bytes


class RecordRow(msgspec.Struct, frozen=True):
    """One row. Bytes are base64; at_us is in microseconds since 1970.

    public is the row as spectators see it, as hashed. A whole record has `whole` instead: with the seed, the public part
    and the leaves follow from it. event says the same for people.
    """

    seq: int
    type: int
    schema: int
    at_us: int
    hash: bytes
    event: EventBody
    public: bytes | None = None
    leaves: list[bytes] = []
    own: OwnRow | None = None
    whole: bytes | None = None


class Record(msgspec.Struct, frozen=True):
    """viewer: a seat, or null for spectators; seed: only in a whole record, which has no viewer."""

    format: Literal["ludarium-record/1"]
    table: str
    ruleset: str
    viewer: int | None
    seed: bytes | None
    rows: list[RecordRow]


def record_of(history: History, rows: Sequence[Entry], audience: int) -> Record:
    """Of a finished game the whole log with its seed, of others what the audience may see."""
    if history.ended is not None:
        return whole_record(history.stream, history.title.id, rows)
    made = [seen_row(history, entry, audience) for entry in rows]
    return Record(FORMAT, history.id, history.title.id, viewer_of(audience), None, made)


def whole_record(stream: UUID, ruleset: str, rows: Sequence[Entry]) -> Record:
    """Of a finished game: its last row reveals the seed."""
    last = rows[-1].row
    if not isinstance(last, GameEnded):
        raise ValueError(f"the game of table {stream} is not over")
    made = [whole_row(titles()[ruleset], entry) for entry in rows]
    return Record(FORMAT, ids.encode(stream), ruleset, None, last.seed, made)


def whole_row(title: AnyTitle, entry: Entry) -> RecordRow:
    return RecordRow(
        entry.version, NUMBERS[type(entry.row)], SCHEMA, microseconds(entry.at), entry.hash,
        event_body(entry, SPECTATOR, title), whole=encode(entry.row),
    )  # fmt: skip


def seen_row(history: History, entry: Entry, audience: int) -> RecordRow:
    opened = history.opened
    seen = seen_by_all(history.title, opened.seats, entry.row)
    own = None
    if audience != SPECTATOR:
        own = OwnRow(chain.salt(opened.seed, entry.version, audience), encode(seen[audience]))
    return RecordRow(
        entry.version, NUMBERS[type(entry.row)], SCHEMA, microseconds(entry.at), entry.hash,
        event_body(entry, audience, history.title),
        public=encode(seen[SPECTATOR]),
        leaves=leaves_of(opened.seed, entry.version, entry.row, seen),
        own=own,
    )  # fmt: skip


def table_of(record: Record) -> UUID:
    return ids.decode(record.table)
