"""Whether the log can be read and written just now, without standing in line with those who do."""
from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Literal, NamedTuple

import asyncpg

from ludarium_eventstore.appender import Appender
from ludarium_eventstore.reconnect import CONNECT, reason

PROBE_TIMEOUT = 2.0                                  # seconds
MIN_INTERVAL = 1.0                                     # seconds in which nobody looks again
STANDING = "select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::bool as read_only"
# As an append does it: behind the appends under way, into the log's table, with a commit that waits for standbys. The row is
# too large to find room in a page that is there already, and random, so that it stays that large. Nothing of it is kept.
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
    """Return why PostgreSQL takes no writes by its settings; None if it does."""
    row = await connection.fetchrow(STANDING)
    assert row is not None                      # it comes from no table
    return "standby" if row["standby"] else "read-only" if row["read_only"] else None


class Pulse(NamedTuple):
    answers: bool
    writes: bool


class Probe:
    """Asks over a connection of its own, at most once a second, however many want to know.

    Only a write can tell whether there is room on the disk, whether another session holds the log and whether a synchronous
    standby answers. It tries to write only if the appender could not, until one of the two can, and never runs more than
    one attempt: an attempt that waits for a standby holds the lock that the next one needs.
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
        """What a look finds if it takes no longer than that, otherwise what the one before it found."""
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
        except Exception as error:                                      # whatever it is, nobody could play
            log.warning("PostgreSQL cannot be used: %s", reason(error))
        if not writes:
            self.drop_connection()                      # the next one may lead to another server
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
        """Without a farewell, which a server that hangs would not take."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None
