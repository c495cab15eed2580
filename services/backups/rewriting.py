"""What was deleted stands in PostgreSQL's files until its place is taken: so they are written anew before they are copied."""
from __future__ import annotations

import asyncpg

from services.backups.errors import BackupError

OF_PEOPLE = """
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and exists (select from pg_attribute where attrelid = oid and attnum > 0 and attstattarget = 0)"""
"""The tables with what people have written: of those columns the planner keeps no samples, for the same reason."""
WAIT, TRIES = "1s", 20
"""For a table that is in use; meanwhile others wait for it too."""


async def write_anew(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """The tables of people, without what they have had. Raises BackupError."""
    await connection.execute(f"set lock_timeout = '{WAIT}'")
    for row in await connection.fetch(OF_PEOPLE):
        await write_table_anew(connection, row["name"])
    await connection.execute("reset lock_timeout")


async def write_table_anew(connection: asyncpg.Connection[asyncpg.Record], table: str) -> None:
    for _ in range(TRIES):
        try:
            await connection.execute(f"vacuum full {table}")
        except asyncpg.LockNotAvailableError:
            continue
        return
    raise BackupError(f"{table} is in use all the time, so what was deleted there cannot be kept out of a backup: try again.")
