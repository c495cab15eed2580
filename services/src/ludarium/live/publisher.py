"""The sending end of Redis: never in the way of a command."""

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
"""Seconds that what is still unsent gets at the end."""
PAUSE = 0.5
"""Seconds between two attempts while it is down."""
BACKLOG = 4096
"""Messages that a node of Redis has not answered yet; further ones shrink to hints."""
UNSENT = 32 * 1024 * 1024
"""Bytes that a node of Redis has not taken yet; from then on, too."""
REMEMBERED = 10_000
"""Tables of which is known how many processes follow them, and as whom."""


class LocalHub(Protocol):
    """Those who follow tables in this process."""

    def channels(self, table: str) -> Collection[ViewChannel]:
        """As whom somebody follows the table."""

    def deliver(self, table: str, push: Push) -> None:
        """The newest row of the table."""


class NoHub:
    def channels(self, table: str) -> Collection[ViewChannel]:
        return ()

    def deliver(self, table: str, push: Push) -> None:
        """Nobody is there to be told."""


class Publisher:
    """Publishes committed rows. What Redis does not take is offered again as a hint, until it does.

    Those who follow a table in this process are told directly, and hear of it from Redis once more. That is safe: what they
    are given is of the same row, made for the same audience, and a reader takes only the event that is next for it, so
    the second one is none. What is not delivered here, and what comes out of turn, Redis or the log brings as ever.
    """

    def __init__(self, url: str, entropy: Entropy) -> None:
        """`url`: redis://, rediss://, unix://, or a cluster's."""
        self.lost = 0
        """Messages that Redis did not take in full since the start."""
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
        """Whether all of Redis takes messages."""
        return self._nodes.complete

    async def __aexit__(self, *_: object) -> None:
        """Gives what still waits one last chance, for at most PATIENCE seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._hints or self._waiting:
                    await asyncio.sleep(0.01)
        if self._connecting is not None:
            await ended(self._connecting)

    def watched(self, table: str, looks: Collection[ViewChannel]) -> Collection[ViewChannel]:
        """Those of all looks at the table whose messages are worth making. A guess: who is not sent its message reads
        the log.

        Redis says of each message how many processes it reached. If no other than this one follows the table, those
        who follow it here are all; if others do, Redis is asked as whom, for the next message.
        """
        near = self.local.channels(table)
        if self._receivers.get(table, 0) <= bool(near):
            return near
        if wire := self._nodes.of(channel.of_table(table)):
            wire.ask(*[channel.of_view_channel(table, look) for look in looks])
        followed = self._followed.get(table)
        return looks if followed is None else [look for look in looks if look in near or look in followed]

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[ViewChannel, bytes]) -> None:
        """Tells every process that `table` has got the row `seq`, behind the one with the link `prev`.

        Only queues: takes no time and raises nothing.
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
        """Tells every process that some tokens have ended. Only queues, and is lost if Redis is away."""
        self._connect()
        if wire := self._nodes.of(channel.TOKENS):
            wire.publish(channel.TOKENS, channel.hint(0), ("", 0))

    def publish_rematch(self, table: str) -> None:
        """Tells every process that the table's rematch is open. Only queues, and is lost if Redis is away."""
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REMATCH, (table, channel.AGAIN))

    def publish_revoked(self, table: str) -> None:
        """Tells every process that an invitation to the table was taken back. Only queues, and is lost if Redis is away."""
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.REVOKED, (table, channel.INVITATIONS))

    def publish_chat(self, table: str, said: ChatPush) -> None:
        """Tells those who follow the table. Only queues, and is lost if Redis is away."""
        self._connect()
        if wire := self._nodes.of(channel.of_table(table)):
            wire.publish(channel.of_table(table), channel.chat_push(said), (table, channel.CHAT))

    def _publish_without_event(self, table: str) -> bool:
        """Whether the one process that heard the last row was this one: it would only read its own message."""
        return self._receivers.get(table) == 1 and bool(self.local.channels(table))

    def _reached(self, row: PublishedEvent, receivers: int) -> None:
        """How many processes have heard of the row."""
        table, _ = row
        self._receivers[table] = receivers
        if self._hints and not self._waiting:
            self._send_hints()

    def _subscribed(self, channels: Mapping[bytes, int]) -> None:
        """By how many a table is followed, and how."""
        looks = {channel.view_channel_of(name): listeners for name, listeners in channels.items()}
        (table,) = {table for table, _ in looks}
        self._followed[table] = {look for (_, look), listeners in looks.items() if listeners}

    @property
    def _waiting(self) -> bool:
        """Whether anything that was sent is not answered yet."""
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
        """What the server has not answered for it may not have told."""
        while wire.unanswered:
            self._remember(*wire.unanswered.popleft())

    def _failed(self, complaint: str) -> None:
        if not self._down:
            self._down = tried_again(log, "Redis takes no messages, tables are followed by polling: %s", complaint)

    def _remember(self, table: str, seq: int) -> None:
        self.lost += 1
        metrics.redis_missed.inc()
        self._hints[table] = max(seq, self._hints.get(table, seq))
