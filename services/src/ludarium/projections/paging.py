"""Pages of lists, newest first by opening time, since ids are not ordered by time."""
from __future__ import annotations

NEWEST = "order by listed_at desc, id desc"


def after_cursor(table: str, parameter: int) -> str:
    """Return the SQL condition for rows after the one whose id is this parameter.

    The condition matches nothing if there is no row with that id.
    """
    cursor = f"(select c.listed_at from {table} c where c.id = ${parameter} limit 1)"
    return f"(${parameter}::uuid is null or (listed_at, id) < ({cursor}, ${parameter}))"
