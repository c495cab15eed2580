"""Subscribe to the log, so that each event is applied exactly once.

A subscriber writes in the same transaction that moves its checkpoint. Positions are consecutive and in commit order, so no
event after the checkpoint is missed. Several processes may run the same subscriber: a lock on the checkpoint lets one of them
work while the others wait.
"""
from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import NamedTuple, Protocol

import asyncpg

from ludarium_eventstore.archive import Archive, NoBundles
from ludarium_eventstore.model import BrokenOrder, StoredEvent, StoreUnavailable
from ludarium_eventstore.reconnect import DOWN, Connection, Pool, open_pool, reason
from ludarium_eventstore.store import COLUMNS, LANE, stored
from ludarium_eventstore.tail import Checkpoint, Tail
from ludarium_eventstore.unfinished import Unfinished

log = logging.getLogger(__name__)

PAGE_SIZE = 1000                                     # rows of the log in one transaction
POLL_INTERVAL = 1.0                                      # seconds after which the log is read without a wake-up
LOOK_INTERVAL = 0.05                                     # seconds between two checks of another process's progress
MAX_POSITION = 2**63 - 1                                # greater than any position
RETRY_DELAY = 15.0                                    # seconds that a failed subscription pauses


class Subscriber(Protocol):
    """A consumer of events; `event_types` are the types that it wants."""

    @property
    def event_types(self) -> Collection[int]: ...

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        """Apply rows in the transaction that moves the checkpoint.

        If the transaction is rolled back, the same rows are applied again.
        """


class Failure(NamedTuple):
    """The position that a failed subscription had reached, and the error."""

    position: int
    error: str


class LostLog(Exception):
    """The row at a checkpoint is missing or has changed, so the log was set back."""


@asynccontextmanager
async def subscribers_pool(dsn: str, size: int) -> AsyncIterator[Pool]:
    """Yield a connection pool for subscriptions, whose role cannot write events."""
    pool = await open_pool(dsn, size)
    try:
        yield pool
    finally:
        pool.terminate()


class CatchUpSubscription:
    """The progress of one subscriber through the log, in this process.

    Args:
        name: name of the checkpoint.
        pace: minimum seconds between two reads, however often the subscription is woken.
        retry: seconds to pause after a failure.
        grace: seconds for which rows must have been in the log before they are applied.
        tail: the tail shared by all subscriptions of the process.
    """

    def __init__(
        self, pool: Pool, name: str, subscriber: Subscriber, archive: Archive | None = None, *, pace: float = 0.0,
        retry: float = RETRY_DELAY, grace: float = 0.0, tail: Tail | None = None,
    ) -> None:  # fmt: skip
        self.pool, self.name, self.subscriber, self.pace, self.retry = pool, name, subscriber, pace, retry
        self.tail = tail or Tail(pool)
        self.tail.event_types[name] = subscriber.event_types
        self.archive = archive or Archive(NoBundles())
        self.grace, self.looks = grace, deque[tuple[float, int]]()      # (when, length of the log)
        self.position = self.head = self.upto = 0
        self.failure: Failure | None = None
        self.unfinished = Unfinished()
        self.wakes, self.answered = 1, 0                                # the first read needs no wake-up
        self.changed = monotonic()                                      # when rows were last known to be added, or were applied
        self.woken, self.looked = asyncio.Event(), asyncio.Event()

    def wake(self) -> None:
        """Announce new rows in the log."""
        self.wakes += 1
        self.changed = monotonic()
        self.woken.set()

    async def settled(self, timeout: float) -> None:
        """Wait until the rows announced so far are applied, for at most `timeout` seconds."""
        target = self.wakes
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while self.answered < target and self.failure is None:
                    await self.looked.wait()

    async def passed(self, timeout: float) -> None:
        """Wait like `settled`, but for rows that another process applies.

        The checkpoint shows the progress of the other process.
        """
        target = self.wakes
        if self.answered >= target:
            return
        with suppress(TimeoutError, *DOWN, StoreUnavailable):
            async with asyncio.timeout(timeout):
                behind, end = await self.behind(), self.head
                while behind and self.position < end:
                    await asyncio.sleep(LOOK_INTERVAL)
                    behind = await self.behind()
        self.answered = target

    async def run(self) -> None:
        """Apply new rows until cancelled."""
        while True:
            self.woken.clear()
            wakes = self.wakes
            await self.catch_up()
            self.answered = wakes
            self.looked.set()                   # wake up all current waiters of `settled`
            self.looked.clear()
            await self.rest()

    async def rest(self) -> None:
        await asyncio.sleep(self.pace if self.failure is None else self.retry)
        with suppress(TimeoutError):
            async with asyncio.timeout(POLL_INTERVAL):
                await self.woken.wait()

    async def catch_up(self) -> None:
        """Apply all rows up to the current end of the log, and record a failure.

        An unreachable server does not count as a failure.
        """
        try:
            with self.unfinished.operation():
                if await self.behind():
                    await self.apply_pages()
            self.failure = None
        except asyncpg.LockNotAvailableError as error:
            log.debug("%s: another process is at a long page: %s", self.name, reason(error))
        except (*DOWN, StoreUnavailable) as error:
            log.warning("%s waits: %s", self.name, reason(error))
        except Exception as error:
            self.failure = Failure(self.position, f"{type(error).__name__}: {error}")
            log.exception("%s stops behind position %s", self.name, self.position)

    async def behind(self) -> bool:
        """Return whether there are rows to apply.

        The log is not read again if another subscription of the process has recently read its end, and there was nothing to
        apply.
        """
        checkpoint = await self.checkpoint(max(self.changed, monotonic() - POLL_INTERVAL))
        if not checkpoint.idle:
            checkpoint = await self.checkpoint(monotonic() - LOOK_INTERVAL)
        self.upto = self.length_before_grace(self.head)
        return not checkpoint.idle and (self.position > self.head or self.position < self.upto)

    async def checkpoint(self, since: float) -> Checkpoint:
        """Return the checkpoint, read no earlier than `since`, creating it if missing."""
        seen = await self.tail.look(since)
        while self.name not in seen.checkpoints:
            async with self.pool.acquire() as connection:
                await make_checkpoint(connection, self.name)
            seen = await self.tail.look(monotonic())
        self.position, self.head = seen.checkpoints[self.name].position, seen.head
        return seen.checkpoints[self.name]

    def length_before_grace(self, head: int) -> int:
        """Return the length that the log already had before the grace period, or 0."""
        now = monotonic()
        self.looks.append((now, head))
        while len(self.looks) > 1 and self.looks[1][0] <= now - self.grace:
            self.looks.popleft()
        when, length = self.looks[0]
        return length if when <= now - self.grace else 0

    async def apply_pages(self) -> None:
        """Apply pages until one is not full.

        After a failure, pages are smaller, so that the failing row is isolated.
        """
        most = PAGE_SIZE
        while True:
            try:
                if await self.apply_page(most) < most:
                    return
                most = min(2 * most, PAGE_SIZE)
            except (LostLog, BrokenOrder, StoreUnavailable, *DOWN):
                raise
            except Exception:
                if most == 1:
                    raise
                most = 1

    async def apply_page(self, most: int) -> int:
        async with self.pool.acquire() as connection, connection.transaction():
            self.position, size = await apply_page(connection, self.name, self.subscriber, self.archive, most, self.upto)
        self.changed = monotonic()
        self.unfinished.progressed()
        return size


async def make_checkpoint(connection: Connection, name: str) -> None:
    await connection.execute("insert into es.checkpoints (name, position) values ($1, 0) on conflict do nothing", name)


async def apply_page(
    connection: Connection, name: str, subscriber: Subscriber, archive: Archive, most: int = PAGE_SIZE, upto: int = MAX_POSITION
) -> tuple[int, int]:
    """Apply one page of rows in the caller's transaction.

    Args:
        most: maximum number of positions.
        upto: last position to apply.

    Returns:
        The position reached, and the number of positions passed.

    Raises:
        LostLog, BrokenOrder, BrokenBundle, StoreUnavailable
    """
    checkpoint = await connection.fetchrow("select position, hash from es.checkpoints where name = $1 for update", name)
    if checkpoint is None:
        raise LookupError(f"no checkpoint {name}")
    start = checkpoint["position"]
    last, stood_on = await next_page(connection, start, most, upto)
    if start and stood_on != checkpoint["hash"]:
        raise LostLog(f"{name} stands on position {start}, which is not what it was")
    if last == start:
        return start, 0
    if rows := await rows_between(connection, subscriber.event_types, archive, start, last):
        await subscriber.apply(connection, rows)
    await connection.execute(
        "update es.checkpoints set position = $2, at = now(), hash = es.hash_at($2) where name = $1", name, last
    )
    return last, last - start


async def next_page(connection: Connection, start: int, most: int, upto: int) -> tuple[int, bytes | None]:
    """Return the last position of the next page, and the hash at the page's start."""
    page = await connection.fetchrow(
        "select greatest($1, least($1::bigint + $2, $3, head)) as last, es.hash_at($1) as stood_on"
        " from (select coalesce(max(e.position), 0) as head from es.events e where e.lane = $4) log",
        start, most, upto, LANE,
    )  # fmt: skip
    assert page is not None                     # the query has no table, so it has a row
    return page["last"], page["stood_on"]


async def rows_between(
    connection: Connection, event_types: Collection[int], archive: Archive, start: int, last: int
) -> list[StoredEvent]:
    """Return the rows of these types in commit order.

    The log is read before the archive, so rows archived in the meantime are found in their bundle.

    Raises:
        BrokenOrder, BrokenBundle, StoreUnavailable
    """
    rows = await connection.fetch(
        f"select {COLUMNS} from es.events where lane = $4 and position > $1 and position <= $2"
        " and type = any ($3::smallint[]) order by position",
        start, last, [*event_types], LANE,
    )  # fmt: skip
    found = [*map(stored, rows)]
    if len(found) == last - start or not await has_archived_events(connection, start, last):
        return found
    bundled = [row for row in await archive.between(connection, start, last) if row.type in event_types]
    both = {row.position: row for row in (*bundled, *found)}
    return [both[position] for position in sorted(both)]


async def has_archived_events(connection: Connection, start: int, last: int) -> bool:
    """Return whether some of these rows are archived.

    Raises:
        BrokenOrder: rows are missing that are not archived.
    """
    there, gone = await connection.fetchrow(  # type: ignore[misc]      # aggregates have a row
        "select count(*), es.gone($1, $2) from es.events where lane = $3 and position > $1 and position <= $2",
        start, last, LANE,
    )  # fmt: skip
    if there + gone < last - start:
        raise BrokenOrder(f"between positions {start} and {last}")
    return bool(gone)
