"""A look over the whole log that needs no key: what no correct writer could have left behind."""
from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from eventstore.reconnect import again
from eventstore.store import EventStore


class Fault(NamedTuple):
    stream: UUID | None
    version: int | None
    what: str


LONGEST = 3600.0                                # seconds that one check may take
CHECKS = {
    "a position is missing before this row": """
        select stream_id, version from (
          select stream_id, version, position, lag(position, 1, 0::bigint) over (order by position) as before from es.events
        ) e where position <> before + 1""",
    "a version is missing before this row": """
        select stream_id, version from (
          select stream_id, version, lag(version, 1, -1) over (partition by stream_id order by version) as before
          from es.events
        ) e where version <> before + 1""",
    "its version is out of commit order": """
        select stream_id, version from (
          select stream_id, version, position,
            lag(position) over (partition by stream_id order by version) as before from es.events
        ) e where position < before""",
    "its type is unknown": """
        select stream_id, version from es.events where type not in (select type from es.event_types)""",
    "a command made this row, and it is not there": """
        select c.stream_id, c.version from es.commands c
        where not exists (select from es.events e where e.stream_id = c.stream_id and e.version = c.version)""",
}


async def audit(store: EventStore) -> list[Fault]:
    """Rows that were removed, moved to another stream or renumbered, also at the end of a stream where a key tells.

    All checks see the log as of one moment, and take the time that they need: about 3 s a million rows.
    """
    return await again(lambda: look_over(store))


async def look_over(store: EventStore) -> list[Fault]:
    async with store.pool.acquire() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("set local statement_timeout = 0")
        return [
            Fault(row["stream_id"], row["version"], what)
            for what, query in CHECKS.items()
            for row in await connection.fetch(query, timeout=LONGEST)
        ]
