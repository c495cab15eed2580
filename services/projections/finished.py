"""Games that are over, for projections that tell of nothing else."""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial
from uuid import UUID

from eventstore import StoredEvent
from eventstore.store import COLUMNS, stored
from eventstore.subscriptions import Connection
from services.tables.data import provide_for
from services.tables.history import Entry, entries
from services.tables.rows import NUMBERS, GameEnded

UNFINISHED = frozenset(NUMBERS.values()) - {NUMBERS[GameEnded]}
"""All rows but those that end a game."""


async def finished_games(
    connection: Connection, rows: Sequence[StoredEvent]
) -> AsyncIterator[tuple[UUID, list[Entry]]]:
    """The whole log of each game that one of these rows ends. Raises Damaged for rows that cannot be read."""
    for row in rows:
        found = await connection.fetch(
            f"select {COLUMNS} from es.events where stream_id = $1 and version <= $2 order by version",
            row.stream, row.version,
        )  # fmt: skip
        log = entries(map(stored, found))
        await provide_for(partial(document, connection), log)
        yield row.stream, log


async def document(connection: Connection, hash_: bytes) -> bytes | None:
    data: bytes | None = await connection.fetchval("select data from es.documents where hash = $1", hash_)
    return data
