"""Check the whole log for faults that no correct writer could cause.

No key is needed.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple
from uuid import UUID

from ludarium_eventstore.reconnect import Connection, again
from ludarium_eventstore.store import EventStore


class Fault(NamedTuple):
    stream: UUID | None
    version: int | None
    what: str


MAX_SECONDS = 3600.0                                # seconds for one check
CHECKS = {
    "a position is missing before this row": """
        select stream_id, version from (
          select stream_id, version, position,
            lag(position, 1, 0::bigint) over (partition by lane order by position) as before from es.events
        ) e where position <> before + 1 and position <> before + 1 + es.gone(before, position)""",
    "a version is missing before this row": """
        select stream_id, version from (
          select stream_id, version, lag(version, 1, -1) over (partition by stream_id order by version) as before
          from es.events
        ) e where version <> before + 1
          and not (before = -1 and stream_id in (select a.stream_id from es.archived a where not a.cleared))""",
    "its version is out of commit order": """
        select stream_id, version from (
          select stream_id, version, position,
            lag(position) over (partition by stream_id order by version) as before from es.events
        ) e where position < before""",
    "it is archived, and yet it is there": """
        select e.stream_id, e.version from es.archived a
        join es.events e on e.partition = a.partition and e.stream_id = a.stream_id where a.cleared or e.version > a.version""",
    "its type is unknown": """
        select stream_id, version from es.events where type not in (select type from es.event_types)""",
    "it stands under a partition that is not its stream's": """
        select stream_id, version from es.events where partition <> es.partition_of(stream_id)""",
    "a command made this row, and it is not there": """
        select c.stream_id, c.version from es.commands c
        where not exists (
          select from es.events e
          where e.partition = c.partition and e.stream_id = c.stream_id and e.version = c.version)""",
    "two commands made this row": """
        select stream_id, version from es.commands group by stream_id, version having count(*) > 1""",
}
CHECKPOINTS = """
    select name from es.checkpoints where position <> 0 and es.hash_at(position) is distinct from hash"""
GAPS = """
    select (select coalesce(sum(last - first + 1), 0) from es.gaps)::bigint as gone,
      (select coalesce(sum(version + 1), 0) from es.archived)::bigint
      - (select count(*) from es.archived a join es.events e on e.partition = a.partition and e.stream_id = a.stream_id
         where not a.cleared) as archived"""
HEAD = """
    select exists (select from es.events where substring(hash for $2) = $1)
      or exists (select from es.archived where substring(head for $2) = $1)"""


async def audit(store: EventStore) -> list[Fault]:
    """Return faults for rows that were removed, renumbered or moved to another stream.

    A row missing at the end of a stream is found only if a command's key refers to that row. The audit also finds checkpoints
    at rows that do not exist, for example after a log was set back. All checks see one snapshot of the log and run without
    the server's time limit; they take about 3 s for a million rows.
    """
    return await again(lambda: run_checks(store))


async def run_checks(store: EventStore) -> list[Fault]:
    async with snapshot_connection(store) as connection:
        faults = [
            Fault(row["stream_id"], row["version"], what)
            for what, query in CHECKS.items()
            for row in await connection.fetch(query, timeout=MAX_SECONDS)
        ]
        lost = await connection.fetch(CHECKPOINTS, timeout=MAX_SECONDS)
        gone, archived = await connection.fetchrow(GAPS, timeout=MAX_SECONDS)  # type: ignore[misc]  # aggregates have a row
    if gone != archived:
        faults.append(Fault(None, None, f"{gone} positions are said to be archived, and the archived streams have {archived}"))
    return faults + [Fault(None, None, f"the checkpoint {row['name']} stands on a row that is not there") for row in lost]


async def has_hash(store: EventStore, beginning: bytes) -> bool:
    """Return whether the log has a row whose hash begins with these bytes."""
    async def look() -> bool:
        async with snapshot_connection(store) as connection:
            found: bool = await connection.fetchval(HEAD, beginning, len(beginning), timeout=MAX_SECONDS)
            return found

    return await again(look)


@asynccontextmanager
async def snapshot_connection(store: EventStore) -> AsyncIterator[Connection]:
    """Yield a connection that sees one snapshot of the log, without a time limit."""
    async with store.pool.acquire() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("set local statement_timeout = 0")
        yield connection
