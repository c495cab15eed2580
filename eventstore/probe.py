"""Whether the log can be read and written just now, without standing in line with those who do."""
from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import NamedTuple

import asyncpg

from eventstore.appender import Appender
from eventstore.reconnect import CONNECT

PATIENCE = 2.0                                  # seconds
FRESH = 1.0                                     # seconds in which nobody looks again
MAY_WRITE = "select not pg_is_in_recovery() and not current_setting('transaction_read_only')::bool"
# Too large to find room in a page that is there already, and random, so that it stays that large. Nothing of it is kept.
TRIES_TO_WRITE = """
    begin;
    insert into es.documents (hash, data)
    select sha256(random()::text::bytea), string_agg(sha512((n + random())::text::bytea), '')
    from generate_series(1, 256) n;
    rollback"""


log = logging.getLogger(__name__)


class Pulse(NamedTuple):
    answers: bool
    writes: bool


class Probe:
    """Asks over a connection of its own, at most once a second, however many want to know.

    Whether there is room on the disk only a write can tell. That costs nothing as long as appends succeed: it tries to write
    only if the appender could not, until one of the two can.
    """

    def __init__(self, dsn: str, appender: Appender) -> None:
        self.dsn, self.appender = dsn, appender
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.looking = asyncio.Lock()
        self.pulse, self.looked = Pulse(False, False), -FRESH

    async def look(self) -> Pulse:
        async with self.looking:
            if monotonic() > self.looked + FRESH:
                self.pulse = await self.felt()
                self.looked = monotonic()
            return self.pulse

    async def felt(self) -> Pulse:
        answers = writes = False
        try:
            async with asyncio.timeout(PATIENCE):
                connection = await self.connected()
                may_write = await connection.fetchval(MAY_WRITE)
                answers = True
                if may_write and self.appender.failing:
                    await connection.execute(TRIES_TO_WRITE)
                    self.appender.failing = False
                writes = may_write
        except Exception as error:                                      # whatever it is, nobody could play
            log.warning("PostgreSQL cannot be used: %s: %s", type(error).__name__, error)
        if not writes:
            self.close()                        # the next one may lead to another server
        return Pulse(answers, writes)

    async def connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(self.dsn, **CONNECT)
        return self.connection

    def close(self) -> None:
        """Without a farewell, which a server that hangs would not take."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None
