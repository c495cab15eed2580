"""Records events that the log has lost, and appends `log_cut` events to tables."""
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
from ludarium.tables.repeated_commands import Repeated
from ludarium.tables.service import Tables
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
INTERVAL = 30.0
"""Seconds between two runs. Other processes and `ludarium restore` also record losses."""
BATCH_SIZE = 100
"""Number of losses loaded at a time."""
HASH_PREFIX_BYTES = 8
"""Bytes of a hash that identify a row."""


class LostEvents:
    """A recorder of lost events noticed by this process.

    Any number of processes may run a recorder, since each loss is logged only once.
    """

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database, self._tables = database, tables
        self._recorded: dict[UUID, tuple[int, bytes]] = {}

    def record(self, table: TableState) -> None:
        """Record that the log no longer contains the last event of this table."""
        self._recorded[table.stream] = table.version, table.hash

    async def run(self) -> None:
        """Save losses and append their events until cancelled."""
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                await self.run_once()
            except (Problem, StoreUnavailable) as error:
                tried_again(log, "cuts of the log are told later: %s", error)

    async def run_once(self) -> None:
        await self._save_recorded()
        await self._log_cuts()

    async def _save_recorded(self) -> None:
        for table, (version, lost) in [*self._recorded.items()]:
            head = await self._tables.store.head(table)
            kept = -1 if head is None else min(head, version - 1)
            await self._database.rows(
                "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, $3) on conflict do nothing", table, kept, lost
            )
            if self._recorded.get(table) == (version, lost):
                del self._recorded[table]

    async def _log_cuts(self) -> None:
        """Append events for all losses that have none yet, oldest first.

        A table to which no event can be appended does not delay the others.
        """
        after = 0
        while rows := await self._database.rows(
            "select id, stream_id, kept, lost from backups.cuts where not noted and stream_id is not null and id > $1"
            " order by id limit $2",
            after, BATCH_SIZE,
        ):  # fmt: skip
            done = [row["id"] for row in rows if await self._log_cut(row["stream_id"], row["kept"], row["lost"])]
            await self._database.rows("update backups.cuts set noted = true where id = any($1)", done)
            after = rows[-1]["id"]

    async def _log_cut(self, table: UUID, kept: int, lost: bytes) -> bool:
        """Append the event for a loss, and return whether nothing is left to do."""
        note = LogCut(kept, lost[:HASH_PREFIX_BYTES])
        try:
            await self._tables.decide_and_append(table, lambda table_state: [note], identity=cut_identity(table, lost))
        except Repeated:
            return True                         # another process has told it
        except Problem as problem:
            if problem.code not in ("not-found", "game-over"):     # all of it is lost, or it is no table, or archived
                log.warning("table %s: that it lost rows is told later: %s", ids.encode(table), problem)
                return False
        return True


def cut_identity(table: UUID, lost: bytes) -> Identity:
    """Return the idempotency key for a loss, which is the same in all processes."""
    key = blake2b(table.bytes + lost, digest_size=24, person=b"log cut").digest()
    return Identity(UUID(bytes=key[:16]), key[16:])
