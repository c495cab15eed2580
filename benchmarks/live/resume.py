"""Measure catching up after a thousand missed events.

It is compared with a read of the same events from the store.
"""
from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from statistics import median
from typing import NamedTuple

import httpx

from benchmarks.http import Server
from benchmarks.live.crowd import HANDSHAKE, connected, masked, received
from benchmarks.rows import Row
from ludarium.platform import ids
from ludarium_client import AsyncClient
from ludarium_eventstore import EventStore

RUNS = 5
MISSED = 1000
BOTS = 5


class Run(NamedTuple):
    """The milliseconds of a catch-up, and of a read from the store alone.

    Attributes:
        first: the first request for these events to a process.
        next: the requests after it.
        store: the read from the store.
    """

    first: float
    next: float
    store: float


async def rows(server: Server, database_url: str) -> AsyncIterator[Row]:
    url = f"http://127.0.0.1:{server.http.port}"
    async with await EventStore.open(database_url) as store:
        games = [await long_game(url) for _ in range(1 + RUNS)]
        await archived(url, [table for table, _ in games])
        runs = [await run(server.ws_port, store, table, head) for table, head in games]
    first, following, limit = (median(times) for times in zip(*runs[1:], strict=True))
    for name, value in ("", following), (", the first who asks", first):
        yield Row(
            name=f"live: resume after {MISSED:,} missed events{name}", value=round(value, 1), unit="ms",
            beside=f"reading them from the store: {limit:.1f} ms", ratio=value / limit, goal="<= 2.5 x",
            holds=value <= 2.5 * limit,
        )  # fmt: skip


async def run(port: int, store: EventStore, table: str, head: int) -> Run:
    first = await asyncio.to_thread(resumed, port, table, head)
    following = median([await asyncio.to_thread(resumed, port, table, head) for _ in range(RUNS)])
    return Run(first, following, median([await read(store, table, head) for _ in range(RUNS)]))


async def long_game(url: str) -> tuple[str, int]:
    """Let bots play a game of more than MISSED events.

    Returns:
        The table, and the sequence number of its last event.
    """
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


async def archived(url: str, tables: list[str]) -> None:
    """Wait until the server has computed the replays of these games."""
    async with httpx.AsyncClient(base_url=url) as http:
        for table in tables:
            while not (await http.get(f"/api/v1/tables/{table}/frames", params={"limit": 1})).json().get("frames"):
                await asyncio.sleep(0.1)


def resumed(port: int, table: str, head: int) -> float:
    """Return the milliseconds from a spectator's request until the last event."""
    with connected(port) as line:
        line.sendall(HANDSHAKE + masked({"id": 1, "type": "hello"}))
        until(line, b'"player":null}')
        start = time.perf_counter()
        line.sendall(masked({"id": 2, "type": "subscribe", "table": table, "after": head - MISSED}))
        until(line, b'"seq":%d,' % head)
        return (time.perf_counter() - start) * 1000


def until(line: socket.socket, mark: bytes) -> None:
    """Read messages up to the one that contains `mark`."""
    heard = b""
    while mark not in heard:
        heard = heard[-len(mark):] + received(line)


async def read(store: EventStore, table: str, head: int) -> float:
    start = time.perf_counter()
    found = await store.read(ids.decode(table), after=head - MISSED)
    assert len(found) == MISSED
    return (time.perf_counter() - start) * 1000
