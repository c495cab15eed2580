"""The lobby, a list of all tables."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.outlines import OUTLINE_TYPES, outlines_of
from ludarium.projections.paging import NEWEST, after_cursor
from ludarium.projections.schemas import LobbyTable, Pace, TablePage, pace_of
from ludarium.tables.schemas import Status
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection

decode_table = json_decoder(LobbyTable)

Order = Literal["newest", "people"]
ORDER_BY_PEOPLE = "order by coalesce(people, 0) desc, listed_at desc, id desc"
AFTER_PEOPLE = """status = 'playing' and ($7::uuid is null or (coalesce(people, 0), listed_at, id) <
    ((select coalesce(c.people, 0) from lobby.tables c where c.id = $7),
     (select c.listed_at from lobby.tables c where c.id = $7), $7))"""
"""Selects running games after the cursor, in order of people."""


class TableQuery(NamedTuple):
    """A search in the lobby; None matches any value."""

    status: Status | None = None
    ruleset: str | None = None
    seats: int | None = None
    clock: Pace | None = None
    rated: bool | None = None
    players: Collection[str] | None = None
    """Tables at which one of these players has a seat or a reserved one, or which one of them opened."""


class TableList:
    """A projection with one row for each table."""

    event_types = OUTLINE_TYPES

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        found = await outlines_of(connection, rows, self.archive)
        await connection.executemany(
            "insert into tables (id, listed_at, ruleset, status, visibility, body, seats, clock, rated, people)"
            " values ($1, $2, $3, $4, $5, $6::text::jsonb, $7, $8, $9, $10)"
            " on conflict (id) do update set status = excluded.status, visibility = excluded.visibility,"
            " body = excluded.body, seats = excluded.seats, clock = excluded.clock, rated = excluded.rated,"
            " people = excluded.people",
            [(t.stream, t.opened_at, t.opened.ruleset, t.status, t.visibility, msgspec.json.encode(t.body()).decode(),
              t.opened.seats, pace_of(t.clock), t.rated, t.people) for t in found],
        )  # fmt: skip


async def table_page(
    database: Database, query: TableQuery, after: str | None, limit: int, order: Order = "newest"
) -> TablePage:
    """Return a page of the public tables that match a query."""
    ordered, cursor = (NEWEST, after_cursor("lobby.tables", 7)) if order == "newest" else (ORDER_BY_PEOPLE, AFTER_PEOPLE)
    rows = await database.rows(
        f"""select body::text from lobby.tables
           where visibility = 'public' and ($1::text is null or status = $1)
             and ($2::text is null or ruleset = $2) and ($3::int is null or seats = $3)
             and ($4::text is null or clock = $4) and ($5::bool is null or coalesce(rated, false) = $5)
             and ($6::text[] is null or id in (select p.id from turns.parts p where p.player = any($6)))
             and {cursor} {ordered} limit $8""",
        *query, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    tables = [decode_table(row["body"]) for row in rows]
    return TablePage(tables, tables[-1].id if len(tables) == limit else None)
