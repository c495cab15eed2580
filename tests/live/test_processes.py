"""Several processes on one Redis: what is said at one is heard at the other, over lines that are cut at any byte."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import cast

import msgspec
import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.live.client import client
from tests.live.house import House
from tests.live.proxy import Proxy, bad_line
from tests.live.test_following import words
from tests.support.entropy import ENTROPY, seed_variables
from tests.support.servers import stopped

SOCKETS = 500
LEAVES_WITHIN = 40
"""Seconds, of a process with that many sockets."""
LAST = 300
"""The number of the last event."""


class Process:
    """A gateway in a process of its own."""

    async def start(self, redis_url: str) -> int:
        """Gives the port."""
        command = (sys.executable, "-m", "tests.live.serve", redis_url, redis_url)
        self._process = await asyncio.create_subprocess_exec(
            *command, env=os.environ | seed_variables(), stdout=asyncio.subprocess.PIPE
        )
        assert self._process.stdout is not None
        return int(await self._process.stdout.readline())

    def memory(self) -> int:
        """Bytes."""
        return int(psutil.Process(self._process.pid).memory_info().rss)

    async def stop(self) -> int:
        """As a rolling restart does. Gives the exit code."""
        return await stopped(self._process)


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
    async with bad_line(ports, cuts=200, seed=seed) as line, asyncio.TaskGroup() as group:
        seen = [group.create_task(_follow(line)) for _ in range(40)]
        for number in range(1, LAST + 1):
            await house.say("t", str(number))
            await asyncio.sleep(0.005)
    for task in seen:
        assert task.result() == ["open", *map(str, range(1, LAST + 1))]
    assert line.cuts == 200


async def _follow(line: Proxy) -> list[str]:
    """Comes again and again until the last event; what it gives is all that it was sent."""
    heard: list[str] = []
    async with asyncio.timeout(60):
        while len(heard) <= LAST:
            try:
                async with connect(f"ws://127.0.0.1:{line.port}", compression=None) as connection:
                    await _listen(connection, heard)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
                await asyncio.sleep(0.01)
    return heard


async def _listen(connection: ClientConnection, heard: list[str]) -> None:
    hello = {"id": 1, "type": "hello", "token": "ann-token"}
    subscribe = {"id": 2, "type": "subscribe", "table": "t", "after": len(heard) - 1}
    for request in (hello, subscribe):
        await connection.send(msgspec.json.encode(request).decode())
        assert msgspec.json.decode(await connection.recv())["ok"]
    while len(heard) <= LAST:
        event = msgspec.json.decode(await connection.recv())
        assert event["seq"] == len(heard)
        heard.append(event["data"]["word"])


async def test_a_rolling_restart_loses_nothing(redis_url: str, house: House, processes: list[Process]) -> None:
    """Each process is replaced in turn while a game goes on; whoever is sent away comes again and goes on."""
    ports = [await process.start(redis_url) for process in processes]
    await house.open("t", {"ann": 0})
    enough, goal = asyncio.Event(), asyncio.get_running_loop().create_future()
    async with asyncio.timeout(90), asyncio.TaskGroup() as group:
        followers = [Follower(ports, number) for number in range(SOCKETS)]
        for follower in followers:
            group.create_task(follower.run(goal))
        group.create_task(_talk(house, enough, goal))
        for number, process in enumerate(processes):
            await _until(lambda: all(follower.heard for follower in followers))
            assert await process.stop() == 0
            ports[number] = await process.start(redis_url)
        enough.set()
    for follower in followers:
        assert follower.heard == list(range(goal.result() + 1))
    assert sum(follower.sent_away for follower in followers) >= SOCKETS


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.05)


async def _talk(house: House, enough: asyncio.Event, goal: asyncio.Future[int]) -> None:
    """Says something now and then; `goal` is the number of the last word."""
    last = 0
    while not enough.is_set():
        last = await house.say("t", "on and on")
        await asyncio.sleep(0.05)
    goal.set_result(last + 1)
    await house.say("t", "the end")


class Follower:
    """A client as a frontend has it: goes where it is sent, and resumes."""

    def __init__(self, ports: list[int], number: int) -> None:
        self.heard: list[int] = []
        self.sent_away = 0
        self._ports, self._number = ports, number

    async def run(self, goal: asyncio.Future[int]) -> None:
        """Until it has heard the last word."""
        while True:
            self._number += 1
            try:
                port = self._ports[self._number % len(self._ports)]
                async with connect(f"ws://127.0.0.1:{port}", compression=None, open_timeout=30) as connection:
                    return await self._listen(connection, goal)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
                await asyncio.sleep(0.1)

    async def _listen(self, connection: ClientConnection, goal: asyncio.Future[int]) -> None:
        after = self.heard[-1] if self.heard else -1
        for request in ({"type": "hello", "token": "ann-token"}, {"type": "subscribe", "table": "t", "after": after}):
            await connection.send(msgspec.json.encode({"id": 1} | request).decode())
        while not (goal.done() and self.heard[-1:] == [goal.result()]):
            self._take(msgspec.json.decode(await connection.recv()))

    def _take(self, message: dict[str, object]) -> None:
        if "seq" in message and "type" in message:
            self.heard.append(cast(int, message["seq"]))
        self.sent_away += message.get("type") == "going-away"
