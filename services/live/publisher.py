"""The sending end of Redis: never in the way of a command."""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Self

from services.background import ended
from services.live import channel
from services.live.ports import Audience
from services.live.wire import Wire, connect

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that what is still unsent gets at the end."""
PAUSE = 0.5
"""Seconds between two attempts while it is down."""
BACKLOG = 4096
"""Messages sent in full that Redis has not answered yet; further ones shrink to hints."""
REMEMBERED = 10_000
"""Tables of which is known how many processes follow them."""


def nobody(table: str) -> Collection[Audience]:
    return ()


class Publisher:
    """Publishes committed rows. What Redis does not take is offered again as a hint, until it does."""

    def __init__(self, url: str) -> None:
        """`url`: redis://, rediss:// or unix://, as redis-py reads it."""
        self.lost = 0
        """Messages that Redis did not take in full since the start."""
        self.near: Callable[[str], Collection[Audience]] = nobody
        """The audiences of a table that are followed in this process."""
        self._url = url
        self._wire: Wire | None = None
        self._sent: deque[tuple[str, int]] = deque()
        self._hints: dict[str, int] = {}
        self._receivers: OrderedDict[str, int] = OrderedDict()
        self._connecting: asyncio.Task[None] | None = None
        self._down = False

    async def __aenter__(self) -> Self:
        self._connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Gives what still waits one last chance, for at most PATIENCE seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._sent or self._hints:
                    await asyncio.sleep(0.01)
        if self._connecting is not None:
            await ended(self._connecting)

    def watched(self, table: str, audiences: Collection[Audience]) -> Collection[Audience]:
        """Those of the table's audiences whose messages are worth making. A guess: who is not sent its message reads
        the log.

        Redis says of each message how many processes it reached. If no other than this one follows the table, the
        audiences that are followed here are all.
        """
        near = self.near(table)
        others = self._receivers.get(table, 0) - bool(near)
        return audiences if others > 0 else near

    async def publish(self, table: str, seq: int, messages: Mapping[Audience, bytes]) -> None:
        """Tells every process that `table` has got the row `seq`. Only queues: takes no time and raises nothing."""
        self._connect()
        if self._wire is not None and len(self._sent) < BACKLOG:
            self._send(self._wire, table, seq, channel.encode(seq, messages))
        else:
            self._remember(table, seq)

    def _send(self, wire: Wire, table: str, seq: int, payload: bytes) -> None:
        self._sent.append((table, seq))
        wire.publish(channel.of_table(table), payload)

    def _reached(self, receivers: int) -> None:
        """What Redis says of the oldest message that it had not answered: how many processes have heard it."""
        table, _ = self._sent.popleft()
        self._receivers[table] = receivers
        self._receivers.move_to_end(table)
        if len(self._receivers) > REMEMBERED:
            self._receivers.popitem(last=False)
        if not self._sent:
            self._send_hints()

    def _send_hints(self) -> None:
        if self._wire is not None and self._hints:
            hints, self._hints = self._hints, {}
            for table, seq in hints.items():
                self._send(self._wire, table, seq, channel.hint(seq))

    def _connect(self) -> None:
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._stay_connected())

    async def _stay_connected(self) -> None:
        while True:
            try:
                wire = await connect(self._url, counted=self._reached)
            except OSError as error:
                self._failed(str(error))
            else:
                self._failed(await self._until_lost(wire))
            await asyncio.sleep(PAUSE)

    async def _until_lost(self, wire: Wire) -> str:
        if self._down:
            log.warning("Redis takes messages again")
        self._wire, self._down = wire, False
        self._send_hints()
        try:
            return await asyncio.shield(wire.lost)
        finally:
            self._wire = None
            wire.abort("no longer needed")

    def _failed(self, complaint: str) -> None:
        while self._sent:
            self._remember(*self._sent.popleft())
        if not self._down:
            log.warning("Redis takes no messages, tables are followed by polling: %s", complaint)
        self._down = True

    def _remember(self, table: str, seq: int) -> None:
        self.lost += 1
        self._hints[table] = max(seq, self._hints.get(table, seq))
