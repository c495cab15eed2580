"""Numbered SQL files, each run once, in order, by one process at a time; then the grants, each time.

A migration runs in a transaction and waits for a lock only briefly, since whoever comes after it waits for both: then it lets
go and tries again. A file that begins with NO_TRANSACTION has one statement, `create index concurrently`, which cannot run in
one and lets others read and write meanwhile.
"""
from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias

import asyncpg

from ludarium_eventstore.logins import Login, make_login

LOCK = 7239012045550                            # advisory: two services that start at once migrate one after the other
OWN: Mapping[str, Traversable] = {"eventstore": files("ludarium_eventstore") / "schema"}
RETIRED = ("eventstore/0001_events.sql",)       # migrations of a log in an older format
GRANTS = "grants.sql"
NO_TRANSACTION = "-- no transaction\n"
INDEX = re.compile(r"^create (?:unique )?index concurrently (\w+)\s+on (\w+)\.", re.MULTILINE)

HISTORY = """
    create table if not exists public.ludarium_migrations
    (name text primary key, checksum bytea not null, at timestamptz not null default now())"""

LOCK_TIMEOUT = "2s"
TRIES = 60
PAUSE = 1.0                                     # seconds between two of them, in which others get their turn
LOOK = 0.1                                      # seconds between two looks whether another process has finished
log = logging.getLogger(__name__)
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Folders: TypeAlias = Mapping[str, Traversable]


class ChangedMigration(Exception):
    """A migration that has been run is another file now; write a new one instead."""


class OldFormat(Exception):
    """The log was written in a format that this release cannot read, and that nobody's games were kept in."""


class Blocked(Exception):
    """Somebody holds the locks that a migration needs, and does not let go."""


class Migration(NamedTuple):
    name: str                                   # "eventstore/0001_log.sql"
    sql: str

    @property
    def checksum(self) -> bytes:
        return blake2b(self.sql.encode(), digest_size=32).digest()


async def migrate(dsn: str, folders: Folders | None = None, login: Login | None = None) -> list[str]:
    """Run what has not been run yet: the store's own migrations, then those of `folders`; returns the names of those run.

    As the owner of the database. login: of the service, made if there is none. Raises ChangedMigration before anything is
    run, Blocked when somebody holds a lock for long; what was run before stays.
    """
    connection = await asyncpg.connect(dsn)
    try:
        await alone(connection)
        await connection.execute(HISTORY)
        waiting = not_run(migrations(folders), await recorded(connection))
        for migration in waiting:
            await patiently(partial(run, connection, migration), migration.name)
        if login is not None:
            await make_login(connection, login)
        for folder in (folders or {}).values():
            if (grants := folder / GRANTS).is_file():
                await connection.execute(grants.read_text())
        return [m.name for m in waiting]
    finally:
        await connection.close()


async def alone(connection: Connection) -> None:
    """Asked again and again: who waited for it in a statement would be waited for by an index that is made concurrently."""
    while not await connection.fetchval("select pg_try_advisory_lock($1)", LOCK):
        await asyncio.sleep(LOOK)


async def missing(connection: Connection, folders: Folders | None = None) -> list[str]:
    """The names of those that have not been run. More than this release knows may have been: migrations only expand.

    Raises ChangedMigration.
    """
    readable = await connection.fetchval("select has_table_privilege(to_regclass('public.ludarium_migrations'), 'select')")
    return [m.name for m in not_run(migrations(folders), await recorded(connection) if readable else {})]


def migrations(folders: Folders | None = None) -> list[Migration]:
    """All of them, in their order."""
    return [m for name, folder in {**OWN, **(folders or {})}.items() for m in scripts(name, folder)]


def scripts(name: str, folder: Traversable) -> Iterator[Migration]:
    numbered = sorted((f for f in folder.iterdir() if f.name.endswith(".sql") and f.name != GRANTS), key=lambda f: f.name)
    return (Migration(f"{name}/{f.name}", f.read_text()) for f in numbered)


async def recorded(connection: Connection) -> dict[str, bytes]:
    rows = await connection.fetch("select name, checksum from public.ludarium_migrations")
    return {row["name"]: row["checksum"] for row in rows}


def not_run(found: list[Migration], done: Mapping[str, bytes]) -> list[Migration]:
    if gone := [name for name in RETIRED if name in done]:
        raise OldFormat(", ".join(gone))
    if changed := [m.name for m in found if m.name in done and done[m.name] != m.checksum]:
        raise ChangedMigration(", ".join(changed))
    return [m for m in found if m.name not in done]


async def patiently(run: Callable[[], Awaitable[None]], name: str) -> None:
    """Again and again while somebody holds the locks that it needs. Raises Blocked."""
    for _ in range(TRIES):
        try:
            return await run()
        except asyncpg.LockNotAvailableError:
            log.warning("%s waits for a lock", name)
            await asyncio.sleep(PAUSE)
    raise Blocked(f"{name} waits for a lock that somebody holds and does not let go")


async def run(connection: Connection, migration: Migration) -> None:
    if migration.sql.startswith(NO_TRANSACTION):
        await make_index(connection, migration)
    else:
        async with connection.transaction():
            await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'")
            await connection.execute(migration.sql)
            await record(connection, migration)


async def make_index(connection: Connection, migration: Migration) -> None:
    """Afresh: an attempt that failed has left one that is kept up to date and never used."""
    found = INDEX.search(migration.sql)
    if found is None:
        raise ValueError(f"{migration.name} makes no index concurrently, and nothing else runs without a transaction")
    index, schema = found.groups()
    await connection.execute(f"drop index concurrently if exists {schema}.{index}")
    await connection.execute(migration.sql)
    await record(connection, migration)


async def record(connection: Connection, migration: Migration) -> None:
    await connection.execute(
        "insert into public.ludarium_migrations (name, checksum) values ($1, $2)", migration.name, migration.checksum
    )
