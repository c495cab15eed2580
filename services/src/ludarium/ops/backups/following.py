"""The log, brought beside the base backups as it is written; so one can go back to any moment."""
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
from ludarium.ops.backups.base import IDENTITY, bases, check_database, forget_old, mark, take_base
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.marks import Connection, Reach, note, reach_of
from ludarium.ops.backups.places import HISTORY, LOG, PARTIAL, WHOLE, Piece, newest, pieces
from ludarium.ops.backups.vault import SEALED, Vault
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
SLOT = "ludarium_backup"
EACH = timedelta(hours=24)
"""Between two base backups."""
TICK = 5.0
"""Seconds between two looks at what has come: about what is lost with the machine."""
SAID = 60.0
"""Seconds after which the database is told again that its log is kept, and a new mark written."""
RECEIVED = "select (restart_lsn - '0/0')::bigint from pg_replication_slots where slot_name = $1"
AHEAD = 100
"""Ends of the log that were seen and not received yet."""
TROUBLE = (BackupError, StoreUnavailable, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)


class Follower:
    """One at a time. spool: a folder of its own on this machine, for segments that are still being written."""

    def __init__(
        self, address: Callable[[], str], vault: Vault, spool: Path, keep: int, files: BundleFiles | None = None
    ) -> None:  # fmt: skip
        """address: of the database, as it is now. files: bundles of archived games."""
        self._files, self._bundled = files, 0
        self._address, self._vault, self._spool, self._keep = address, vault, spool, keep
        self._sent: dict[str, int] = {}
        self._parts: dict[str, Piece] = {}
        self._version, self._knows = 0, False
        self._reaches: list[Reach] = []
        self._reached: Reach | None = None
        self._receiver: asyncio.subprocess.Process | None = None
        self._anew = False
        self._due: datetime | None = None
        self._said = -SAID

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._spool.mkdir(mode=0o700, exist_ok=True)
        try:
            yield
        finally:
            await self._hang_up()
            await asyncio.to_thread(self._ship)

    async def follow(self, stop: asyncio.Event) -> None:
        """Until `stop`. What goes wrong is said, and tried again."""
        async with self.running():
            while not stop.is_set():
                await self.round_or_say()
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), TICK)

    async def round_or_say(self) -> None:
        try:
            await self.round()
        except TROUBLE as error:
            log.warning("the backup waits: %s", error)

    async def round(self) -> None:
        """Everything that is due. Raises one of TROUBLE."""
        connection = await asyncpg.connect(self._address(), timeout=TICK)
        try:
            await self._hold(connection)
            await self._listen()
            await self._base(connection)
            await self._know(connection)
            reach = await self._received(connection)
            await asyncio.to_thread(self._ship)
            await ledger.ship_all(connection, self._vault)
            self._bundled = await bundles.ship(connection, self._vault, self._files, self._bundled)
            await self._mark(connection, reach)
        finally:
            await connection.close()

    async def _know(self, connection: Connection) -> None:
        """Learn what the place has, once."""
        if self._knows:
            return
        if self._vault.listed is None:
            await note(connection, self._vault, None, follows=True)
        found = [*pieces(await asyncio.to_thread(self._vault.sizes, LOG))]
        best = newest(found)
        for piece in found:
            if piece != best[piece.segment]:
                self._vault.retired.append(piece.path)
            elif piece.version != WHOLE:
                self._parts[piece.segment] = piece
        self._version = max((piece.version for piece in found if piece.version != WHOLE), default=0)
        self._knows = True

    async def _received(self, connection: Connection) -> Reach | None:
        """Give the newest end of the log that was received as a whole, if it is known."""
        self._reaches = [*self._reaches, await reach_of(connection)][-AHEAD:]
        received = await connection.fetchval(RECEIVED, SLOT) or 0
        there = [reach for reach in self._reaches if reach.lsn <= received]
        self._reaches = [reach for reach in self._reaches if reach.lsn > received]
        return max(there, key=lambda reach: reach.end, default=None)

    async def _mark(self, connection: Connection, reach: Reach | None) -> None:
        """List what is new, and at least once a minute say that the backup goes on."""
        is_due, reach = monotonic() > self._said + SAID, reach or self._reached
        if is_due or reach != self._reached or self._vault.written or self._vault.retired:
            await note(connection, self._vault, reach, follows=True)
            self._reached = reach
            await asyncio.to_thread(self._clear)
        if is_due:
            await mark(connection, "log")
            self._said = monotonic()

    async def _hold(self, connection: Connection) -> None:
        """PostgreSQL keeps what has not been received. If it has not, the log begins anew: something may be missing."""
        status = await connection.fetchval("select wal_status from pg_replication_slots where slot_name = $1", SLOT)
        if status in ("reserved", "extended", "unreserved"):
            return
        await self._hang_up()
        if status is not None:
            log.warning("the backup fell so far behind that a part of the log is gone: it begins with a new base")
            await connection.execute("select pg_drop_replication_slot($1)", SLOT)
        await connection.execute("select pg_create_physical_replication_slot($1, true)", SLOT)
        shutil.rmtree(self._spool)
        self._spool.mkdir(mode=0o700)
        self._anew = True

    async def _base(self, connection: Connection) -> None:
        """If it is time."""
        if self._due is None:
            system, log = await connection.fetchrow(IDENTITY)  # type: ignore[misc]   # it is one row
            self._due = await asyncio.to_thread(due, self._vault, system, log)
        if self._anew or self._due < datetime.now(UTC):
            base = await take_base(self._address(), self._vault)
            self._anew, self._due = False, base.started + EACH
            await asyncio.to_thread(forget_old, self._vault, self._keep)

    async def _listen(self) -> None:
        if self._receiver is not None and self._receiver.returncode is None:
            return
        binary = postgres_binaries(own_account()) / "pg_receivewal"
        self._receiver = await asyncio.create_subprocess_exec(
            *own_account().command(binary, f"--dbname={self._address()}", f"--directory={self._spool}", f"--slot={SLOT}",
                                   "--no-loop", "--synchronous", "--no-password"),
            env=SERVER_ENVIRONMENT, cwd="/", stdin=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def _hang_up(self) -> None:
        if self._receiver is not None:
            with suppress(ProcessLookupError):
                self._receiver.terminate()
            await self._receiver.wait()
            self._receiver = None

    def _ship(self) -> None:
        """Bring what the place does not have yet: of the newest segment, what there is."""
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
        segment, version = path.name.removesuffix(PARTIAL), WHOLE
        if path.suffix == PARTIAL:
            self._version = version = self._version + 1
        piece = Piece(segment, version)
        self._vault.write(piece.name, data)
        if part := self._parts.pop(segment, None):
            self._vault.retired.append(part.path)
        if version != WHOLE:
            self._parts[segment] = piece

    def _is_listed(self, path: Path) -> bool:
        """Whether it is whole, and a mark lists it."""
        return path.suffix != PARTIAL and f"{LOG}/{path.name}{SEALED}" in (self._vault.listed or ())

    def _clear(self) -> None:
        """Whole segments leave the spool once a mark lists them."""
        for path in self._spool.iterdir():
            if path.suffix != HISTORY and self._is_listed(path):
                path.unlink()


async def is_followed(connection: Connection) -> bool:
    """Whether PostgreSQL keeps its log for a follower, also while that is away."""
    return bool(await connection.fetchval("select exists (select from pg_replication_slots where slot_name = $1)", SLOT))


def due(vault: Vault, system: int, log: str) -> datetime:
    """When the next base backup is. Raises BackupError."""
    check_database(vault, system, log)
    found = bases(vault)
    return found[-1].started + EACH if found else datetime.min.replace(tzinfo=UTC)
