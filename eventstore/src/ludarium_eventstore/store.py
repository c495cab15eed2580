"""Append and read events, with reconnects.

An `EventStore` has an appender and a pool of connections for reading.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any, Self, TypeVar
from uuid import UUID

import asyncpg

from ludarium_eventstore.appender import Appender
from ludarium_eventstore.archive import SELECT_ARCHIVED, Archive, Archived, Bundles, NoBundles
from ludarium_eventstore.durable import confirm
from ludarium_eventstore.model import (
    Advance,
    Append,
    BrokenOrder,
    Claimed,
    Due,
    Mark,
    Standing,
    StoredEvent,
    StreamKey,
    Verdict,
)
from ludarium_eventstore.observer import NoObserver, Observer
from ludarium_eventstore.reconnect import CONNECT, Connection, Pool, again, open_pool
from ludarium_eventstore.unfinished import Unfinished

T = TypeVar("T")
PAGE_SIZE = 1000                                     # rows per query
LANE = 0                                        # the only lane for now; positions are consecutive within a lane
IS_STREAM = "partition = es.partition_of($1) and stream_id = $1"
SELECT_SECRET = "(select s.data from es.secrets s where s.partition = events.partition and s.stream_id = events.stream_id)"
CURRENT_TIMELINE = "case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end"
COLUMNS = (
    "position, stream_id as stream, version, type, schema, at, data, root, hash,"
    f" case when version = 0 then {SELECT_SECRET} end as secret"
)
"""Columns of es.events, without a table alias."""


class EventStore:
    """The event log of a database: `async with await EventStore.open(dsn) as store`.

    Every call can raise StoreUnavailable.
    """

    def __init__(self, pool: Pool, appender: Appender, observer: Observer, archive: Archive) -> None:
        self.pool, self.appender, self.observer, self.archive = pool, appender, observer, archive
        self.waiting = Unfinished()             # waits for a connection to read with

    @classmethod
    async def open(
        cls, dsn: str, *, readers: int = 4, observer: Observer | None = None, bundles: Bundles | None = None
    ) -> Self:
        """Connect to the log.

        Args:
            readers: maximum number of connections that read.
            bundles: storage of archived streams.
        """
        observer = observer or NoObserver()
        archive = Archive(bundles or NoBundles())
        return cls(await open_pool(dsn, readers), Appender(dsn, observer), observer, archive)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close after sending the waiting appends. Reads in progress are aborted."""
        await self.appender.close()
        self.pool.terminate()

    # --- the log ------------------------------------------------------------------------------------------------------
    async def append(self, append: Append) -> Verdict:
        """Append events, durably once it returns Ok.

        Raises:
            StoreUnavailable: if the outcome is unknown; repeat the append with its key.
        """
        began, verdict = perf_counter(), None
        try:
            verdict = await self.appender.append(append)
        finally:
            self.observer.appended(verdict, perf_counter() - began)
        return verdict

    async def read(self, stream: UUID, after: int = -1, limit: int | None = None) -> list[StoredEvent]:
        """Return the stream's events after version `after`, oldest first, at most `limit`.

        Raises:
            BrokenBundle: if the stream is archived and its bundle is damaged.
        """
        found: list[StoredEvent] = []
        while limit is None or len(found) < limit:
            page = PAGE_SIZE if limit is None else min(PAGE_SIZE, limit - len(found))
            rows = await self.fetch(
                f"select {COLUMNS} from es.events where {IS_STREAM} and version > $2 order by version limit $3",
                stream, found[-1].version if found else after, page,
            )  # fmt: skip
            found += map(stored, rows)
            if len(rows) < page:
                break
        if found and found[0].version == after + 1:
            return found
        return await self._from_bundle(stream, after, limit, found)

    async def _from_bundle(
        self, stream: UUID, after: int, limit: int | None, found: list[StoredEvent]
    ) -> list[StoredEvent]:
        """Read an archived stream.

        Otherwise return `found`: the stream ends here, or rows are missing.
        """
        place = await self.archived(stream)
        return (await self.archive.rows(place))[after + 1 :][:limit] if place else found

    async def archived(self, stream: UUID) -> Archived | None:
        rows = await self.fetch(f"{SELECT_ARCHIVED} where {IS_STREAM}", stream)
        return Archived(*rows[0]) if rows else None

    async def head(self, stream: UUID) -> int | None:
        """Return the version of the stream's last event, None if it has none."""
        rows = await self.fetch(
            f"select coalesce((select version from es.archived where {IS_STREAM}), max(version)) as head"
            f" from es.events where {IS_STREAM}", stream,
        )  # fmt: skip
        head: int | None = rows[0]["head"]
        return head

    async def heads(self, streams: Collection[UUID]) -> dict[UUID, bytes]:
        """Return the hash of the last event of each stream that has one in the log."""
        rows = await self.fetch(
            "select s.id, (select e.hash from es.events e where e.partition = es.partition_of(s.id) and e.stream_id = s.id"
            " order by e.version desc limit 1) as head from unnest($1::uuid[]) as s(id)",
            [*streams],
        )  # fmt: skip
        return {row["id"]: row["head"] for row in rows if row["head"] is not None}

    async def since(self, position: int, limit: int = PAGE_SIZE, lane: int = LANE) -> list[StoredEvent]:
        """Return a lane's rows after `position` in commit order, without archived rows.

        Raises:
            BrokenOrder: if a row is missing.
        """
        rows = await self.fetch(
            f"select {COLUMNS} from es.events where lane = $3 and position > $1 order by position limit $2",
            position, limit, lane,
        )  # fmt: skip
        if rows and rows[-1]["position"] != position + len(rows):
            await self._check_gaps(position, rows[-1]["position"], len(rows))
        return [*map(stored, rows)]

    async def _check_gaps(self, start: int, last: int, there: int) -> None:
        gone = (await self.fetch("select es.gone($1, $2) as gone", start, last))[0]["gone"]
        if there + gone < last - start:
            raise BrokenOrder(f"between positions {start} and {last}")

    async def streams(self, after: StreamKey, limit: int) -> list[StreamKey]:
        """Return the keys of streams after `after`, archived streams included.

        A skip scan: it reads one row for each stream.
        """
        rows = await self.fetch(
            """with recursive walk(partition, stream_id) as (
                 (select partition, stream_id from es.events where (partition, stream_id) > ($1::smallint, $2::uuid)
                  order by partition, stream_id limit 1)
                 union all
                 select n.partition, n.stream_id from walk w cross join lateral (
                   select e.partition, e.stream_id from es.events e
                   where (e.partition, e.stream_id) > (w.partition, w.stream_id)
                   order by e.partition, e.stream_id limit 1) n
               )
               (select partition, stream_id from walk limit $3)
               union
               (select partition, stream_id from es.archived where (partition, stream_id) > ($1::smallint, $2::uuid)
                order by partition, stream_id limit $3)
               order by partition, stream_id limit $3""",
            *after, limit,
        )  # fmt: skip
        return [StreamKey(*row) for row in rows]

    async def advanced(self, streams: Collection[UUID], since: Mark | None) -> Advance:
        """Return the log's mark, and the streams with events after `since`.

        Args:
            since: None returns the mark alone.
        """
        position, hash_, timeline = since or (None, b"", "")
        rows = await self.fetch(
            f"""select coalesce(last.position, 0) as position, coalesce(last.hash, '') as hash, {CURRENT_TIMELINE} as timeline,
                 moved.stream_id, moved.head,
                 exists(select from es.events where lane = $3 and position = $2 and hash = $4) as stands
               from (values (true)) one
               left join (select position, hash from es.events where lane = $3 order by position desc limit 1) last on true
               left join lateral (
                 select stream_id, max(version) as head from es.events
                 where lane = $3 and position > $2 and stream_id = any($1) group by stream_id
               ) moved on true""",
            [*streams], position, LANE, hash_,
        )  # fmt: skip
        last = rows[0]
        heads = {row["stream_id"]: row["head"] for row in rows if row["stream_id"]}
        goes_on = not position or (last["stands"] and last["timeline"] == timeline)
        return Advance(Mark(last["position"], last["hash"], last["timeline"]), heads, goes_on)

    async def standing(self, places: Collection[tuple[UUID, int]]) -> list[Standing]:
        """Look up rows by stream and version. Rows of an archived stream are not found.

        Args:
            places: each row's stream and version.
        """
        rows = await self.fetch(
            """select w.stream, w.version, e.hash, (
                 select max(n.version) from es.events n where n.partition = es.partition_of(w.stream) and n.stream_id = w.stream
               ) as last
               from unnest($1::uuid[], $2::int[]) w(stream, version)
               left join es.events e
                 on e.partition = es.partition_of(w.stream) and e.stream_id = w.stream and e.version = w.version""",
            [stream for stream, _ in places], [version for _, version in places],
        )  # fmt: skip
        return [Standing(*row) for row in rows]

    async def command(self, stream: UUID, key: UUID) -> tuple[bytes, int] | None:
        """Return request hash and last version of the command with this key, if known."""
        rows = await self.fetch(f"select request_hash, version from es.commands where {IS_STREAM} and key = $2", stream, key)
        if not rows:
            return None
        await self._confirm()
        return rows[0]["request_hash"], rows[0]["version"]

    async def commands(self, stream: UUID, keys: Collection[UUID]) -> dict[UUID, tuple[bytes, int]]:
        """Return request hash and last version of each known command, by its key."""
        rows = await self.fetch(
            f"select key, request_hash, version from es.commands where {IS_STREAM} and key = any($2)", stream, [*keys]
        )
        if rows:
            await self._confirm()
        return {row["key"]: (row["request_hash"], row["version"]) for row in rows}

    async def _confirm(self) -> None:
        """Return once all that is in the log is as durable as a commit.

        Raises StoreUnavailable.
        """
        await self._with_connection(confirm)

    # --- clock and deadlines ------------------------------------------------------------------------------------------
    async def now(self) -> datetime:
        """Return PostgreSQL's es.now(), the clock by which events are judged."""
        at: datetime = (await self.fetch("select es.now() as at"))[0]["at"]
        return at

    async def claim_due(self, most: int, for_: timedelta) -> Claimed:
        """Claim streams whose deadline has passed, the longest overdue first.

        Args:
            most: maximum number of streams.
            for_: for how long no other process can claim them.
        """
        rows = await self.fetch(
            """with clock as materialized (select es.now() as now),     -- asked once, else the whole index is gone through
               claimed as (
                 update es.due d set claimed = (select now from clock) + $2 from (
                   select partition, stream_id from es.due
                   where at <= (select now from clock) and at < 'infinity' and claimed <= (select now from clock)
                   order by at limit $1 for update skip locked
                 ) found
                 where d.partition = found.partition and d.stream_id = found.stream_id
                 returning d.stream_id as stream, d.at
               )
               select stream, at from claimed union all
               select null, (select min(at) from es.due where at > (select now from clock) and at < 'infinity')""",
            most, for_,
        )  # fmt: skip
        dues = [Due(row["stream"], row["at"]) for row in rows if row["stream"] is not None]
        (coming,) = [row["at"] for row in rows if row["stream"] is None]
        return Claimed(sorted(dues, key=lambda due: due.at), coming)

    async def reschedule(self, due: Due, at: datetime, seen: int | None) -> None:
        """Move a stream's deadline, unless it has changed since version `seen`.

        Args:
            due: the deadline as it was claimed.
            at: the new one.
            seen: the last version that the caller knew; None moves it in any case.
        """
        await self.fetch("select es.reschedule($1, $2, $3, $4)", due.stream, due.at, at, seen)

    async def prune_commands(self, older: timedelta, most: int) -> int:
        """Delete the keys of commands older than this.

        Returns:
            The number of rows that were checked.
        """
        rows = await self.fetch("select es.prune_commands(now() - $1::interval, $2) as passed", older, most)
        passed: int = rows[0]["passed"]
        return passed

    async def name_types(self, names: Mapping[int, str]) -> None:
        """Record the names of type numbers.

        Raises:
            ValueError: if a number has another name already.
        """
        await self.fetch(
            "insert into es.event_types (type, name) select * from unnest($1::smallint[], $2::text[])"
            " on conflict do nothing",
            [*names], [*names.values()],
        )  # fmt: skip
        known = await self.type_names()
        if changed := {number: name for number, name in names.items() if known.get(number) != name}:
            raise ValueError(f"event types have another meaning in this log: {changed}")

    async def type_names(self) -> dict[int, str]:
        return {row["type"]: row["name"] for row in await self.fetch("select type, name from es.event_types")}

    # --- snapshots and documents --------------------------------------------------------------------------------------
    async def put_document(self, hash_: bytes, data: bytes) -> None:
        await self.fetch("insert into es.documents (hash, data) values ($1, $2) on conflict do nothing", hash_, data)

    async def document(self, hash_: bytes) -> bytes | None:
        rows = await self.fetch("select data from es.documents where hash = $1", hash_)
        return rows[0]["data"] if rows else None

    async def documents(self) -> AsyncIterator[tuple[bytes, bytes]]:
        """Yield all documents as (hash, data)."""
        after = b""
        while rows := await self.fetch("select hash, data from es.documents where hash > $1 order by hash limit 1", after):
            after = rows[0]["hash"]
            yield after, rows[0]["data"]

    async def put_snapshot(self, stream: UUID, version: int, code_rev: str, data: bytes) -> None:
        """Save the stream's snapshot and delete all its others.

        Later snapshots belong to rows that the log has lost in a fail-over. Archived streams get no snapshot.
        """
        await self.fetch(
            "with written as ("
            "  insert into es.snapshots (partition, stream_id, version, code_rev, data)"
            "  select es.partition_of($1), $1, $2::int, $3::text, $4::bytea"
            f"  where not exists (select from es.archived where {IS_STREAM})"
            "  on conflict (partition, stream_id, version)"
            "  do update set code_rev = excluded.code_rev, data = excluded.data"
            f") delete from es.snapshots where {IS_STREAM} and version <> $2",
            stream, version, code_rev, data,
        )  # fmt: skip

    async def snapshot(self, stream: UUID, code_rev: str) -> tuple[int, bytes] | None:
        """Return this code revision's newest snapshot of the stream as (version, data)."""
        rows = await self.fetch(
            f"select version, data from es.snapshots where {IS_STREAM} and code_rev = $2 order by version desc limit 1",
            stream, code_rev,
        )  # fmt: skip
        return (rows[0]["version"], rows[0]["data"]) if rows else None

    async def drop_snapshots(self) -> None:
        await self.fetch("delete from es.snapshots")

    # --- connections --------------------------------------------------------------------------------------------------
    async def fetch(self, statement: str, *args: Any) -> list[asyncpg.Record]:
        """Run a repeatable statement, with retries while PostgreSQL is down.

        Retries end after PATIENCE seconds.
        """
        return await self._with_connection(lambda connection: connection.fetch(statement, *args))

    async def _with_connection(self, ask: Callable[[Connection], Awaitable[T]]) -> T:
        async def run() -> T:
            connection = await self.connected()
            try:
                return await ask(connection)
            finally:
                await self.pool.release(connection)

        return await again(run)

    async def connected(self) -> Connection:
        """Acquire a connection of the pool; the caller releases it."""
        began = perf_counter()
        try:
            with self.waiting.operation():
                return await self.pool.acquire(timeout=CONNECT["timeout"])
        finally:
            self.observer.waited(perf_counter() - began)


def stored(row: asyncpg.Record) -> StoredEvent:
    return StoredEvent(**row)
