"""Measure the CPU of the process that sends a frame to many sockets.

It is compared with a raw-socket server that does nothing but send.
"""
from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from statistics import median
from typing import NamedTuple

import msgspec
import psutil

from benchmarks.live import colyseus
from benchmarks.live.crowd import Crowd, crowd
from benchmarks.rows import Row
from ludarium.live.encoded import text_frame
from ludarium.live.ports import SPECTATOR, feed_name
from tests.live.house import House, rendered

RUNS = 5
LIMIT = Path(__file__).parents[1] / "peers" / "live_limit"
DATA = msgspec.json.encode({"word": "x" * 2_000})
"""This is about as long as the message of a move to a spectator, including the view."""
LARGE = msgspec.json.encode({"word": "x" * 7_000})
OTHERS, MANY = 999, 900
"""The watchers besides the stalled one; the messages, which are more than all buffers can take."""
STALLED_BUFFER = 4096
GROWTH = 2048
"""The most that the process may grow, in KiB."""
LOOKS = 10
"""How often the memory is measured while a watcher is stalled."""
WARM, WINDOW = 3, 4
"""Messages to a table before the measurement; messages in flight during it."""
AT_ONCE = 32
"""Tables that publish at the same time."""


class Shape(NamedTuple):
    name: str
    tables: int
    members: int
    messages: int


SHAPES = (Shape("1 table x 1,000 spectators", 1, 1000, 100), Shape("500 tables x 4", 500, 4, 10))


class Run(NamedTuple):
    """Result of a run.

    Attributes:
        cpu: Microseconds of CPU per frame.
        memory: KiB per connection.
    """

    cpu: float
    memory: float


class Stall(NamedTuple):
    """The cost of one stalled reader.

    Attributes:
        lost: surplus bytes at the other readers. Missing bytes would keep the run from ending.
        grown: the most that the process grew, in KiB.
    """

    lost: int
    grown: float


async def rows(redis_url: str) -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        limit = compiled(Path(folder))
        for shape in SHAPES:
            runs = [(await ours(redis_url, shape, f"run{n}"), await theirs(limit, shape)) for n in range(RUNS)]
            cpu, least = median(run.cpu for run, _ in runs), median(run.cpu for _, run in runs)
            yield Row(
                name=f"live: CPU of a frame, {shape.name}", value=round(cpu, 2), unit="us",
                beside=f"{LIMIT.name} ({limit[-1].rpartition('.')[2]}): {least:.2f} us", ratio=cpu / least, goal="<= 2.5 x",
                holds=cpu <= 2.5 * least,
            )  # fmt: skip
            if colyseus.is_here():
                peer = median([beside_colyseus(shape) for _ in range(RUNS)])
                yield Row(
                    name=f"live: CPU of a frame, {shape.name}, beside a peer", value=round(cpu, 2), unit="us",
                    beside=f"Colyseus 0.16, no Valkey between: {peer:.2f} us", ratio=cpu / peer,
                )  # fmt: skip
    memory = median(run.memory for run, _ in runs)
    yield Row(
        name="live: memory of an idle connection", value=round(memory, 1), unit="KiB", goal="<= 20 KiB", holds=memory <= 20
    )
    stalls = [await beside_a_stalled_one(redis_url, f"stalled{n}") for n in range(RUNS)]
    lost, grown = max(one.lost for one in stalls), median(one.grown for one in stalls)
    yield Row(
        name=f"live: frames that {OTHERS} others lose beside a stalled one", value=lost, unit="frames", goal="0",
        holds=not lost,
    )  # fmt: skip
    yield Row(
        name="live: memory that the process grows by meanwhile", value=round(grown), unit="KiB", goal=f"<= {GROWTH:,} KiB",
        holds=grown <= GROWTH,
    )  # fmt: skip


def compiled(folder: Path) -> list[str]:
    """Compile the raw-socket server and return the command that runs it."""
    if which("cc") is None:
        return [sys.executable, str(LIMIT / "fanout.py")]
    program = str(folder / "fanout.c.bin")
    subprocess.run(["cc", "-O2", "-o", program, str(LIMIT / "fanout.c")], check=True)
    return [program]


@contextmanager
def process(command: list[str]) -> Iterator[tuple[psutil.Process, int]]:
    """Run a server that prints its port.

    Yields:
        The process, and the port.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield psutil.Process(running.pid), int(running.stdout.readline())
        finally:
            running.kill()


def cpu_of(server: psutil.Process) -> float:
    """Return the CPU microseconds that a single-threaded server has used so far."""
    return int(Path(f"/proc/{server.pid}/schedstat").read_text().split()[0]) / 1e3


def memory_of(server: psutil.Process) -> float:
    """Return the resident memory of a process in KiB."""
    return float(server.memory_info().rss) / 1024


async def ours(redis_url: str, shape: Shape, run: str) -> Run:
    """Measure our gateway, with messages through Valkey as between two processes.

    Messages are published as fast as all members read them.
    """
    command = [sys.executable, "-m", "benchmarks.live.gateway", redis_url]
    async with House(redis_url, redis_url) as house:
        with process(command) as (server, port), crowd() as members:
            tables = [f"{run}-{shape.members}-{nth:03}" for nth in range(shape.tables)]
            for table in tables:
                await house.open(table)
            before = memory_of(server)
            await asyncio.to_thread(gather, members, port, tables, shape.members)
            memory = (memory_of(server) - before) / len(members.members)
            await tell(house, members, tables, WARM)
            start = cpu_of(server)
            await tell(house, members, tables, shape.messages)
            return Run((cpu_of(server) - start) / (shape.messages * len(members.members)), memory)


def gather(members: Crowd, port: int, tables: list[str], count: int) -> None:
    for table in tables:
        for _ in range(count):
            members.add(members.watch(port, table, after=0))


async def tell(house: House, members: Crowd, tables: list[str], messages: int, data: bytes = DATA) -> None:
    """Publish messages to each table, and wait until all members have read them."""
    for first in range(0, messages, WINDOW):
        count = min(WINDOW, messages - first)
        gate = asyncio.Semaphore(AT_ONCE)
        seqs = await asyncio.gather(*[publish(house, table, data, count, gate) for table in tables])
        each = sum(len(frame_of(tables[0], seq, data)) for seq in seqs[0])
        await asyncio.to_thread(members.read, each)


async def publish(house: House, table: str, data: bytes, count: int, gate: asyncio.Semaphore) -> list[int]:
    """Publish messages to a table and return their sequence numbers."""
    async with gate:
        return [await house.commit(table, {SPECTATOR: data}) for _ in range(count)]


def frame_of(table: str, seq: int, data: bytes) -> bytes:
    opening = b'{"sub":' + msgspec.json.encode(feed_name(table, SPECTATOR)) + b","
    return text_frame(opening + rendered(seq, {SPECTATOR: data})[SPECTATOR][1:])


async def theirs(limit: list[str], shape: Shape) -> Run:
    """Measure the raw-socket server with the same frames and members."""
    frame = frame_of(f"run0-{shape.members}-000", 1, DATA)
    with process(limit) as (server, port), crowd() as members:
        before = memory_of(server)
        for table in range(shape.tables):
            for _ in range(shape.members):
                members.add(members.join(port, table))
        memory = (memory_of(server) - before) / len(members.members)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(struct.pack("<cI", b"P", 0))
            push(line, members, shape.tables, frame, WARM)
            start = cpu_of(server)
            push(line, members, shape.tables, frame, shape.messages)
            return Run((cpu_of(server) - start) / (shape.messages * len(members.members)), memory)


def beside_colyseus(shape: Shape) -> float:
    """Return the microseconds of CPU per frame of Colyseus's sending thread.

    The text is as long as ours, and the rooms are as large as our tables.
    """
    text = frame_of(f"run0-{shape.members}-000", 1, DATA)[4:]
    frame = colyseus.frame_of(text)
    with colyseus.peer(text) as peer, crowd() as members:
        peer.seat(members, shape.tables, shape.members)
        peer.tell(members, WARM, frame)
        start = cpu_of(peer.server)
        for first in range(0, shape.messages, WINDOW):
            peer.tell(members, min(WINDOW, shape.messages - first), frame)
        return (cpu_of(peer.server) - start) / (shape.messages * len(members.members))


def push(line: socket.socket, members: Crowd, tables: int, frame: bytes, messages: int) -> None:
    for first in range(0, messages, WINDOW):
        count = min(WINDOW, messages - first)
        for table in range(tables):
            line.sendall(count * (struct.pack("<II", table, len(frame)) + frame))
        members.read(count * len(frame))


async def beside_a_stalled_one(redis_url: str, table: str) -> Stall:
    """Measure the effect of one member that does not read, until it is dropped."""
    command = [sys.executable, "-m", "benchmarks.live.gateway", redis_url]
    async with House(redis_url, redis_url) as house:
        with process(command) as (server, port), crowd() as members:
            await house.open(table)
            await asyncio.to_thread(gather, members, port, [table], OTHERS)
            await tell(house, members, [table], MANY // LOOKS, LARGE)
            with members.watch(port, table, after=MANY // LOOKS, buffer=STALLED_BUFFER) as stalled:
                before, sizes = memory_of(server), []
                for _ in range(LOOKS):
                    await tell(house, members, [table], MANY // LOOKS, LARGE)
                    sizes.append(memory_of(server))
                await asyncio.to_thread(until_dropped, stalled)
            return Stall(sum(members.got.values()), max(sizes) - before)


def until_dropped(stalled: socket.socket) -> None:
    """Read from a stalled member until the server has closed its connection.

    The server must have closed it before the last message.
    """
    got = 0
    with suppress(ConnectionResetError):
        while data := stalled.recv(1 << 18):
            got += len(data)
    assert got < MANY * len(LARGE)
