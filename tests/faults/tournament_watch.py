"""A client that follows a tournament live while server processes are killed."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import httpx
import msgspec

from ludarium.tables.model.hash_chain import head_of
from ludarium_eventstore import StoredEvent
from tests.faults.deals import Servers
from tests.support.tournaments import Event
from tests.support.waiting import LIMIT, eventually

AGAIN = 0.1                                     # seconds between two attempts


class Follower:
    """A follower of a tournament.

    `heard` has the version and the head of each received event, in order.
    """

    def __init__(self, servers: Servers, event: Event) -> None:
        self.servers, self.event = servers, event
        self.heard: list[tuple[int, str]] = []

    async def run(self) -> None:
        """Follow the tournament from the last received event, at any running process."""
        async with httpx.AsyncClient(timeout=LIMIT) as http:
            while True:
                with suppress(httpx.TransportError, IndexError):
                    await self.follow(http)
                await asyncio.sleep(AGAIN)

    async def follow(self, http: httpx.AsyncClient) -> None:
        after = self.heard[-1][0] if self.heard else -1
        url = f"{self.servers.any().http}/api/v1{self.event.path}/rows"
        async with http.stream("GET", url, params={"after": after}) as told:
            async for line in told.aiter_lines():
                push = msgspec.json.decode(line) if line.strip() else {}
                if told.status_code == 200 and "head" in push:
                    self.heard.append((push["seq"], push["head"]))

    async def missed(self, rows: Sequence[StoredEvent]) -> list[str]:
        """Return the differences between the received events and the log."""
        try:
            await eventually(lambda: len(self.heard) >= len(rows))
        except AssertionError:
            return [f"who follows was told {len(self.heard)} of {len(rows)} rows"]
        told = self.heard == [(row.version, head_of(row.hash)) for row in rows]
        return [] if told else ["who follows was told other rows, or in another order"]
