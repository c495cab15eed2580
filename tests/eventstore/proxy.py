"""A Unix socket in front of PostgreSQL that loses the server's next answer when told to, and the connection with it."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SOCKET = ".s.PGSQL.5432"


class Proxy:
    def __init__(self, folder: Path, dsn: str) -> None:
        parts = urlsplit(dsn)
        self.server = Path(parse_qs(parts.query)["host"][0]) / SOCKET
        self.dsn = parts._replace(query=f"host={folder}").geturl()
        self.lose_next_answer = False
        self.lost = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(self.server)
        asks = asyncio.create_task(self.forward(reader, server_writer, answers=False))
        await self.forward(server_reader, writer, answers=True)
        asks.cancel()
        for end in (writer, server_writer):
            end.close()

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        while data := await reader.read(1 << 16):
            if answers and self.lose_next_answer:
                self.lose_next_answer, self.lost = False, self.lost + 1
                return
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxy(folder: Path, dsn: str) -> AsyncIterator[Proxy]:
    made = Proxy(folder, dsn)
    server = await asyncio.start_unix_server(made.serve, folder / SOCKET)
    try:
        yield made
    finally:
        server.close()
