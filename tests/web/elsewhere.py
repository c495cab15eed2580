"""The example of docs/frontend.md, served from another origin."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

PAGE = Path("docs/examples/sign-in.html")


@asynccontextmanager
async def elsewhere() -> AsyncIterator[str]:
    """Serve the page at every path and yield the origin."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    page = PAGE.read_bytes()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(page)}\r\nconnection: close\r\n\r\n"
    writer.write(head.encode() + page)
    await writer.drain()
    writer.close()
