"""Update a database: run new migrations, and create all functions again.

Only one process does this at a time. Each file runs in a transaction and waits only briefly for a lock, because all later
statements on the table queue behind it. If the lock is not granted, the transaction is rolled back and tried again. A
migration that begins with NO_TRANSACTION has one statement, `create index concurrently`, which cannot run in a transaction
and does not block reads or writes.

The database stores the checksums of all files that were ever run, in order. A release therefore recognises functions that are
newer than its own, and leaves them in place. Its processes can work with them, for example during a rolling restart. See
docs/decisions/115.
"""
from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import asyncpg

from ludarium_eventstore.logins import Login, make_login
from ludarium_eventstore.schema_files import Folders, Script, grants, scripts

LOCK = 7239012045550  # an advisory lock: services that start together migrate one after the other
BASELINE = "eventstore/0001_eventstore.sql"
"""The first migration of each database that this and later releases can use."""
NO_TRANSACTION = "-- no transaction\n"
INDEX = re.compile(r"^create (?:unique )?index concurrently (\w+)\s+on (\w+)\.", re.MULTILINE)

FIND_SCHEMAS = """
    select to_regclass('public.ludarium_migrations') is not null as history, to_regnamespace('es') is not null as log,
      has_table_privilege(to_regclass('public.ludarium_migrations'), 'select') as readable"""
SELECT_RECORDED = """
    select m ->> 'name' as name, decode(substr(m ->> 'checksum', 3), 'hex') as checksum
    from (select to_jsonb(h) as m from public.ludarium_migrations h) r order by (m ->> 'nth')::bigint"""
"""Query that returns rows as JSON, so that a table with other columns can be read as well, and refused."""

LOCK_TIMEOUT = "2s"
MAX_TRIES = 60
PAUSE = 1.0                                     # seconds between two attempts, in which other transactions proceed
POLL_INTERVAL = 0.1                                      # seconds between two checks whether another process has finished
log = logging.getLogger(__name__)
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Recorded: TypeAlias = Mapping[str, Sequence[bytes]]
"""The name of a file -> the checksums of its versions, in the order in which they were run."""


class ChangedMigration(Exception):
    """A migration was changed after it was run. Write a new migration instead."""


class OldFormat(Exception):
    """The database has an older format that cannot be updated. Nothing was changed."""


class Blocked(Exception):
    """Another transaction has held the locks that a file needs for too long."""


async def migrate(dsn: str, folders: Folders | None = None, login: Login | None = None) -> list[str]:
    """Run the files that this database lacks.

    The store's own files come first, then those of `folders`.

    Args:
        dsn: connects as the owner of the database.
        login: the service's login, created if it does not exist.

    Returns:
        The names of the files whose text is new to the database.

    Raises:
        OldFormat, ChangedMigration: nothing was run.
        Blocked: another transaction holds a lock for too long; files run before are not undone.
    """
    connection = await asyncpg.connect(dsn)
    try:
        await lock_migrations(connection)
        done, found = await recorded(connection), scripts(folders)
        lacking = not_run(found, done)
        for script in found:
            if script in lacking:
                await retry_on_lock(partial(run, connection, script), script.name)
            elif script.is_function and is_newest(script, done):
                await retry_on_lock(partial(execute, connection, script), script.name)
        if login is not None:
            await make_login(connection, login)
        for statements in grants(folders):
            await connection.execute(statements)
        return [script.name for script in lacking]
    finally:
        await connection.close()


async def lock_migrations(connection: Connection) -> None:
    """Wait until no other process migrates, then hold the lock.

    The lock is polled, since a blocked statement would block the creation of concurrent indexes.
    """
    while not await connection.fetchval("select pg_try_advisory_lock($1)", LOCK):
        await asyncio.sleep(POLL_INTERVAL)


async def missing(connection: Connection, folders: Folders | None = None) -> list[str]:
    """Return the names of the files that this database lacks.

    The database may have run other files, or newer ones.

    Raises:
        OldFormat, ChangedMigration
    """
    return [script.name for script in not_run(scripts(folders), await recorded(connection))]


async def recorded(connection: Connection) -> Recorded:
    """Return the checksums of the files that were run on this database, by name.

    The result is empty if the database is new, or not readable by this login.

    Raises:
        OldFormat: the database has data in another format.
    """
    found = await connection.fetchrow(FIND_SCHEMAS)
    assert found is not None
    if not found["history"] and not found["log"]:
        return {}
    if found["history"] and not found["readable"]:
        return {}
    done: dict[str, list[bytes]] = {}
    for row in await connection.fetch(SELECT_RECORDED) if found["history"] else []:
        done.setdefault(row["name"], []).append(row["checksum"])
    if BASELINE not in done:
        raise OldFormat(f"the database lacks {BASELINE}, with which every database begins since 0.1.0")
    return done


def not_run(found: Sequence[Script], done: Recorded) -> list[Script]:
    """Return the files whose text was never run, in order.

    Raises:
        ChangedMigration: a migration was changed after it was run.
    """
    lacking = [script for script in found if script.checksum not in done.get(script.name, ())]
    if changed := [script.name for script in lacking if script.name in done and not script.is_repeatable]:
        raise ChangedMigration(", ".join(changed))
    return lacking


def is_newest(script: Script, done: Recorded) -> bool:
    """Return whether no later release has replaced the function.

    Only then is the function created again.
    """
    return done[script.name][-1] == script.checksum


async def retry_on_lock(run: Callable[[], Awaitable[None]], name: str) -> None:
    """Call `run`, with retries while another transaction holds locks that it needs.

    Raises:
        Blocked: the locks were not released in time.
    """
    for _ in range(MAX_TRIES):
        try:
            return await run()
        except asyncpg.LockNotAvailableError:
            log.warning("%s waits for a lock", name)
            await asyncio.sleep(PAUSE)
    raise Blocked(f"{name} waits for a lock that another transaction holds and does not let go")


async def run(connection: Connection, script: Script) -> None:
    if script.sql.startswith(NO_TRANSACTION):
        await make_index(connection, script)
    else:
        await execute(connection, script, is_new=True)


async def execute(connection: Connection, script: Script, *, is_new: bool = False) -> None:
    async with connection.transaction():
        await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'")
        await connection.execute(script.sql)
        if is_new:
            await record(connection, script)


async def make_index(connection: Connection, script: Script) -> None:
    """Create an index from scratch, because a failed attempt leaves an invalid one."""
    found = INDEX.search(script.sql)
    if found is None:
        raise ValueError(f"{script.name} makes no index concurrently, and nothing else runs without a transaction")
    index, schema = found.groups()
    await connection.execute(f"drop index concurrently if exists {schema}.{index}")
    await connection.execute(script.sql)
    await record(connection, script)


async def record(connection: Connection, script: Script) -> None:
    await connection.execute(
        "insert into public.ludarium_migrations (name, checksum) values ($1, $2)", script.name, script.checksum
    )
