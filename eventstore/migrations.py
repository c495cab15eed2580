"""Numbered SQL files, each run once, in order, under one lock."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import asyncpg

LOCK = 7239012045550                            # advisory: two services that start at once migrate one after the other
OWN: Mapping[str, Traversable] = {"eventstore": files("eventstore") / "schema"}


class ChangedMigration(Exception):
    """A migration that has been run is another file now; write a new one instead."""


class Migration(NamedTuple):
    name: str                                   # "eventstore/0001_events.sql"
    sql: str

    @property
    def checksum(self) -> bytes:
        return blake2b(self.sql.encode(), digest_size=32).digest()


async def migrate(dsn: str, folders: Mapping[str, Traversable] | None = None) -> list[str]:
    """Run what has not been run yet: the store's own migrations, then those of `folders`; returns the names of those run.

    Each runs in a transaction of its own. Raises ChangedMigration before anything is run.
    """
    found = [m for name, folder in {**OWN, **(folders or {})}.items() for m in migrations(name, folder)]
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("select pg_advisory_lock($1)", LOCK)
        done = await recorded(connection)
        check_unchanged(found, done)
        waiting = [m for m in found if m.name not in done]
        for migration in waiting:
            await run(connection, migration)
        return [m.name for m in waiting]
    finally:
        await connection.close()


def migrations(name: str, folder: Traversable) -> Iterator[Migration]:
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return (Migration(f"{name}/{f.name}", f.read_text()) for f in scripts)


async def recorded(connection: asyncpg.Connection[asyncpg.Record]) -> dict[str, bytes]:
    await connection.execute(
        "create table if not exists public.ludarium_migrations"
        " (name text primary key, checksum bytea not null, at timestamptz not null default now())"
    )
    rows = await connection.fetch("select name, checksum from public.ludarium_migrations")
    return {row["name"]: row["checksum"] for row in rows}


def check_unchanged(found: list[Migration], done: Mapping[str, bytes]) -> None:
    changed = [m.name for m in found if m.name in done and done[m.name] != m.checksum]
    if changed:
        raise ChangedMigration(", ".join(changed))


async def run(connection: asyncpg.Connection[asyncpg.Record], migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.sql)
        await connection.execute(
            "insert into public.ludarium_migrations (name, checksum) values ($1, $2)", migration.name, migration.checksum
        )
