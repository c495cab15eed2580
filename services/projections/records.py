"""Finished games as files that anybody can verify, ready made; and the list of them."""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from uuid import UUID

import msgspec

from eventstore import StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import FinishedGame, FinishedPage
from services.projections.finished import UNFINISHED, finished_games
from services.projections.outlines import Outline, outlines_of
from services.records.record import whole_record
from services.tables.events import timestamp
from services.tables.history import Entry

QUICK = 1
"""gzip's level: the next ones take twice the time for a tenth less."""


class Records:
    """A row for each finished game."""

    skips = UNFINISHED

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        outlines = {outline.stream: outline for outline in await outlines_of(connection, rows)}
        async for stream, log in finished_games(connection, rows):
            outline = outlines[stream]
            record = await asyncio.to_thread(packed, stream, outline.opened.ruleset, log)
            await connection.execute(
                "insert into games (id, ruleset, visibility, body, record) values ($1, $2, $3, $4::text::jsonb, $5)",
                stream, outline.opened.ruleset, outline.opened.visibility, summary(outline, log), record,
            )  # fmt: skip


def packed(stream: UUID, ruleset: str, log: Sequence[Entry]) -> bytes:
    return gzip.compress(msgspec.json.encode(whole_record(stream, ruleset, log)), QUICK, mtime=0)


def summary(outline: Outline, log: Sequence[Entry]) -> str:
    assert outline.ended is not None            # only finished games come here
    game = FinishedGame(outline.body(), outline.ended.outcome, len(log), timestamp(log[-1].at))
    return msgspec.json.encode(game).decode()


async def ready_made(database: Database, table: UUID) -> bytes | None:
    """The gzipped record of a finished game; None if it is not (yet) there."""
    row = await database.row("select record from records.games where id = $1", table)
    return row["record"] if row else None


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
