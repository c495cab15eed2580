"""Find a person's words in all tables, in the planner's samples, and in Valkey."""
from __future__ import annotations

from collections.abc import Collection

import asyncpg
import redis.asyncio

TABLES = """
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')"""
SAMPLES = "(select schemaname, tablename, attname, most_common_vals::text, histogram_bounds::text from pg_stats)"


async def in_database(url: str, words: Collection[str]) -> dict[str, set[str]]:
    """Return the tables that contain each word as text, in JSON, or within bytes."""
    connection = await asyncpg.connect(url)
    try:
        names = [row["name"] for row in await connection.fetch(TABLES)]
        found = {name: await holding(connection, name, words) for name in [*names, SAMPLES]}
    finally:
        await connection.close()
    return {word: {name for name, held in found.items() if word in held} for word in words}


async def holding(connection: asyncpg.Connection[asyncpg.Record], table: str, words: Collection[str]) -> set[str]:
    """Return the words that occur in a table.

    Bytes are shown in hexadecimal, so the hexadecimal form of each word is searched too.
    """
    rows = await connection.fetch(
        f"""select w.word from unnest($1::text[]) w(word)
            where exists (select from {table} t where strpos(lower(t::text), lower(w.word)) > 0
                             or strpos(t::text, encode(convert_to(w.word, 'UTF8'), 'hex')) > 0)""",
        [*words],
    )  # fmt: skip
    return {row["word"] for row in rows}


async def in_valkey(url: str, words: Collection[str]) -> set[str]:
    async with redis.asyncio.from_url(url) as client:
        kept = b"\n".join([key + b" " + await client.dump(key) async for key in client.scan_iter()])
    return {word for word in words if word.encode() in kept}
