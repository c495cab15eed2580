"""Migrations run once and in order, and the service's role gets its rights."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from ludarium_eventstore import Blocked, ChangedMigration, EventStore, Ok, OldFormat, migrate, missing
from ludarium_eventstore.migrations import BASELINE
from ludarium_eventstore.reconnect import SETTINGS
from ludarium_eventstore.schema_files import scripts
from tests.support.dumps import dumped
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.waiting import eventually


@pytest.fixture
async def database_url(empty_database_url: str) -> str:
    return empty_database_url


async def test_the_second_time_there_is_nothing_to_do_on_a_filled_database(store: EventStore, database_url: str) -> None:
    await store.append(append(uuid4(), 0, rows=3))
    assert await migrate(database_url) == []
    assert len(await store.since(0)) == 3


async def test_services_that_start_at_once_migrate_once(database_url: str) -> None:
    runs = await asyncio.gather(*(migrate(database_url) for _ in range(5)))
    assert sorted(map(len, runs)) == [0, 0, 0, 0, len(scripts())]


async def test_others_bring_folders_of_their_own(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "0001_things.sql").write_text("create table things (id int)")
    assert (await migrate(database_url, {"things": tmp_path}))[-1] == "things/0001_things.sql"
    assert await migrate(database_url, {"things": tmp_path}) == []


async def test_a_migration_that_was_changed_is_refused_before_anything_runs(database_url: str, tmp_path: Path) -> None:
    first = tmp_path / "0001_things.sql"
    first.write_text("create table things (id int)")
    await migrate(database_url, {"things": tmp_path})
    first.write_text("create table things (id bigint)")
    (tmp_path / "0002_more.sql").write_text("create table more (id int)")
    with pytest.raises(ChangedMigration, match=r"things/0001_things\.sql"):
        await migrate(database_url, {"things": tmp_path})
    assert await tables(database_url, "public") == {"things", "ludarium_migrations"}


async def test_a_migration_that_fails_leaves_nothing_behind(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "0001_things.sql").write_text("create table things (id int); select 1/0")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(database_url, {"things": tmp_path})
    assert "things" not in await tables(database_url, "public")


@asynccontextmanager
async def read_for_long(dsn: str, table: str) -> AsyncIterator[None]:
    """Hold open a transaction that has read the table."""
    reader = await asyncpg.connect(dsn)
    try:
        async with reader.transaction():
            await reader.execute(f"select from {table}")
            yield
    finally:
        await reader.close()


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LOCK_TIMEOUT", "50ms"), ("PAUSE", 0.05), ("MAX_TRIES", 3)):
        monkeypatch.setattr(f"ludarium_eventstore.migrations.{name}", value)


@pytest.mark.usefixtures("brief")
async def test_a_migration_that_waits_for_a_lock_lets_others_through(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Readers run between the attempts, and the migration succeeds after them."""
    monkeypatch.setattr("ludarium_eventstore.migrations.MAX_TRIES", 10_000)
    (tmp_path / "0001_things.sql").write_text("create table things (id int)")
    await migrate(database_url, {"things": tmp_path})
    (tmp_path / "0002_wider.sql").write_text("alter table things add column name text")
    async with read_for_long(database_url, "things"):
        migrating = asyncio.create_task(migrate(database_url, {"things": tmp_path}))
        await eventually(lambda: "things/0002_wider.sql waits for a lock" in caplog.messages)
        async with read_for_long(database_url, "things"):
            assert not migrating.done()
    assert await migrating == ["things/0002_wider.sql"]


@pytest.mark.usefixtures("brief")
async def test_a_lock_that_is_never_given_is_said(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "0001_things.sql").write_text("create table things (id int)")
    await migrate(database_url, {"things": tmp_path})
    (tmp_path / "0002_wider.sql").write_text("alter table things add column name text")
    async with read_for_long(database_url, "things"):
        with pytest.raises(Blocked, match=r"things/0002_wider\.sql"):
            await migrate(database_url, {"things": tmp_path})
    assert await migrate(database_url, {"things": tmp_path}) == ["things/0002_wider.sql"]


async def test_an_index_is_made_beside_those_who_write_and_a_broken_one_is_made_anew(
    database_url: str, tmp_path: Path
) -> None:
    """Services that migrate at the same time do not deadlock."""
    (tmp_path / "0001_things.sql").write_text("create table public.things (id int); insert into things values (1), (1)")
    index = "-- no transaction\ncreate unique index concurrently things_by_id on public.things (id)"
    await migrate(database_url, {"things": tmp_path})
    (tmp_path / "0002_index.sql").write_text(index)
    owner = await asyncpg.connect(database_url)
    valid = "select indisvalid from pg_index where indexrelid = to_regclass('public.things_by_id')"
    with pytest.raises(asyncpg.UniqueViolationError):
        await migrate(database_url, {"things": tmp_path})
    assert await owner.fetchval(valid) is False
    await owner.execute("delete from things where ctid = (select min(ctid) from things)")
    runs = await asyncio.gather(*(migrate(database_url, {"things": tmp_path}) for _ in range(4)))
    assert sorted(map(len, runs)) == [0, 0, 0, 1] and await owner.fetchval(valid) is True
    await owner.close()


async def test_nothing_but_an_index_runs_without_a_transaction(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "0001_things.sql").write_text("-- no transaction\ncreate table things (id int)")
    with pytest.raises(ValueError, match="makes no index"):
        await migrate(database_url, {"things": tmp_path})


async def test_what_is_missing_is_told_and_what_is_newer_is_not_in_the_way(store: EventStore, database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    assert await missing(owner) == []
    await owner.execute("insert into public.ludarium_migrations (name, checksum) values ('eventstore/9999_newer.sql', '')")
    assert await missing(owner) == []
    last = scripts()[-1].name
    await owner.execute("delete from public.ludarium_migrations where name = $1", last)
    assert await missing(owner) == [last]
    await owner.close()


async def tables(dsn: str, schema: str) -> set[str]:
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch("select tablename from pg_tables where schemaname = $1", schema)
        return {row["tablename"] for row in rows}
    finally:
        await connection.close()


@pytest.mark.parametrize("statement", ["update es.events set data = ''", "delete from es.events", "truncate es.events"])
async def test_nothing_in_the_log_can_be_changed_by_the_service(
    store: EventStore, database_url: str, statement: str
) -> None:
    await store.append(append(uuid4(), 0))
    connection = await asyncpg.connect(database_url, server_settings=SETTINGS)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_type_numbers_keep_their_meaning(store: EventStore) -> None:
    await store.name_types({1: "happened", 3: "new"})
    for changed in ({1: "something else"}, {4: "happened"}):
        with pytest.raises(ValueError, match="another meaning"):
            await store.name_types(changed)
    assert {row["type"] for row in await store.fetch("select type from es.event_types")} == {1, 2, 3}


async def test_services_that_start_at_once_may_all_name_their_types(store: EventStore) -> None:
    names = {number: f"type {number}" for number in range(10, 60)}
    await asyncio.gather(*(store.name_types(names) for _ in range(8)))
    rows = await store.fetch("select type, name from es.event_types where type >= 10")
    assert {row["type"]: row["name"] for row in rows} == names


async def test_documents_are_stored_once_by_their_hash(store: EventStore) -> None:
    for _ in range(2):
        await store.put_document(bytes(32), b"cards")
    assert await store.document(bytes(32)) == b"cards"
    assert await store.document(bytes([1] * 32)) is None


async def test_snapshots_are_a_cache_of_one_revision_of_the_code(store: EventStore) -> None:
    stream = uuid4()
    for version in (3, 9):
        await store.put_snapshot(stream, version, "rev 1", f"state {version}".encode())
    assert await store.snapshot(stream, "rev 1") == (9, b"state 9")
    assert await store.snapshot(stream, "rev 2") is None
    await store.put_snapshot(stream, 9, "rev 2", b"newer")
    assert await store.snapshot(stream, "rev 2") == (9, b"newer")
    await store.drop_snapshots()
    assert await store.snapshot(stream, "rev 2") is None
    assert await store.append(append(stream, 0)) == Ok(0, 1)


OLD_HISTORY = """
    create table public.ludarium_migrations
    (name text primary key, checksum bytea not null, at timestamptz not null default now());
    insert into public.ludarium_migrations (name, checksum) values ('eventstore/0001_log.sql', '\\xf00d')"""
"""The history of a database from before the baseline."""


@pytest.mark.parametrize("before", [
    "create schema es; create table es.events (position bigint); insert into es.events values (1);" + OLD_HISTORY,
    "create schema es; create table es.events (position bigint)",
    "create table public.ludarium_migrations (version int)",
], ids=["before the baseline", "another schema es", "another list of migrations"])  # fmt: skip
async def test_a_database_of_another_format_is_refused_and_stays_as_it_is(database_url: str, before: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(before)
    dump = await dumped(database_url)
    with pytest.raises(OldFormat, match=BASELINE):
        await migrate(database_url)
    with pytest.raises(OldFormat, match=BASELINE):
        await missing(connection)
    assert await dumped(database_url) == dump
    await connection.close()


# --- functions ------------------------------------------------------------------------------------------------------------
TWICE = "create or replace function public.twice(n int) returns int language sql return {};"


class Release:
    """The schema folder of a release with one table and one function."""

    def __init__(self, folder: Path, body: str) -> None:
        (folder / "functions").mkdir(parents=True)
        (folder / "0001_things.sql").write_text("create table public.things (id int)")
        self.function = folder / "functions" / "twice.sql"
        self.function.write_text(TWICE.format(body))
        self.folders = {"things": folder}


@pytest.fixture
def older(tmp_path: Path) -> Release:
    return Release(tmp_path / "older", "n + n")


@pytest.fixture
def newer(tmp_path: Path) -> Release:
    return Release(tmp_path / "newer", "2 * n + 0")


FUNCTION = "things/functions/twice.sql"


async def body(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    try:
        found: str = await connection.fetchval("select pg_get_functiondef('public.twice(int)'::regprocedure)")
        return found
    finally:
        await connection.close()


async def lacks(dsn: str, release: Release) -> list[str]:
    connection = await asyncpg.connect(dsn)
    try:
        return await missing(connection, release.folders)
    finally:
        await connection.close()


async def test_a_changed_function_needs_no_migration(database_url: str, older: Release, newer: Release) -> None:
    await migrate(database_url, older.folders)
    assert await lacks(database_url, newer) == [FUNCTION]
    assert await migrate(database_url, newer.folders) == [FUNCTION]
    assert "2 * n" in await body(database_url) and await lacks(database_url, newer) == []


async def test_an_older_release_leaves_the_functions_of_a_newer_one(
    database_url: str, older: Release, newer: Release
) -> None:
    """Older processes may start and stop next to newer ones, and after a downgrade."""
    await migrate(database_url, older.folders)
    await migrate(database_url, newer.folders)
    assert await lacks(database_url, older) == []
    assert await migrate(database_url, older.folders) == [] and "2 * n" in await body(database_url)


@pytest.mark.parametrize("harm", ["drop function public.twice(int)", TWICE.format("3 * n")])
async def test_a_function_that_was_dropped_or_changed_by_hand_is_created_again(
    database_url: str, older: Release, harm: str
) -> None:
    await migrate(database_url, older.folders)
    owner = await asyncpg.connect(database_url)
    await owner.execute(harm)
    await owner.close()
    assert await migrate(database_url, older.folders) == [] and "n + n" in await body(database_url)


async def test_a_function_that_returns_something_else_is_refused_and_the_one_before_stays(
    database_url: str, older: Release, newer: Release
) -> None:
    """Processes of the previous release still call the function."""
    await migrate(database_url, older.folders)
    newer.function.write_text(TWICE.format("n").replace("returns int", "returns bigint"))
    with pytest.raises(asyncpg.InvalidFunctionDefinitionError, match="cannot change return type"):
        await migrate(database_url, newer.folders)
    assert "n + n" in await body(database_url) and await lacks(database_url, newer) == [FUNCTION]


async def test_a_function_without_a_file_stays_for_the_release_before(
    database_url: str, older: Release, newer: Release
) -> None:
    await migrate(database_url, older.folders)
    newer.function.unlink()
    assert await migrate(database_url, newer.folders) == [] and "n + n" in await body(database_url)
