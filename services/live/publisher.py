"""The sending end of Redis: never in the way of a command."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Self

import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from services.live import channel

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds until a server that does not answer counts as down."""
PAUSE = 0.5
"""Seconds between two attempts while it is down."""
BACKLOG = 4096
"""Messages kept in full while one pipeline is under way; further ones shrink to hints."""


class Publisher:
    """Publishes committed rows. What Redis does not take is offered again as a hint, until it does."""

    def __init__(self, url: str) -> None:
        """`url`: redis://, rediss:// or unix://, as redis-py reads it."""
        self.lost = 0
        """Messages that Redis did not take in full since the start."""
        self._redis = redis.Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
        )
        self._waiting: list[tuple[str, int, bytes]] = []
        self._hints: dict[str, int] = {}
        self._flushing: asyncio.Task[None] | None = None
        self._down = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Gives what still waits one last chance, for at most PATIENCE seconds."""
        if self._flushing is not None:
            await asyncio.wait([self._flushing], timeout=PATIENCE)
            self._flushing.cancel()
        await self._redis.aclose()

    async def publish(self, table: str, seq: int, messages: Mapping[int, bytes]) -> None:
        """Tells every process that `table` has got the row `seq`. Only queues: takes no time and raises nothing."""
        if len(self._waiting) < BACKLOG:
            self._waiting.append((table, seq, channel.encode(seq, messages)))
        else:
            self._remember(table, seq)
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())

    async def _flush(self) -> None:
        """Sends what one tick of the event loop has gathered, then what has gathered meanwhile."""
        while self._waiting or self._hints:
            batch, self._waiting = self._waiting, []
            hints, self._hints = self._hints, {}
            try:
                await self._send(batch, hints)
            except (RedisError, OSError) as error:
                self._failed(batch, hints, error)
                await asyncio.sleep(PAUSE)
            else:
                self._succeeded()

    async def _send(self, batch: list[tuple[str, int, bytes]], hints: dict[str, int]) -> None:
        async with self._redis.pipeline(transaction=False) as pipe:
            for table, seq in hints.items():
                pipe.publish(channel.of_table(table), channel.hint(seq))
            for table, _, payload in batch:
                pipe.publish(channel.of_table(table), payload)
            await pipe.execute()

    def _failed(self, batch: list[tuple[str, int, bytes]], hints: dict[str, int], error: Exception) -> None:
        for table, seq in hints.items():
            self._hints[table] = max(seq, self._hints.get(table, seq))
        for table, seq, _ in batch:
            self._remember(table, seq)
        if not self._down:
            log.warning("Redis takes no messages, tables are followed by polling: %s", error)
        self._down = True

    def _succeeded(self) -> None:
        if self._down:
            log.warning("Redis takes messages again")
        self._down = False

    def _remember(self, table: str, seq: int) -> None:
        self.lost += 1
        self._hints[table] = max(seq, self._hints.get(table, seq))
