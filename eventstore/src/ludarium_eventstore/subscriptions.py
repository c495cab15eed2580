"""Following the log: what a subscriber makes of a row is written in the transaction that moves its checkpoint past the row.

So every row counts exactly once, whatever dies when. Positions are dense and in commit order: reading on behind the checkpoint
misses nothing, and there are no gaps to be judged. Any number of processes may follow for one subscriber: the lock on its
checkpoint lets one of them work while the others wait.
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
POLL_INTERVAL = 1.0                                      # seconds after which one looks without having been woken
LOOK_INTERVAL = 0.05                                     # seconds between two looks at how far another process has come
MAX_POSITION = 2**63 - 1                                # no position is beyond it
RETRY_DELAY = 15.0                                    # seconds that a subscription rests which cannot go on


class Subscriber(Protocol):
    """Makes something of rows. takes: the types of those that mean something to it; of others, whoever wrote them, it is not
    told."""

    @property
    def event_types(self) -> Collection[int]: ...

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        """Inside the transaction of the checkpoint. May be given the same rows again if that was rolled back."""


class Failure(NamedTuple):
    """Why a subscription does not go on: behind which position, and what is wrong there."""

    position: int
    error: str


class LostLog(Exception):
    """The row that a checkpoint stands on is not in the log, or is another one: the log was set back."""


@asynccontextmanager
async def subscribers_pool(dsn: str, size: int) -> AsyncIterator[Pool]:
    """Connections for subscriptions, of the service's role: they can write no history."""
    pool = await open_pool(dsn, size)
    try:
        yield pool
    finally:
        pool.terminate()


class CatchUpSubscription:
    """One subscriber's way through the log, in this process.

    name: of its checkpoint. pace: the least seconds between two looks, however often it is woken; what came in the meantime
    is taken in at once. grace: the seconds for which rows have been in the log when they are taken in, counted by looks.
    tail: that of the process.
    """

    def __init__(
        self, pool: Pool, name: str, subscriber: Subscriber, archive: Archive | None = None, *, pace: float = 0.0,
        retry: float = RETRY_DELAY, grace: float = 0.0, tail: Tail | None = None,
    ) -> None:  # fmt: skip
        self.pool, self.name, self.subscriber, self.pace, self.retry = pool, name, subscriber, pace, retry
        self.tail = tail or Tail(pool)
        self.tail.event_types[name] = subscriber.event_types
        self.archive = archive or Archive(NoBundles())
        self.grace, self.looks = grace, deque[tuple[float, int]]()      # (when, how long the log was)
        self.position = self.head = self.upto = 0
        self.failure: Failure | None = None
        self.unfinished = Unfinished()
        self.wakes, self.answered = 1, 0                                # the first look is owed without being asked for
        self.changed = monotonic()                                      # when something may last have come, or was taken in
        self.woken, self.looked = asyncio.Event(), asyncio.Event()

    def wake(self) -> None:
        """There is something new in the log."""
        self.wakes += 1
        self.changed = monotonic()
        self.woken.set()

    async def settled(self, timeout: float) -> None:
        """Until what this process was woken for up to now has been taken in, or `timeout` seconds have passed."""
        target = self.wakes
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while self.answered < target and self.failure is None:
                    await self.looked.wait()

    async def passed(self, timeout: float) -> None:
        """As `settled`, where another process follows: until its checkpoint is where the log ends now."""
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
        """Until it is cancelled."""
        while True:
            self.woken.clear()
            wakes = self.wakes
            await self.catch_up()
            self.answered = wakes
            self.looked.set()                   # for whoever waits now
            self.looked.clear()
            await self.rest()

    async def rest(self) -> None:
        await asyncio.sleep(self.pace if self.failure is None else self.retry)
        with suppress(TimeoutError):
            async with asyncio.timeout(POLL_INTERVAL):
                await self.woken.wait()

    async def catch_up(self) -> None:
        """To the end of the log as it is now. `failure` tells if it cannot be reached; a server that is away is none."""
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
        """Whether there are rows to take in. A look of others shortly before tells that there are none; else one looks anew."""
        checkpoint = await self.checkpoint(max(self.changed, monotonic() - POLL_INTERVAL))
        if not checkpoint.idle:
            checkpoint = await self.checkpoint(monotonic() - LOOK_INTERVAL)
        self.upto = self.length_before_grace(self.head)
        return not checkpoint.idle and (self.position > self.head or self.position < self.upto)

    async def checkpoint(self, since: float) -> Checkpoint:
        """As it was then or later; made, if it was not there."""
        seen = await self.tail.look(since)
        while self.name not in seen.checkpoints:
            async with self.pool.acquire() as connection:
                await make_checkpoint(connection, self.name)
            seen = await self.tail.look(monotonic())
        self.position, self.head = seen.checkpoints[self.name].position, seen.head
        return seen.checkpoints[self.name]

    def length_before_grace(self, head: int) -> int:
        """How long the log was when it was last looked at before the grace, 0 if it was not."""
        now = monotonic()
        self.looks.append((now, head))
        while len(self.looks) > 1 and self.looks[1][0] <= now - self.grace:
            self.looks.popleft()
        when, length = self.looks[0]
        return length if when <= now - self.grace else 0

    async def apply_pages(self) -> None:
        """As long as they are full; small ones behind a page that failed, until the failing row stands alone."""
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
    """In the caller's transaction, at most so many positions of the log: (position reached, how many were passed).

    Raises LostLog, BrokenOrder, BrokenBundle, StoreUnavailable.
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
    """The last position of the next page, and the hash of the row that it begins behind."""
    page = await connection.fetchrow(
        "select greatest($1, least($1::bigint + $2, $3, head)) as last, es.hash_at($1) as stood_on"
        " from (select coalesce(max(e.position), 0) as head from es.events e where e.lane = $4) log",
        start, most, upto, LANE,
    )  # fmt: skip
    assert page is not None                     # it comes from no table
    return page["last"], page["stood_on"]


async def rows_between(
    connection: Connection, event_types: Collection[int], archive: Archive, start: int, last: int
) -> list[StoredEvent]:
    """Those of these types, in commit order. Raises BrokenOrder, BrokenBundle, StoreUnavailable.

    The log is read first: what is archived since is found in its bundle as well.
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
    """Whether some of these rows are archived. Raises BrokenOrder if others are missing."""
    there, gone = await connection.fetchrow(  # type: ignore[misc]      # aggregates have a row
        "select count(*), es.gone($1, $2) from es.events where lane = $3 and position > $1 and position <= $2",
        start, last, LANE,
    )  # fmt: skip
    if there + gone < last - start:
        raise BrokenOrder(f"between positions {start} and {last}")
    return bool(gone)
