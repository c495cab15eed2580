"""Finished games, as a list."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import Archive, StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import FinishedGame, FinishedPage
from services.projections.finished import FINISHED
from services.projections.outlines import Outline, outlines_of
from services.projections.paging import NEWEST, behind
from services.tables.timing import timestamp


class Records:
    """A row for each finished game; its record itself is made of the log when somebody asks for it."""

    takes = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        last = {row.stream: row for row in rows}
        games = [game for game in await outlines_of(connection, rows, self.archive) if game.ended and game.begun]
        await connection.executemany(
            "insert into games (id, listed_at, ruleset, visibility, body) values ($1, $2, $3, $4, $5::text::jsonb)",
            [(g.stream, g.opened_at, g.opened.ruleset, g.visibility, summary(g, last[g.stream])) for g in games],
        )


def summary(outline: Outline, last: StoredEvent) -> str:
    """last: the row that ended the game."""
    assert outline.ended is not None            # only finished games come here
    game = FinishedGame(outline.body(), outline.ended.outcome, last.version + 1, timestamp(last.at))
    return msgspec.json.encode(game).decode()


async def page(database: Database, ruleset: str | None, after: str | None, limit: int) -> FinishedPage:
    """Public games that are over, those of the newest tables first."""
    rows = await database.rows(
        f"""select body::text from records.games
           where visibility = 'public' and ($1::text is null or ruleset = $1) and {behind("records.games", 2)}
           {NEWEST} limit $3""",
        ruleset, ids.decode(after) if after else None, limit,
    )
    return page_of(rows, limit)


async def page_of_player(database: Database, player: str, after: str | None, limit: int) -> FinishedPage:
    """Those at which the player sat."""
    rows = await database.rows(
        f"""select body::text from records.games
            where visibility = 'public' and id in (select p.id from turns.parts p where p.player = $1 and p.part >= 0)
              and {behind("records.games", 2)} {NEWEST} limit $3""",
        player, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    return page_of(rows, limit)


def page_of(rows: Sequence[Any], limit: int) -> FinishedPage:
    games = [msgspec.json.decode(row["body"], type=FinishedGame) for row in rows]
    return FinishedPage(games, games[-1].table.id if len(games) == limit else None)
