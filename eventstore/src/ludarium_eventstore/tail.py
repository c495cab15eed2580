"""Read the end of the log once for all subscriptions of a process.

Each subscription applies only some types of events. By remembering the types of the newest rows, this module moves the
checkpoints of idle subscriptions together, so that they need not read the log.
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
NO_POSITION = 2**63 - 1                             # greater than any position
MOVE_INTERVAL = 1.0                                      # seconds between two moves of idle checkpoints


class Checkpoint(NamedTuple):
    """A subscription's checkpoint.

    Attributes:
        position: the log position up to which events are applied.
        idle: whether no later row has a type that the subscriber wants.
    """

    position: int
    idle: bool


class LogView(NamedTuple):
    """The state of the log at some time.

    Attributes:
        head: the last position of the log.
        checkpoints: the existing checkpoints by name.
    """

    head: int
    checkpoints: Mapping[str, Checkpoint]


class Tail:
    """A reader of the end of the log.

    `event_types` has the types of events that each subscription applies, by its name.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.event_types: dict[str, Collection[int]] = {}
        self.mark, self.hash = NO_POSITION, b""     # the newest row seen
        self.known = NO_POSITION                    # types of all rows after this one are known
        self.newest: dict[int, int] = {}        # the last position of each type among these rows
        self.seen, self.began, self.moved = LogView(0, {}), 0.0, 0.0
        self.lock = asyncio.Lock()

    async def look(self, since: float) -> LogView:
        """Return the log's state, read no earlier than `since` (as of `monotonic`).

        Raises asyncpg's errors.
        """
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
        """Read the types of new rows, and return the last position of the log.

        If the log was set back or lacks rows, all types are forgotten. The next reader then finds the cause.
        """
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
