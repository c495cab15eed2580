"""With synchronous standbys, a cancelled commit counts only after replication."""
from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ludarium.embedded.postgres import make_database
from ludarium.platform.database import Share, database
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import Duplicate, EventStore, Ok, appender, migrate, reconnect
from tests.faults.standby import Node
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.waiting import LIMIT, eventually, in_time

WAITS = "select pid from pg_stat_activity where wait_event = 'SyncRep'"
PATIENT = Share("accounts", connections=2, waiting=10, patience=LIMIT)


@pytest.fixture
async def node() -> AsyncIterator[Node]:
    """Yield a PostgreSQL server with fsync for this test alone."""
    with tempfile.TemporaryDirectory(prefix="ludarium-standby-") as folder:
        Path(folder).chmod(0o711)
        node = Node(Path(folder) / "n0")
        await node.start()
        try:
            await make_database(node.sockets)
            yield node
        finally:
            await node.kill()


@asynccontextmanager
async def standby_away(node: Node) -> AsyncIterator[None]:
    """Make commits wait for a standby that does not exist, until the context ends."""
    await node.ask("alter system set synchronous_standby_names = 'away'")
    await node.ask("select pg_reload_conf()")
    await eventually(lambda: node.ask("select where current_setting('synchronous_standby_names') = 'away'"))
    try:
        yield
    finally:
        await node.ask("alter system reset synchronous_standby_names")
        await node.ask("select pg_reload_conf()")


async def cancelled(node: Node, how: str) -> None:
    """End a commit's wait for the standby, as administrators do."""
    (first,) = await eventually(lambda: node.ask(WAITS))
    await node.ask(f"select {how}({first['pid']})")
    await eventually(lambda: node.ask(f"{WAITS} and (pid <> {first['pid']} or query ilike '%emit_message%')"))


LATE = """
    set synchronous_commit = local;
    create or replace function es.now() returns timestamptz language sql as $$ select clock_timestamp() + interval '20 s' $$
"""
"""Makes earlier events too old, so es.append writes nothing and does not wait."""


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("how", ["pg_terminate_backend", "pg_cancel_backend"])
async def test_an_append_found_after_a_lost_answer_waits_for_the_standby(
    how: str, late: bool, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appender, "PATIENCE", LIMIT)
    await migrate(node.dsn)
    async with await EventStore.open(node.dsn) as store:
        await store.name_types({1: "happened"})
        async with standby_away(node):
            sent = asyncio.create_task(store.append(append(uuid4(), 0)))
            await eventually(lambda: waiting(node, 1))
            if late:
                await node.run(LATE)
            for _ in range(2):
                await cancelled(node, how)
                assert await node.ask("select from es.events")
            assert not sent.done()
        assert isinstance(await in_time(sent), Ok)


@pytest.mark.parametrize("late", [False, True])
async def test_a_repeated_command_is_answered_once_its_first_append_is_replicated(
    late: bool, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appender, "PATIENCE", LIMIT)
    monkeypatch.setattr(reconnect, "PATIENCE", LIMIT)
    await migrate(node.dsn)
    async with await EventStore.open(node.dsn) as store, await EventStore.open(node.dsn) as other:
        await store.name_types({1: "happened"})
        stream, key = uuid4(), uuid4()
        sent = append(stream, 0, key=key)
        assert isinstance(await store.append(sent), Ok)
        if late:
            await node.run(LATE)
        async with standby_away(node):
            again = asyncio.create_task(other.append(sent))
            known = asyncio.create_task(other.command(stream, key))
            several = asyncio.create_task(other.commands(stream, [key]))
            await eventually(lambda: waiting(node, 3))
            assert not again.done() and not known.done() and not several.done()
        assert isinstance(await in_time(again), Duplicate)
        assert await in_time(known) == (b"a", 0) and await in_time(several) == {key: (b"a", 0)}


async def waiting(node: Node, many: int) -> bool:
    return len(await node.ask(WAITS)) == many


@pytest.mark.parametrize("how", ["pg_terminate_backend", "pg_cancel_backend"])
async def test_a_session_or_a_ban_found_after_a_lost_answer_waits_for_the_standby(how: str, node: Node) -> None:
    await migrated(node.dsn)
    table = "accounts.secrets_for_this_test"
    await node.ask(f"create table {table} (id int primary key)")
    await node.ask(f"grant select, insert on {table} to ludarium_service")
    insert = f"insert into {table} values (1) on conflict do nothing"
    async with database(node.dsn, PATIENT) as base:
        async with standby_away(node):
            sent = asyncio.create_task(base.rows(insert))
            await cancelled(node, how)
            assert await node.ask(f"select from {table}")
            assert await in_time(read(base, table)), "reading goes on"
            assert not sent.done()
        assert await in_time(sent) == []


async def read(base: Any, table: str) -> bool:
    return bool(await base.rows(f"select id from {table}"))
