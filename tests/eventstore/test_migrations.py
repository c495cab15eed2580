"""Migrations run once, in order, whoever starts them; and what the service's role may do."""
from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from eventstore import ChangedMigration, EventStore, Ok, migrate
from eventstore.migrations import OWN
from eventstore.reconnect import SETTINGS
from tests.eventstore.streams import append


async def test_the_second_time_there_is_nothing_to_do_on_a_filled_database(store: EventStore, database_url: str) -> None:
    await store.append(append(uuid4(), 0, rows=3))
    assert await migrate(database_url) == []
    assert len(await store.since(0)) == 3


async def test_services_that_start_at_once_migrate_once(database_url: str) -> None:
    runs = await asyncio.gather(*(migrate(database_url) for _ in range(5)))
    assert sorted(map(len, runs)) == [0, 0, 0, 0, len([*OWN["eventstore"].iterdir()])]


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
