"""Copies PostgreSQL's log as it is written, so that any moment can be restored."""
from __future__ import annotations

import asyncio
import gzip
import logging
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import asyncpg

from ludarium.embedded.account import SERVER_ENVIRONMENT, own_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.ops.backups import bundles, ledger
from ludarium.ops.backups.base import SELECT_IDENTITY, check_database, read_bases, record_done, retire_old, take_base
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.marks import Connection, LogEnd, current_log_end, write_next_mark
from ludarium.ops.backups.places import COMPLETE, HISTORY, LOG, PARTIAL, SegmentFile, newest_versions, segment_files
from ludarium.ops.backups.vault import SEALED, Vault
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
SLOT = "ludarium_backup"
BASE_INTERVAL = timedelta(hours=24)
"""Time between two base backups."""
INTERVAL = 5.0
"""Seconds between two runs: about what is lost if the machine is lost."""
MARK_INTERVAL = 60.0
"""Seconds after which a mark is written and the database updated, even without new files."""
SELECT_RECEIVED = "select (restart_lsn - '0/0')::bigint from pg_replication_slots where slot_name = $1"
STATUS_INTERVAL = 1
"""Seconds after which the receiver reports at the latest what it has: at the end of a segment it waits for that."""
MAX_PENDING_ENDS = 100
"""Maximum number of log ends that were seen but not yet received."""
RETRIED_ERRORS = (BackupError, StoreUnavailable, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)


class Follower:
    """A process that follows the log, of which only one may run.

    `spool` is a local folder that only the follower uses, for unfinished segments.
    """

    def __init__(
        self, address: Callable[[], str], vault: Vault, spool: Path, keep: int, files: BundleFiles | None = None
    ) -> None:  # fmt: skip
        """Prepare to follow the log without starting anything.

        Args:
            address: returns the current URL of the database.
            files: bundles of archived games.
        """
        self._files, self._bundled = files, 0
        self._address, self._vault, self._spool, self._keep = address, vault, spool, keep
        self._sent: dict[str, int] = {}
        self._parts: dict[str, SegmentFile] = {}
        self._version, self._is_loaded = 0, False
        self._pending_ends: list[LogEnd] = []
        self.marked_end: LogEnd | None = None      # of the newest mark of this run
        self._receiver: asyncio.subprocess.Process | None = None
        self._needs_base = False
        self._due: datetime | None = None
        self._marked_at = -MARK_INTERVAL

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """Create the spool; at the end, stop receiving and upload the remaining files."""
        self._spool.mkdir(mode=0o700, exist_ok=True)
        try:
            yield
        finally:
            await self._stop_receiver()
            await asyncio.to_thread(self._ship)

    async def follow(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set. Errors are logged, and the next run tries again."""
        async with self.receiving():
            while not stop.is_set():
                await self.try_once()
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), INTERVAL)

    async def try_once(self) -> None:
        """Run once, and log expected errors."""
        try:
            await self.run_once()
        except RETRIED_ERRORS as error:
            log.warning("the backup waits: %s", error)

    async def run_once(self) -> None:
        """Do everything that is due. Raises one of RETRIED_ERRORS."""
        connection = await asyncpg.connect(self._address(), timeout=INTERVAL)
        try:
            await self._ensure_slot(connection)
            await self._start_receiver()
            await self._take_base_if_due(connection)
            await self._load_place(connection)
            reach = await self._received_end(connection)
            await asyncio.to_thread(self._ship)
            await ledger.ship_all(connection, self._vault)
            self._bundled = await bundles.ship(connection, self._vault, self._files, self._bundled)
            await self._write_mark_if_due(connection, reach)
        finally:
            await connection.close()

    async def _load_place(self, connection: Connection) -> None:
        """Load the list of stored files, unless already loaded."""
        if self._is_loaded:
            return
        if self._vault.listed is None:
            await write_next_mark(connection, self._vault, None, follows=True)
        found = [*segment_files(await asyncio.to_thread(self._vault.sizes, LOG))]
        best = newest_versions(found)
        for piece in found:
            if piece != best[piece.segment]:
                self._vault.retired.append(piece.path)
            elif piece.version != COMPLETE:
                self._parts[piece.segment] = piece
        self._version = max((piece.version for piece in found if piece.version != COMPLETE), default=0)
        self._is_loaded = True

    async def _received_end(self, connection: Connection) -> LogEnd | None:
        """Return the latest known end of the log up to which everything was received."""
        self._pending_ends = [*self._pending_ends, await current_log_end(connection)][-MAX_PENDING_ENDS:]
        received = await connection.fetchval(SELECT_RECEIVED, SLOT) or 0
        there = [reach for reach in self._pending_ends if reach.lsn <= received]
        self._pending_ends = [reach for reach in self._pending_ends if reach.lsn > received]
        return max(there, key=lambda reach: reach.end, default=None)

    async def _write_mark_if_due(self, connection: Connection, reach: LogEnd | None) -> None:
        """Write a mark if there are new files, and at least once a minute."""
        is_due, reach = monotonic() > self._marked_at + MARK_INTERVAL, reach or self.marked_end
        if is_due or reach != self.marked_end or self._vault.written or self._vault.retired:
            await write_next_mark(connection, self._vault, reach, follows=True)
            self.marked_end = reach
            await asyncio.to_thread(self._clear_spool)
        if is_due:
            await record_done(connection, "log")
            self._marked_at = monotonic()

    async def _ensure_slot(self, connection: Connection) -> None:
        """Make PostgreSQL keep the log that was not yet received.

        If the replication slot was lost, a part of the log may be missing. The follower then starts again with a new base
        backup.
        """
        status = await connection.fetchval("select wal_status from pg_replication_slots where slot_name = $1", SLOT)
        if status in ("reserved", "extended", "unreserved"):
            return
        await self._stop_receiver()
        if status is not None:
            log.warning("the backup fell so far behind that a part of the log is gone: it begins with a new base")
            await connection.execute("select pg_drop_replication_slot($1)", SLOT)
        await connection.execute("select pg_create_physical_replication_slot($1, true)", SLOT)
        shutil.rmtree(self._spool)
        self._spool.mkdir(mode=0o700)
        self._needs_base = True

    async def _take_base_if_due(self, connection: Connection) -> None:
        """Take a base backup if it is time, and retire old ones."""
        if self._due is None:
            system, log = await connection.fetchrow(SELECT_IDENTITY)  # type: ignore[misc]   # it is one row
            self._due = await asyncio.to_thread(next_base_time, self._vault, system, log)
        if self._needs_base or self._due < datetime.now(UTC):
            base = await take_base(self._address(), self._vault)
            self._needs_base, self._due = False, base.started + BASE_INTERVAL
            await asyncio.to_thread(retire_old, self._vault, self._keep)

    async def _start_receiver(self) -> None:
        if self._receiver is not None and self._receiver.returncode is None:
            return
        binary = postgres_binaries(own_account()) / "pg_receivewal"
        self._receiver = await asyncio.create_subprocess_exec(
            *own_account().command(binary, f"--dbname={self._address()}", f"--directory={self._spool}", f"--slot={SLOT}",
                                   "--no-loop", "--synchronous", "--no-password", f"--status-interval={STATUS_INTERVAL}"),
            env=SERVER_ENVIRONMENT, cwd="/", stdin=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def _stop_receiver(self) -> None:
        if self._receiver is not None:
            with suppress(ProcessLookupError):
                self._receiver.terminate()
            await self._receiver.wait()
            self._receiver = None

    def _ship(self) -> None:
        """Upload new files of the spool, including the unfinished newest segment."""
        for path in sorted(self._spool.iterdir()):
            try:
                self._ship_one(path)
            except FileNotFoundError:                           # it has just become whole, under another name
                return self._ship()
        self._sent = {name: at for name, at in self._sent.items() if (self._spool / name).exists()}

    def _ship_one(self, path: Path) -> None:
        changed = path.stat().st_mtime_ns
        if self._sent.get(path.name) == changed or self._is_listed(path):
            return
        data = gzip.compress(path.read_bytes(), 1)
        if path.suffix == HISTORY:
            self._vault.write(f"{LOG}/{path.name}", data)
        else:
            self._ship_piece(path, data)
        self._sent[path.name] = changed

    def _ship_piece(self, path: Path, data: bytes) -> None:
        segment, version = path.name.removesuffix(PARTIAL), COMPLETE
        if path.suffix == PARTIAL:
            self._version = version = self._version + 1
        piece = SegmentFile(segment, version)
        self._vault.write(piece.name, data)
        if part := self._parts.pop(segment, None):
            self._vault.retired.append(part.path)
        if version != COMPLETE:
            self._parts[segment] = piece

    def _is_listed(self, path: Path) -> bool:
        """Return whether the file is a complete segment that a mark lists."""
        return path.suffix != PARTIAL and f"{LOG}/{path.name}{SEALED}" in (self._vault.listed or ())

    def _clear_spool(self) -> None:
        """Remove complete segments that a mark lists."""
        for path in self._spool.iterdir():
            if path.suffix != HISTORY and self._is_listed(path):
                path.unlink()


async def is_followed(connection: Connection) -> bool:
    """Return whether PostgreSQL keeps its log for a follower.

    It keeps the log even while the follower is not running.
    """
    return bool(await connection.fetchval("select exists (select from pg_replication_slots where slot_name = $1)", SLOT))


def next_base_time(vault: Vault, system: int, log: str) -> datetime:
    """Return when the next base backup is due. Raises BackupError."""
    check_database(vault, system, log)
    found = read_bases(vault)
    return found[-1].started + BASE_INTERVAL if found else datetime.min.replace(tzinfo=UTC)
