"""Connections to a single Redis server, or to all nodes of a cluster."""

import asyncio
from bisect import bisect_right
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from redis.crc import key_slot

from ludarium.live.redis_connection import RedisConnection
from ludarium.platform import valkey
from ludarium.platform.background import ended, endless, started
from ludarium.platform.entropy import Entropy

CHECK = 10.0
"""Seconds between two queries of the cluster's slots."""
CALM = 0.1
"""Seconds between them when there is a reason to ask at once."""


class Slots(NamedTuple):
    """The slots from `first` to `last` inclusive, on the node `url`."""

    first: int
    last: int
    url: str


class RedisNodes:
    """The connections of a hub or a publisher.

    A cluster needs one to each node. In a cluster a channel belongs to the node with its hash slot. The
    nodes are asked for the distribution of slots now and then, and whenever there is reason to doubt it.
    """

    def __init__(
        self, url: str, pauses: tuple[float, float], entropy: Entropy, open: Callable[[str], Awaitable[RedisConnection]],
        ready: Callable[[], None], failed: Callable[[str], None],
    ) -> None:  # fmt: skip
        """Configure the connections.

        Args:
            pauses: seconds between two attempts to reach a server, at first and at most.
            open: connects to the server at a URL.
            ready: called whenever channels may have a connection.
            failed: called with the reason when a connection is lost or could not be opened.
        """
        self._url, self._pauses, self._entropy = url, pauses, entropy
        self._is_cluster = valkey.is_cluster(url)
        self._open, self._ready, self._failed = open, ready, failed
        self._lines: dict[str, asyncio.Task[None]] = {}
        self._wires: dict[str, RedisConnection] = {}
        self._slots: list[Slots] = []
        self._doubted = asyncio.Event()

    @property
    def wires(self) -> list[RedisConnection]:
        return [*self._wires.values()]

    @property
    def complete(self) -> bool:
        """Whether each node is connected."""
        return bool(self._lines) and self._lines.keys() == self._wires.keys()

    def of(self, channel: bytes) -> RedisConnection | None:
        """Return the connection for a channel, None while there is none."""
        if not self._is_cluster:
            return self._wires.get(self._url)
        slot = key_slot(channel)
        last = bisect_right(self._slots, slot, key=lambda some: some.first) - 1
        if last < 0 or self._slots[last].last < slot:
            return None
        return self._wires.get(self._slots[last].url)

    def doubt(self) -> None:
        """Ask for the slots again: one has moved, or a node is gone."""
        self._doubted.set()

    async def keep(self) -> None:
        """Keep the connections open until cancelled, then close them."""
        try:
            await self._follow()
        finally:
            await ended(*self._lines.values())

    async def _follow(self) -> None:
        if not self._is_cluster:
            self._keep_only({self._url})
            await asyncio.Event().wait()
        while True:
            self._doubted.clear()
            if slots := await self._asked():
                self._slots = sorted(slots)
                self._keep_only({some.url for some in slots})
                self._ready()
            await asyncio.sleep(CALM)
            await self._doubts()

    async def _doubts(self) -> None:
        try:
            async with asyncio.timeout(CHECK):
                await self._doubted.wait()
        except TimeoutError:
            return

    async def _asked(self) -> list[Slots]:
        """Return the answer of the first node that answers, empty if none does."""
        for url in [*self._wires, *{some.url for some in self._slots} - self._wires.keys(), *valkey.seeds(self._url)]:
            try:
                return await slots_of(url)
            except valkey.AWAY as error:
                complaint = str(error)
        self._failed(complaint)
        self.doubt()
        await asyncio.sleep(self._pauses[1])
        return []

    def _keep_only(self, urls: set[str]) -> None:
        for url in self._lines.keys() - urls:
            self._lines.pop(url).cancel()
        for url in urls - self._lines.keys():
            self._lines[url] = started(endless(partial(self._line, url)))

    async def _line(self, url: str) -> None:
        """Keep one connection open."""
        soon, late = self._pauses
        delay = soon
        while True:
            try:
                wire = await self._open(url)
            except OSError as error:
                self._failed(str(error))
                delay = min(2 * delay, late)
            else:
                delay = soon
                await self._stay(url, wire)
            self.doubt()
            await asyncio.sleep(self._entropy.random("jitter", "redis").uniform(delay / 2, delay))

    async def _stay(self, url: str, wire: RedisConnection) -> None:
        self._wires[url] = wire
        try:
            self._ready()
            self._failed(await asyncio.shield(wire.lost))
        finally:
            del self._wires[url]
            wire.abort("no longer needed")


async def slots_of(url: str) -> list[Slots]:
    """Ask a node for the slots of its cluster. Raises errors of the Valkey client."""
    async with valkey.single(url) as node:
        told = await node.cluster("SLOTS")
    return [Slots(first, last, at(url, primary[0], primary[1])) for first, last, primary, *_ in told]


def at(url: str, host: bytes | None, port: int) -> str:
    """Return the URL of another node.

    A node that does not know its host has the host of `url`.
    """
    parts = urlsplit(url)
    name = host.decode() if host else parts.hostname or "localhost"
    login, at, _ = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{login}{at}{f'[{name}]' if ':' in name else name}:{port}").geturl()
