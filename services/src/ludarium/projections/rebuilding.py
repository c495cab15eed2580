"""Rebuilds a projection from the log next to the live one, then swaps them."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import asyncpg

from ludarium.projections.registry import PROJECTION_KINDS, InSchema
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import Archive, Subscriber
from ludarium_eventstore.migrations import LOCK_TIMEOUT, retry_on_lock
from ludarium_eventstore.reconnect import Connection, Pool
from ludarium_eventstore.subscriptions import apply_page, make_checkpoint

PAGE_SIZE = 5000                                # events in one transaction; no reader waits for it
Progress = Callable[[int, int], None]
"""A function called with the position reached and the last position of the log."""


class AlreadyRebuilding(Exception):
    """Another process is already rebuilding this projection."""


async def rebuild(dsn: str, name: str, cache: TableCache, progress: Progress) -> None:
    """Rebuild a projection, as the owner of the database.

    An interrupted rebuild changes nothing.

    Raises:
        AlreadyRebuilding: another process is rebuilding the projection.
        Exception: any error of the projection for an event that it cannot apply.
    """
    async with owners_pool(dsn) as pool, rebuild_lock(pool, name):
        await Rebuild(pool, name, PROJECTION_KINDS[name].make(cache), cache.store.archive).run(progress)


@asynccontextmanager
async def owners_pool(dsn: str) -> AsyncIterator[Pool]:
    """Open connections without synchronous commit; rebuilds restart after a crash."""
    async with asyncpg.create_pool(dsn, min_size=1, max_size=2, server_settings={"synchronous_commit": "off"}) as pool:
        yield pool


@asynccontextmanager
async def rebuild_lock(pool: Pool, name: str) -> AsyncIterator[None]:
    async with pool.acquire() as connection:
        if not await connection.fetchval("select pg_try_advisory_lock(hashtext($1))", f"rebuild {name}"):
            raise AlreadyRebuilding(name)
        yield


class Rebuild:
    """A rebuild of the projection `name` in a shadow schema with its own checkpoint."""

    def __init__(self, pool: Pool, name: str, projection: Subscriber, archive: Archive) -> None:
        self.pool, self.name, self.shadow, self.archive = pool, name, f"{name}_rebuilt", archive
        self.subscriber = InSchema(projection, self.shadow)

    async def run(self, progress: Progress) -> None:
        async with self.pool.acquire() as connection:
            async with connection.transaction():
                await self.begin(connection)
            await self.catch_up(connection, progress)
            await retry_on_lock(partial(self.swap_tables, connection), f"the rebuilt {self.name}")

    async def begin(self, connection: Connection) -> None:
        """Create empty tables like the live ones, and drop those of an earlier attempt."""
        await connection.execute(f"drop schema if exists {self.shadow} cascade; create schema {self.shadow}")
        for row in await connection.fetch("select tablename from pg_tables where schemaname = $1", self.name):
            table = row["tablename"]
            await connection.execute(f"create table {self.shadow}.{table} (like {self.name}.{table} including all)")
        await connection.execute(
            f"grant usage on schema {self.shadow} to ludarium_service;"
            f"grant select, insert, update, delete on all tables in schema {self.shadow} to ludarium_service"
        )
        await connection.execute("delete from es.checkpoints where name = $1", self.shadow)
        await make_checkpoint(connection, self.shadow)

    async def catch_up(self, connection: Connection, progress: Progress) -> None:
        size = PAGE_SIZE
        while size == PAGE_SIZE:
            async with connection.transaction():
                position, size = await apply_page(connection, self.shadow, self.subscriber, self.archive, PAGE_SIZE)
            progress(position, await connection.fetchval("select coalesce(max(position), 0) from es.events"))

    async def swap_tables(self, connection: Connection) -> None:
        """Swap the tables under a short lock timeout.

        A long-running reader could otherwise block all readers that queue behind the swap.
        """
        async with connection.transaction():
            await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'; set local synchronous_commit to on")
            await self.finish_and_swap(connection)

    async def finish_and_swap(self, connection: Connection) -> None:
        """Lock the live projection, apply the last events, and swap the schemas."""
        await make_checkpoint(connection, self.name)
        await connection.execute("select from es.checkpoints where name = $1 for update", self.name)
        size = PAGE_SIZE
        while size == PAGE_SIZE:
            _, size = await apply_page(connection, self.shadow, self.subscriber, self.archive, PAGE_SIZE)
        await connection.execute(
            f"drop schema {self.name} cascade; alter schema {self.shadow} rename to {self.name};"
            f"update es.checkpoints c set position = s.position, hash = s.hash, at = now() from es.checkpoints s"
            f" where c.name = '{self.name}' and s.name = '{self.shadow}';"
            f"delete from es.checkpoints where name = '{self.shadow}'"
        )
