"""Measure whatever takes longer as the service grows, at full size.

That is lists with 100,000 active tables, projections, old idempotency keys, and verification of the whole log.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from hashlib import sha256
from random import Random
from statistics import median
from time import perf_counter
from uuid import UUID

import asyncpg

from benchmarks.eventstore import fresh_store
from benchmarks.rows import Row, cpu_seconds
from ludarium.ops.key_pruning import KEEP_FOR, MAX_ROWS
from ludarium.ops.log_verification import BATCH_SIZE, LogSource, StreamPages, available_cores, verify_log
from ludarium.platform.database import Database, database
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.schema_check import migrated
from ludarium.projections import turns
from ludarium.projections.frames import FrameQuery, make_page
from ludarium.projections.rebuilding import rebuild
from ludarium.projections.registry import PROJECTION_KINDS
from ludarium.projections.replay_worker import FoldingContext
from ludarium.projections.turns import PartRow, TableTurns, TurnList
from ludarium.tables.deals import projection as waiting_deals
from ludarium.tables.deals.events import OPENED, REVEALED
from ludarium.tables.model.hash_chain import EPOCH
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import TableCache
from ludarium_engine.kernel import SPECTATOR
from ludarium_eventstore import EventStore, StoredEvent, subscribers_pool
from ludarium_eventstore.reconnect import Pool
from tests.support.table_games import Silent, play, started

FEW, MANY = 10_000, 100_000
"""The numbers of active tables to compare."""
OPEN, LOOKS = 10, 100
"""The number of open deals, and of queries for them per measurement."""
SEATS, MOVED, FINISHED = 4, 1000, 10_000
GAMES, AT_A_TIME = 80, 8
RUNS = 5


async def rows() -> AsyncIterator[Row]:
    async with fresh_store() as (store, dsn):
        await migrated(dsn)
        for part in (open_deals, finished_games, active_tables, many_streams, old_keys):
            async for row in part(store, dsn):
                yield row


async def median_of(work: Callable[[], Awaitable[object]]) -> float:
    """Return the median of the milliseconds of several runs."""
    return median([await milliseconds(work) for _ in range(RUNS)])


async def milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    start = perf_counter()
    await work()
    return (perf_counter() - start) * 1e3


async def execute(dsn: str, statement: str, *args: object) -> None:
    owner = await asyncpg.connect(dsn)
    await owner.execute(statement, *args)
    await owner.close()


# --- deals ------------------------------------------------------------------------------------------------------------
async def open_deals(store: EventStore, dsn: str) -> AsyncIterator[Row]:
    """Compare the query for open deals after few and after many ended deals.

    The patrol of each process sends this query every few seconds.
    """
    async with database(dsn) as base:
        async def look(ended: int) -> float:
            await deals_ended(dsn, ended)
            await rebuild(dsn, "deals", TableCache(store), lambda done, of: None)
            await execute(dsn, "vacuum analyze deals.waiting")
            assert len(await waiting_deals.open_deals(base)) == OPEN
            return await median_of(lambda: looks(base)) / LOOKS

        few, many = await look(OPEN), await look(MANY)
    await execute(dsn, "truncate es.events")
    yield Row(
        name=f"growth: a look for deals that wait, {OPEN} open, {MANY:,} ended", value=round(many, 2), unit="ms",
        beside=f"{OPEN} ended: {few:.2f} ms", ratio=many / few, goal="<= 2 x", holds=many <= 2 * few,
    )  # fmt: skip


async def looks(base: Database) -> None:
    for _ in range(LOOKS):
        await waiting_deals.open_deals(base)


async def deals_ended(dsn: str, ended: int) -> None:
    """Fill the log with deals that open and end; the last OPEN of them stay open.

    At any time, OPEN deals are open.
    """
    await execute(dsn, "truncate es.events")
    await execute(
        dsn,
        "insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)"
        " select row_number() over (order by n + $2::int * version), es.partition_of(id), id, version, type, 1, now(), '',"
        " sha256(''), sha256(n::text::bytea) from (select n, md5(n::text)::uuid as id from generate_series(1, $1::int) n) s"
        " cross join (values (0, $3::smallint), (1, $4)) v(version, type) where version = 0 or n <= $1 - $2",
        ended + OPEN, OPEN, OPENED, REVEALED,
    )  # fmt: skip


# --- finished games ---------------------------------------------------------------------------------------------------
async def finished_games(store: EventStore, dsn: str) -> AsyncIterator[Row]:
    tables = Tables(store, Silent(), SystemEntropy())
    games = [game for start in range(0, GAMES, AT_A_TIME) for game in await played(tables, range(start, start + AT_A_TIME))]
    for name in PROJECTION_KINDS:
        await rebuild(dsn, name, TableCache(store), lambda done, of: None)
    log, derived = [await bytes_of(store, schemas) for schemas in (["es"], [*PROJECTION_KINDS, "frames", "positions"])]
    yield Row(
        name="growth: what projections keep of finished games", value=round(derived / await length(store)), unit="bytes/event",
        beside=f"the log: {log / await length(store):.0f}", ratio=derived / log, goal="<= 1 x", holds=derived <= log,
    )  # fmt: skip
    table, stored = await tables.cache.load(games[0]), await store.read(games[0])
    asked = FrameQuery(games[0], SPECTATOR, -1, len(stored))
    needed = FoldingContext.by(table, await tables.cache.events(games[0]))
    cpu = cpu_seconds(lambda: make_page(asked, stored, needed))
    yield Row(
        name=f"growth: a replay of {len(stored)} events made, for one audience, CPU", value=round(cpu * 1e3, 1), unit="ms"
    )
    yield await verifying(store, dsn)


async def played(tables: Tables, seeds: range) -> list[UUID]:
    async def one(seed: int) -> UUID:
        table = await started(tables, 3)
        await play(tables, table, Random(seed))
        return table

    return await asyncio.gather(*(one(seed) for seed in seeds))


async def length(store: EventStore) -> int:
    return (await store.advanced([], None)).mark.position


async def bytes_of(store: EventStore, schemas: list[str]) -> int:
    """Return the bytes of tables, indices and TOAST in these schemas.

    Snapshots and documents are left out.
    """
    rows = await store.fetch(
        "select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c join pg_namespace n on n.oid = relnamespace"
        " where nspname = any ($1) and relkind = 'r' and relname not in ('snapshots', 'documents')",
        schemas,
    )  # fmt: skip
    found: int = rows[0]["bytes"]
    return found


async def verifying(store: EventStore, dsn: str) -> Row:
    async def rate(processes: int) -> float:
        taken = await milliseconds(lambda: verify_log(LogSource(dsn), store, processes, lambda done, of: None))
        return await length(store) / taken * 1e3

    await rate(available_cores())                         # starts the processes
    one, all_of_them = await rate(1), await rate(available_cores())
    return Row(
        name=f"growth: verify --all with {available_cores()} processes", value=round(all_of_them), unit="events/s",
        beside=f"with one: {one:,.0f}/s", ratio=all_of_them / one,
    )  # fmt: skip


# --- active tables ----------------------------------------------------------------------------------------------------
async def active_tables(store: EventStore, dsn: str) -> AsyncIterator[Row]:
    async with subscribers_pool(dsn, 2) as pool, database(dsn) as base:
        await fill(dsn, 0, FEW)
        few = [await told(pool, dsn, run) for run in range(RUNS)]
        await fill(dsn, FEW, MANY)
        many = [await told(pool, dsn, run) for run in range(RUNS)]
        ratio = median(many) / median(few)
        yield Row(
            name=f"growth: who is asked at {MOVED:,} moved tables told, {MANY:,} active", value=round(median(many), 1),
            unit="ms", beside=f"{FEW:,} active: {median(few):.1f} ms", ratio=ratio, goal="<= 2 x", holds=ratio <= 2,
        )  # fmt: skip
        look = await median_of(lambda: looked(pool, store))
        yield Row(
            name=f"growth: a look at {MOVED:,} moved tables that were told, {MANY:,} active", value=round(look, 1), unit="ms",
            beside="920 ms when each was folded and read again", ratio=look / 920, goal="<= 0.1 x", holds=look <= 92,
        )  # fmt: skip
        yield await old_hand(base, dsn)


async def fill(dsn: str, first: int, last: int) -> None:
    """Add running tables with four players each.

    At each table it is the first player's turn.
    """
    await execute(
        dsn,
        "insert into turns.heads select md5(n::text)::uuid, 100, sha256('100') from generate_series($1::int, $2::int - 1) n",
        first, last,
    )  # fmt: skip
    await execute(
        dsn,
        "insert into turns.parts (id, part, listed_at, player, bot, status, asked, since, body)"
        " select md5(n::text)::uuid, seat, now() - n * interval '1 ms', 'player ' || n % 50000 * 4 + seat, null,"
        " 'playing', seat = 0, 100, $3::text::jsonb"
        " from generate_series($1::int, $2::int - 1) n, generate_series(0, 3) seat",
        first, last, body_of("playing"),
    )  # fmt: skip
    await execute(dsn, "vacuum analyze turns.parts, turns.heads")


def body_of(status: str) -> str:
    seats = ",".join(f'{{"seat":{seat},"player":"0000000000000000000000000{seat}","bot":null}}' for seat in range(SEATS))
    return (
        f'{{"id":"00000000000000000000000000","ruleset":"kemet","options":{{}},"status":"{status}",'
        f'"creator":"00000000000000000000000000","seats":[{seats}]}}'
    )


async def told(pool: Pool, dsn: str, run: int) -> float:
    """Return the milliseconds to write the turns of moved tables.

    In each run it is another seat's turn.
    """
    await move(dsn)
    async with pool.acquire() as connection:
        some = await connection.fetch("select id, seq from turns.heads order by id limit $1", MOVED)
        tables = [now(row["id"], row["seq"] + 1, (run + 1) % SEATS) for row in some]

        async def put() -> None:
            async with connection.transaction():
                await connection.execute("set local search_path to turns")
                await turns.write_turns(connection, tables)

        return await milliseconds(put)


async def move(dsn: str) -> None:
    """Append one event to each table that the measurement uses."""
    await execute(
        dsn,
        "insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)"
        " select row_number() over () + (select max(position) from es.events), es.partition_of(id), id, seq + 1,"
        " 5, 1, now(), '', sha256(''), sha256((seq + 1)::text::bytea)"
        " from (select id, seq from turns.heads order by id limit $1) h",
        MOVED,
    )  # fmt: skip


def hash_of(seq: int) -> bytes:
    return sha256(str(seq).encode()).digest()


def now(table: UUID, seq: int, asked: int) -> TableTurns:
    body = body_of("playing")
    parts = [PartRow(table, seat, EPOCH, f"player {seat}", None, "playing", seat == asked, seq, body) for seat in range(SEATS)]
    return TableTurns(table, seq, hash_of(seq), parts)


async def looked(pool: Pool, store: EventStore) -> None:
    some = await store.fetch("select id, seq from turns.heads order by id limit $1", MOVED)
    rows = [StoredEvent(0, row["id"], row["seq"], 5, 1, EPOCH, b"", b"", hash_of(row["seq"]), None) for row in some]
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("set local search_path to turns")
        await TurnList(TableCache(store)).apply(connection, rows)


async def old_hand(base: Database, dsn: str) -> Row:
    """Compare the lists of a player with many finished games and of one with none."""
    await execute(
        dsn,
        "insert into turns.parts (id, part, listed_at, player, bot, status, asked, since, body)"
        " select md5('over ' || n)::uuid, 0, now() - n * interval '1 ms', 'player 100001', null,"
        " 'over', false, 0, $2::text::jsonb"
        " from generate_series(1, $1::int) n",
        FINISHED, body_of("over"),
    )  # fmt: skip
    await execute(dsn, "analyze turns.parts")
    old, new = [await median_of(lambda p=p: turns.playing_tables(base, [p])) for p in ("player 100001", "player 100005")]  # type: ignore[misc]
    return Row(
        name=f"growth: the games of a player with {FINISHED:,} finished ones", value=round(old, 2), unit="ms",
        beside=f"of one with none: {new:.2f} ms", ratio=old / new, goal="<= 3 x", holds=old <= 3 * new,
    )  # fmt: skip


# --- many streams -----------------------------------------------------------------------------------------------------
async def many_streams(store: EventStore, dsn: str) -> AsyncIterator[Row]:
    few = [await walked(store) for _ in range(RUNS)]
    await execute(
        dsn,
        "insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)"
        " select n + (select max(position) from es.events), es.partition_of(id), id, 0, 1, 1,"
        " now() - interval '8 days', '', sha256(''), sha256(n::text::bytea)"
        " from (select n, md5('stream ' || n)::uuid as id from generate_series(1, $1::int) n) s",
        MANY,
    )  # fmt: skip
    await execute(dsn, "vacuum analyze es.events")
    many = [await walked(store) for _ in range(RUNS)]
    ratio = median(many) / median(few)
    yield Row(
        name=f"growth: a page of {BATCH_SIZE} streams to be verified, of {MANY:,}", value=round(median(many), 2), unit="ms",
        beside=f"of {GAMES}: {median(few):.2f} ms", ratio=ratio, goal="<= 3 x", holds=ratio <= 3,
    )  # fmt: skip


async def walked(store: EventStore) -> float:
    return await milliseconds(StreamPages(store).next)


async def old_keys(store: EventStore, dsn: str) -> AsyncIterator[Row]:
    await execute(dsn, "update es.events set at = now() - interval '8 days'")
    await execute(dsn, "vacuum analyze es.events")
    await execute(
        dsn,
        "insert into es.commands (partition, stream_id, key, request_hash, version)"
        " select partition, stream_id, stream_id, '', version from es.events where version = 0",
    )
    taken = []
    while True:
        start = perf_counter()
        passed = await store.prune_commands(KEEP_FOR, MAX_ROWS)
        taken.append((perf_counter() - start) * 1e3)
        if passed < MAX_ROWS:
            break
    first, last = median(taken[:RUNS]), median(taken[-RUNS - 1 : -1])
    yield Row(
        name=f"growth: {MAX_ROWS:,} rows whose keys are forgotten, last of {MANY:,}", value=round(last, 1), unit="ms",
        beside=f"the first: {first:.1f} ms", ratio=last / first, goal="<= 3 x", holds=last <= 3 * first,
    )  # fmt: skip
