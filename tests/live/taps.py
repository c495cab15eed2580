"""Record the exact bytes that a client receives, split into frames."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
from websockets.frames import Opcode

from ludarium.live.asyncapi import OPAQUE
from tests.live.rough import HANDSHAKE, request
from tests.support.waiting import within_limit

Json = dict[str, Any]


class Piece(NamedTuple):
    """A frame, as raw bytes and decoded."""

    wire: bytes
    told: Json


Split = Callable[[bytes], tuple[list[Piece], bytes]]
"""Splits complete frames off the received bytes; returns them and the rest."""

NOTICES = "notice", "settled", "unread"
"""Types of the messages about what waits for a player."""
NAMES, KINDS = "|".join(OPAQUE).encode(), "|".join(NOTICES).encode()
opaque = re.compile(rb'("(?:%b)":"|\bid: \d+\.|"type":"(?:%b)","data":\{"id":")([^"\n]*)' % (NAMES, KINDS))
"""The id of a server-sent event contains the head hash too."""
dated = re.compile(rb"(?i)\r\n(?:date|x-request-id): [^\r]*(?=\r\n)")
"""Headers that differ in each answer, with equal length."""


def masked(frame: bytes) -> bytes:
    """Replace the values of opaque fields by question marks of the same length."""
    return opaque.sub(lambda found: found[1] + b"?" * len(found[2]), frame)


class Tap:
    """One connection, whose `head` is the head of the first response."""

    def __init__(self, reader: asyncio.StreamReader, split: Split) -> None:
        self.head, self.frames = b"", list[Piece]()
        self._reader, self._split = reader, split
        self._news = asyncio.Condition()

    async def listen(self) -> None:
        self.head = dated.sub(b"", await self._reader.readuntil(b"\r\n\r\n"))
        rest = b""
        while data := await self._reader.read(1 << 16):
            frames, rest = self._split(rest + data)
            self.frames += frames
            async with self._news:
                self._news.notify_all()

    async def until(self, wanted: Callable[[list[Json]], bool]) -> None:
        """Wait until the decoded frames fulfil the condition."""
        try:
            async with within_limit(), self._news:
                await self._news.wait_for(lambda: wanted(self.told()))
        except TimeoutError:
            raise AssertionError(f"what is wanted does not come behind {self.told()[-2:]}") from None

    async def until_seq(self, seq: int) -> None:
        await self.until(lambda told: any("type" in one and one.get("seq") == seq for one in told))

    def told(self) -> list[Json]:
        return [frame.told for frame in self.frames]


@asynccontextmanager
async def tap(port: int, asks: bytes, split: Split) -> AsyncIterator[Tap]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(asks)
    one = Tap(reader, split)
    async with asyncio.TaskGroup() as group:
        listener = group.create_task(one.listen())
        try:
            yield one
        finally:
            listener.cancel()
            writer.transport.abort()


# --- requests ---------------------------------------------------------------------------------------------------------
def socket_of(token: str | None, hello: Json | None = None, **wanted: object) -> bytes:
    return HANDSHAKE + request("hello", token=token, **hello or {}) + request(**wanted)  # type: ignore[arg-type]


def stream_of(path: str, token: str | None, accept: str) -> bytes:
    login = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET /api/v1{path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n{login}\r\n".encode()


# --- frames -----------------------------------------------------------------------------------------------------------
def websocket(data: bytes) -> tuple[list[Piece], bytes]:
    """Split WebSocket frames, leaving out pings, which are random and depend on time."""
    frames = []
    while len(data) > 1:
        start, size = measured(data)
        if len(data) < size:
            break
        if data[0] & 0x0F == Opcode.TEXT:
            frames.append(Piece(data[:size], msgspec.json.decode(data[start:size])))
        data = data[size:]
    return frames, data


def measured(data: bytes) -> tuple[int, int]:
    """Return the bounds of the first frame's payload.

    While the frame's header is incomplete, the bounds are too small.
    """
    length, wide = data[1] & 0x7F, {126: 2, 127: 8}.get(data[1] & 0x7F, 0)
    start = 2 + wide
    return start, start + (int.from_bytes(data[2:start], "big") if wide and len(data) >= start else length)


def json_lines(data: bytes) -> tuple[list[Piece], bytes]:
    return in_chunks(data, b"\n")


def server_sent(data: bytes) -> tuple[list[Piece], bytes]:
    return in_chunks(data, b"\n\n")


def in_chunks(data: bytes, end: bytes) -> tuple[list[Piece], bytes]:
    """Split a chunked response into lines or events, without keep-alive lines.

    A chunk contains only complete lines or events, but how many depends on time.
    """
    frames = []
    while (start := data.find(b"\r\n") + 2) > 1 and len(data) >= (size := int(data[: start - 2], 16)) + start + 2:
        parts = [part for part in data[start : start + size].split(end) if b"{" in part]
        frames += [Piece(part + end, msgspec.json.decode(part[part.index(b"{") :])) for part in parts]
        data = data[start + size + 2 :]
    return frames, data
