"""Watch tables as spectators that read only the version of an event.

They run on the event loop, so that thousands of them leave the machine to the measured processes.
"""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import cast

import msgspec
from websockets.frames import Frame, Opcode

from benchmarks.live.crowd import HANDSHAKE, masked

END_OF_HEAD = b"\r\n\r\n"
SHORT, LONG = 126, 127
"""Length codes of a frame whose real length is in the next two bytes, or in the next eight."""


class Push(msgspec.Struct):
    """The parts of a message that a watcher needs.

    Attributes:
        seq: the version of an event.
        ok: whether a request was accepted.
    """

    seq: int = -1
    ok: bool = True


PUSH = msgspec.json.Decoder(Push)


class Watcher(asyncio.Protocol):
    """A spectator that follows a table from its beginning.

    Args:
        table: the id of the table.
        told: called with the version of each event as it arrives.
    """

    def __init__(self, table: str, told: Callable[[int], None]) -> None:
        self.table, self.told, self.buffer, self.greeted = table, told, b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)         # transports of uvloop are not subclasses
        subscribe = {"id": 2, "type": "subscribe", "table": self.table, "after": -1}
        self.transport.write(HANDSHAKE + masked({"id": 1, "type": "hello"}) + masked(subscribe))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.greeted:
            head, end, rest = self.buffer.partition(END_OF_HEAD)
            if not end:
                return
            assert b" 101 " in head, head
            self.greeted, self.buffer = True, rest
        for opcode, payload in self.frames():
            if opcode == Opcode.TEXT:
                push = PUSH.decode(payload)
                assert push.ok, payload
                self.told(push.seq)
            elif opcode == Opcode.PING:
                self.transport.write(Frame(Opcode.PONG, payload).serialize(mask=True))

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield the complete frames in the buffer, each as opcode and payload.

        A server does not mask frames, and ours never fragments them.
        """
        data, at = self.buffer, 0
        while len(data) >= at + 2:
            length, begin = data[at + 1], at + 2
            if length >= SHORT:
                begin += 2 if length == SHORT else 8
                length = int.from_bytes(data[at + 2:begin])
            if len(data) < begin + length or len(data) < begin:
                break
            yield data[at] & 15, data[begin:begin + length]
            at = begin + length
        self.buffer = data[at:]
