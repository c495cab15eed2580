"""Several processes on one Redis, with connections that are cut at any byte."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import cast

import msgspec
import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.live.house import House
from tests.live.proxy import Proxy, bad_line
from tests.live.test_following import words
from tests.support.entropy import ENTROPY, seed_variables
from tests.support.live_client import client
from tests.support.servers import stopped
from tests.support.waiting import LIMIT, eventually, in_time, within_limit

SOCKETS = 500
LAST = 300
"""The number of the last event."""


class Process:
    """A gateway in a separate process."""

    async def start(self, redis_url: str) -> int:
        """Start the process and return its port."""
        command = (sys.executable, "-m", "tests.live.serve", redis_url, redis_url)
        self._process = await asyncio.create_subprocess_exec(
            *command, env=os.environ | seed_variables(), stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        return int(await self._process.stdout.readline())

    def memory(self) -> int:
        """Return the memory of the process in bytes."""
        return int(psutil.Process(self._process.pid).memory_info().rss)

    async def stop(self) -> int:
        """Stop the process as a rolling restart does, and return the exit code."""
        return await stopped(self._process)


class Leader:
    """The number of the newest event that any follower has received."""

    def __init__(self) -> None:
        self._seq = -1
        self._moved = asyncio.Event()

    def hear(self, seq: int) -> None:
        if seq > self._seq:
            self._seq = seq
            self._moved.set()

    async def until(self, seq: int) -> None:
        while self._seq < seq:
            self._moved.clear()
            await in_time(self._moved.wait())


@pytest.fixture
async def processes() -> AsyncIterator[list[Process]]:
    both = [Process(), Process()]
    yield both
    await asyncio.gather(*[process.stop() for process in both])


async def test_a_move_at_one_process_is_seen_at_the_other(
    redis_url: str, house: House, processes: list[Process]
) -> None:
    here, there = [await process.start(redis_url) for process in processes]
    await house.open("t", {"ann": 0, "bob": 1})
    async with client(here, "ann-token") as ann, client(there, "bob-token") as bob, client(there) as eve:
        subs = await ann.subscribe("t"), await bob.subscribe("t"), await eve.subscribe("t")
        await ann.request("command", table="t", expected_seq=0, action={"id": "cat"})
        await bob.until(subs[1], 1)
        await bob.request("command", table="t", expected_seq=1, action={"id": "dog"})
        assert words(await ann.until(subs[0], 2)) == ["open", "cat", "hidden"]
        assert words(await bob.until(subs[1], 2)) == ["open", "hidden", "dog"]
        assert words(await eve.until(subs[2], 2)) == ["open", "hidden", "hidden"]


async def test_each_client_sees_each_event_once_and_in_order_over_two_hundred_cuts(
    redis_url: str, house: House, processes: list[Process]
) -> None:
    ports = [await process.start(redis_url) for process in processes]
    await house.open("t", {"ann": 0})
    seed = ENTROPY.random("seed").randrange(10**6)
    print("seed", seed)
    leader = Leader()
    async with bad_line(ports, cuts=200, seed=seed) as line, asyncio.TaskGroup() as group:
        seen = [group.create_task(_follow(line, leader)) for _ in range(40)]
        for number in range(1, LAST + 1):
            await leader.until(await house.say("t", str(number)))
    for task in seen:
        assert task.result() == ["open", *map(str, range(1, LAST + 1))]
    assert line.cuts == 200


async def _follow(line: Proxy, leader: Leader) -> list[str]:
    """Reconnect until the last event has arrived, and return everything received."""
    heard: list[str] = []
    async with within_limit():
        while len(heard) <= LAST:
            with suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError):
                async with connect(f"ws://127.0.0.1:{line.port}", compression=None, open_timeout=LIMIT) as connection:
                    await _listen(connection, heard, leader)
    return heard


async def _listen(connection: ClientConnection, heard: list[str], leader: Leader) -> None:
    hello = {"id": 1, "type": "hello", "token": "ann-token"}
    subscribe = {"id": 2, "type": "subscribe", "table": "t", "after": len(heard) - 1}
    for request in (hello, subscribe):
        await connection.send(msgspec.json.encode(request).decode())
        assert msgspec.json.decode(await connection.recv())["ok"]
    while len(heard) <= LAST:
        event = msgspec.json.decode(await connection.recv())
        assert event["seq"] == len(heard)
        heard.append(event["data"]["word"])
        leader.hear(event["seq"])


async def test_a_rolling_restart_loses_nothing(redis_url: str, house: House, processes: list[Process]) -> None:
    """Each process is replaced during a game, and clients reconnect and resume."""
    ports = [await process.start(redis_url) for process in processes]
    await house.open("t", {"ann": 0})
    enough, goal, leader = asyncio.Event(), asyncio.get_running_loop().create_future(), Leader()
    async with asyncio.TaskGroup() as group:
        followers = [Follower(ports, number, leader) for number in range(SOCKETS)]
        for follower in followers:
            group.create_task(follower.run(goal))
        group.create_task(_talk(house, enough, goal, leader))
        for number, process in enumerate(processes):
            await eventually(lambda: all(follower.heard for follower in followers))
            assert await process.stop() == 0
            ports[number] = await process.start(redis_url)
        enough.set()
        await eventually(lambda: goal.done() and all(follower.heard[-1] == goal.result() for follower in followers))
    for follower in followers:
        assert follower.heard == list(range(goal.result() + 1))
    assert sum(follower.sent_away for follower in followers) >= SOCKETS


async def _talk(house: House, enough: asyncio.Event, goal: asyncio.Future[int], leader: Leader) -> None:
    """Say the next word once a client has received the previous one.

    `goal` gets the number of the last event.
    """
    last = 0
    while not enough.is_set():
        last = await house.say("t", "on and on")
        await leader.until(last)
    goal.set_result(last + 1)
    await house.say("t", "the end")


class Follower:
    """A client that reconnects where it is told to, and resumes, like a web client."""

    def __init__(self, ports: list[int], number: int, leader: Leader) -> None:
        self.heard: list[int] = []
        self.sent_away = 0
        self._ports, self._number, self._leader = ports, number, leader

    async def run(self, goal: asyncio.Future[int]) -> None:
        """Follow the table until the last word."""
        while True:
            self._number += 1
            port = self._ports[self._number % len(self._ports)]
            with suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError):
                async with connect(f"ws://127.0.0.1:{port}", compression=None, open_timeout=LIMIT) as connection:
                    return await self._listen(connection, goal)

    async def _listen(self, connection: ClientConnection, goal: asyncio.Future[int]) -> None:
        after = self.heard[-1] if self.heard else -1
        for request in ({"type": "hello", "token": "ann-token"}, {"type": "subscribe", "table": "t", "after": after}):
            await connection.send(msgspec.json.encode({"id": 1} | request).decode())
        while not (goal.done() and self.heard[-1:] == [goal.result()]):
            self._take(msgspec.json.decode(await connection.recv()))

    def _take(self, message: dict[str, object]) -> None:
        if "seq" in message and "type" in message:
            self.heard.append(cast(int, message["seq"]))
            self._leader.hear(self.heard[-1])
        self.sent_away += message.get("type") == "going-away"
