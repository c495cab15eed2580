"""Publish committed events to Redis, without delaying commands."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Protocol, Self

from cachetools import LRUCache

from ludarium.live import channel
from ludarium.live.channel import HEAD, ChatPush, Push
from ludarium.live.ports import ViewChannel
from ludarium.live.redis_connection import PublishedEvent, RedisConnection, RedisNodes, connect
from ludarium.platform import metrics
from ludarium.platform.background import ended, endless, started
from ludarium.platform.complaints import tried_again
from ludarium.platform.entropy import Entropy

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds for unsent messages when closing."""
PAUSE = 0.5
"""Seconds between two connection attempts."""
BACKLOG = 4096
"""Messages not answered by a node of Redis; further ones are sent later as hints."""
UNSENT = 32 * 1024 * 1024
"""Bytes not accepted by a node of Redis; with more, messages are sent later as hints."""
REMEMBERED = 10_000
"""Tables whose number of subscribed processes is remembered."""


class LocalHub(Protocol):
    """Readers of tables in this process."""

    def channels(self, table: str) -> Collection[ViewChannel]:
        """Return the view channels of the table that are watched here."""

    def deliver(self, table: str, push: Push) -> None:
        """Deliver the table's newest event."""


class NoHub:
    def channels(self, table: str) -> Collection[ViewChannel]:
        return ()

    def deliver(self, table: str, push: Push) -> None:
        """Do nothing, since there are no readers."""


class Publisher:
    """Publishes committed events. What Redis does not accept is sent as a hint later.

    Readers in this process get events directly, and from Redis once more. That is safe: both messages are of the same
    event, made for the same audience, and a reader takes only the event that is next for it. Events that arrive out of
    order are repaired from Redis or the log.
    """

    def __init__(self, url: str, entropy: Entropy) -> None:
        """Configure a publisher.

        Args:
            url: redis://, rediss://, unix://, or a cluster's.
        """
        self.lost = 0
        """Messages that Redis did not accept in full since the start."""
        self.local: LocalHub = NoHub()
        self._nodes = RedisNodes(url, (PAUSE, PAUSE), entropy, self._open, self._ready, self._failed)
        self._hints: dict[str, int] = {}
        self._receivers: LRUCache[str, int] = LRUCache(REMEMBERED)
        self._followed: LRUCache[str, set[ViewChannel]] = LRUCache(REMEMBERED)
        self._connecting: asyncio.Task[None] | None = None
        self._down = False

    async def __aenter__(self) -> Self:
        self._connect()
        return self

    @property
    def connected(self) -> bool:
        """True if all nodes of Redis accept messages."""
        return self._nodes.complete

    async def __aexit__(self, *_: object) -> None:
        """Wait up to PATIENCE seconds for unsent messages, then close."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._hints or self._waiting:
                    await asyncio.sleep(0.01)
        if self._connecting is not None:
            await ended(self._connecting)

    def watched(self, table: str, looks: Collection[ViewChannel]) -> Collection[ViewChannel]:
        """Return the view channels whose messages are worth making.

        This is a guess: a reader without a message reads the log. Redis answers each message with the number of
        processes it reached. If only this process follows the table, its own readers are all; otherwise Redis is asked
        about the view channels, for the next message.
        """
        near = self.local.channels(table)
        if self._receivers.get(table, 0) <= bool(near):
            return near
        if wire := self._nodes.of(channel.of_table(table)):
            wire.ask(*[channel.of_view_channel(table, look) for look in looks])
        followed = self._followed.get(table)
        return looks if followed is None else [look for look in looks if look in near or look in followed]

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[ViewChannel, bytes]) -> None:
        """Announce event `seq` of a table, which follows the one with hash `prev`.

        It only queues, and never raises.
        """
        push = Push(seq, prev[:HEAD], dict(messages))
        asyncio.get_running_loop().call_soon(self.local.deliver, table, push)
        self._connect()
        wire = self._nodes.of(channel.of_table(table))
        if wire and len(wire.unanswered) < BACKLOG and wire.unsent < UNSENT:
            payload = channel.hint(seq) if self._publish_without_event(table) else channel.encode(push)
            wire.publish(channel.of_table(table), payload, (table, seq))
        else:
            self._remember(table, seq)

    def publish_tokens_ended(self) -> None:
        """Announce ended tokens to every process.

        It only queues, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.TOKENS):
            wire.publish(channel.TOKENS, channel.hint(0), ("", 0))

    def publish_rematch(self, table: str) -> None:
        """Announce the table's open rematch to every process.

        It only queues, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REMATCH, (table, channel.AGAIN))

    def publish_revoked(self, table: str) -> None:
        """Announce a withdrawn invitation to every process.

        It only queues, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REVOKED, (table, channel.INVITATIONS))

    def publish_chat(self, table: str, said: ChatPush) -> None:
        """Send a chat message to the table's followers.

        It only queues, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.chat_push(said), (table, channel.CHAT))

    def _publish_without_event(self, table: str) -> bool:
        """Return whether only this process received the last event.

        If so, it would only read its own message.
        """
        return self._receivers.get(table) == 1 and bool(self.local.channels(table))

    def _reached(self, row: PublishedEvent, receivers: int) -> None:
        """Note how many processes received the event."""
        table, _ = row
        self._receivers[table] = receivers
        if self._hints and not self._waiting:
            self._send_hints()

    def _subscribed(self, channels: Mapping[bytes, int]) -> None:
        """Note how many processes follow each view channel of a table."""
        looks = {channel.view_channel_of(name): listeners for name, listeners in channels.items()}
        (table,) = {table for table, _ in looks}
        self._followed[table] = {look for (_, look), listeners in looks.items() if listeners}

    @property
    def _waiting(self) -> bool:
        """True if messages are unanswered."""
        return any(wire.unanswered for wire in self._nodes.wires)

    def _send_hints(self) -> None:
        for table, seq in [*self._hints.items()]:
            if wire := self._nodes.of(channel.of_table(table)):
                del self._hints[table]
                wire.publish(channel.of_table(table), channel.hint(seq), (table, seq))

    def _connect(self) -> None:
        if self._connecting is None:
            self._connecting = started(endless(self._nodes.keep))

    async def _open(self, url: str) -> RedisConnection:
        wire = await connect(url, counted=self._reached, listening=self._subscribed)
        wire.lost.add_done_callback(lambda _: self._missed(wire))
        return wire

    def _ready(self) -> None:
        if self._down and self._nodes.complete:
            log.warning("Redis takes messages again")
            self._down = False
        self._send_hints()

    def _missed(self, wire: RedisConnection) -> None:
        """Send hints later for messages that the server has not answered."""
        while wire.unanswered:
            self._remember(*wire.unanswered.popleft())

    def _failed(self, complaint: str) -> None:
        if not self._down:
            self._down = tried_again(log, "Redis takes no messages, tables are followed by polling: %s", complaint)

    def _remember(self, table: str, seq: int) -> None:
        self.lost += 1
        metrics.redis_missed.inc()
        self._hints[table] = max(seq, self._hints.get(table, seq))
