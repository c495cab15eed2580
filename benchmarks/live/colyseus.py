"""Run Colyseus 0.16 as a peer for pushes, over its own protocol on WebSockets.

Its rooms send a text to their members.
"""
from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
import psutil
from websockets.frames import Frame, Opcode

from benchmarks.live.crowd import PATIENCE, Crowd, connected, received

PEER = Path(__file__).parents[1] / "peers" / "colyseus"
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
JOINED, TOLD = b"\x0a", b"\x0d"
"""The first bytes of the message "joined" and of a message to a member."""


class Peer:
    """A running Colyseus server.

    Args:
        server: its process.
        port: the port for members.
        wire: the connection for orders of the benchmark.
    """

    def __init__(self, server: psutil.Process, port: int, wire: socket.socket) -> None:
        self.server, self.port, self.wire = server, port, wire
        self.answers = wire.makefile("rb")

    def order(self, **what: int) -> Any:
        self.wire.sendall(json.dumps(what).encode() + b"\n")
        return json.loads(self.answers.readline())

    def seat(self, members: Crowd, rooms: int, each: int) -> None:
        """Open `rooms` rooms and put `each` members into each of them."""
        self.order(rooms=rooms)
        for path in self.order(seats=each):
            members.add(self.join(path))

    def join(self, path: str) -> socket.socket:
        member = connected(self.port)
        member.sendall(UPGRADE.format(path=path).encode())
        heard = b""
        while JOINED not in heard.partition(b"\r\n\r\n")[2]:
            heard += received(member)
        member.sendall(Frame(Opcode.BINARY, JOINED).serialize(mask=True))
        return member

    def tell(self, members: Crowd, messages: int, frame: bytes) -> None:
        """Send messages to all rooms, and wait until all members have read them."""
        self.order(tell=messages)
        members.read(messages * len(frame))


def frame_of(text: bytes) -> bytes:
    """Return the frame that each member receives for a text."""
    payload = TOLD + b"".join(map(msgspec.msgpack.encode, ("told", text.decode())))
    return Frame(Opcode.BINARY, payload).serialize(mask=False)


def is_here() -> bool:
    """Return whether the peer is installed.

    If npm is available, the first call installs it.
    """
    if which("npm") is None:
        return False
    if not (PEER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent", "--ignore-scripts"], cwd=PEER, check=True)
    return True


@contextmanager
def peer(text: bytes) -> Iterator[Peer]:
    command = ["node", "server.mjs", text.decode()]
    with subprocess.Popen(command, cwd=PEER, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            port, orders = map(int, running.stdout.readline().split())
            with socket.create_connection(("127.0.0.1", orders), timeout=PATIENCE) as wire:
                yield Peer(psutil.Process(running.pid), port, wire)
        finally:
            running.kill()
