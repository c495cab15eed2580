"""Players who go for good. The player's row goes at once, with all that hangs on it; a trigger writes down that they have gone.

What stands elsewhere follows: any process looks for those who have gone, and whatever it does may be done twice. So nothing is
lost with a process that dies, nor with a restore that has to do a deletion again.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import asyncpg

from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tables.model.endings import departed
from ludarium.tables.service import Tables
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
LOOK = 1.0
"""Seconds between two looks at who has gone."""
MOST = 20
"""Of them at one look."""
CLAIM = timedelta(seconds=5)
"""For which other processes leave them alone; after which they are seen to again, if this one has died or failed."""
AGAIN, LOOKS = timedelta(seconds=10), 6
"""How soon they are looked at again, and how often at all: what they had under way in some process when they went comes to its
end, and what a process knew that died is read from the log."""
FOR_EVER = ("log-damaged", "superseded-rules", "table-full")
"""Why a table goes no further, whoever asks."""
Unfinished = Callable[[str], Awaitable[list[UUID]]]
"""The tables that are not over at which somebody has a part."""
FORGET = """
    with said as (update chat.messages set gone = 'deleted', phrase = null, text = null
                  where player = $1 and gone is distinct from 'deleted'),
         sought as (delete from entry.tickets where player = $1 and match is null),
         invited as (delete from entry.guests where player = $1),
         rested as (delete from clocks.rests where player = $1)
    update accounts.reports set text = null where text is not null and (reporter_id = $2 or player_id = $2)"""


class Departures:
    def __init__(self, database: Database, tables: Tables, tokens: Tokens, unfinished: Unfinished) -> None:
        self._database, self._tables, self._tokens, self._unfinished = database, tables, tokens, unfinished

    async def leave(self, player: str) -> None:
        """All that says who they are is gone when this returns, and their tokens are worth nothing."""
        await self._database.rows("delete from accounts.players where id = $1", ids.decode(player))
        self._tokens.forget_player(player)
        self._tokens.end([])
        await self._forget(player)

    async def keep(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self.round()
            except (Problem, StoreUnavailable) as error:
                tried_again(log, "who has gone is seen to later: %s", error)
            await asyncio.sleep(LOOK)

    async def round(self) -> int:
        """See to some who have gone; how many."""
        claimed = await self._claimed()
        for row in claimed:
            try:
                await self._see_to(ids.encode(row["player_id"]))
            except (Problem, StoreUnavailable) as error:
                log.warning("player %s has gone and is seen to later: %s", ids.encode(row["player_id"]), error)
        return len(claimed)

    async def _claimed(self) -> list[asyncpg.Record]:
        return await self._database.rows(
            """update accounts.departures set next_at = now() + $1
               where player_id in (select player_id from accounts.departures where next_at <= now()
                                   order by next_at limit $2 for update skip locked)
               returning player_id""",
            CLAIM, MOST,
        )  # fmt: skip

    async def _see_to(self, player: str) -> None:
        await self._forget(player)
        for table in await self._unfinished(player):
            await self._leave(table, player)
        await self._database.rows(
            """update accounts.departures set looks = looks + 1, next_at = case when looks + 1 < $2 then now() + $3 end
               where player_id = $1""",
            ids.decode(player), LOOKS, AGAIN,
        )  # fmt: skip

    async def _leave(self, table: UUID, player: str) -> None:
        try:
            await self._tables.decide_and_append(table, lambda history: departed(history, player))
        except Problem as problem:
            if problem.code not in FOR_EVER:
                raise
            log.warning("table %s stays as it is, though %s has gone: %s", ids.encode(table), player, problem)

    async def _forget(self, player: str) -> None:
        await self._database.rows(FORGET, player, ids.decode(player))
