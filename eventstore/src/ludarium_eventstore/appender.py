"""Group commit: appends arriving during a transaction form the next transaction.

Each process uses one connection, and there is no timer. An append is called doubtful if it was sent but no response arrived,
so that the log may or may not contain its events. See docs/decisions/005.
"""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from struct import Struct
from time import perf_counter
from uuid import UUID

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement

from ludarium_eventstore.durable import WatchedConnection, confirm
from ludarium_eventstore.model import (
    NOTHING_DUE,
    Append,
    AppendRefused,
    Conflict,
    Duplicate,
    Mismatch,
    NewEvent,
    Ok,
    StoreUnavailable,
    Untimely,
    Verdict,
)
from ludarium_eventstore.observer import NoObserver, Observer
from ludarium_eventstore.reconnect import CONNECT, PATIENCE, PAUSE, is_down, reason
from ludarium_eventstore.unfinished import Unfinished

MAX_BATCH = 512
STALL_TIME = 10.0  # seconds without a verdict, after which only a write probe shows that writes work
APPEND = "select * from es.append($1::bytea[])"
APPEND_WITH_KEYS = """
  with told as materialized (
    select * from es.append($1::bytea[]) with ordinality as t(verdict, version, position, nth)
  ), kept as (
    insert into es.commands (partition, stream_id, key, request_hash, version)
    select es.partition_of(k.stream), k.stream, k.key, k.request, k.version
    from unnest($2::int[], $3::uuid[], $4::uuid[], $5::bytea[], $6::int[]) as k(owner, stream, key, request, version)
    join told on told.verdict = 'all' or (told.nth = k.owner and told.verdict = 'ok')
    on conflict do nothing
  )
  select verdict, version, position from told order by nth"""
"""Statement that appends rows and the keys of several commands, together or not at all."""
log = logging.getLogger(__name__)


class Appender:
    """A writer that sends appends in batches with at most one append per stream.

    Attributes:
        refused: number of appends that PostgreSQL has refused.
        failing: whether no write has succeeded since the connection was lost or verdicts took too long.
        unfinished: the appends that wait for a verdict.
    """

    def __init__(self, dsn: str, observer: Observer | None = None) -> None:
        self.dsn, self.observer = dsn, observer or NoObserver()
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.prepared: PreparedStatement[asyncpg.Record]
        self.watched: WatchedConnection
        self.queue = Queue()
        self.task: asyncio.Task[None] | None = None
        self.refused = 0
        self.failing = False
        self.unfinished = Unfinished()

    async def append(self, append: Append) -> Verdict:
        """Append events, and wait for the verdict.

        Raises:
            StoreUnavailable: there was no verdict in time.
            AppendRefused: PostgreSQL can never accept the events.
        """
        with self.unfinished.operation():
            loop = asyncio.get_running_loop()
            waiting = PendingAppend(append, loop.create_future())
            self.queue.join(waiting)
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self.run())
            alarm = loop.call_later(PATIENCE, time_out, waiting)  # a fifth of the cost of asyncio.timeout
            try:
                return await waiting.verdict
            finally:
                alarm.cancel()

    def needs_write_probe(self) -> bool:
        """Return whether only a trial write can show that PostgreSQL accepts events."""
        self.failing = self.failing or self.unfinished.age() >= STALL_TIME
        return self.failing

    def note_written(self) -> None:
        """Record that a write by another part of the process succeeded."""
        self.failing = False
        self.unfinished.recovered()

    async def close(self) -> None:
        """Send the waiting appends, then close the connection."""
        if self.task is not None:
            await self.task
        self.drop_connection()

    async def run(self) -> None:
        while self.queue:
            if batch := self.queue.batch(MAX_BATCH):
                await self.deliver(batch)

    async def deliver(self, batch: Sequence[PendingAppend]) -> None:
        began = perf_counter()
        try:
            verdicts = await self.send(batch)
        except Exception as error:
            await self.failed(batch, error)
        else:
            self.failing = False
            self.observer.sent(len(batch), perf_counter() - began)
            set_verdicts(batch, verdicts)

    async def failed(self, batch: Sequence[PendingAppend], error: Exception) -> None:
        """Handle an error of a batch.

        If the connection was lost, all appends of the batch are doubtful and sent again. Any other error is caused by one
        append, which is found by bisection.
        """
        if is_down(error) or self.connection is None:
            self.lost(error)
            for waiting in batch:
                waiting.doubtful = True
            self.queue.return_batch(batch)
            await asyncio.sleep(PAUSE)
        elif len(batch) == 1:
            self.refuse(batch[0], error)
        else:
            middle = len(batch) // 2
            await self.deliver(batch[:middle])
            await self.deliver(batch[middle:])

    async def send(self, batch: Sequence[PendingAppend]) -> list[Verdict]:
        connection = await self.connected()
        appends = [waiting.append for waiting in batch]
        verdicts = verdicts_of(appends, await self.watched.replicated(self.sent(connection, appends)))
        doubtful = any(waiting.doubtful for waiting in batch)
        if doubtful:
            verdicts = await resolve_doubtful(connection, batch, verdicts)
        if doubtful or any(isinstance(verdict, Duplicate) for verdict in verdicts):
            await confirm(connection)           # rows that are already in the log may exist on the primary alone
        return verdicts

    async def sent(self, connection: asyncpg.Connection[asyncpg.Record], appends: Sequence[Append]) -> list[asyncpg.Record]:
        if any(append.together for append in appends):
            return await connection.fetch(APPEND_WITH_KEYS, encode_appends(appends), *keys_of(appends))
        return await self.prepared.fetch(encode_appends(appends))

    async def connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self.connection is None or self.connection.is_closed():
            self.drop_connection()
            connection = await asyncpg.connect(self.dsn, **CONNECT)
            self.prepared = await connection.prepare(APPEND)
            self.watched = WatchedConnection(connection)
            self.connection = connection
        return self.connection

    def lost(self, error: Exception) -> None:
        self.failing = True
        if self.connection is not None:
            log.warning("the appender has lost PostgreSQL: %s", reason(error))
        self.drop_connection()

    def drop_connection(self) -> None:
        """Abort the connection without a clean close, which a hung server would delay.

        No statement is cancelled. Otherwise a commit that waits for standbys would remain on the primary alone.
        """
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    def refuse(self, waiting: PendingAppend, error: Exception) -> None:
        """Fail an append that PostgreSQL can never accept.

        Only the name of the error is logged, since its text may contain the event.
        """
        self.refused += 1
        self.observer.refused()
        refused = AppendRefused(waiting.append.stream, waiting.append.expected, error_name(error))
        log.error("%s", refused)
        if not waiting.verdict.done():
            waiting.verdict.set_exception(refused)


def time_out(waiting: PendingAppend) -> None:
    if not waiting.verdict.done():
        waiting.verdict.set_exception(StoreUnavailable("no verdict in time"))


def error_name(error: Exception) -> str:
    code, constraint = getattr(error, "sqlstate", None), getattr(error, "constraint_name", None)
    return " ".join(part for part in (type(error).__name__, code, constraint) if part)


def set_verdicts(batch: Sequence[PendingAppend], verdicts: Sequence[Verdict]) -> None:
    for waiting, verdict in zip(batch, verdicts, strict=True):
        if not waiting.verdict.done():
            waiting.verdict.set_result(verdict)


def verdicts_of(appends: Sequence[Append], encode_append: Sequence[asyncpg.Record]) -> list[Verdict]:
    if encode_append[0]["verdict"] != "all":
        return [verdict_of(row) for row in encode_append]
    sizes = [len(append.events) for append in appends]
    ends = accumulate(sizes, initial=encode_append[0]["position"])
    next(ends)
    return [Ok(a.expected + size - 1, end) for a, size, end in zip(appends, sizes, ends, strict=True)]


def keys_of(appends: Sequence[Append]) -> list[list[object]]:
    """Return the `together` keys of all appends as columns, for an SQL call."""
    keys = [(nth, append.stream, *keyed) for nth, append in enumerate(appends, 1) for keyed in append.together]
    return [*map(list, zip(*keys, strict=True))]


def verdict_of(row: asyncpg.Record) -> Verdict:
    match row["verdict"]:
        case "ok":
            return Ok(row["version"], row["position"])
        case "duplicate":
            return Duplicate(row["version"])
        case "mismatch":
            return Mismatch()
        case "untimely":
            return Untimely()
        case _:
            return Conflict(row["version"])


async def resolve_doubtful(
    connection: asyncpg.Connection[asyncpg.Record], batch: Sequence[PendingAppend], verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Return the verdicts, with Ok for doubtful appends whose last row is in the log."""
    encode_append = await connection.fetch(
        "select e.stream_id, e.position from es.events e"
        " join unnest($1::uuid[], $2::int[], $3::bytea[]) as l(stream, version, hash)"
        " on e.partition = es.partition_of(l.stream) and e.stream_id = l.stream and e.version = l.version and e.hash = l.hash",
        *map(list, zip(*(last_row(w.append) for w in batch if w.doubtful), strict=True)),
    )
    committed = {row["stream_id"]: row["position"] for row in encode_append}
    return [verdict_if_committed(w.append, verdict, committed) for w, verdict in zip(batch, verdicts, strict=True)]


def last_row(append: Append) -> tuple[UUID, int, bytes]:
    return append.stream, append.expected + len(append.events) - 1, append.events[-1].hash


def verdict_if_committed(append: Append, verdict: Verdict, committed: Mapping[UUID, int]) -> Verdict:
    if isinstance(verdict, Ok) or append.stream not in committed:
        return verdict
    return Ok(append.expected + len(append.events) - 1, committed[append.stream])


# --- encoding of rows for es.append; see schema/functions/unpacked.sql -------------------------------------------
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ROW_HEADER = Struct(">16s16siihhhHHIqq")
KEYED, FOLLOWS, SECRET, DUE, NEVER = 1, 2, 4, 8, 24
NO_KEY, NO_HASH = bytes(16), bytes(32)


def encode_appends(appends: Iterable[Append]) -> list[bytes]:
    """Encode the rows of appends for the SQL function `es.append`.

    Raises:
        struct.error, TypeError or OverflowError: a row does not fit into any table.
    """
    return [row for append in appends for row in encode_append(append)]


def encode_append(append: Append) -> Iterator[bytes]:
    first, *others = append.events
    stream, version = append.stream.bytes, append.expected
    yield encode_first_row(append, first, stream)
    for nth, event in enumerate(others, 1):
        head = ROW_HEADER.pack(
            stream, NO_KEY, version + nth, 0, event.type, event.schema, 0, 0, 0, len(event.data), microseconds(event.at), 0
        )
        yield b"".join((head, event.root, event.hash, NO_HASH, event.data))


def encode_first_row(append: Append, event: NewEvent, stream: bytes) -> bytes:
    """Encode the first row of an append, together with the append's own fields."""
    request, secret, due, flags = append.request or b"", append.secret or b"", 0, 0
    if append.key is not None:
        flags |= KEYED
    if append.prev is not None:
        flags |= FOLLOWS
    if append.secret is not None:
        flags |= SECRET
    if append.due is not None:
        flags |= NEVER if append.due == NOTHING_DUE else DUE
        due = microseconds(append.due)
    key = append.key.bytes if append.key else NO_KEY
    head = ROW_HEADER.pack(
        stream, key, append.expected, len(append.events), event.type, event.schema, flags, len(request),
        len(secret), len(event.data), microseconds(event.at), due,
    )  # fmt: skip
    return b"".join((head, event.root, event.hash, append.prev or NO_HASH, request, secret, event.data))


def microseconds(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND


# --- a queue of appends for each stream; the streams take turns ----------------------------------------------------
MAX_WAITING = 10_000                           # appends in all queues; further ones are refused
MAX_OF_STREAM = 100                          # appends of one stream, so that it cannot fill the queue


@dataclass(slots=True)
class PendingAppend:
    """An append that waits for its verdict.

    It is doubtful if it was sent but no response arrived, since the log may contain its events.
    """

    append: Append
    verdict: asyncio.Future[Verdict]
    doubtful: bool = False


class Queue:
    """A bounded queue of appends.

    A batch takes the first append of each stream, so that a busy stream delays only itself.
    """

    def __init__(self) -> None:
        self.lines: OrderedDict[UUID, deque[PendingAppend]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def join(self, waiting: PendingAppend) -> None:
        """Add an append to the queue of its stream.

        Raises:
            StoreUnavailable: the queue is full.
        """
        line = self.lines.get(waiting.append.stream, ())
        if self.size >= MAX_WAITING or len(line) >= MAX_OF_STREAM:
            raise StoreUnavailable("too many appends are waiting")
        self.lines.setdefault(waiting.append.stream, deque()).append(waiting)
        self.size += 1

    def batch(self, most: int) -> list[PendingAppend]:
        """Take the first appends of up to `most` streams, skipping abandoned ones."""
        taken = [self.pop_first(stream) for stream in [*islice(self.lines, most)]]
        self.size -= len(taken)
        return [waiting for waiting in taken if not waiting.verdict.done()]

    def pop_first(self, stream: UUID) -> PendingAppend:
        line = self.lines.pop(stream)
        first = line.popleft()
        if line:
            self.lines[stream] = line           # to the end of the queue
        return first

    def return_batch(self, batch: Sequence[PendingAppend]) -> None:
        """Put a batch back at the front of the queue, each append first in its stream."""
        for waiting in reversed(batch):
            stream = waiting.append.stream
            self.lines.setdefault(stream, deque()).appendleft(waiting)
            self.lines.move_to_end(stream, last=False)
        self.size += len(batch)
