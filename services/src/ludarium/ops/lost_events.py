"""Rows that the log has lost: whoever misses some writes it down, and it is told at their table, for all to see."""
from __future__ import annotations

import asyncio
import logging
from hashlib import blake2b
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.tables.model.events import LogCut
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Repeated, Tables
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
LOOK = 30.0
"""Seconds between two looks at what this process misses, and at what others wrote down, as `ludarium restore` does."""
MOST = 100
"""Tables at one look."""
HEAD = 8
"""Bytes of a hash that tell a row."""


class Cuts:
    """As one process finds and tells them. Any number may: one note a cut is written."""

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database, self._tables = database, tables
        self._found: dict[UUID, tuple[int, bytes]] = {}

    def found(self, table: TableState) -> None:
        """The log does not have the row any more that this table stands at."""
        self._found[table.stream] = table.version, table.hash

    async def noting(self) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.round()
            except (Problem, StoreUnavailable) as error:
                tried_again(log, "cuts of the log are told later: %s", error)

    async def round(self) -> None:
        await self._write_down()
        await self._note_all()

    async def _write_down(self) -> None:
        for table, (version, lost) in [*self._found.items()]:
            head = await self._tables.store.head(table)
            kept = -1 if head is None else min(head, version - 1)
            await self._database.rows(
                "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, $3) on conflict do nothing", table, kept, lost
            )
            if self._found.get(table) == (version, lost):
                del self._found[table]

    async def _note_all(self) -> None:
        """The oldest first; of a table that goes no further later ones are not held up."""
        after = 0
        while rows := await self._database.rows(
            "select id, stream_id, kept, lost from backups.cuts where not noted and stream_id is not null and id > $1"
            " order by id limit $2",
            after, MOST,
        ):  # fmt: skip
            done = [row["id"] for row in rows if await self._note(row["stream_id"], row["kept"], row["lost"])]
            await self._database.rows("update backups.cuts set noted = true where id = any($1)", done)
            after = rows[-1]["id"]

    async def _note(self, table: UUID, kept: int, lost: bytes) -> bool:
        """Whether nothing is left to be done."""
        note = LogCut(kept, lost[:HEAD])
        try:
            await self._tables.decide_and_append(table, lambda table_state: [note], identity=identity_of(table, lost))
        except Repeated:
            return True                         # another process has told it
        except Problem as problem:
            if problem.code not in ("not-found", "game-over"):     # all of it is lost, or it is no table, or archived
                log.warning("table %s: that it lost rows is told later: %s", ids.encode(table), problem)
                return False
        return True


def identity_of(table: UUID, lost: bytes) -> Identity:
    """One cut is told once, by whichever process."""
    key = blake2b(table.bytes + lost, digest_size=24, person=b"log cut").digest()
    return Identity(UUID(bytes=key[:16]), key[16:])
