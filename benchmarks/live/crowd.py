"""Open many sockets that only read and count bytes.

They are cheap, so that the measured process is the bottleneck.
"""
from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from websockets.frames import Frame, Opcode

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PATIENCE = 30.0
"""Seconds after which a missing message is an error."""


class Crowd:
    """Members of tables that only count the bytes they receive."""

    def __init__(self) -> None:
        self.members: dict[int, socket.socket] = {}
        self.got: dict[int, int] = {}
        self._poll = select.epoll()

    def watch(self, port: int, table: str, after: int, buffer: int | None = None) -> socket.socket:
        """Follow a table at our gateway as a spectator.

        Args:
            buffer: The size of the kernel's receive buffer in bytes.
        """
        member = connected(port, buffer)
        hello = {"id": 1, "type": "hello"}
        subscribe = {"id": 2, "type": "subscribe", "table": table, "after": after, "as": "spectator"}
        member.sendall(HANDSHAKE + b"".join(map(masked, (hello, subscribe))))
        heard, latest = b"", time.monotonic() + PATIENCE
        while b'"as":"spectator"}' not in heard:
            heard += received(member)
            assert b'"ok":false' not in heard, heard
            assert time.monotonic() < latest, heard  # pings would keep the loop running for ever
        return member

    def join(self, port: int, table: int) -> socket.socket:
        """Join a table at the server that is the limit of the comparison."""
        member = connected(port)
        member.sendall(struct.pack("<cI", b"J", table))
        received(member)
        return member

    def add(self, member: socket.socket) -> None:
        member.setblocking(False)
        self.members[member.fileno()] = member
        self.got[member.fileno()] = 0
        self._poll.register(member, select.EPOLLIN)

    def read(self, each: int) -> None:
        """Wait until every member has received `each` bytes since the last call.

        Raises:
            AssertionError: a member received more, or its connection was closed.
        """
        missing = len(self.members)
        while missing:
            ready = self._poll.poll(PATIENCE)
            assert ready, f"{missing} of {len(self.members)} have not got everything"
            for member, _ in ready:
                self.got[member] += len(received(self.members[member]))
                missing -= self.got[member] == each
        assert set(self.got.values()) == {each}
        self.got = dict.fromkeys(self.got, 0)

    def close(self) -> None:
        for member in self.members.values():
            member.close()
        self._poll.close()


@contextmanager
def crowd() -> Iterator[Crowd]:
    one = Crowd()
    try:
        yield one
    finally:
        one.close()


def connected(port: int, buffer: int | None = None) -> socket.socket:
    member = socket.socket()
    if buffer is not None:
        member.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    member.settimeout(PATIENCE)
    member.connect(("127.0.0.1", port))
    return member


def masked(message: object) -> bytes:
    return Frame(Opcode.TEXT, msgspec.json.encode(message)).serialize(mask=True)


def received(member: socket.socket) -> bytes:
    data = member.recv(1 << 18)
    assert data, "the server has closed"
    return data
