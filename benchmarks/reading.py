"""Measure command latency while fifty addresses read past games.

The readers request records, stories and views.
"""
from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from statistics import quantiles

import httpx

from benchmarks.http import Match, Server, served
from benchmarks.rows import Row
from ludarium.embedded import embedded
from ludarium.platform import ids
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import EventStore
from tests.support.kept_logs import load, read

GAME = "kemet-long-5"
"""1,055 events at five seats."""
ADDRESSES, LINES = 50, 2
MATCHES, COMMANDS, STEP = 4, 60, 5
"""Each match has players of its own, because a token allows a burst of 300 requests."""
SECONDS = 30.0
"""The time limit for the commands, with and without readers. A busy machine sends fewer commands in it."""
GOAL_MS = 200.0
PAUSE = 0.2
"""Seconds that a reader waits after a refusal. That is much less than `Retry-After` asks for."""


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        async with embedded(home / "data", durable=False) as services:
            await migrated(services.database_url)
            async with await EventStore.open(services.database_url) as store:
                table = ids.encode(await load(store, read(GAME)))
            settings = {
                "LUDARIUM_DATABASE_URL": services.database_url, "LUDARIUM_REDIS_URL": services.redis_url,
                "LUDARIUM_RATE_LIMITS": "true",
            }  # fmt: skip
            with served(home, **settings) as server:
                alone, beside, answers = await asyncio.to_thread(measured, server, table)
    yield Row(
        name=f"reading: a command beside {ADDRESSES} addresses that read a game of 1,055 events, p99", value=round(beside, 1),
        unit="ms", beside=f"without them {alone:.1f} ms; their answers by status: {answers}", ratio=beside / alone,
        goal=f"<= {GOAL_MS:.0f} ms", holds=beside <= GOAL_MS,
    )  # fmt: skip


def measured(server: Server, table: str) -> tuple[float, float, dict[int, int]]:
    """Measure the p99 of a command without and with readers.

    Returns:
        The two times in milliseconds, and the number of responses that the readers got, by status.
    """
    alone, context = p99(server), get_context("spawn")
    ours, theirs = context.Pipe()
    done = context.Event()
    readers = context.Process(target=read_on, args=(server.http.port, table, done, theirs))
    readers.start()
    ours.recv()                                 # wait until the readers have begun
    beside = p99(server)
    done.set()
    answers: dict[int, int] = ours.recv()
    readers.join()
    return alone, beside, answers


def p99(server: Server) -> float:
    matches, taken = [Match(server, Random(nth)) for nth in range(MATCHES)], list[float]()
    end = time.monotonic() + SECONDS
    while len(taken) < MATCHES * COMMANDS and time.monotonic() < end:
        for match in matches:
            taken += match.play(STEP)[1]
    return quantiles(taken, n=100)[-1] * 1e3


def read_on(port: int, table: str, done: Event, pipe: Connection) -> None:
    """Run all readers; this is the main function of another process."""
    asyncio.run(read_all(f"http://127.0.0.1:{port}/api/v1/tables/{table}", done, pipe))


async def read_all(url: str, done: Event, pipe: Connection) -> None:
    answers: Counter[int] = Counter()
    lines = [asyncio.create_task(read_one(url, nth, answers)) for nth in range(ADDRESSES * LINES)]
    while answers.total() < ADDRESSES:
        await asyncio.sleep(0.01)
    pipe.send("begun")
    while not done.is_set():
        await asyncio.sleep(PAUSE)
    for line in lines:
        line.cancel()
    await asyncio.wait(lines)
    pipe.send(dict(answers))


async def read_one(url: str, nth: int, answers: Counter[int]) -> None:
    luck, transport = Random(nth), httpx.AsyncHTTPTransport(local_address=f"127.2.0.{1 + nth % ADDRESSES}")
    async with httpx.AsyncClient(transport=transport, timeout=120) as client:
        while True:
            status = (await client.get(f"{url}/{wanted(luck)}")).status_code
            answers[status] += 1
            if status != httpx.codes.OK:
                await asyncio.sleep(PAUSE)


def wanted(luck: Random) -> str:
    """Return the path of a random request, in most cases a new one."""
    seq = luck.randrange(1000)
    return luck.choice((
        "record", "proof", f"story?after={seq}", f"view?at={seq}", f"view?at={seq}&as=1", f"frames?after={seq}&limit=500",
        f"events?after={seq}&limit=1000", f"picture.svg?at={seq}",
    ))  # fmt: skip
