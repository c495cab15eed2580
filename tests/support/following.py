"""Wait for projections, and read the tables that they have written."""
from __future__ import annotations

from ludarium.platform.database import Database
from ludarium.projections.registry import PROJECTION_KINDS
from tests.support.waiting import eventually


async def caught_up(base: Database, *names: str) -> None:
    """Wait until these projections, or all by default, reach the end of the log."""
    wanted = [*(names or PROJECTION_KINDS)]

    async def at_the_end() -> bool:
        row = await base.row(
            "select count(*) as there from es.checkpoints where name = any ($1)"
            " and position = (select coalesce(max(position), 0) from es.events)",
            wanted,
        )
        return row is not None and row["there"] == len(wanted)

    await eventually(at_the_end)


async def dump(base: Database, schema: str) -> dict[str, list[str]]:
    """Return all rows of a projection's tables as JSON text, keyed by table name."""
    tables = await base.rows("select tablename from pg_tables where schemaname = $1 order by 1", schema)
    found = {}
    for (table,) in tables:
        rows = await base.rows(f"select to_jsonb(t)::text as row from {schema}.{table} t")
        found[table] = sorted(row["row"] for row in rows)
    return found
