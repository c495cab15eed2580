"""What was deleted stands in PostgreSQL's files until its place is taken: so they are written anew before they are copied.

Triggers mark the tables in which something was deleted since, or said otherwise; the others are left as they are.
"""
from __future__ import annotations

import re

import asyncpg

from ludarium.ops.backups.errors import BackupError

OF_PEOPLE = """
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and exists (select from pg_attribute where attrelid = oid and attnum > 0 and attstattarget = 0)"""
"""The tables with what people have written: of those columns the planner keeps no samples, for the same reason."""
UNMARKED = "select from pg_trigger where tgrelid = name::regclass and tgname = 'touched'"
TOUCHED = f"""
    select name from ({OF_PEOPLE}) people
    where not exists ({UNMARKED})
      or exists (select from backups.touched t where coalesce(t.name, people.name) = people.name)"""
"""Those that need it, and any in which nothing is marked."""
WAIT, TRIES = "1s", 20
"""For a table that is in use; meanwhile others wait for it too."""


async def write_anew(connection: asyncpg.Connection[asyncpg.Record]) -> list[str]:
    """The tables of people in which something was deleted, without it. Gives their names. Raises BackupError.

    A mark that comes while they are written holds for the next time, and so do all if some rows have to stay for the eyes of
    somebody else's transaction.
    """
    await connection.execute("update backups.touched set seen = true where not seen")
    names = [row["name"] for row in await connection.fetch(TOUCHED)]
    await connection.execute(f"set lock_timeout = '{WAIT}'")
    are_rid = [await write_table_anew(connection, name) for name in names]
    await connection.execute("reset lock_timeout")
    if all(are_rid):
        await connection.execute("delete from backups.touched where seen")
    return names


async def write_table_anew(connection: asyncpg.Connection[asyncpg.Record], table: str) -> bool:
    """Whether nothing that was deleted had to stay."""
    kept: list[int] = []

    def note(_: object, told: asyncpg.PostgresLogMessage) -> None:
        """"0 dead row versions cannot be removed yet", in the server's language."""
        kept.extend(map(int, re.findall(r"\d+", told.detail or "")[:1]))

    connection.add_log_listener(note)
    try:
        await vacuumed(connection, table)
    finally:
        connection.remove_log_listener(note)
    return kept == [0]


async def vacuumed(connection: asyncpg.Connection[asyncpg.Record], table: str) -> None:
    for _ in range(TRIES):
        try:
            await connection.execute(f"vacuum (full, verbose) {table}")
        except asyncpg.LockNotAvailableError:
            continue
        return
    raise BackupError(f"{table} is in use all the time, so what was deleted there cannot be kept out of a backup: try again.")
