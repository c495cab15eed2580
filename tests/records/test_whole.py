"""Verification of the whole log and its accompanying data, also by the command."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import TypeAlias
from uuid import UUID

import asyncpg
import pytest
from typer.testing import CliRunner

from ludarium.cli import main
from ludarium.ops.log_verification import BATCH_SIZE, LogReport, LogSource, verify_log
from ludarium.platform import ids
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, has_hash
from tests.projections.test_rebuild import ludarium
from tests.support.table_games import RULESET, play, started

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


@pytest.fixture
async def owner(store: EventStore, database_url: str) -> AsyncIterator[Owner]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def whole(store: EventStore, dsn: str) -> LogReport:
    return await verify_log(LogSource(dsn), store, 2, lambda done, of: None)


async def some_tables(tables: Tables) -> list[UUID]:
    """Open more tables than fit on one page of streams."""
    made = await asyncio.gather(*(tables.create("ada", NewTable(RULESET, 2)) for _ in range(BATCH_SIZE)))
    games = [await started(tables) for _ in range(2)]
    for game in games:
        await play(tables, game, Random(1), 20)
    return [*(ids.decode(table.id) for table in made), *games]


@asynccontextmanager
async def put_back(owner: Owner) -> AsyncIterator[None]:
    """Restore the log and its accompanying data when the context ends."""
    names = ("events", "commands", "documents", "event_types", "checkpoints")
    for name in names:
        await owner.execute(f"create table kept_{name} as table es.{name}")
    yield
    for name in names:
        await owner.execute(f"delete from es.{name}; insert into es.{name} table kept_{name}; drop table kept_{name}")


async def checkpoint(owner: Owner) -> None:
    """Store a checkpoint of a projection that has read everything."""
    await owner.execute(
        "insert into es.checkpoints (name, position, hash) select 'lobby', position, hash from es.events"
        " order by position desc limit 1"
    )


async def test_each_row_is_verified_once_and_told_as_it_goes(
    store: EventStore, tables: Tables, database_url: str, owner: Owner
) -> None:
    made = await some_tables(tables)
    await checkpoint(owner)
    rows = await store.since(0)
    told: list[tuple[int, int]] = []
    found = await verify_log(LogSource(database_url), store, 2, lambda done, of: told.append((done, of)))
    assert found == LogReport(len(made), len(rows), rows[-1].hash, [])
    assert [of for _, of in told] == [len(rows)] * 2 and told[-1][0] == len(rows)


async def test_a_damaged_row_of_one_of_many_tables_is_named(
    store: EventStore, tables: Tables, database_url: str, owner: Owner
) -> None:
    made = await some_tables(tables)
    await owner.execute("update es.events set data = data || '\\x00' where stream_id = $1 and version = 3", made[-1])
    faults = (await whole(store, database_url)).faults
    assert [(fault.stream, fault.version) for fault in faults] == [(made[-1], 3)]


async def test_what_stands_beside_the_log_is_held_against_it(
    store: EventStore, tables: Tables, database_url: str, owner: Owner
) -> None:
    table = await started(tables)
    await play(tables, table, Random(1), 6)
    await checkpoint(owner)
    changes = {
        "update es.documents set data = data || '\\x20'": "is not what its hash says",
        "delete from es.documents": "is not there",
        "update es.event_types set name = 'gossip' where type = 5": "event type 5 is called gossip, not acted",
        "update es.commands set version = (select max(version) from es.commands)": "two commands made this row",
        "update es.checkpoints set hash = sha256('')": "the checkpoint lobby stands on a row that is not there",
        "update es.checkpoints set position = 10000": "the checkpoint lobby stands on a row that is not there",
        "delete from es.commands c using (select max(position) as last from es.events) l, es.events e"
        " where e.position > l.last - 3 and c.stream_id = e.stream_id and c.version = e.version;"
        "delete from es.events where position > (select max(position) - 3 from es.events)": "the checkpoint lobby",
    }
    assert (await whole(store, database_url)).faults == []
    for change, told in changes.items():
        async with put_back(owner):
            await owner.execute(change)
            assert any(told in fault.what for fault in (await whole(store, database_url)).faults), change
    assert (await whole(store, database_url)).faults == []


async def test_a_head_that_was_kept_tells_whether_the_log_was_set_back(
    store: EventStore, tables: Tables, database_url: str, owner: Owner
) -> None:
    """This works for a single table too, and if all other data was set back too."""
    table = await started(tables)
    await play(tables, table, Random(1), 6)
    code, said, _ = await ludarium(database_url, "verify", "--all", "--jobs", "1")
    head = said.rstrip(".\n").rpartition(" ")[2]
    assert code == 0 and said.startswith("The log holds: 1 tables, ") and await has_hash(store, bytes.fromhex(head))
    assert (await ludarium(database_url, "verify", ids.encode(table), "--head", head[:16]))[0] == 0
    last = "(select max(position) from es.events)"
    await owner.execute(f"delete from es.commands where version = (select version from es.events where position = {last})")
    await owner.execute(f"delete from es.events where position = {last}")
    assert (await whole(store, database_url)).faults == []
    code, said, errors = await ludarium(database_url, "verify", "--all", "--head", head)
    assert (code, said) == (1, "") and f"no row has the head {head}" in errors


@pytest.mark.parametrize("head", ["1234", "not a hash at all", "AB" * 32, "0" * 66])
def test_what_is_no_head_is_refused(head: str) -> None:
    assert CliRunner().invoke(main, ["verify", "--all", "--head", head]).exit_code == 2
