"""The lobby: all tables as a list."""
from __future__ import annotations

from collections.abc import Sequence

import msgspec

from eventstore import StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import LobbyTable, TablePage
from services.projections.outlines import TOLD, outlines_of
from services.projections.paging import NEWEST, behind
from services.tables.bodies import Status


class Lobby:
    """A row for each table."""

    takes = TOLD

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        found = await outlines_of(connection, rows)
        await connection.executemany(
            "insert into tables (id, listed_at, ruleset, status, visibility, body) values ($1, $2, $3, $4, $5, $6::text::jsonb)"
            " on conflict (id) do update set status = excluded.status, visibility = excluded.visibility,"
            " body = excluded.body",
            [(t.stream, t.opened_at, t.opened.ruleset, t.status, t.visibility, msgspec.json.encode(t.body()).decode())
             for t in found],
        )  # fmt: skip


async def page(
    database: Database, status: Status | None, ruleset: str | None, after: str | None, limit: int
) -> TablePage:
    """Public tables, the newest first."""
    rows = await database.rows(
        f"""select body::text from lobby.tables
           where visibility = 'public' and ($1::text is null or status = $1)
             and ($2::text is null or ruleset = $2) and {behind("lobby.tables", 3)}
           {NEWEST} limit $4""",
        status, ruleset, ids.decode(after) if after else None, limit,
    )
    tables = [msgspec.json.decode(row["body"], type=LobbyTable) for row in rows]
    return TablePage(tables, tables[-1].id if len(tables) == limit else None)
