"""Simulate a failover to a standby that lagged behind.

The newest rows of the log are lost, together with their idempotency keys.
"""
from __future__ import annotations

import asyncpg

LOSE = """
with gone as (
  delete from es.events where position > (select max(position) from es.events) - $1 returning stream_id, version
)
delete from es.commands c using gone g where c.stream_id = g.stream_id and c.version = g.version
"""


async def lose(database_url: str, rows: int = 1) -> None:
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute(LOSE, rows)
    finally:
        await owner.close()
