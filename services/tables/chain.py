"""The hash of a table's row: over what the public sees, and a salted leaf for each seat and for the whole row.

So a spectator's, a seat's and the full export of one game verify against the same chain; see docs/eventstore.md.
"""
from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from engine.kernel import SPECTATOR
from eventstore import chain
from services.tables.rows import NUMBERS, SCHEMA, AnyRow, AnyTitle, encode

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Seen = Mapping[int, AnyRow]
"""A row by audience, as each may see it: spectators, then the seats in their order."""


def microseconds(at: datetime) -> int:
    """Since 1970, exactly."""
    return (at - EPOCH) // timedelta(microseconds=1)


def seen_by_all(title: AnyTitle, seats: int, row: AnyRow) -> Seen:
    return {audience: row.seen(title, audience) for audience in range(SPECTATOR, seats)}


def leaves_of(seed: bytes, version: int, row: AnyRow, seen: Seen) -> list[bytes]:
    """One for each seat, over what it may see, and one over the whole row."""
    parts = [encode(part) for audience, part in seen.items() if audience != SPECTATOR]
    return [chain.leaf(chain.salt(seed, version, i), data) for i, data in enumerate([*parts, encode(row)])]


def row_hash(seed: bytes, prev: bytes, version: int, at: datetime, row: AnyRow, seen: Seen) -> bytes:
    public = encode(seen[SPECTATOR])
    leaves = leaves_of(seed, version, row, seen)
    return chain.link(prev, version, NUMBERS[type(row)], SCHEMA, microseconds(at), public, leaves)
