"""Coming back after a thousand events, beside reading them from the store."""
from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from statistics import median

from benchmarks.http import Server
from benchmarks.live.crowd import HANDSHAKE, connected, masked, received
from benchmarks.rows import Row
from eventstore import EventStore
from ludarium_client import AsyncClient
from services import ids

RUNS = 5
MISSED = 1000
BOTS = 5


async def rows(server: Server, database_url: str) -> AsyncIterator[Row]:
    async with await EventStore.open(database_url) as store:
        table, head = await long_game(f"http://127.0.0.1:{server.http.port}")
        pairs = []
        for _ in range(1 + RUNS):
            catching_up = await asyncio.to_thread(resumed, server.ws_port, table, head)
            pairs.append((catching_up, await read(store, table, head)))
    value, limit = median(ours for ours, _ in pairs[1:]), median(theirs for _, theirs in pairs[1:])
    yield Row(
        name=f"live: resume after {MISSED:,} missed events", value=round(value, 1), unit="ms",
        beside=f"reading them from the store: {limit:.1f} ms", ratio=value / limit, goal="<= 2 x", holds=value <= 2 * limit,
    )  # fmt: skip


async def long_game(url: str) -> tuple[str, int]:
    """A table at which bots have played more than MISSED events, and its last number."""
    while True:
        async with AsyncClient(url) as host:
            await host.guest()
            table = (await host.create_table("kemet", seats=BOTS)).id
            for _ in range(BOTS):
                await host.add_bot(table, "random")
            await host.start(table)
            *_, last = [event async for event in host.follow(table)]
            if last.seq > MISSED:
                return table, last.seq


def resumed(port: int, table: str, head: int) -> float:
    """Milliseconds from the request to the last event, for a spectator."""
    with connected(port) as line:
        line.sendall(HANDSHAKE + masked({"id": 1, "type": "hello"}))
        until(line, b'"player":null}')
        start = time.perf_counter()
        line.sendall(masked({"id": 2, "type": "subscribe", "table": table, "after": head - MISSED}))
        until(line, b'"seq":%d,' % head)
        return (time.perf_counter() - start) * 1000


def until(line: socket.socket, mark: bytes) -> None:
    """Reads to the message with `mark` in it."""
    heard = b""
    while mark not in heard:
        heard = heard[-len(mark):] + received(line)


async def read(store: EventStore, table: str, head: int) -> float:
    start = time.perf_counter()
    found = await store.read(ids.decode(table), after=head - MISSED)
    assert len(found) == MISSED
    return (time.perf_counter() - start) * 1000
