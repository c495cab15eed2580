"""The end of the log, looked at once for all subscriptions of a process.

Most rows mean something to few of them. Whoever has nothing to take in need not read to find that out: its checkpoint is moved
together with those of the others, by what the newest rows are.
"""
from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from time import monotonic
from typing import NamedTuple

from ludarium_eventstore.reconnect import Connection, Pool
from ludarium_eventstore.store import LANE

SELECT_NEW_EVENTS = """
select log.head, es.hash_at(log.head) as hash, newer.types, newer.positions,
  es.hash_at($2) is not distinct from $3 and coalesce(newer.rows, 0) = log.head - $2 as whole
from (select coalesce(max(e.position), 0) as head from es.events e where e.lane = $1) log,
  (select array_agg(n.type) as types, array_agg(n.position) as positions, sum(n.rows) as rows from (
    select e.type, max(e.position) as position, count(*) as rows
    from es.events e where e.lane = $1 and e.position > $2 group by e.type
  ) n) newer"""
CHECKPOINTS = """
select c.name, c.position, c.position <= $2 and c.hash is not distinct from es.hash_at(c.position) as stands
from es.checkpoints c where c.name = any ($1)"""
MOVE_IDLE_CHECKPOINTS = """
update es.checkpoints c set position = $3, at = now(), hash = es.hash_at($3)
from (
  select c.name from es.checkpoints c join unnest($1::text[], $2::bigint[]) seen (name, position) using (name, position)
  for update of c skip locked
) idle where c.name = idle.name"""
NO_POSITION = 2**63 - 1                             # behind every position
MOVE_INTERVAL = 1.0                                      # seconds between two times that idle checkpoints are moved


class Checkpoint(NamedTuple):
    """position: where it stood. idle: whether no row behind it, up to the end of the log, means anything to its subscriber."""

    position: int
    idle: bool


class LogView(NamedTuple):
    """head: how long the log was. checkpoints: by name, none for one that is not made."""

    head: int
    checkpoints: Mapping[str, Checkpoint]


class Tail:
    """takes: of each subscription that looks here, the types of rows that mean something to it."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.event_types: dict[str, Collection[int]] = {}
        self.mark, self.hash = NO_POSITION, b""     # the newest row that was seen
        self.known = NO_POSITION                    # of all rows behind this one the types are known
        self.newest: dict[int, int] = {}        # the last position of each type among these
        self.seen, self.began, self.moved = LogView(0, {}), 0.0, 0.0
        self.lock = asyncio.Lock()

    async def look(self, since: float) -> LogView:
        """The log as it was at that time (`monotonic`) or later. Raises what asyncpg does."""
        async with self.lock:
            if self.began < since or not self.began:
                began = monotonic()
                async with self.pool.acquire() as connection:
                    self.seen = await self._read(connection)
                self.began = began
        return self.seen

    async def _read(self, connection: Connection) -> LogView:
        head = await self._read_new_events(connection)
        rows = await connection.fetch(CHECKPOINTS, [*self.event_types], head)
        found = {row["name"]: Checkpoint(row["position"], row["stands"] and self._idle(*row[:2])) for row in rows}
        idle = {name: at.position for name, at in found.items() if at.idle and at.position < head}
        if idle and self.moved + MOVE_INTERVAL <= monotonic():
            await connection.execute(MOVE_IDLE_CHECKPOINTS, [*idle], [*idle.values()], head)
            self.moved = monotonic()
        return LogView(head, found)

    async def _read_new_events(self, connection: Connection) -> int:
        """Takes note of what has come. Of a log that was set back, or lacks rows, nothing is known any more: whoever reads it
        finds out more."""
        row = await connection.fetchrow(SELECT_NEW_EVENTS, LANE, self.mark, self.hash)
        assert row is not None                  # aggregates have a row
        if not row["whole"]:
            self.known, self.newest = row["head"], {}
        elif row["types"]:
            self.newest.update(zip(row["types"], row["positions"], strict=True))
        self.mark, self.hash = row["head"], row["hash"]
        return self.mark

    def _idle(self, name: str, position: int) -> bool:
        return position >= self.known and all(self.newest.get(type, 0) <= position for type in self.event_types[name])
