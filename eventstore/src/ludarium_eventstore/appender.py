"""Group commit: what waits while a transaction is in flight goes into the next one. No timer, one connection a process."""
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

from ludarium_eventstore.durable import Watched, confirm
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
from ludarium_eventstore.observer import Nobody, Observer
from ludarium_eventstore.reconnect import CONNECT, PATIENCE, PAUSE, is_down, reason
from ludarium_eventstore.unfinished import Unfinished

MOST_IN_BATCH = 512
STALLED = 10.0                                  # seconds without a verdict after which only an attempt to write is believed
CALL = "select * from es.append($1::bytea[])"
TOGETHER = """
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
"""With keys of several commands that come in one append: in one statement, so all of it is there or nothing."""
log = logging.getLogger(__name__)


class Appender:
    """Sends appends in batches, one of a stream in a batch, each stream's in the order in which they came.

    refused: how many appends PostgreSQL would not take. failing: since it last lost PostgreSQL, or since appends went without
    a verdict for too long, nothing could be written. unfinished: the appends that wait for a verdict.
    """

    def __init__(self, dsn: str, observer: Observer | None = None) -> None:
        self.dsn, self.observer = dsn, observer or Nobody()
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.prepared: PreparedStatement[asyncpg.Record]
        self.watched: Watched
        self.queue = Queue()
        self.task: asyncio.Task[None] | None = None
        self.refused = 0
        self.failing = False
        self.unfinished = Unfinished()

    async def append(self, append: Append) -> Verdict:
        """Raises StoreUnavailable if there is no verdict in time, AppendRefused if the rows can never be appended."""
        with self.unfinished.operation():
            loop = asyncio.get_running_loop()
            waiting = Waiting(append, loop.create_future())
            self.queue.join(waiting)
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self.work())
            alarm = loop.call_later(PATIENCE, give_up, waiting)  # a fifth of the cost of asyncio.timeout
            try:
                return await waiting.verdict
            finally:
                alarm.cancel()

    def cannot_write(self) -> bool:
        """Whether only an attempt to write can tell that rows are accepted."""
        self.failing = self.failing or self.unfinished.age() >= STALLED
        return self.failing

    def can_write(self) -> None:
        """Somebody else has written."""
        self.failing = False
        self.unfinished.recovered()

    async def close(self) -> None:
        """After what waits has been sent."""
        if self.task is not None:
            await self.task
        self.hang_up()

    async def work(self) -> None:
        while self.queue:
            if batch := self.queue.batch(MOST_IN_BATCH):
                await self.deliver(batch)

    async def deliver(self, batch: Sequence[Waiting]) -> None:
        began = perf_counter()
        try:
            verdicts = await self.send(batch)
        except Exception as error:
            await self.failed(batch, error)
        else:
            self.failing = False
            self.observer.sent(len(batch), perf_counter() - began)
            tell(batch, verdicts)

    async def failed(self, batch: Sequence[Waiting], error: Exception) -> None:
        """A lost connection leaves all of them in doubt. Any other error is one append's, which is searched by halves."""
        if is_down(error) or self.connection is None:
            self.lost(error)
            for waiting in batch:
                waiting.doubtful = True
            self.queue.put_back(batch)
            await asyncio.sleep(PAUSE)
        elif len(batch) == 1:
            self.refuse(batch[0], error)
        else:
            middle = len(batch) // 2
            await self.deliver(batch[:middle])
            await self.deliver(batch[middle:])

    async def send(self, batch: Sequence[Waiting]) -> list[Verdict]:
        connection = await self.connected()
        appends = [waiting.append for waiting in batch]
        verdicts = verdicts_of(appends, await self.watched.replicated(self.sent(connection, appends)))
        doubtful = any(waiting.doubtful for waiting in batch)
        if doubtful:
            verdicts = await resolved(connection, batch, verdicts)
        if doubtful or any(isinstance(verdict, Duplicate) for verdict in verdicts):
            await confirm(connection)           # rows that are in the log already may be on the primary alone
        return verdicts

    async def sent(self, connection: asyncpg.Connection[asyncpg.Record], appends: Sequence[Append]) -> list[asyncpg.Record]:
        if any(append.together for append in appends):
            return await connection.fetch(TOGETHER, packed(appends), *keys_of(appends))
        return await self.prepared.fetch(packed(appends))

    async def connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self.connection is None or self.connection.is_closed():
            self.hang_up()
            connection = await asyncpg.connect(self.dsn, **CONNECT)
            self.prepared = await connection.prepare(CALL)
            self.watched = Watched(connection)
            self.connection = connection
        return self.connection

    def lost(self, error: Exception) -> None:
        self.failing = True
        if self.connection is not None:
            log.warning("the appender has lost PostgreSQL: %s", reason(error))
        self.hang_up()

    def hang_up(self) -> None:
        """Without a farewell: a server that was cut off could not take it, one that hangs would keep us waiting.

        Nor is a statement cancelled: that would end a commit's wait for its standbys and leave it on the primary alone.
        """
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    def refuse(self, waiting: Waiting, error: Exception) -> None:
        """What the database says in full may show the row, which is nobody's to read: only its name is told."""
        self.refused += 1
        self.observer.refused()
        refused = AppendRefused(waiting.append.stream, waiting.append.expected, name_of(error))
        log.error("%s", refused)
        if not waiting.verdict.done():
            waiting.verdict.set_exception(refused)


def give_up(waiting: Waiting) -> None:
    if not waiting.verdict.done():
        waiting.verdict.set_exception(StoreUnavailable("no verdict in time"))


def name_of(error: Exception) -> str:
    code, constraint = getattr(error, "sqlstate", None), getattr(error, "constraint_name", None)
    return " ".join(part for part in (type(error).__name__, code, constraint) if part)


def tell(batch: Sequence[Waiting], verdicts: Sequence[Verdict]) -> None:
    for waiting, verdict in zip(batch, verdicts, strict=True):
        if not waiting.verdict.done():
            waiting.verdict.set_result(verdict)


def verdicts_of(appends: Sequence[Append], rows: Sequence[asyncpg.Record]) -> list[Verdict]:
    if rows[0]["verdict"] != "all":
        return [verdict_of(row) for row in rows]
    sizes = [len(append.events) for append in appends]
    ends = accumulate(sizes, initial=rows[0]["position"])
    next(ends)
    return [Ok(a.expected + size - 1, end) for a, size, end in zip(appends, sizes, ends, strict=True)]


def keys_of(appends: Sequence[Append]) -> list[list[object]]:
    """The arrays of `together`."""
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


async def resolved(
    connection: asyncpg.Connection[asyncpg.Record], batch: Sequence[Waiting], verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Doubtful appends that are refused now, and whose very row stands in the log, had been committed before."""
    rows = await connection.fetch(
        "select e.stream_id, e.position from es.events e"
        " join unnest($1::uuid[], $2::int[], $3::bytea[]) as l(stream, version, hash)"
        " on e.partition = es.partition_of(l.stream) and e.stream_id = l.stream and e.version = l.version and e.hash = l.hash",
        *map(list, zip(*(last_row(w.append) for w in batch if w.doubtful), strict=True)),
    )
    committed = {row["stream_id"]: row["position"] for row in rows}
    return [first_verdict(w.append, verdict, committed) for w, verdict in zip(batch, verdicts, strict=True)]


def last_row(append: Append) -> tuple[UUID, int, bytes]:
    return append.stream, append.expected + len(append.events) - 1, append.events[-1].hash


def first_verdict(append: Append, verdict: Verdict, committed: Mapping[UUID, int]) -> Verdict:
    if isinstance(verdict, Ok) or append.stream not in committed:
        return verdict
    return Ok(append.expected + len(append.events) - 1, committed[append.stream])


# --- appends as es.append takes them: bytes, a row each; see schema/functions/unpacked.sql ----------------------------
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HEAD = Struct(">16s16siihhhHHIqq")
KEYED, FOLLOWS, SECRET, DUE, NEVER = 1, 2, 4, 8, 24
NO_KEY, NO_HASH = bytes(16), bytes(32)


def packed(appends: Iterable[Append]) -> list[bytes]:
    """Raises struct.error, TypeError or OverflowError of a row that no table could hold."""
    return [row for append in appends for row in rows(append)]


def rows(append: Append) -> Iterator[bytes]:
    first, *others = append.events
    stream, version = append.stream.bytes, append.expected
    yield opening(append, first, stream)
    for nth, event in enumerate(others, 1):
        head = HEAD.pack(
            stream, NO_KEY, version + nth, 0, event.type, event.schema, 0, 0, 0, len(event.data), microseconds(event.at), 0
        )
        yield b"".join((head, event.root, event.hash, NO_HASH, event.data))


def opening(append: Append, event: NewEvent, stream: bytes) -> bytes:
    """The first row, with what is said of the append."""
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
    head = HEAD.pack(
        stream, key, append.expected, len(append.events), event.type, event.schema, flags, len(request),
        len(secret), len(event.data), microseconds(event.at), due,
    )  # fmt: skip
    return b"".join((head, event.root, event.hash, append.prev or NO_HASH, request, secret, event.data))


def microseconds(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND


# --- appends that wait: one line for each stream, and the streams take turns ------------------------------------------
MOST_WAITING = 10_000                           # appends; beyond it callers are told to come back
MOST_OF_A_STREAM = 100                          # so that one stream cannot take up all the room


@dataclass(slots=True)
class Waiting:
    """doubtful: it was sent and no answer came, so it may stand in the log already."""

    append: Append
    verdict: asyncio.Future[Verdict]
    doubtful: bool = False


class Queue:
    """Bounded. A batch has the first of each line, so a busy stream delays nobody but itself."""

    def __init__(self) -> None:
        self.lines: OrderedDict[UUID, deque[Waiting]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def join(self, waiting: Waiting) -> None:
        """Raises StoreUnavailable if it would have to wait too long."""
        line = self.lines.get(waiting.append.stream, ())
        if self.size >= MOST_WAITING or len(line) >= MOST_OF_A_STREAM:
            raise StoreUnavailable("too many appends are waiting")
        self.lines.setdefault(waiting.append.stream, deque()).append(waiting)
        self.size += 1

    def batch(self, most: int) -> list[Waiting]:
        """One of a stream, of at most so many streams; those whose callers have given up are left out."""
        taken = [self.turn(stream) for stream in [*islice(self.lines, most)]]
        self.size -= len(taken)
        return [waiting for waiting in taken if not waiting.verdict.done()]

    def turn(self, stream: UUID) -> Waiting:
        line = self.lines.pop(stream)
        first = line.popleft()
        if line:
            self.lines[stream] = line           # behind all others
        return first

    def put_back(self, batch: Sequence[Waiting]) -> None:
        """Where they were: before all others, each at the head of its line."""
        for waiting in reversed(batch):
            stream = waiting.append.stream
            self.lines.setdefault(stream, deque()).appendleft(waiting)
            self.lines.move_to_end(stream, last=False)
        self.size += len(batch)
