"""Deletion of players.

The player's row is deleted at once, with everything that references it, and a trigger records the deletion. Other data
is deleted afterwards: any process picks up recorded deletions and repeats them, because each step is idempotent. So no
deletion is lost if a process dies, or if the database is restored from a backup. See docs/decisions/035.
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
INTERVAL = 1.0
"""Seconds between two checks for recorded deletions."""
BATCH_SIZE = 20
"""Deletions processed in one check."""
CLAIM_TIME = timedelta(seconds=5)
"""For how long other processes skip a claimed deletion. If this process fails, another one repeats it after that."""
REPEAT_AFTER, MAX_PASSES = timedelta(seconds=10), 6
"""When and how often a deletion is repeated, to catch data that a command in progress wrote after the first pass."""
PERMANENT_PROBLEMS = ("log-damaged", "superseded-rules", "table-full")
"""Problems of a table that no retry can solve."""
FindUnfinished = Callable[[str], Awaitable[list[UUID]]]
"""Returns the unfinished tables of a player."""
DELETE_TRACES = """
    with messages as (update chat.messages set gone = 'deleted', phrase = null, text = null
                      where player = $1 and gone is distinct from 'deleted'),
         tickets as (delete from entry.tickets where player = $1 and match is null),
         invitations as (delete from entry.guests where player = $1),
         rests as (delete from clocks.rests where player = $1),
         reads as (delete from chat.reads where player = $1)
    update accounts.reports set text = null where text is not null and (reporter_id = $2 or player_id = $2)"""


class Deletions:
    def __init__(self, database: Database, tables: Tables, tokens: Tokens, unfinished: FindUnfinished) -> None:
        self._database, self._tables, self._tokens, self._unfinished = database, tables, tokens, unfinished

    async def delete(self, player: str) -> None:
        """Delete a player.

        On return, no identifying data is left and all of the player's tokens are invalid.
        """
        await self._database.rows("delete from accounts.players where id = $1", ids.decode(player))
        self._tokens.forget_player(player)
        self._tokens.end([])
        await self._delete_traces(player)

    async def run(self) -> None:
        """Process recorded deletions until cancelled."""
        while True:
            try:
                await self.process_due()
            except (Problem, StoreUnavailable) as error:
                tried_again(log, "deletions continue later: %s", error)
            await asyncio.sleep(INTERVAL)

    async def process_due(self) -> int:
        """Process a batch of recorded deletions, and return their number."""
        claimed = await self._claim()
        for row in claimed:
            try:
                await self._process(ids.encode(row["player_id"]))
            except (Problem, StoreUnavailable) as error:
                log.warning("the deletion of player %s continues later: %s", ids.encode(row["player_id"]), error)
        return len(claimed)

    async def _claim(self) -> list[asyncpg.Record]:
        return await self._database.rows(
            """update accounts.departures set next_at = now() + $1
               where player_id in (select player_id from accounts.departures where next_at <= now()
                                   order by next_at limit $2 for update skip locked)
               returning player_id""",
            CLAIM_TIME, BATCH_SIZE,
        )  # fmt: skip

    async def _process(self, player: str) -> None:
        await self._delete_traces(player)
        for table in await self._unfinished(player):
            await self._leave_table(table, player)
        await self._database.rows(
            """update accounts.departures set looks = looks + 1, next_at = case when looks + 1 < $2 then now() + $3 end
               where player_id = $1""",
            ids.decode(player), MAX_PASSES, REPEAT_AFTER,
        )  # fmt: skip

    async def _leave_table(self, table: UUID, player: str) -> None:
        try:
            await self._tables.decide_and_append(table, lambda table_state: departed(table_state, player))
        except Problem as problem:
            if problem.code not in PERMANENT_PROBLEMS:
                raise
            log.warning("table %s keeps the deleted player %s: %s", ids.encode(table), player, problem)

    async def _delete_traces(self, player: str) -> None:
        await self._database.rows(DELETE_TRACES, player, ids.decode(player))
