"""A Unix socket in front of PostgreSQL that can drop the server's next response.

Dropping a response also closes the connection.
"""
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
        self.accepts = True                     # new connections
        self.lost = 0
        self.writers: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.accepts:
            writer.close()
            return
        server_reader, server_writer = await asyncio.open_unix_connection(self.server)
        ends = {writer, server_writer}
        self.writers |= ends
        ways = [
            asyncio.create_task(self.forward(reader, server_writer, answers=False)),
            asyncio.create_task(self.forward(server_reader, writer, answers=True)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.close()
        await asyncio.gather(*ways, return_exceptions=True)               # a broken connection can break during a write
        self.writers -= ends

    def hang_up(self) -> None:
        """Close all connections at once."""
        for writer in self.writers:
            writer.close()

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        while data := await reader.read(1 << 16):
            if answers and self.lose_next_answer:
                self.lose_next_answer, self.lost = False, self.lost + 1
                return
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxy(folder: Path, dsn: str) -> AsyncIterator[Proxy]:
    folder.mkdir(exist_ok=True)
    made = Proxy(folder, dsn)
    server = await asyncio.start_unix_server(made.serve, folder / SOCKET)
    try:
        yield made
    finally:
        server.close()
        made.hang_up()
