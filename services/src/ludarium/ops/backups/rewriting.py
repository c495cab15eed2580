"""Rewrites tables before a backup, so that deleted data is not copied.

PostgreSQL's files contain deleted rows until their space is reused. Triggers flag the tables with deletions or changes
since the last backup; the other tables are not rewritten.
"""
from __future__ import annotations

import re

import asyncpg

from ludarium.ops.backups.errors import BackupError

PERSONAL_TABLES = """
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and exists (select from pg_attribute where attrelid = oid and attnum > 0 and attstattarget = 0)"""
"""Tables with personal data. The planner keeps no samples of their columns, for the same reason."""
WITHOUT_TRIGGER = "select from pg_trigger where tgrelid = name::regclass and tgname = 'touched'"
TABLES_TO_REWRITE = f"""
    select name from ({PERSONAL_TABLES}) people
    where not exists ({WITHOUT_TRIGGER})
      or exists (select from backups.touched t where coalesce(t.name, people.name) = people.name)"""
"""SQL for the flagged tables, and for tables without a trigger."""
LOCK_TIMEOUT, MAX_TRIES = "1s", 20
"""Limits for waiting for a table in use, since other sessions queue behind this one."""


async def rewrite_tables(connection: asyncpg.Connection[asyncpg.Record]) -> list[str]:
    """Rewrite the flagged tables, and return their names. Raises BackupError.

    Flags set in the meantime remain for the next backup. All flags remain if another transaction still sees deleted rows.
    """
    await connection.execute("update backups.touched set seen = true where not seen")
    names = [row["name"] for row in await connection.fetch(TABLES_TO_REWRITE)]
    await connection.execute(f"set lock_timeout = '{LOCK_TIMEOUT}'")
    are_clean = [await rewrite_table(connection, name) for name in names]
    await connection.execute("reset lock_timeout")
    if all(are_clean):
        await connection.execute("delete from backups.touched where seen")
    return names


async def rewrite_table(connection: asyncpg.Connection[asyncpg.Record], table: str) -> bool:
    """Rewrite a table, and return whether all deleted rows were removed."""
    remaining: list[int] = []

    def note(_: object, message: asyncpg.PostgresLogMessage) -> None:
        """"0 dead row versions cannot be removed yet", in the server's language."""
        remaining.extend(map(int, re.findall(r"\d+", message.detail or "")[:1]))

    connection.add_log_listener(note)
    try:
        await vacuum_full(connection, table)
    finally:
        connection.remove_log_listener(note)
    return remaining == [0]


async def vacuum_full(connection: asyncpg.Connection[asyncpg.Record], table: str) -> None:
    """Run `vacuum full`; retry while the table is locked."""
    for _ in range(MAX_TRIES):
        try:
            await connection.execute(f"vacuum (full, verbose) {table}")
        except asyncpg.LockNotAvailableError:
            continue
        return
    raise BackupError(f"{table} is in use all the time, so what was deleted there cannot be kept out of a backup: try again.")
