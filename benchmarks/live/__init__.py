"""Live tables: what a frame and a connection cost, how soon a move is seen, how fast one catches up."""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from benchmarks.http import served
from benchmarks.live import fanout, moves
from benchmarks.rows import Row
from services.embedded import embedded


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            async for row in fanout.rows(servers.redis_url):
                yield row
        with served(Path(folder)) as server:
            async for row in moves.rows(server):
                yield row
