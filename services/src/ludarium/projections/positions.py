"""Current positions of public games, for pages that show many games at once.

They show what spectators see. Nothing is stored: the lobby lists the games, and the newest games are in the table cache
anyway.
"""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.paging import NEWEST, after_cursor
from ludarium.projections.schemas import PositionPage
from ludarium.tables.model.access import is_delayed
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import Status, TableView
from ludarium.tables.table_cache import TableCache
from ludarium.tables.views import table_view
from ludarium_engine.kernel import SPECTATOR


class Positions:
    def __init__(self, database: Database, cache: TableCache) -> None:
        self._database, self._cache = database, cache

    async def page(
        self, status: Status | None, ruleset: str | None, after: str | None, limit: int
    ) -> PositionPage:
        """Return a page of games that have begun, newest first.

        Games shown to spectators with a delay are left out until they are over.
        """
        rows = await self._database.rows(
            f"""select id from lobby.tables
               where visibility = 'public' and status in ('playing', 'over') and ($1::text is null or status = $1)
                 and ($2::text is null or ruleset = $2) and {after_cursor("lobby.tables", 3)}
               {NEWEST} limit $4""",
            status, ruleset, ids.decode(after) if after else None, limit,
        )
        games = [row["id"] for row in rows]
        heads = await self._cache.store.heads(games)
        found = await asyncio.gather(*(self._view(game, head) for game, head in heads.items()))
        return PositionPage([view for view in found if view], next_cursor(games, limit))

    async def _view(self, game: UUID, head: bytes) -> TableView | None:
        """Return the spectators' view, None if it is not shown or the log is unreadable."""
        try:
            table = await self._cache.load_after(game, head)
        except Problem as problem:
            if problem.code not in ("log-damaged", "superseded-rules"):
                raise
            return None
        return table_view(table, SPECTATOR) if is_shown(table) else None


def is_shown(table: TableState) -> bool:
    """Return whether spectators may see the current position.

    They may not see delayed games, nor games of a shared deal that others may still play.
    """
    return not is_delayed(table, SPECTATOR) and (table.is_open_to_all or not table.opened.deal.stream)


def next_cursor(games: Sequence[UUID], limit: int) -> str | None:
    return ids.encode(games[-1]) if len(games) == limit else None
