"""Run the next release as a separate process, next to this release."""
from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from ludarium.platform import ids
from tests.support.entropy import seed_variables


class Newer:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def do(self, what: str, table: UUID, seed: int) -> dict[str, Any]:
        """Run one operation of the next release.

        Returns:
            {"done": result} or {"refused": problem code}.
        """
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([what, ids.encode(table), seed]).encode() + b"\n")
        answer: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return answer


@asynccontextmanager
async def newer_release(database_url: str, fault: str = "") -> AsyncIterator[Newer]:
    """Yield a process that runs the next release.

    Args:
        fault: One of `tests.tables.growth.IN_RELEASE`, or "" for none.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.tables.release", database_url, fault, stdin=pipe, stdout=pipe,
        env=os.environ | seed_variables(),
    )
    yield Newer(process)
    assert process.stdin
    process.stdin.close()
    assert await process.wait() == 0
