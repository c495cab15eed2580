"""Upgrade and downgrade while games are running, with the real migrations."""
from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec.structs import replace

from ludarium.platform.schema_check import lacking, migrated
from ludarium.tables import snapshots
from ludarium.tables.model.events import RulesChanged, order_of
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium_eventstore import AppendRefused, Conflict, Duplicate, EventStore, Ok, audit, migrate, missing
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.table_games import started
from tests.tables.growth import FUNCTION, IN_RELEASE, IN_SCHEMAS, MIGRATION, next_schemas
from tests.tables.newer import Newer, newer_release
from tests.tables.release import Process
from tests.tables.test_releases import sound

MOVES = 6


class Growth:
    """The next release, and a database with three running games of this release."""

    def __init__(self, dsn: str, store: EventStore, folder: Path, fault: str = "") -> None:
        self.dsn, self.store = dsn, store
        self.schemas = next_schemas(folder / "next", fault)
        self.seeds = Random(41)
        self.restart()

    def restart(self) -> None:
        """Start this release in a new process, with no tables in memory."""
        self.older = Process(self.store)

    async def begin(self) -> None:
        self.running, self.seated, self.left = [await started(self.older.tables, 3) for _ in range(3)]
        for table in (self.running, self.seated, self.left):
            await self.plays(table)

    async def plays(self, table: UUID) -> None:
        for _ in range(MOVES):
            assert await self.older.do("answer", table, self.seeds.randrange(1000)) == {"done": "answered"}

    async def refuses(self, table: UUID) -> None:
        assert await self.older.do("answer", table, 0) == {"refused": "newer-release"}

    # --- the steps of a rollout -----------------------------------------------------------------------------------------
    async def migrates(self) -> None:
        """Migrate, then check that this release continues and can restart."""
        assert await migrate(self.dsn, self.schemas) == [FUNCTION, MIGRATION]
        assert await lacking(self.dsn) is None
        await self.plays(self.running)
        self.restart()
        for table in (self.running, self.seated, self.left):
            await self.plays(table)
        await self.appends()
        assert await audit(self.store) == []

    async def appends(self) -> None:
        """Check that each kind of append has the same result as before the migration."""
        first, head = append(uuid4(), 0, key=uuid4()), await self.execute("select max(position) from es.events")
        assert await self.store.append(first) == Ok(0, head + 1)
        assert await self.store.append(first) == Duplicate(0)
        assert await self.store.append(append(first.stream, 4)) == Conflict(0)
        again = append(first.stream, 1)
        assert await self.store.append(replace(again, prev=bytes(32))) == Conflict(0)
        assert await self.store.append(again) == Ok(1, head + 2)

    async def joins(self, newer: Newer) -> None:
        """Let a process of the next release play too.

        This release must refuse only the tables that it can no longer read.
        """
        before = await self.revision(self.running)
        assert await done(newer, "note", self.left) == "written"
        await self.plays(self.left)
        assert await done(newer, "seat", self.seated) == "written"
        await self.refuses(self.seated)
        assert await done(newer, "answer", self.running) == "answered"
        assert await self.revision(self.running) == before + 1
        await self.refuses(self.running)
        await self.plays(self.left)

    async def downgrades(self) -> None:
        """Remove the next release, then check that this release migrates and starts again."""
        function = await self.function()
        assert await migrated(self.dsn) == [] and await self.function() == function and "the next release" in function
        self.restart()
        await self.plays(self.left)
        await self.plays(await started(self.older.tables, 2))
        for table in (self.running, self.seated):
            assert "done" in await self.older.do("sees", table, 0)
            await self.refuses(table)
        for table in (self.running, self.seated, self.left):
            await sound(self.store, table)

    async def revision(self, table: UUID) -> int:
        """Return the newest rules revision in the table's log, or else the first one."""
        events = [entry.event for entry in decoded_entries(await self.store.read(table))]
        changed = [order_of(event.version)[0] for event in events if isinstance(event, RulesChanged)]
        return max(changed, default=(await self.older.tables.cache.fresh(table)).title.revision)

    async def function(self) -> str:
        found: str = await self.execute("select prosrc from pg_proc where oid = 'es.append(bytea[])'::regprocedure")
        return found

    async def execute(self, statement: str) -> Any:
        owner = await asyncpg.connect(self.dsn)
        try:
            return await owner.fetchval(statement)
        finally:
            await owner.close()


async def done(newer: Newer, what: str, table: UUID) -> Any:
    said = await newer.do(what, table, 0)
    assert "done" in said, said
    return said["done"]


@pytest.fixture
def log_url(database_url: str) -> str:
    return database_url


@pytest.fixture(autouse=True)
def snapshots_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 10)


async def test_a_release_rolls_out_under_running_games_and_back(log_url: str, store: EventStore, tmp_path: Path) -> None:
    growth = Growth(log_url, store, tmp_path)
    await growth.begin()
    await growth.migrates()
    async with newer_release(log_url) as newer:
        await growth.joins(newer)
    await growth.downgrades()


@pytest.mark.parametrize("fault", IN_SCHEMAS)
async def test_a_fault_in_the_next_schemas_is_found(log_url: str, store: EventStore, tmp_path: Path, fault: str) -> None:
    growth = Growth(log_url, store, tmp_path, fault)
    await growth.begin()
    with pytest.raises((AssertionError, AppendRefused)):
        await growth.migrates()


@pytest.mark.parametrize("fault", IN_RELEASE)
async def test_a_fault_in_the_next_release_is_found(log_url: str, store: EventStore, tmp_path: Path, fault: str) -> None:
    growth = Growth(log_url, store, tmp_path)
    await growth.begin()
    await growth.migrates()
    async with newer_release(log_url, fault) as newer:
        with pytest.raises(AssertionError):
            await growth.joins(newer)


async def test_a_process_of_the_next_release_waits_until_its_files_were_run(log_url: str, tmp_path: Path) -> None:
    schemas, owner = next_schemas(tmp_path / "next"), await asyncpg.connect(log_url)
    assert await missing(owner, schemas) == [FUNCTION, MIGRATION]
    await migrate(log_url, schemas)
    assert await missing(owner, schemas) == []
    await owner.close()
