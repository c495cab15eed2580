"""Pages of lists of tables, the newest first: by when a table was opened, since a derived id does not tell that."""
from __future__ import annotations

NEWEST = "order by listed_at desc, id desc"


def after_cursor(table: str, parameter: int) -> str:
    """The condition that a row comes behind the table whose id is this parameter; nothing does behind one that is not there."""
    cursor = f"(select c.listed_at from {table} c where c.id = ${parameter} limit 1)"
    return f"(${parameter}::uuid is null or (listed_at, id) < ({cursor}, ${parameter}))"
