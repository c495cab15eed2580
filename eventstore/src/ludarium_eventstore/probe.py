"""Check, outside the queues, whether the log can currently be read and written."""
from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Literal, NamedTuple

import asyncpg

from ludarium_eventstore.appender import Appender
from ludarium_eventstore.reconnect import CONNECT, reason

PROBE_TIMEOUT = 2.0                                  # seconds
MIN_INTERVAL = 1.0                                     # seconds for which a result is reused
STANDING = "select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::bool as read_only"
# Does the same as an append: it waits for the appends in progress, writes to the log's table, and commits, which waits
# for standbys. The row is too large for the free space of an existing page, and random, so that it cannot be
# compressed. It is rolled back.
WRITE_PROBE = """
    begin;
    set local lock_timeout = '1500ms';
    select pg_advisory_xact_lock(7239012045551);
    lock table es.events in row exclusive mode;
    savepoint room;
    insert into es.documents (hash, data)
    select sha256(random()::text::bytea), string_agg(sha512((n + random())::text::bytea), '')
    from generate_series(1, 256) n;
    rollback to room;
    select pg_logical_emit_message(true, 'ludarium', 'probe');
    commit"""


log = logging.getLogger(__name__)


async def refusal(connection: asyncpg.Connection[asyncpg.Record]) -> Literal["standby", "read-only"] | None:
    """Return which setting of PostgreSQL prevents writes, None if none does."""
    row = await connection.fetchrow(STANDING)
    assert row is not None                      # the query has no table, so it has a row
    return "standby" if row["standby"] else "read-only" if row["read_only"] else None


class Pulse(NamedTuple):
    answers: bool
    writes: bool


class Probe:
    """A prober with its own connection, used at most once a second for all callers.

    Only a write shows whether the disk has room, whether another session has locked the log, and whether a synchronous
    standby responds. A write is attempted only after the appender has failed, until one of the two succeeds. There is at most
    one attempt at a time, since an attempt that waits for a standby holds the lock that the next one needs.
    """

    def __init__(self, dsn: str, appender: Appender) -> None:
        self.dsn, self.appender = dsn, appender
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.lock = asyncio.Lock()
        self.pulse, self.checked_at = Pulse(False, False), -MIN_INTERVAL
        self.check_task: asyncio.Task[Pulse] | None = None

    async def look(self) -> Pulse:
        async with self.lock:
            if monotonic() > self.checked_at + MIN_INTERVAL:
                self.pulse = await self.probe_once()
                self.checked_at = monotonic()
            return self.pulse

    async def glance(self, seconds: float) -> Pulse:
        """Return a new result if it arrives within `seconds`, otherwise the previous one."""
        if self.check_task is None or self.check_task.done():
            self.check_task = asyncio.create_task(self.look())
        await asyncio.wait({self.check_task}, timeout=seconds)
        return self.pulse

    async def probe_once(self) -> Pulse:
        answers = writes = False
        try:
            async with asyncio.timeout(PROBE_TIMEOUT):
                connection = await self.connected()
                may_write = await refusal(connection) is None
                answers = True
                if may_write and self.appender.needs_write_probe():
                    await connection.execute(WRITE_PROBE)
                    self.appender.note_written()
                writes = may_write
        except Exception as error:                                      # whatever the cause, games cannot continue
            log.warning("PostgreSQL cannot be used: %s", reason(error))
        if not writes:
            self.drop_connection()                      # the next connection may reach another server
        return Pulse(answers, writes)

    async def connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(self.dsn, **CONNECT)
        return self.connection

    def close(self) -> None:
        if self.check_task is not None:
            self.check_task.cancel()
        self.drop_connection()

    def drop_connection(self) -> None:
        """Abort the connection without a clean close, which a hung server would delay."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None
