"""Limits on games between bots, which continue without any player's effort."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from ludarium.accounts.access import Player
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.model.table_state import TableState

RETRY_AFTER_SECONDS = 30
"""Seconds after which a running game may have ended."""
MAX_TABLES_OF_BOT = 20
"""Unfinished tables of one player's bot."""


class BotGameQuota:
    """A limit on how many bot-only games of a player may run at once.

    The count comes from the projection, so games started in several processes within a second can exceed the limit by a
    few.
    """

    def __init__(self, projections: Projections, most: int) -> None:
        self._projections, self._most = projections, most
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def room(self, table: TableState, creator: str) -> AsyncIterator[None]:
        """Check the limit, and start a game within this context.

        Games of one creator are started one after the other.

        Raises:
            Problem: `too-many-bot-games`.
        """
        if not has_only_bots(table):
            yield
            return
        lock = self._locks.get(creator) or self._locks.setdefault(creator, asyncio.Lock())
        async with lock:
            if await self._projections.bot_games(creator) >= self._most:
                raise Problem("too-many-bot-games", f"{self._most} go on already", retry_after=RETRY_AFTER_SECONDS)
            yield


def has_only_bots(table: TableState) -> bool:
    """Return whether only bots sit at the table, of the server or of players."""
    return all(seated and (seated.bot or seated.seat in table.lifecycle.owners) for seated in table.seats)


async def check_table_quota(projections: Projections, player: Player) -> None:
    """Check that a bot may open or join another table.

    Concurrent requests can exceed the limit on unfinished tables by a few.

    Raises:
        Problem: `too-many-tables`.
    """
    if player.kind == "bot" and await projections.count_tables(player.id) >= MAX_TABLES_OF_BOT:
        raise Problem("too-many-tables", f"at most {MAX_TABLES_OF_BOT}")
