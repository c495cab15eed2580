"""The hash of a table's row: over what the public sees, and a salted leaf for each seat and for the whole row.

So a spectator's, a seat's and the full export of one game verify against the same chain; see docs/eventstore.md.
"""
from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engine.kernel import SPECTATOR
from eventstore import chain
from services.tables.rows import NUMBERS, SCHEMA, AnyRow, AnyTitle, encode

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(at: datetime) -> int:
    """Since 1970, exactly."""
    return (at - EPOCH) // timedelta(microseconds=1)


def leaves_of(title: AnyTitle, seats: int, seed: bytes, version: int, row: AnyRow) -> list[bytes]:
    """One for each seat, over what it may see, and one over the whole row."""
    seen = [encode(row.seen(title, seat)) for seat in range(seats)]
    return [chain.leaf(chain.salt(seed, version, i), data) for i, data in enumerate([*seen, encode(row)])]


def row_hash(title: AnyTitle, seats: int, seed: bytes, prev: bytes, version: int, at: datetime, row: AnyRow) -> bytes:
    public = encode(row.seen(title, SPECTATOR))
    leaves = leaves_of(title, seats, seed, version, row)
    return chain.link(prev, version, NUMBERS[type(row)], SCHEMA, microseconds(at), public, leaves)
