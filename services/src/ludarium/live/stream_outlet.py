"""The writing side of an HTTP stream, with a limited buffer.

The format is JSON lines or server-sent events.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from ludarium.live import messages
from ludarium.live.encoded import EncodedEvent
from ludarium.live.messages import Ended, GoingAway, Lagging, TokenEnded

KEEPALIVE = 7.0
"""Seconds of silence after which an empty message shows that the connection is alive."""
Parting = Lagging | GoingAway | Ended | TokenEnded


class Format(NamedTuple):
    media_type: str
    silence: bytes
    """The empty message that is sent after KEEPALIVE seconds of silence."""
    line: Callable[[EncodedEvent], bytes]
    parting: Callable[[Parting], bytes]


def _line(told: EncodedEvent) -> bytes:
    return told.event + b"\n"


def _parting_line(message: Parting) -> bytes:
    return messages.encode(message) + b"\n"


def _event(told: EncodedEvent) -> bytes:
    number = b"" if told.seq is None else b"id: %d.%b\n" % (told.seq, told.head.encode())
    name = b"event: %b\n" % told.name if told.name else b""
    return b"%b%bdata: %b\n\n" % (number, name, told.event)


def _parting_event(message: Parting) -> bytes:
    wait = b"retry: %d\n" % message.retry_after_ms if isinstance(message, GoingAway) else b""
    return b"%bevent: parting\ndata: %b\n\n" % (wait, messages.encode(message))


NDJSON = Format("application/x-ndjson", b"\n", _line, _parting_line)
SSE = Format("text/event-stream", b": \n\n", _event, _parting_event)


class StreamOutlet:
    """An Outlet that also yields the response's chunks."""

    def __init__(self, format: Format, limit: int) -> None:
        """Configure an outlet.

        Args:
            format: the format of the stream.
            limit: the maximum bytes that wait for the client.
        """
        self._format, self._limit = format, limit
        self._waiting: list[bytes] = []
        self._size = 0
        self._over = False
        self._news, self._taken = asyncio.Event(), asyncio.Event()

    def send(self, *news: EncodedEvent) -> None:
        if not self._over:
            self._put(b"".join(map(self._format.line, news)))
            if self._size > self._limit:
                self._waiting.clear()
                self.part(Lagging())

    async def drained(self) -> None:
        while not self._over and self._size > self._limit // 4:
            self._taken.clear()
            await self._taken.wait()

    def part(self, message: Parting) -> None:
        """End the stream after all waiting messages and this one are sent."""
        if not self._over:
            self._put(self._format.parting(message))
            self.fail()

    def fail(self) -> None:
        self._over = True
        self._news.set()
        self._taken.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the response's chunks until the stream ends."""
        while self._waiting or not self._over:
            if self._waiting:
                yield self._take_all()
            elif not await self._something():
                yield self._format.silence

    def _put(self, line: bytes) -> None:
        self._waiting.append(line)
        self._size += len(line)
        self._news.set()

    def _take_all(self) -> bytes:
        chunk = b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        self._news.clear()
        self._taken.set()
        return chunk

    async def _something(self) -> bool:
        """Wait for new data, and return whether any came within KEEPALIVE seconds."""
        try:
            async with asyncio.timeout(KEEPALIVE):
                await self._news.wait()
        except TimeoutError:
            return False
        return True
