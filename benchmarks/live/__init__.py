"""Measure live tables: fan-out, connections, latency of moves, and catching up."""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from benchmarks.http import served
from benchmarks.live import fanout, full, moves, presence, resume
from benchmarks.rows import Row
from ludarium.embedded import embedded
from ludarium.platform.schema_check import migrated


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            async for row in fanout.rows(servers.redis_url):
                yield row
            async for row in presence.rows(servers.redis_url):
                yield row
            await migrated(servers.database_url)
            async for row in full.rows(servers.database_url, servers.redis_url):
                yield row
            places = {"LUDARIUM_DATABASE_URL": servers.database_url, "LUDARIUM_REDIS_URL": servers.redis_url}
            with served(Path(folder), **places) as server:
                async for row in moves.rows(server):
                    yield row
                async for row in resume.rows(server, servers.database_url):
                    yield row
