"""Games that are over, for projections that tell of nothing else."""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from eventstore import StoredEvent
from eventstore.store import COLUMNS, stored
from eventstore.subscriptions import Connection
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
        yield row.stream, entries(map(stored, found))
