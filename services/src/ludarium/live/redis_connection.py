"""A connection to one Redis server.

This connection is built on hiredis instead of redis-py. There, subscribing awaits, and concurrent first subscriptions
lose each other; here it is a write, and nothing ever waits. Reading costs an eighth as much, publishing a tenth.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import hiredis
from redis.asyncio.connection import SSLConnection, parse_url

CONNECT = 5.0
"""Seconds to open a connection."""
PING_EVERY = 5.0
"""Seconds between two pings; a server that misses three counts as gone."""


_pack = cast(Callable[[tuple[str | bytes, ...]], bytes], hiredis.pack_command)  # its stub allows only one argument


PublishedEvent = tuple[str, int]
"""A table, and the number of one of its events."""
Listeners = dict[bytes, int]
"""The number of subscribers by channel."""


class RedisConnection(asyncio.Protocol):
    """Sends commands and receives messages.

    `ready` is done when the server accepts the login, `lost` when the connection is gone, with the reason. All channels
    are sharded, which keeps them on one node of a cluster; on a single server this makes no difference.
    """

    def __init__(
        self,
        login: list[tuple[str, ...]],
        heard: Callable[[bytes, bytes], None],
        joined: Callable[[bytes], None],
        counted: Callable[[PublishedEvent, int], None],
        listening: Callable[[Listeners], None],
        moved: Callable[[], None],
    ) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[str] = loop.create_future()
        self.channels: set[bytes] = set()
        """Channels that are subscribed, or requested to be."""
        self.confirmed: set[bytes] = set()
        """Channels whose subscription the server has confirmed."""
        self.unanswered: deque[PublishedEvent] = deque()
        """Published messages for which the number of receivers is not known yet."""
        self._login, self._heard, self._joined, self._counted, self._moved = login, heard, joined, counted, moved
        self._listening = listening
        self._reader = hiredis.Reader()
        self._outgoing: list[bytes] = []
        self._complaint = "connection closed"
        self._silent = 0
        self._made = self._given_up = False

    @property
    def unsent(self) -> int:
        """Bytes written that the kernel has not accepted."""
        return self._transport.get_write_buffer_size() + sum(map(len, self._outgoing))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self._made = cast(asyncio.Transport, transport), True
        for command in self._login:
            self._send(*command)
        self._ping()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self.lost.set_result(str(exc or self._complaint))
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(self.lost.result()))

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        try:
            self._reader.feed(data)
            while not self._transport.is_closing() and (reply := self._reader.gets()) is not False:
                self._take(reply)
        except hiredis.ProtocolError as error:
            self.abort(str(error))

    def subscribe(self, *channels: bytes) -> None:
        """Subscribe, with a command for each channel.

        In a cluster, a command may name one slot only.
        """
        self.channels.update(channels)
        self._write(b"".join(_pack(("SSUBSCRIBE", channel)) for channel in channels))

    def unsubscribe(self, channel: bytes) -> None:
        self.channels.discard(channel)
        self.confirmed.discard(channel)
        self._send("SUNSUBSCRIBE", channel)

    def publish(self, channel: bytes, payload: bytes, row: PublishedEvent) -> None:
        """Publish an event; `counted` gets the number of receivers.

        Not on a connection that subscribes.
        """
        self.unanswered.append(row)
        self._send("SPUBLISH", channel, payload)

    def ask(self, *channels: bytes) -> None:
        """Ask for the subscribers of channels on this node, all in one slot.

        `listening` gets the answer.
        """
        self._send("PUBSUB", "SHARDNUMSUB", *channels)

    def abort(self, complaint: str) -> None:
        self._complaint = complaint
        self._transport.abort()

    def give_up(self) -> None:
        """Abort a connection that is being opened.

        uvloop does not report such a connection's end.
        """
        self._given_up = True
        self.ready.cancel()
        if self._made:
            self._timer.cancel()
            self._transport.abort()

    def _take(self, reply: Any) -> None:
        match reply:
            case [b"smessage", channel, payload]:
                self._heard(channel, payload)
            case [b"ssubscribe", channel, _]:
                self.confirmed.add(channel)
                self._joined(channel)
            case [b"sunsubscribe", channel, _] if channel in self.channels:  # the slot has moved to another node
                self.channels.discard(channel)
                self.confirmed.discard(channel)
                self._moved()
            case int():
                self._counted(self.unanswered.popleft(), reply)
            case [bytes(), int(), *_]:
                self._listening(dict(zip(reply[::2], reply[1::2], strict=True)))
            case b"PONG" if not self.ready.done():
                self.ready.set_result(None)
            case hiredis.ReplyError():
                self.abort(str(reply))

    def _send(self, *command: str | bytes) -> None:
        self._write(_pack(command))

    def _write(self, data: bytes) -> None:
        """Write together with all other data of this turn of the event loop.

        One commit of the store can contain events of many tables.
        """
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outgoing.append(data)

    def _flush(self) -> None:
        """Write the collected data, unless the connection is closed already.

        In these cases uvloop would raise.
        """
        if not (self._given_up or self._transport.is_closing()):
            self._transport.write(b"".join(self._outgoing))
        self._outgoing.clear()

    def _ping(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PING_EVERY, self._ping)
        self._silent += 1
        if self._silent > 3:
            return self.abort("no answer to pings")
        self._send("PING")


def ignored(*_: object) -> None:
    """Ignore a callback that a connection does not need."""


async def connect(
    url: str,
    heard: Callable[[bytes, bytes], None] = ignored,
    joined: Callable[[bytes], None] = ignored,
    counted: Callable[[PublishedEvent, int], None] = ignored,
    listening: Callable[[Listeners], None] = ignored,
    moved: Callable[[], None] = ignored,
) -> RedisConnection:
    """Open the connection that a URL names.

    Args:
        heard: called with channel and payload for each message.
        joined: called with the channel when a subscription has begun; from then on no message is missed.
        counted: called with the event and the number of receivers for each message published.
        listening: called with the answer to `ask`.
        moved: called when a channel has moved to another server.

    Raises:
        OSError: also as TimeoutError.
    """
    target: dict[str, Any] = dict(parse_url(url))
    wire = RedisConnection(_login(target), heard, joined, counted, listening, moved)
    try:
        async with asyncio.timeout(CONNECT):
            await _opened(wire, target)
            await wire.ready
    except BaseException:
        wire.give_up()
        raise
    return wire


async def _opened(wire: RedisConnection, target: dict[str, Any]) -> None:
    loop = asyncio.get_running_loop()
    if "path" in target:
        await loop.create_unix_connection(lambda: wire, target["path"])
    else:
        address = target.get("host", "localhost"), target.get("port", 6379)
        await loop.create_connection(lambda: wire, *address, ssl=_tls(target))


def _login(target: dict[str, Any]) -> list[tuple[str, ...]]:
    password = target.get("password")
    if password is None:
        return []
    return [("AUTH", target.get("username", "default"), password)]


def _tls(target: dict[str, Any]) -> ssl.SSLContext | None:
    if target.get("connection_class") is not SSLConnection:
        return None
    return ssl.create_default_context(cafile=target.get("ssl_ca_certs"))
