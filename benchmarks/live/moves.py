"""Measure the latency of a move until the opponent's socket receives it.

It is compared with the server and clients of boardgame.io.
"""
from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from shutil import which
from statistics import median, quantiles
from typing import NamedTuple
from uuid import uuid4

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.http import Server, process
from benchmarks.rows import Row
from ludarium_client import AsyncClient, owes, random_answer
from ludarium_client.bodies import TableView
from tests.support import ports

RUNS = 5
TABLES = 20
MOVES = 60
PEER = Path(__file__).parents[1] / "peers" / "boardgame.io"
GOAL, SEEN = 1.5, 0.7


class Run(NamedTuple):
    """Result of a run.

    Attributes:
        rate: Moves per second.
        latencies: Milliseconds until the opponent received each move.
    """

    rate: float
    latencies: list[float]


async def rows(server: Server) -> AsyncIterator[Row]:
    runs, peers = [], []
    for n in range(RUNS):
        runs.append(await ours(server, Random(n)))
        peers += await asyncio.to_thread(theirs)
    for name, goal, of in (("p50", f"<= {SEEN} x", median), ("p99", f"<= {SEEN} x", slowest)):
        yield compared(f"live: a move until the opponent sees it, {TABLES} tables, {name}", "ms", goal, SEEN,
                       median(of(run.latencies) for run in runs), [of(run.latencies) for run in peers])  # fmt: skip
    rate = median(run.rate for run in runs)
    yield compared(f"live: moves through the socket, {TABLES} tables of two", "1/s", f">= {GOAL} x", -GOAL, rate,
                   [run.rate for run in peers])  # fmt: skip


def slowest(latencies: list[float]) -> float:
    return quantiles(latencies, n=100)[-1]


def compared(name: str, unit: str, goal: str, bound: float, value: float, peers: list[float]) -> Row:
    """Return a row that is compared with the peer.

    Args:
        name: the name of the row.
        unit: its unit.
        goal: its goal, as text.
        bound: the highest allowed ratio; a negative number is the lowest wanted ratio.
        value: our value.
        peers: the values of the peer; empty without npm.
    """
    if not peers:
        return Row(name=name, value=round(value, 2), unit=unit, beside="boardgame.io: no npm here", goal=goal)
    peer = median(peers)
    holds = value <= bound * peer if bound > 0 else value >= -bound * peer
    beside = f"boardgame.io 0.50.2, in memory: {peer:.2f} {unit}"
    return Row(
        name=name, value=round(value, 2), unit=unit, beside=beside, ratio=value / peer, goal=goal, holds=holds
    )


# --- ours -------------------------------------------------------------------------------------------------------------
async def ours(server: Server, luck: Random) -> Run:
    """Play up to MOVES random moves at each of TABLES new tables, all at once."""
    async with AsyncExitStack() as stack:
        people = [await guest(stack, server) for _ in range(2)]
        tables = [await opened(people) for _ in range(TABLES)]
        matches = [await stack.enter_async_context(Match(server, table, people, luck)) for table in tables]
        start = time.perf_counter()
        await asyncio.gather(*[match.play() for match in matches])
        seconds = time.perf_counter() - start
    latencies = [latency for match in matches for latency in match.latencies]
    return Run(len(latencies) / seconds, latencies)


async def guest(stack: AsyncExitStack, server: Server) -> AsyncClient:
    person = await stack.enter_async_context(AsyncClient(f"http://127.0.0.1:{server.http.port}"))
    await person.guest()
    return person


async def opened(people: list[AsyncClient]) -> str:
    table = (await people[0].create_table("game-of-kingdoms", seats=2)).id
    for person in people:
        await person.sit(table)
    await people[0].start(table)
    return table


class Data(msgspec.Struct):
    view: TableView | None = None


class Message(msgspec.Struct):
    seq: int = -1
    ok: bool | None = None
    data: Data | None = None


decode = msgspec.json.Decoder(Message).decode


class Match:
    """Two sockets at one table.

    The next move is made once both sockets have received the last one.
    """

    def __init__(self, server: Server, table: str, people: list[AsyncClient], luck: Random) -> None:
        self.latencies: list[float] = []
        self._url = f"ws://127.0.0.1:{server.ws_port}/"
        self._table, self._people, self._luck = table, people, luck
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Match:
        self._sockets = [await self._seated(person) for person in self._people]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _seated(self, person: AsyncClient) -> ClientConnection:
        socket = await self._stack.enter_async_context(connect(self._url, compression=None, max_size=2**24))
        subscribe = {"type": "subscribe", "table": self._table, "after": -1}
        for request in ({"type": "hello", "token": person.token}, subscribe):
            await socket.send(json.dumps({"id": 0} | request))
        return socket

    async def play(self) -> None:
        views = await asyncio.gather(*[until_now(socket) for socket in self._sockets])
        for _ in range(MOVES):
            if views[0].status == "over":
                return
            seat = next(seat for seat, view in enumerate(views) if owes(view))
            views = await self._move(seat, views[seat])

    async def _move(self, seat: int, view: TableView) -> list[TableView]:
        """Make a move and return the views of both seats after it."""
        assert view.choice
        action = msgspec.to_builtins(random_answer(view.choice, self._luck))
        command = {"id": 1, "type": "command", "table": self._table, "expected_seq": view.seq, "action": action}
        start = time.perf_counter()
        await self._sockets[seat].send(json.dumps(command | {"key": uuid4().hex}))
        seen = await asyncio.gather(*[after(socket, view.seq) for socket in self._sockets])
        self.latencies.append((seen[1 - seat][0] - start) * 1000)
        return [view for _, view in seen]


async def until_now(socket: ClientConnection) -> TableView:
    """Read messages until the game has started, and return the view."""
    while True:
        message = decode(await socket.recv())
        if message.data and message.data.view and message.data.view.status != "open":
            return message.data.view


async def after(socket: ClientConnection, seq: int) -> tuple[float, TableView]:
    """Return when the first event after `seq` arrived, with the first view after it."""
    came = 0.0
    while True:
        message = decode(await socket.recv())
        assert message.ok is not False
        if message.seq > seq and message.ok is None:
            came = came or time.perf_counter()
            if message.data and message.data.view:
                return came, message.data.view


# --- boardgame.io -----------------------------------------------------------------------------------------------------
def theirs() -> list[Run]:
    """Measure the same moves at boardgame.io.

    Without npm there are no runs.
    """
    if which("npm") is None:
        return []
    if not (PEER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=PEER, check=True)
    port, environment = ports.reserve(), os.environ | {"NODE_ENV": "production"}
    with process(["node", str(PEER / "server.mjs"), str(port)], environment, port, "/games"):
        command = ["node", str(PEER / "clients.mjs"), str(port), str(TABLES), str(MOVES)]
        told = json.loads(subprocess.check_output(command, env=environment))
    return [Run(len(told["latencies"]) / told["seconds"], told["latencies"])]
