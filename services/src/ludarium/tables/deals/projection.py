"""List the shared deals whose seeds are not revealed yet, as a projection."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.platform.database import Database
from ludarium.tables.deals.events import OPENED, REVEALED
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection


class OpenDeals:
    """Projection with a row for each deal that is opened and not revealed yet."""

    event_types = frozenset({OPENED, REVEALED})

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        """Insert opened deals and delete revealed ones.

        A deal that is opened and revealed in the same page of events is not inserted.
        """
        opened, revealed = [{row.stream for row in rows if row.type == type_} for type_ in (OPENED, REVEALED)]
        await connection.execute("insert into waiting (id) select unnest($1::uuid[])", [*opened - revealed])
        await connection.execute("delete from waiting where id = any($1)", [*revealed - opened])


async def open_deals(database: Database) -> list[UUID]:
    return [row["id"] for row in await database.rows("select id from deals.waiting order by id")]
