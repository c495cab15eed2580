"""An unreliable TCP proxy that cuts connections after a random number of bytes."""

import asyncio
import random
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LONGEST = 3000
"""Bytes that a connection passes at most."""


class Proxy:
    def __init__(
        self, targets: list[int], cuts: int, chance: random.Random, longest: int, tls: ssl.SSLContext | None = None
    ) -> None:
        """Create a proxy.

        Args:
            targets: The ports to connect to, in turn.
            cuts: The number of cuts after which the proxy is reliable. Until then, a connection passes fewer than
                `longest` bytes.
            tls: The TLS context for clients, or None for plain TCP.
        """
        self.cuts = self.connections = 0
        self._tls = tls
        self._targets, self._wanted, self._chance, self._longest = targets, cuts, chance, longest
        self._lines: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1])

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0, ssl=self._tls)

    async def stop(self) -> None:
        self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _line(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        self.connections += 1
        try:
            await self._through(near, to_near)
        except OSError:
            pass  # the target is gone
        finally:
            to_near.transport.abort()
            self._lines.discard(task)

    async def _through(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        port = self._targets[self.connections % len(self._targets)]
        far, to_far = await asyncio.open_connection("127.0.0.1", port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(near, to_far, limit=None))
                group.create_task(self._pass(far, to_near, limit=self._chance.randrange(150, self._longest)))
        except* ConnectionError:
            pass  # the other end is gone, or was cut
        finally:
            to_far.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, limit: int | None) -> None:
        passed = 0
        while data := await source.read(1024):
            if limit is not None and self.cuts < self._wanted and passed + len(data) > limit:
                self.cuts += 1
                sink.write(data[: limit - passed])
                await sink.drain()
                raise ConnectionResetError
            sink.write(data)
            passed += len(data)
            await sink.drain()
        raise ConnectionResetError


@asynccontextmanager
async def bad_line(targets: list[int], cuts: int, seed: int, longest: int = LONGEST) -> AsyncIterator[Proxy]:
    async with served(Proxy(targets, cuts, random.Random(seed), longest)) as proxy:
        yield proxy


@asynccontextmanager
async def good_line(targets: list[int], tls: ssl.SSLContext | None = None) -> AsyncIterator[Proxy]:
    """Run a reliable proxy, whose `targets` may change for later connections."""
    async with served(Proxy(targets, 0, random.Random(0), LONGEST, tls)) as proxy:
        yield proxy


@asynccontextmanager
async def served(proxy: Proxy) -> AsyncIterator[Proxy]:
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()
