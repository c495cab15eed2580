"""The tables that were over within each hour, with their last hashes: one root an hour, which names the one before."""
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
"""An hour, a table's hash in it, and the way from there to the root."""
BEGINNING = bytes(SIZE)
"""Stands for the root before the first one."""


class HourlyHeads:
    """An hour is closed by the first table that is over in a later one; whatever the log tells afterwards belongs to that one.
    So the same log makes the same roots, whenever they are made."""

    takes = FINISHED

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        last: datetime | None = await connection.fetchval("select max(hour) from tables")
        for row in rows:
            hour = max(row.at.replace(minute=0, second=0, microsecond=0), last or datetime.min.replace(tzinfo=row.at.tzinfo))
            if last is not None and hour > last:
                await close(connection, last)
            await connection.execute(
                "insert into tables (id, hour, head) values ($1, $2, $3) on conflict do nothing", row.stream, hour, row.hash
            )
            last = hour


async def close(connection: Connection, hour: datetime) -> None:
    tables = await connection.fetch("select id, head from tables where hour = $1", hour)
    previous = await connection.fetchval("select root from hours order by hour desc limit 1")
    await connection.execute(
        "insert into hours (hour, root, previous, count) values ($1, $2, $3, $4)",
        hour, merkle.root(leaves_of(tables)), previous or BEGINNING, len(tables),
    )  # fmt: skip


def leaves_of(tables: Sequence[Any]) -> list[bytes]:
    return [merkle.leaf(row["id"], row["head"]) for row in tables]


# --- reading --------------------------------------------------------------------------------------------------------------
async def hours(database: Database, since: datetime | None, limit: int) -> Sequence[Any]:
    """Closed ones, the oldest first."""
    return await database.rows(
        "select h.*, l.id as log from heads.hours h join es.logs l using (lane)"
        " where $1::timestamptz is null or hour >= $1 order by hour limit $2",
        since, limit,
    )  # fmt: skip


async def hour_of_table(database: Database, table: UUID) -> TableInHour | None:
    """None: it is in no closed hour."""
    row = await database.row(
        "select h.*, t.head, l.id as log from heads.tables t join heads.hours h using (hour) join es.logs l using (lane)"
        " where t.id = $1", table
    )
    if row is None:
        return None
    tables = await database.rows("select id, head from heads.tables where hour = $1", row["hour"])
    return row, row["head"], merkle.path(leaves_of(tables), merkle.leaf(table, row["head"]))
