"""Stops in which PostgreSQL responds but no append ends.

They are caused by a lock or by a lost standby.
"""
from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from ludarium.embedded.postgres import LOGIN, make_database
from ludarium.embedded.postgres import database_url as url_of
from ludarium.ops.doctor import stops
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import Append, Duplicate, EventStore, Login, Ok, Probe, StoreUnavailable, migrate
from tests.faults.standby import Node
from tests.faults.test_disk import probed
from tests.proving import home
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.waiting import eventually

STALLED = 1.0
Stop = Callable[[], AbstractAsyncContextManager[None]]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium_eventstore.appender.PATIENCE", STALLED)
    monkeypatch.setattr("ludarium_eventstore.appender.STALL_TIME", STALLED)
    monkeypatch.setattr("ludarium_eventstore.probe.MIN_INTERVAL", 0.0)


@asynccontextmanager
async def locked(dsn: str) -> AsyncIterator[None]:
    """Hold a lock on the log in another session."""
    session = await asyncpg.connect(dsn)
    try:
        async with session.transaction():
            await session.execute("lock table es.events in exclusive mode")
            yield
    finally:
        await session.close()


@asynccontextmanager
async def frozen(node: Node) -> AsyncIterator[None]:
    """Freeze all processes of a PostgreSQL server, as on a paused machine."""
    pids = node.processes()
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


async def stops_and_recovers(dsn: str, stop: Stop, doctor: Callable[[], Awaitable[None]]) -> None:
    """Check that the probe shows the stop, and its end before the next append."""
    stream = uuid4()
    async with await EventStore.open(dsn) as store, probed(dsn, store) as probe:
        await store.name_types({1: "happened"})
        assert await store.append(append(stream, 0)) == Ok(0, 1)
        assert (await probe.look()).writes
        async with stop():
            with pytest.raises(StoreUnavailable):
                await store.append(wanted := append(stream, 1, key=uuid4()))
            assert store.appender.unfinished.age() >= STALLED
            assert not (await probe.look()).writes
            await doctor()
            assert not (await probe.look()).writes
        await eventually(lambda: writes(probe))
        assert await eventually(lambda: verdict(store, wanted)) in (Ok(1, 2), Duplicate(1))
        assert store.appender.unfinished.age() < STALLED


async def writes(probe: Probe) -> bool:
    return (await probe.look()).writes


async def verdict(store: EventStore, wanted: Append) -> object:
    try:
        return await store.append(wanted)
    except StoreUnavailable:
        return None


async def test_a_lock_on_the_log_is_not_writable(database_url: str) -> None:
    async def doctor() -> None:
        async def named() -> bool:
            found = [finding async for finding in stops.check_waits(connection)]
            return any(finding.what == "locks" and "waits for" in finding.detail for finding in found)

        connection = await asyncpg.connect(database_url)
        async with await EventStore.open(database_url) as other:
            with pytest.raises(StoreUnavailable):
                await other.append(append(uuid4(), 0))
            await eventually(named)
        await connection.close()

    await migrate(database_url)
    await stops_and_recovers(database_url, lambda: locked(database_url), doctor)


async def test_a_frozen_synchronous_standby_is_not_writable() -> None:
    async def doctor() -> None:
        async def named() -> bool:
            found = {finding.what: finding async for finding in stops.check_waits(connection)}
            return found["commits"].level == "wrong" and found["standbys"].level == "warning"

        connection = await asyncpg.connect(login_of(primary))
        await eventually(named)
        await connection.close()

    with home() as folder:
        primary, standby = await replicated(folder)
        try:
            await stops_and_recovers(login_of(primary), lambda: frozen(standby), doctor)
        finally:
            await standby.kill()
            await primary.kill()


def login_of(node: Node) -> str:
    """Return the DSN with the service's login, which has fewer rights than the owner."""
    return url_of(node.sockets, user=LOGIN)


async def replicated(folder: Path) -> tuple[Node, Node]:
    """Start a primary whose commits wait for its standby, and return both servers."""
    folder.mkdir()
    primary = Node(folder / "primary")
    await primary.start()
    await make_database(primary.sockets)
    await migrated(primary.dsn, Login.of(login_of(primary)))
    standby = await primary.standby(folder / "standby")
    await standby.start()
    await primary.ask("alter system set synchronous_standby_names = '*'")
    await primary.ask("select pg_reload_conf()")
    await eventually(lambda: primary.ask("select from pg_stat_replication where sync_state = 'sync'"))
    return primary, standby
