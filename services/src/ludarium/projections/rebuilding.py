"""A projection made anew from the log, beside the one that is read, whose place it takes when it has caught up."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import asyncpg

from ludarium.projections.registry import PROJECTION_KINDS, InSchema
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import Archive, Subscriber
from ludarium_eventstore.migrations import LOCK_TIMEOUT, patiently
from ludarium_eventstore.reconnect import Connection, Pool
from ludarium_eventstore.subscriptions import make_checkpoint, take_page

PAGE = 5000                                     # rows of the log in one transaction, where nobody waits for it
Progress = Callable[[int, int], None]
"""Is told the position reached, and the last one of the log."""


class AlreadyRebuilding(Exception):
    """Another process is at it."""


async def rebuild(dsn: str, name: str, cache: TableCache, progress: Progress) -> None:
    """As the owner of the database, since it makes and drops a schema; what it begins and does not finish changes nothing.

    Raises AlreadyRebuilding, and what the projection raises for a row that it cannot take in.
    """
    async with owners_pool(dsn) as pool, exclusively(pool, name):
        await Rebuild(pool, name, PROJECTION_KINDS[name].make(cache), cache.store.archive).run(progress)


@asynccontextmanager
async def owners_pool(dsn: str) -> AsyncIterator[Pool]:
    """What a crash loses of a rebuild is made again anyway: nobody waits for the disk until it takes its place."""
    async with asyncpg.create_pool(dsn, min_size=1, max_size=2, server_settings={"synchronous_commit": "off"}) as pool:
        yield pool


@asynccontextmanager
async def exclusively(pool: Pool, name: str) -> AsyncIterator[None]:
    async with pool.acquire() as connection:
        if not await connection.fetchval("select pg_try_advisory_lock(hashtext($1))", f"rebuild {name}"):
            raise AlreadyRebuilding(name)
        yield


class Rebuild:
    """name: of the projection. Its shadow has a schema and a checkpoint of its own."""

    def __init__(self, pool: Pool, name: str, projection: Subscriber, archive: Archive) -> None:
        self.pool, self.name, self.shadow, self.archive = pool, name, f"{name}_rebuilt", archive
        self.subscriber = InSchema(projection, self.shadow)

    async def run(self, progress: Progress) -> None:
        async with self.pool.acquire() as connection:
            async with connection.transaction():
                await self.begin(connection)
            await self.catch_up(connection, progress)
            await patiently(partial(self.change_places, connection), f"the rebuilt {self.name}")

    async def begin(self, connection: Connection) -> None:
        """Empty tables like those that are read; whatever an earlier attempt has left goes."""
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
        size = PAGE
        while size == PAGE:
            async with connection.transaction():
                position, size = await take_page(connection, self.shadow, self.subscriber, self.archive, PAGE)
            progress(position, await connection.fetchval("select coalesce(max(position), 0) from es.events"))

    async def change_places(self, connection: Connection) -> None:
        """Briefly or not at all: behind somebody who reads for long, all who read after would wait as well."""
        async with connection.transaction():
            await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'; set local synchronous_commit to on")
            await self.take_over(connection)

    async def take_over(self, connection: Connection) -> None:
        """While nobody can write the live one: the last rows, then the tables change places."""
        await make_checkpoint(connection, self.name)
        await connection.execute("select from es.checkpoints where name = $1 for update", self.name)
        size = PAGE
        while size == PAGE:
            _, size = await take_page(connection, self.shadow, self.subscriber, self.archive, PAGE)
        await connection.execute(
            f"drop schema {self.name} cascade; alter schema {self.shadow} rename to {self.name};"
            f"update es.checkpoints c set position = s.position, hash = s.hash, at = now() from es.checkpoints s"
            f" where c.name = '{self.name}' and s.name = '{self.shadow}';"
            f"delete from es.checkpoints where name = '{self.shadow}'"
        )
