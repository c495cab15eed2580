"""Shared deals that are not revealed yet: all that the patrol of a process looks at, however many there ever were."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.platform.database import Database
from ludarium.tables.deals.events import OPENED, REVEALED
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection


class OpenDeals:
    """A row for each deal from `deal_opened` to `deal_revealed`."""

    takes = frozenset({OPENED, REVEALED})

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        """Of a deal that opens and is revealed within one page there is never a row."""
        opened, revealed = [{row.stream for row in rows if row.type == type_} for type_ in (OPENED, REVEALED)]
        await connection.execute("insert into waiting (id) select unnest($1::uuid[])", [*opened - revealed])
        await connection.execute("delete from waiting where id = any($1)", [*revealed - opened])


async def open_deals(database: Database) -> list[UUID]:
    return [row["id"] for row in await database.rows("select id from deals.waiting order by id")]
