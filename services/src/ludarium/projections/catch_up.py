"""Tables as they are now, for projections that only tell the present."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.tables.model.table_state import TableState
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection

log = logging.getLogger(__name__)


async def newest_events(connection: Connection, rows: Sequence[StoredEvent]) -> dict[UUID, StoredEvent]:
    """By table its last row, where the log has nothing newer; what is newer comes later, and counts then."""
    last = {row.stream: row for row in rows}
    heads = await connection.fetch(
        "select s.id, coalesce("
        " (select a.version from es.archived a where a.partition = es.partition_of(s.id) and a.stream_id = s.id),"
        " (select max(e.version) from es.events e where e.partition = es.partition_of(s.id) and e.stream_id = s.id)) as head"
        " from unnest($1::uuid[]) as s(id)",
        [*last],
    )  # fmt: skip
    return {row["id"]: last[row["id"]] for row in heads if last[row["id"]].version == row["head"]}


async def current_state(cache: TableCache, row: StoredEvent) -> TableState | None:
    """The row's table as it is now; None if its log is damaged: then nothing is to be told of its game."""
    try:
        return await cache.load_after(row.stream, row.hash)
    except Problem as problem:
        if problem.code not in ("log-damaged", "newer-release", "superseded-rules"):
            raise
        log.error("table %s is left out: %s", row.stream, problem)
        return None
