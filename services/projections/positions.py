"""The newest view of each public game as spectators see it, for pages that show many games at once."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec

from engine.kernel import SPECTATOR
from eventstore import StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import PositionPage
from services.projections.newest import folded, newest_rows
from services.tables.bodies import Status, TableView
from services.tables.delay import is_delayed
from services.tables.history import History
from services.tables.hot import HotTables
from services.tables.rows import NUMBERS, Left, Seated, TableOpened
from services.tables.views import table_view


class Positions:
    """A row for each public game that has begun."""

    skips = frozenset({NUMBERS[TableOpened], NUMBERS[Seated], NUMBERS[Left]})

    def __init__(self, hot: HotTables) -> None:
        self.hot = hot

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        newest = await newest_rows(connection, rows)
        views = [position(h) for row in newest.values() if (h := await folded(self.hot, row)) and shown(h)]
        await connection.executemany(
            "insert into views (id, ruleset, status, seq, body) values ($1, $2, $3, $4, $5)"
            " on conflict (id) do update set status = excluded.status, seq = excluded.seq, body = excluded.body",
            views,
        )  # fmt: skip


def shown(history: History) -> bool:
    return history.opened.visibility == "public" and not is_delayed(history, SPECTATOR)


def position(history: History) -> tuple[UUID, str, str, int, bytes]:
    body = msgspec.json.encode(table_view(history, SPECTATOR))
    return history.stream, history.opened.ruleset, history.status, history.version, body


async def page(
    database: Database, status: Status | None, ruleset: str | None, after: str | None, limit: int
) -> PositionPage:
    """Public games, the newest first."""
    rows = await database.rows(
        """select body from positions.views
           where ($1::text is null or status = $1) and ($2::text is null or ruleset = $2)
             and ($3::uuid is null or id < $3)
           order by id desc limit $4""",
        status, ruleset, ids.decode(after) if after else None, limit,
    )
    views = [msgspec.json.decode(row["body"], type=TableView) for row in rows]
    return PositionPage(views, views[-1].table if len(views) == limit else None)
