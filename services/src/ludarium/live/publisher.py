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
from ludarium.live.redis_connection import PublishedEvent, RedisConnection, connect
from ludarium.live.redis_nodes import RedisNodes
from ludarium.platform import metrics
from ludarium.platform.background import ended, endless, started
from ludarium.platform.complaints import tried_again
from ludarium.platform.entropy import Entropy

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds in which remaining messages are sent when the publisher closes."""
PAUSE = 0.5
"""Seconds between two connection attempts."""
BACKLOG = 4096
"""Maximum number of messages that a Redis node has not acknowledged. Instead of further messages, hints are sent later.
A hint says that a table has a new event, but does not contain the event."""
UNSENT = 32 * 1024 * 1024
"""Maximum bytes that wait to be sent to a Redis node. Instead of further messages, hints are sent later."""
REMEMBERED = 10_000
"""Tables whose number of subscribed processes is remembered."""


class LocalHub(Protocol):
    """Interface to the readers of tables in this process."""

    def channels(self, table: str) -> Collection[ViewChannel]:
        """Return the table's view channels that have readers in this process."""

    def deliver(self, table: str, push: Push) -> None:
        """Deliver the table's newest event."""


class NoHub:
    def channels(self, table: str) -> Collection[ViewChannel]:
        return ()

    def deliver(self, table: str, push: Push) -> None:
        """Do nothing, since there are no readers."""


class Publisher:
    """Publishes committed events through Redis, without delaying commands.

    If Redis does not accept a message, a hint is sent later. Readers in this process get each event directly, and again
    from Redis. That is safe, because a reader ignores every event except the next one. If events arrive out of order,
    the missing ones come from Redis or the log.
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
        """Return the view channels for which messages should be encoded.

        The result may lack a channel; readers without a message then read the log. Redis reports for each message how
        many processes have received it. If only this process follows the table, its own readers decide. Otherwise Redis
        is asked which view channels have readers, and its reply is used for the next message.
        """
        near = self.local.channels(table)
        if self._receivers.get(table, 0) <= bool(near):
            return near
        if wire := self._nodes.of(channel.of_table(table)):
            wire.ask(*[channel.of_view_channel(table, look) for look in looks])
        followed = self._followed.get(table)
        return looks if followed is None else [look for look in looks if look in near or look in followed]

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[ViewChannel, bytes]) -> None:
        """Announce event `seq` of a table, which follows the event with hash `prev`.

        The messages are only queued. This method never raises an error.
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
        """Announce to every process that tokens have ended.

        The message is only queued, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.TOKENS):
            wire.publish(channel.TOKENS, channel.hint(0), ("", 0))

    def publish_rematch(self, table: str) -> None:
        """Announce to every process that the table's rematch is open.

        The message is only queued, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REMATCH, (table, channel.AGAIN))

    def publish_revoked(self, table: str) -> None:
        """Announce to every process that an invitation to the table was withdrawn.

        The message is only queued, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REVOKED, (table, channel.INVITATIONS))

    def publish_chat(self, table: str, said: ChatPush) -> None:
        """Send a chat message to the table's followers in every process.

        The message is only queued, and is lost if Redis is down.
        """
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.chat_push(said), (table, channel.CHAT))

    def _publish_without_event(self, table: str) -> bool:
        """Return whether only this process received the last event.

        If so, publishing the whole next event would be useless, since this process delivers it directly.
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
        """True if Redis has not acknowledged all messages."""
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
        """Remember to send hints for the messages that Redis has not acknowledged."""
        while wire.unanswered:
            self._remember(*wire.unanswered.popleft())

    def _failed(self, complaint: str) -> None:
        if not self._down:
            self._down = tried_again(log, "Redis takes no messages, tables are followed by polling: %s", complaint)

    def _remember(self, table: str, seq: int) -> None:
        self.lost += 1
        metrics.redis_missed.inc()
        self._hints[table] = max(seq, self._hints.get(table, seq))
