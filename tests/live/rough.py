"""Raw sockets with a WebSocket handshake, for clients that misbehave."""

import asyncio
import fcntl
import socket
import termios
from array import array
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from websockets.frames import Frame, Opcode

from tests.support.waiting import within_limit

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Rough:
    def __init__(self, raw: socket.socket) -> None:
        self._raw = raw
        self._loop = asyncio.get_running_loop()

    async def write(self, data: bytes) -> None:
        await self._loop.sock_sendall(self._raw, data)

    async def read_until(self, end: bytes) -> bytes:
        """Read until a read contains `end`, and return everything read."""
        heard, tail = [], b""
        async with within_limit():
            while end not in tail:
                heard.append(await self._loop.sock_recv(self._raw, 65536))
                assert heard[-1], f"the connection has ended behind {tail!r}"
                tail = tail[-len(end):] + heard[-1]
        return b"".join(heard)

    def unread(self) -> int:
        """Return the number of received bytes that have not been read yet."""
        waiting = array("i", [0])
        fcntl.ioctl(self._raw, termios.FIONREAD, waiting)
        return waiting[0]

    async def rest(self) -> bytes:
        """Read until the server ends the connection, and return everything read."""
        heard = b""
        async with within_limit():
            try:
                while data := await self._loop.sock_recv(self._raw, 65536):
                    heard += data
            except ConnectionResetError:
                return heard
        return heard


@asynccontextmanager
async def line(port: int, buffer: int | None = None) -> AsyncIterator[Rough]:
    """Open a plain TCP connection.

    Args:
        buffer: The size of the receive buffer in bytes, or None for the system's default.
    """
    with socket.socket() as raw:
        if buffer is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
        yield Rough(raw)


@asynccontextmanager
async def rough(port: int, buffer: int | None = None) -> AsyncIterator[Rough]:
    """Open a connection with `line`, and complete the WebSocket handshake."""
    async with line(port, buffer) as socket:
        await socket.write(HANDSHAKE)
        await socket.read_until(b"\r\n\r\n")
        yield socket


def frame(opcode: Opcode, data: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


def request(type: str, **members: object) -> bytes:
    return frame(Opcode.TEXT, msgspec.json.encode({"id": 1, "type": type} | members))
