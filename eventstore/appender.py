"""Group commit: what waits while a transaction is in flight goes into the next one. No timer, one connection a process."""
from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import asyncpg

from eventstore.model import Append, Conflict, Duplicate, Mismatch, Ok, StoreUnavailable, Verdict
from eventstore.reconnect import CONNECT, DOWN, again

MOST_WAITING = 10_000                           # appends; beyond it callers are told to come back
MOST_IN_BATCH = 512
CALL = "select * from es.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"


class Waiting(NamedTuple):
    append: Append
    verdict: asyncio.Future[Verdict]


class Appender:
    """Sends appends in batches, one of a stream in a batch, in the order in which they came."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.waiting: deque[Waiting] = deque()
        self.task: asyncio.Task[None] | None = None

    async def append(self, append: Append) -> Verdict:
        if len(self.waiting) >= MOST_WAITING:
            raise StoreUnavailable("too many appends are waiting")
        waiting = Waiting(append, asyncio.get_running_loop().create_future())
        self.waiting.append(waiting)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.work())
        return await waiting.verdict

    async def close(self) -> None:
        """After what waits has been sent."""
        if self.task is not None:
            await self.task
        self.hang_up()

    async def work(self) -> None:
        while self.waiting:
            batch = self.next_batch()
            try:
                tell(batch, await self.send([w.append for w in batch]))
            except Exception as error:
                await self.failed(batch, error)

    def next_batch(self) -> list[Waiting]:
        batch: dict[object, Waiting] = {}
        later: deque[Waiting] = deque()
        while self.waiting and len(batch) < MOST_IN_BATCH:
            waiting = self.waiting.popleft()
            if waiting.append.stream in batch:
                later.append(waiting)
            else:
                batch[waiting.append.stream] = waiting
        self.waiting.extendleft(reversed(later))
        return [*batch.values()]

    async def failed(self, batch: Sequence[Waiting], error: Exception) -> None:
        """One bad append must not fail its neighbours: they are sent again alone."""
        if len(batch) == 1 or isinstance(error, StoreUnavailable):
            for waiting in batch:
                if not waiting.verdict.done():
                    waiting.verdict.set_exception(error)
            return
        for waiting in batch:
            try:
                tell([waiting], await self.send([waiting.append]))
            except Exception as own:
                await self.failed([waiting], own)

    async def send(self, appends: Sequence[Append]) -> list[Verdict]:
        """The same call again when a connection was lost around the commit: the log tells whether it had committed."""
        doubtful = False

        async def call() -> list[Verdict]:
            nonlocal doubtful
            try:
                connection = await self.connected()
                verdicts = [verdict_of(row) for row in await connection.fetch(CALL, *arguments(appends))]
                return await resolved(connection, appends, verdicts) if doubtful else verdicts
            except DOWN:
                doubtful = True
                self.hang_up()
                raise

        return await again(call)

    async def connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self.connection is None or self.connection.is_closed():
            self.connection = await asyncpg.connect(self.dsn, **CONNECT)
        return self.connection

    def hang_up(self) -> None:
        """Without a farewell: a server that was cut off could not take it, one that hangs would keep us waiting."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None


def tell(batch: Sequence[Waiting], verdicts: Sequence[Verdict]) -> None:
    for waiting, verdict in zip(batch, verdicts, strict=True):
        if not waiting.verdict.done():
            waiting.verdict.set_result(verdict)


def arguments(appends: Sequence[Append]) -> list[list[object]]:
    """The arrays of es.append."""
    rows = [(nth, event) for nth, append in enumerate(appends, 1) for event in append.events]
    return [
        [a.stream for a in appends],
        [a.expected for a in appends],
        [len(a.events) for a in appends],
        [a.key for a in appends],
        [a.request for a in appends],
        [nth for nth, _ in rows],
        [event.type for _, event in rows],
        [event.schema for _, event in rows],
        [event.at for _, event in rows],
        [event.data for _, event in rows],
        [event.hash for _, event in rows],
    ]


def verdict_of(row: asyncpg.Record) -> Verdict:
    match row["verdict"]:
        case "ok":
            return Ok(row["version"], row["position"])
        case "duplicate":
            return Duplicate(row["version"])
        case "mismatch":
            return Mismatch()
        case _:
            return Conflict(row["version"])


async def resolved(
    connection: asyncpg.Connection[asyncpg.Record], appends: Sequence[Append], verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Refused appends whose very row stands in the log had been committed by the call that was cut off."""
    lasts = [(a.stream, a.expected + len(a.events) - 1, a.events[-1].hash) for a in appends]
    rows = await connection.fetch(
        "select e.stream_id, e.position from es.events e"
        " join unnest($1::uuid[], $2::int[], $3::bytea[]) as l(stream, version, hash)"
        " on e.stream_id = l.stream and e.version = l.version and e.hash = l.hash",
        *map(list, zip(*lasts, strict=True)),
    )
    committed = {row["stream_id"]: row["position"] for row in rows}
    return [
        Ok(version, committed[stream]) if not isinstance(verdict, Ok) and stream in committed else verdict
        for verdict, (stream, version, _) in zip(verdicts, lasts, strict=True)
    ]
