"""Finished games whole, in one piece each; and the list of them."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

import asyncpg
import msgspec

from eventstore import StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import FinishedGame, FinishedPage
from services.projections.finished import UNFINISHED
from services.projections.outlines import Outline, outlines_of
from services.records.record import Record, whole_record
from services.tables.events import timestamp
from services.tables.history import Entry
from services.tables.rows import decode


class Records:
    """A row for each finished game. What it looks like to people is left for who reads it: most are never read."""

    skips = UNFINISHED

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        outlines = await outlines_of(connection, rows)
        await connection.execute(
            "insert into games (id, ruleset, visibility, body, types, schemas, ats, hashes, datas)"
            " select g.id, g.ruleset, g.visibility, g.body::jsonb, log.*"
            " from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[])"
            "   as g(id, ruleset, visibility, body, last),"
            " lateral (select array_agg(type), array_agg(schema), array_agg(at), array_agg(hash), array_agg(data)"
            "   from (select * from es.events where stream_id = g.id and version <= g.last order by version) e) as log",
            [o.stream for o in outlines], [o.opened.ruleset for o in outlines], [o.opened.visibility for o in outlines],
            [*map(summary, outlines, rows)], [o.version for o in outlines],
        )  # fmt: skip


def summary(outline: Outline, last: StoredEvent) -> str:
    """last: the row that ended the game."""
    assert outline.ended is not None            # only finished games come here
    game = FinishedGame(outline.body(), outline.ended.outcome, last.version + 1, timestamp(last.at))
    return msgspec.json.encode(game).decode()


async def record(database: Database, table: UUID) -> Record | None:
    """Of a public game that is over; None if it is not (yet) there."""
    row = await database.row("select * from records.games where id = $1 and visibility = 'public'", table)
    return await asyncio.to_thread(unpacked, row) if row else None


def unpacked(row: asyncpg.Record) -> Record:
    kept = zip(row["types"], row["schemas"], row["ats"], row["hashes"], row["datas"], strict=True)
    log = [Entry(n, at, decode(type_, schema, data), hash_) for n, (type_, schema, at, hash_, data) in enumerate(kept)]
    return whole_record(row["id"], row["ruleset"], log)


async def page(database: Database, ruleset: str | None, after: str | None, limit: int) -> FinishedPage:
    """Public games that are over, those of the newest tables first."""
    rows = await database.rows(
        """select body::text from records.games
           where visibility = 'public' and ($1::text is null or ruleset = $1) and ($2::uuid is null or id < $2)
           order by id desc limit $3""",
        ruleset, ids.decode(after) if after else None, limit,
    )
    games = [msgspec.json.decode(row["body"], type=FinishedGame) for row in rows]
    return FinishedPage(games, games[-1].table.id if len(games) == limit else None)
