"""Callers wait a limited time for a server that is away, hangs or disconnects."""
from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from ludarium_eventstore import EventStore, Ok, StoreUnavailable, audit
from ludarium_eventstore.reconnect import CONNECT
from tests.support.entropy import uuid4
from tests.support.store_proxy import SOCKET, proxy
from tests.support.streams import append
from tests.support.waiting import LIMIT, in_time, let_others_run


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat a silent server as dead after one second, in stores opened after this."""
    monkeypatch.setitem(CONNECT, "timeout", 1.0)
    monkeypatch.setitem(CONNECT, "command_timeout", 1.0)


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Freeze a process, as if its machine had lost the disk."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.usefixtures("impatient")
async def test_an_append_to_a_server_process_that_hangs_is_made_once(store: EventStore, database_url: str) -> None:
    """The append is repeated over a new connection; the first call gets a conflict."""
    stream = uuid4()
    async with await EventStore.open(database_url) as other:
        assert await other.append(append(stream, 0)) == Ok(0, 1)
        connection = other.appender.connection
        assert connection is not None
        with frozen(connection.get_server_pid()):
            assert await in_time(other.append(append(stream, 1))) == Ok(1, 2)
        assert await other.append(append(stream, 2)) == Ok(2, 3)
    assert [row.version for row in await store.read(stream)] == [0, 1, 2]
    assert await audit(store) == []


@pytest.mark.usefixtures("impatient")
async def test_a_read_from_a_server_process_that_hangs_is_answered_by_another(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    await store.append(append(stream, 0))
    async with await EventStore.open(database_url, readers=2) as other:
        rows = await other.fetch("select pg_backend_pid() as pid")
        with frozen(rows[0]["pid"]):
            assert await in_time(other.head(stream)) == 0


async def test_a_server_process_that_is_ended_between_two_appends_is_not_noticed(store: EventStore, database_url: str) -> None:
    """This holds whatever part of the server's goodbye the client has already read."""
    killer, stream = await asyncpg.connect(database_url), uuid4()
    for version in range(24):
        assert await store.append(append(stream, version)) == Ok(version, version + 1)
        connection = store.appender.connection
        assert connection is not None
        await killer.execute("select pg_terminate_backend($1)", connection.get_server_pid())
        await let_others_run(version % 6)
    await killer.close()


async def test_a_store_closes_whether_its_server_is_there_or_not(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing waits for no response, even if the server has disconnected unnoticed."""
    for limit in ("timeout", "command_timeout"):
        monkeypatch.setitem(CONNECT, limit, 2 * LIMIT)
    for pause in range(6):
        async with proxy(tmp_path / str(pause), database_url) as line:
            opened = await EventStore.open(line.dsn)
            await opened.append(append(uuid4(), 0))
            line.hang_up()
            await let_others_run(pause)
            await in_time(opened.close())


async def test_a_server_that_stays_away_is_said_to_be_away(
    store: EventStore, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxy(tmp_path, database_url) as line:
        cut = await EventStore.open(line.dsn)
        await cut.append(append(uuid4(), 0))
        line.hang_up()
    monkeypatch.setattr("ludarium_eventstore.reconnect.PATIENCE", 0.5)
    monkeypatch.setattr("ludarium_eventstore.appender.PATIENCE", 0.5)
    for call in (cut.append(append(uuid4(), 0)), cut.append(append(uuid4(), 0, key=uuid4())), cut.head(uuid4()), audit(cut)):
        with pytest.raises(StoreUnavailable):
            await in_time(call)
    with pytest.raises(StoreUnavailable):
        await EventStore.open(line.dsn)
    await cut.close()
    assert len(await store.since(0)) == 1


async def test_a_store_may_be_opened_before_its_server_is_up(store: EventStore, database_url: str, tmp_path: Path) -> None:
    line, asked = proxy(tmp_path, database_url), asyncio.Event()
    opening = asyncio.create_task(EventStore.open(f"postgresql://{database_url.split('//')[1].split('?')[0]}?host={tmp_path}"))
    await let_others_run(50)                    # first there is no socket, then a server that disconnects

    def drop_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        asked.set()

    async with await asyncio.start_unix_server(drop_connection, tmp_path / SOCKET):
        await in_time(asked.wait())
    (tmp_path / SOCKET).unlink(missing_ok=True)
    assert not opening.done()
    async with line, await opening as late:
        assert await late.append(append(uuid4(), 0)) == Ok(0, 1)
    assert len(await store.since(0)) == 1
