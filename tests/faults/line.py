"""A bad connection to PostgreSQL, slow and cut after a random number of bytes."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from tests.support.store_proxy import SOCKET, Proxy

BYTES = 6000                                    # bytes in one direction before a cut, on average
SLOWEST = 0.01                                  # seconds


class BadLine(Proxy):
    def __init__(self, folder: Path, dsn: str, luck: Random) -> None:
        super().__init__(folder, dsn)
        self.luck, self.cuts = luck, 0

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        left = int(self.luck.expovariate(1 / BYTES))
        while data := await reader.read(1 << 16):
            await asyncio.sleep(self.luck.uniform(0, SLOWEST))
            writer.write(data[:left])
            await writer.drain()
            left -= len(data)
            if left <= 0:
                self.cuts += 1
                return


@asynccontextmanager
async def bad_line(folder: Path, dsn: str, luck: Random) -> AsyncIterator[BadLine]:
    folder.mkdir()
    line = BadLine(folder, dsn, luck)
    server = await asyncio.start_unix_server(line.serve, folder / SOCKET)
    try:
        yield line
    finally:
        server.close()
        line.hang_up()
