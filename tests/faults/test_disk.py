"""A full disk or a read-only server gives clear errors and loses nothing.

The service recovers automatically.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from ludarium.embedded import embedded
from ludarium_eventstore import Append, Duplicate, EventStore, Ok, Probe, Pulse, StoreUnavailable, Verdict, audit, migrate
from tests.faults.disk import filled, may_mount, small_disk
from tests.support.entropy import ENTROPY, uuid4
from tests.support.streams import event
from tests.support.waiting import eventually


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium_eventstore.appender.PATIENCE", 1.0)
    monkeypatch.setattr("ludarium_eventstore.reconnect.PATIENCE", 1.0)
    monkeypatch.setattr("ludarium_eventstore.probe.MIN_INTERVAL", 0.0)


def large(stream: UUID, version: int) -> Append:
    """Return an append that is too large for the free space of an existing page."""
    return Append(stream, version, [event(version, ENTROPY.draw(100_000, "bytes"))], uuid4(), b"a")


async def until_it_goes_on(store: EventStore, wanted: Append) -> None:
    async def verdict() -> Verdict | None:
        try:
            return await store.append(wanted)
        except StoreUnavailable:
            return None

    found = await eventually(verdict)
    assert isinstance(found, (Ok, Duplicate)), found                    # an append that was given up may have succeeded


@asynccontextmanager
async def probed(dsn: str, store: EventStore) -> AsyncIterator[Probe]:
    probe = Probe(dsn, store.appender)
    yield probe
    probe.close()


async def until_it_writes(probe: Probe) -> None:
    async def writes() -> bool:
        return (await probe.look()).writes

    await eventually(writes)


async def hold(store: EventStore, trouble: AbstractAsyncContextManager[None], probe: Probe | None = None) -> None:
    """Check that acknowledged appends stay readable, and refused ones succeed later.

    The probe must detect the trouble, and also its end before the next append.
    """
    stream, wanted = uuid4(), None
    for version in range(3):
        await until_it_goes_on(store, large(stream, version))
    async with trouble:
        wanted = await until_it_is_refused(store, stream)
        assert len(await store.read(stream)) == wanted.expected
        assert await store.command(stream, wanted.key or uuid4()) is None
        assert probe is None or not (await probe.look()).writes
    if probe is not None:
        await until_it_writes(probe)
    await until_it_goes_on(store, wanted)
    assert [row.version for row in await store.read(stream)] == [*range(wanted.expected + 1)]
    assert await audit(store) == []


async def until_it_is_refused(store: EventStore, stream: UUID) -> Append:
    """Append until an append is refused, and return that append."""
    for version in count(3):
        try:
            await store.append(wanted := large(stream, version))
        except StoreUnavailable:
            return wanted
    raise AssertionError


# --- troubles ---------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def failing_with(dsn: str, sqlstate: str) -> AsyncIterator[None]:
    """Make every INSERT into the log fail with this error."""
    owner = await asyncpg.connect(dsn)
    await owner.execute(f"""
        create function es.fail() returns trigger language plpgsql as
        $$ begin raise exception 'no' using errcode = '{sqlstate}'; end $$;
        create trigger fail before insert on es.events execute function es.fail()""")
    yield
    await owner.execute("drop trigger fail on es.events")
    await owner.close()


@asynccontextmanager
async def read_only(dsn: str) -> AsyncIterator[None]:
    """Make new sessions read-only and end all others, as when a server is moved."""
    owner = await asyncpg.connect(dsn)
    name = await owner.fetchval("select current_database()")
    await owner.execute(f"alter database {name} set default_transaction_read_only = on")
    await owner.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = $1", name
    )
    yield
    await owner.execute("set default_transaction_read_only = off")
    await owner.execute(f"alter database {name} reset default_transaction_read_only")
    await owner.close()


@asynccontextmanager
async def no_room_on(disk: Path) -> AsyncIterator[None]:
    with filled(disk):
        yield


@pytest.mark.parametrize("sqlstate", ["53100", "53200", "58030"])
async def test_no_room_no_memory_and_a_failing_disk(store: EventStore, database_url: str, sqlstate: str) -> None:
    await hold(store, failing_with(database_url, sqlstate))
    assert store.appender.refused == 0


async def test_a_server_that_only_reads(store: EventStore, database_url: str) -> None:
    async with probed(database_url, store) as probe:
        assert await probe.look() == Pulse(True, True)
        await hold(store, read_only(database_url), probe)
    assert store.appender.refused == 0


if may_mount():

    async def test_a_disk_that_is_full() -> None:
        """With a full disk of 64 MiB, appends are refused, or PostgreSQL dies for a while."""
        with small_disk() as disk:
            async with embedded(disk / "home") as servers:
                await migrate(servers.database_url)
                async with await EventStore.open(servers.database_url) as store:
                    await store.name_types({1: "happened"})
                    async with probed(servers.database_url, store) as probe:
                        await hold(store, no_room_on(disk), probe)
                    assert await store.fetch("select from es.documents") == []
