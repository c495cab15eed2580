"""The writing side of a WebSocket, with a limited buffer.

Writing never waits for the client.
"""

import asyncio
import logging

from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode
from websockets.protocol import State

from ludarium.live.encoded import EncodedEvent, text_frame
from ludarium.platform import metrics

log = logging.getLogger(__name__)

DRAIN = 0.01
"""Seconds between two checks of a full buffer."""


LAGGING = text_frame(b'{"type":"lagging"}')


class SocketOutlet:
    __slots__ = ("_closing", "_connection", "_limit", "_protocol", "_transport")

    def __init__(self, connection: ServerConnection, limit: int) -> None:
        """Configure an outlet.

        Args:
            connection: the WebSocket.
            limit: the maximum bytes that wait for the client; the transport must accept at least so many.
        """
        self._connection, self._transport, self._limit = connection, connection.transport, limit
        self._protocol = connection.protocol    # for direct access to its state
        self._closing: asyncio.Task[None] | None = None

    def send(self, *news: EncodedEvent) -> None:
        self.write(news[0].frame if len(news) == 1 else b"".join([told.frame for told in news]))

    def fail(self) -> None:
        self.close(CloseCode.INTERNAL_ERROR, "internal error")

    def write(self, frames: bytes) -> None:
        """Write without waiting. Does nothing once the connection is closing."""
        if not self._open:
            return
        self._transport.write(frames)
        if self._transport.get_write_buffer_size() > self._limit:
            self._lag()

    async def drained(self) -> None:
        """Wait until the write buffer is at most a quarter full, or the client is gone."""
        while self._open and self._transport.get_write_buffer_size() > self._limit // 4:
            await asyncio.sleep(DRAIN)

    def close(self, code: CloseCode, reason: str) -> None:
        """Close the connection after all waiting messages are sent.

        A client that does not respond to the close frame is disconnected.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, reason))

    async def closed(self) -> None:
        """Wait until a close that has begun is complete."""
        if self._closing is not None:
            await self._closing

    def abort(self) -> None:
        self._transport.abort()

    @property
    def _open(self) -> bool:
        return (
            self._closing is None
            and self._protocol.state is State.OPEN
            and not self._transport.is_closing()  # closed, but not reported yet; uvloop would raise
        )

    def _lag(self) -> None:
        log.info("a client lags and is dropped")
        metrics.lagging.inc()
        self._transport.write(LAGGING)
        self.close(CloseCode.TRY_AGAIN_LATER, "lagging")
