"""How many games without people a player may have going on at a time: they play by themselves, for as long as they last."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from ludarium.accounts.access import Player
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.model.table_state import TableState

RETRY_AFTER = 30
"""Seconds after which a game may have come to its end."""
MOST_TABLES = 20
"""Of one bot of somebody's, that are not over."""


class BotGames:
    """Counted from the projection, so starts that come in over several processes within a second may exceed it by a few."""

    def __init__(self, projections: Projections, most: int) -> None:
        self._projections, self._most = projections, most
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def room(self, table: TableState, creator: str) -> AsyncIterator[None]:
        """For a game to start within, one after the other. Raises Problem `too-many-bot-games`."""
        if not has_only_bots(table):
            yield
            return
        lock = self._locks.get(creator) or self._locks.setdefault(creator, asyncio.Lock())
        async with lock:
            if await self._projections.bot_games(creator) >= self._most:
                raise Problem("too-many-bot-games", f"{self._most} go on already", retry_after=RETRY_AFTER)
            yield


def has_only_bots(table: TableState) -> bool:
    """Of ours, or somebody's."""
    return all(seated and (seated.bot or seated.seat in table.lifecycle.owners) for seated in table.seats)


async def check_tables(projections: Projections, player: Player) -> None:
    """How many a bot may be at; of requests side by side a few may exceed it. Raises Problem `too-many-tables`."""
    if player.kind == "bot" and await projections.tables_of(player.id) >= MOST_TABLES:
        raise Problem("too-many-tables", f"at most {MOST_TABLES}")
