"""Archived games look the same as before, and changed bundles are refused."""
from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import msgspec
import obstore
import pytest
from typer.testing import CliRunner

from ludarium.cli import main
from ludarium.embedded import Services
from ludarium.ops.archive.archiving import ArchiveReport, archive_games
from ludarium.ops.archive.bundles import ArchiveError, BundleFiles, bundle_path
from ludarium.ops.log_verification import LogReport, LogSource, archive_has_hash, verify_log
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.platform.problems import Problem
from ludarium.projections.rebuilding import rebuild
from ludarium.projections.registry import PROJECTION_KINDS, follow_projections
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.events import LogCut
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import TableCache
from ludarium_engine.kernel import SPECTATOR
from ludarium_eventstore import BrokenBundle, Conflict, EventStore, StoreUnavailable, audit
from ludarium_eventstore.archive import FORMAT, hash_of
from ludarium_eventstore.model import Append, NewEvent
from tests.clock import now
from tests.conftest import fresh_database
from tests.projections.test_rebuild import ludarium
from tests.support.buckets import bucket
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up, dump
from tests.support.table_games import PLAYERS, Silent, play, started

LATER = timedelta(days=1)
Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Dumps = dict[str, dict[str, list[str]]]


class House(NamedTuple):
    """A database with finished games, and a running game that has the last event."""

    url: str
    store: EventStore
    files: BundleFiles
    folder: Path
    over: list[UUID]
    running: UUID

    @property
    def tables(self) -> Tables:
        """The tables of a process that has loaded none of them."""
        return Tables(self.store, Silent(), ENTROPY)

    def path(self, table: UUID) -> Path:
        return self.folder / bundle_path(table)


class Played(NamedTuple):
    """The name of a database that is copied for each test, with its tables."""

    template: str
    over: list[UUID]
    running: UUID


@pytest.fixture(scope="module")
async def played(module_database_url: str) -> Played:
    """Play the games once, since playing takes longer than any of the tests."""
    async with await EventStore.open(module_database_url) as store:
        await store.name_types({**NAMES, **DEAL_NAMES})
        tables = Tables(store, Silent(), ENTROPY)
        running = await started(tables)
        over = [await started(tables, 2 + nth % 2) for nth in range(4)]
        for nth in range(3):                    # so that events of several games alternate
            for table in over:
                await play(tables, table, Random(nth), 5)
        for nth, table in enumerate(over):
            assert (await play(tables, table, Random(nth))).status == "over"
        await play(tables, running, Random(9), 4)
    return Played(urlsplit(module_database_url).path[1:], over, running)


@pytest.fixture
async def database_url(embedded_services: Services, played: Played) -> AsyncIterator[str]:
    """Yield the URL of a copy of the database for each test."""
    async with fresh_database(embedded_services.database_url, played.template) as url:
        yield url


@pytest.fixture
async def house(database_url: str, played: Played, tmp_path: Path) -> AsyncIterator[House]:
    files = BundleFiles(str(tmp_path / "bundles"), make=True)
    async with await EventStore.open(database_url, bundles=files) as store:
        yield House(database_url, store, files, tmp_path / "bundles", [*played.over], played.running)


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[Owner]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def archived(house: House, owner: Owner) -> ArchiveReport:
    return await archive_games(owner, house.store, house.files, now() + LATER, lambda done, of: None)


async def dumps(house: House) -> Dumps:
    """Return the content of all projections, brought up to date."""
    async with database(house.url) as base, follow_projections(house.url, base, TableCache(house.store), 0.0):
        await caught_up(base)
        return {name: await dump(base, name) for name in PROJECTION_KINDS}


async def told(house: House) -> list[bytes]:
    """Return everything that players and spectators see of the finished games."""
    shown: list[object] = []
    for table in house.over:
        for player in (None, *PLAYERS[:2]):
            shown.append(await house.tables.view(table, player, None))
        shown.append(await house.tables.queries.events(table, SPECTATOR, -1))
        shown.append(await house.tables.view(table, None, None, 7))
    return [msgspec.json.encode(each) for each in shown]


async def test_what_is_archived_is_shown_listed_rebuilt_and_verified_as_before(
    house: House, owner: Owner
) -> None:
    live, seen, rows = await dumps(house), await told(house), await house.store.since(0)
    found = await archived(house, owner)
    kept = [row for row in rows if row.stream not in house.over]
    assert (found.streams, found.rows, found.skipped) == (4, len(rows) - len(kept), [])
    assert await house.store.since(0) == kept and await told(house) == seen
    assert await dumps(house) == live
    for name in PROJECTION_KINDS:
        await rebuild(house.url, name, TableCache(house.store), lambda done, total: None)
    async with database(house.url) as base:
        assert {name: await dump(base, name) for name in PROJECTION_KINDS} == live
        await check_from_nothing(base, house, live)
    row = next(row for row in rows if row.stream == house.over[2] and row.version == 5)
    assert await archive_has_hash(house.store, row.hash[:8]) and not await archive_has_hash(house.store, bytes(8))
    whole = await verify_log(LogSource(house.url, house.files.place), house.store, 2, lambda done, of: None)
    assert whole == (len(house.over) + 1, len(rows), rows[-1].hash, [])


async def check_from_nothing(base: Database, house: House, live: Dumps) -> None:
    """Check that an emptied projection reads from the first event again.

    Projections of later releases do this in small pages.
    """
    await base.rows("delete from es.checkpoints where name = 'records'")
    await base.rows("delete from records.games")
    assert (await dumps(house))["records"] == live["records"]


async def test_a_row_that_is_missing_beside_the_gaps_is_still_found(
    house: House, owner: Owner
) -> None:
    await archived(house, owner)
    assert await audit(house.store) == []
    for harm in (
        "delete from es.events where position = (select min(position) + 1 from es.events)",
        "update es.gaps set last = last - 1 where first = (select min(first) from es.gaps where first < last)",
        "delete from es.archived where nth = (select min(nth) from es.archived)",
    ):
        before = [await owner.fetch(f"table es.{name}") for name in ("events", "gaps", "archived")]
        async with owner.transaction():
            await owner.execute(harm)
        assert await audit(house.store), harm
        await owner.execute("truncate es.events, es.gaps, es.archived")
        for name, records in zip(("events", "gaps", "archived"), before, strict=True):
            await owner.copy_records_to_table(name, schema_name="es", records=map(tuple, records))
    assert await audit(house.store) == []


async def test_an_archived_stream_is_closed(house: House, owner: Owner) -> None:
    """This holds even if the id is opened again, like that of a rematch."""
    table, at = house.over[0], now()
    head = await house.store.head(table)
    await archived(house, owner)
    assert head is not None and await house.store.head(table) == head
    for expected in (0, head, head + 1):
        new = NewEvent(1, 1, at, b"", bytes(32), bytes(32))
        assert await house.store.append(Append(table, expected, [new])) == Conflict(head)


async def test_nothing_is_noted_at_an_archived_game(house: House, owner: Owner) -> None:
    await archived(house, owner)
    with pytest.raises(Problem, match="game-over"):
        await house.tables.decide_and_append(house.over[0], lambda table: [LogCut(3, bytes(8))])


async def test_what_was_changed_cut_off_or_lost_is_named(house: House, owner: Owner) -> None:
    await archived(house, owner)
    table, other = house.path(house.over[0]), house.path(house.over[1])
    whole = table.read_bytes()
    for data, what in (
        (whole[:-1], "was changed"), (whole + b"\0", "was changed"),
        (whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], "was changed"),
        (other.read_bytes(), "was changed"), (b"", "was changed"), (None, "is not in the archive"),
    ):  # fmt: skip
        table.unlink() if data is None else table.write_bytes(data)
        async with await EventStore.open(house.url, bundles=house.files) as fresh:
            with pytest.raises(BrokenBundle, match=what):
                await fresh.read(house.over[0])
            with pytest.raises(Problem) as raised:
                await Tables(fresh, Silent(), ENTROPY).view(house.over[0], None, None)
            assert raised.value.code == "log-damaged"
            assert (await Tables(fresh, Silent(), ENTROPY).view(house.over[1], None, None)).status == "over"
    report = await verify_log(LogSource(house.url, house.files.place), house.store, 1, lambda done, of: None)
    assert [(fault.stream, "put it back" in fault.what) for fault in report.faults] == [(house.over[0], True)]


async def test_what_is_no_bundle_is_refused_even_under_its_own_hash(house: House, owner: Owner) -> None:
    await archived(house, owner)
    other = house.path(house.over[1]).read_bytes()
    for change in (b"nothing at all", FORMAT, FORMAT + b"x", FORMAT.replace(b"1", b"2"), other):
        house.path(house.over[0]).write_bytes(change)
        await owner.execute("update es.archived set bundle = $1 where stream_id = $2", hash_of(change), house.over[0])
        with pytest.raises(BrokenBundle, match=r"another format|cannot be read|cut off|another stream"):
            await house.store.read(house.over[0])


async def test_a_game_that_goes_on_is_young_or_is_damaged_stays(
    house: House, owner: Owner
) -> None:
    none = await archive_games(owner, house.store, house.files, now() - LATER, lambda done, of: None)
    assert none == ArchiveReport(0, 0, 0, [])
    await owner.execute("update es.events set data = data || '\\x00' where stream_id = $1 and version = 3", house.over[1])
    found = await archived(house, owner)
    assert (found.streams, [table for table, _ in found.skipped]) == (3, [ids.encode(house.over[1])])
    assert "does not fit its hash" in found.skipped[0][1] and len(await house.store.read(house.over[1])) > 4
    assert (await house.tables.view(house.running, None, None)).status == "playing"


async def test_what_a_projection_has_not_read_stays(house: House, owner: Owner) -> None:
    await owner.execute("insert into es.checkpoints (name, position, hash) select 'behind', 20, es.hash_at(20)")
    assert (await archived(house, owner)).streams == 0
    await owner.execute("delete from es.checkpoints where name = 'behind'")
    assert (await archived(house, owner)).streams == 4


async def test_a_run_that_was_cut_off_is_finished_by_the_next(
    house: House, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is still readable while only some of the events are deleted."""
    live, seen = await dumps(house), await told(house)
    monkeypatch.setattr("ludarium.ops.archive.archiving.delete_archived_rows", cut_off)
    await archived(house, owner)
    monkeypatch.undo()
    assert await owner.fetchval("select count(*) from es.archived where not cleared") == 4
    for _ in range(6):
        assert await owner.fetchval("select es.clear_archived(5)") == 5
        assert await told(house) == seen and await dumps(house) == live and await audit(house.store) == []
    found = await archived(house, owner)
    assert (found.streams, await owner.fetchval("select count(*) from es.archived where cleared")) == (0, 4)
    assert await told(house) == seen and await audit(house.store) == []


async def cut_off(owner: Owner) -> int:
    """Delete nothing, like a process that dies before it deletes."""
    return 0


async def test_without_its_archive_a_process_says_what_it_needs(
    house: House, owner: Owner, tmp_path: Path
) -> None:
    await archived(house, owner)
    async with await EventStore.open(house.url) as store:
        with pytest.raises(StoreUnavailable, match="LUDARIUM_ARCHIVE must name"):
            await store.read(house.over[0])
        assert await store.read(house.running)
    with pytest.raises(ArchiveError, match="is no folder: name the one that"):
        BundleFiles(str(tmp_path / "elsewhere"))
    with pytest.raises(ArchiveError, match="is no place for bundles"):
        BundleFiles("ftp://somewhere")
    async with await EventStore.open(house.url, bundles=BundleFiles(str(tmp_path))) as store:
        with pytest.raises(BrokenBundle, match="is not in the archive"):
            await store.read(house.over[0])


async def verify_there(url: str, files: BundleFiles) -> LogReport:
    """Verify in another event loop, because other processes do not know this bucket."""
    async with await EventStore.open(url, bundles=files) as store:
        return await verify_log(LogSource(url, files.place), store, 2, lambda done, of: None)


async def test_a_bucket_keeps_games_as_a_folder_does(house: House, owner: Owner) -> None:
    """Everything is read from the bucket, and damage or a missing bucket is named."""
    seen = await told(house)
    with bucket() as place:
        files = BundleFiles(f"{place}/games", make=True)
        with pytest.raises(ArchiveError, match="s3://nobodys/x cannot be written"):
            await archive_games(owner, house.store, BundleFiles("s3://nobodys/x"), now() + LATER, lambda done, of: None)
        found = await archive_games(owner, house.store, files, now() + LATER, lambda done, of: None)
        assert found.streams == len(house.over) and not [*house.folder.rglob("*.bundle")]
        async with await EventStore.open(house.url, bundles=files) as store:
            assert await told(house._replace(store=store)) == seen
        assert (await asyncio.to_thread(asyncio.run, verify_there(house.url, files))).faults == []
        changed = await files.get(house.over[0])
        assert changed is not None
        await files.put(house.over[0], changed[:-1])
        obstore.delete(files._store, bundle_path(house.over[1]))
        async with await EventStore.open(house.url, bundles=files) as store:
            for table, what in zip(house.over, ("was changed", "is not in the archive"), strict=False):
                with pytest.raises(BrokenBundle, match=what):
                    await store.read(table)
            assert await store.read(house.over[2])
    async with await EventStore.open(house.url, bundles=files) as store:
        with pytest.raises(StoreUnavailable, match="cannot be read"):
            await store.read(house.over[2])


async def test_the_command_archives_and_verifies(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "LUDARIUM_ARCHIVE must name" in (await ludarium(house.url, "archive"))[2]
    monkeypatch.setitem(os.environ, "LUDARIUM_ARCHIVE", str(house.folder))
    assert CliRunner().invoke(main, ["archive", "--days", "7"]).exit_code == 2
    code, said, _ = await ludarium(house.url, "archive")
    assert (code, said) == (0, "0 games are archived in 0 bytes; 0 rows went from the log.\n")
