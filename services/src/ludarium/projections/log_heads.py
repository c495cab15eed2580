"""Hourly Merkle roots over the last event hashes of finished tables.

Each root refers to the root before.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ludarium.platform import merkle
from ludarium.platform.database import Database
from ludarium.projections.outlines import FINISHED
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.chain import SIZE
from ludarium_eventstore.reconnect import Connection

TableInHour = tuple[Any, bytes, list[tuple[bool, bytes]]]
"""An hour, a table's hash in it, and the Merkle path from there to the root."""
NO_ROOT = bytes(SIZE)
"""The predecessor of the first root."""


class HourlyHeads:
    """A projection that collects finished tables by hour.

    An hour is closed by the first table that finishes in a later hour. A table that finished in a closed hour but comes
    later in the log is counted in the later hour. So the same log always gives the same roots.
    """

    event_types = FINISHED

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        last: datetime | None = await connection.fetchval("select max(hour) from tables")
        for row in rows:
            hour = max(row.at.replace(minute=0, second=0, microsecond=0), last or datetime.min.replace(tzinfo=row.at.tzinfo))
            if last is not None and hour > last:
                await close_hour(connection, last)
            await connection.execute(
                "insert into tables (id, hour, head) values ($1, $2, $3) on conflict do nothing", row.stream, hour, row.hash
            )
            last = hour


async def close_hour(connection: Connection, hour: datetime) -> None:
    tables = await connection.fetch("select id, head from tables where hour = $1", hour)
    previous = await connection.fetchval("select root from hours order by hour desc limit 1")
    await connection.execute(
        "insert into hours (hour, root, previous, count) values ($1, $2, $3, $4)",
        hour, merkle.root(leaves_of(tables)), previous or NO_ROOT, len(tables),
    )  # fmt: skip


def leaves_of(tables: Sequence[Any]) -> list[bytes]:
    return [merkle.leaf(row["id"], row["head"]) for row in tables]


# --- reading --------------------------------------------------------------------------------------------------------------
async def hours(database: Database, since: datetime | None, limit: int) -> Sequence[Any]:
    """Return closed hours, oldest first."""
    return await database.rows(
        "select h.*, l.id as log from heads.hours h join es.logs l using (lane)"
        " where $1::timestamptz is null or hour >= $1 order by hour limit $2",
        since, limit,
    )  # fmt: skip


async def hour_of_table(database: Database, table: UUID) -> TableInHour | None:
    """Return the closed hour in which a table finished, with the proof of its hash.

    None if the table is in no closed hour.
    """
    row = await database.row(
        "select h.*, t.head, l.id as log from heads.tables t join heads.hours h using (hour) join es.logs l using (lane)"
        " where t.id = $1", table
    )
    if row is None:
        return None
    tables = await database.rows("select id, head from heads.tables where hour = $1", row["hour"])
    return row, row["head"], merkle.path(leaves_of(tables), merkle.leaf(table, row["head"]))
