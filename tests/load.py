"""Load test, run by `make load PLAYERS= SPECTATORS= TITLE= SECONDS=`.

Players answer at random over HTTP after the pause THINKING, and spectators follow over WebSockets. The service is one
process with all roles on a durable PostgreSQL. A table of figures is shown during the run. At the end, all acknowledged
commands are compared with the log, and the cost of a command is printed. The exit code is 1 if a command is missing.
"""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from statistics import quantiles
from time import monotonic
from typing import Annotated, NamedTuple

import httpx
import msgspec
import psutil
import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from websockets.asyncio.client import connect

from ludarium_engine.registry import titles
from tests.faults.history import Attempt
from tests.faults.kills import Play, verified, wrongs
from tests.proving import home
from tests.support.people import Json, Person
from tests.support.servers import ServerProcess, durable_server
from tests.support.waiting import eventually

MOST_PLAYERS, MOST_SPECTATORS, LONGEST = 2000, 5000, 3600
THINKING = 1.0
"""Seconds to think at most; half of it on average."""
EACH = 1.0
"""Seconds between two measurements."""
PATIENCE = 60.0


class Figures(NamedTuple):
    seconds: float
    commands: int
    refused: int
    unknown: int
    p50: float
    p99: float
    pushes: int

    def shown(self) -> Table:
        table = Table("seconds", "commands", "a second", "p50 ms", "p99 ms", "refused", "unanswered", "pushes")
        rate = self.commands / self.seconds if self.seconds else 0
        table.add_row(
            f"{self.seconds:.0f}", f"{self.commands:,}", f"{rate:.1f}", f"{self.p50:.0f}", f"{self.p99:.0f}",
            f"{self.refused:,}", f"{self.unknown:,}", f"{self.pushes:,}",
        )  # fmt: skip
        return table


class Thoughtful(Play):
    """A player who plays at the pace of people."""

    async def answer(self, table: str, person: Person, view: Json) -> Attempt:
        await asyncio.sleep(self.luck.uniform(0, THINKING))
        return await super().answer(table, person, view)


class Load:
    def __init__(self, server: ServerProcess, plays: Sequence[Play]) -> None:
        self.server, self.plays = server, plays
        self.began, self.pushes = monotonic(), 0

    def figures(self) -> Figures:
        attempts = [tried.attempt for play in self.plays for of in play.tables.values() for tried in of]
        done = [attempt for attempt in attempts if attempt.version is not None]
        times = [1000 * (attempt.ended - attempt.began) for attempt in done]
        marks = quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
        unknown = sum(not attempt.known for attempt in attempts)
        refused = len(attempts) - len(done) - unknown
        return Figures(monotonic() - self.began, len(done), refused, unknown, marks[49], marks[98], self.pushes)

    async def watch(self, luck: Random) -> None:
        """Follow one table to its end, then another one."""
        await eventually(lambda: any(play.tables for play in self.plays))
        async with connect(f"ws://127.0.0.1:{self.server.ws_port}/", compression=None) as line:
            await line.send('{"id": 1, "type": "hello"}')
            table = [*luck.choice([play for play in self.plays if play.tables]).tables][-1]
            request = {"id": 2, "type": "subscribe", "table": table, "after": -1}
            await line.send(msgspec.json.encode(request).decode())
            async for _ in line:
                self.pushes += 1

    async def wrongs(self) -> list[str]:
        found = [await wrongs(table, tried, play.people) for play in self.plays for table, tried in play.tables.items()]
        return [fault for of_table in found for fault in of_table]


async def loaded(players: int, spectators: int, ruleset: str, seconds: int, luck: Random, console: Console) -> list[str]:
    seats = min(titles()[ruleset].seats)
    with home() as folder:
        async with durable_server(folder) as server:
            limits = httpx.Limits(max_connections=players, max_keepalive_connections=players)
            async with httpx.AsyncClient(base_url=server.api, timeout=PATIENCE, limits=limits) as http:
                stop = asyncio.Event()
                groups = [[await Person.arrive(http, f"Seat {n}") for n in range(seats)] for _ in range(players // seats)]
                load = Load(server, [Thoughtful(group, Random(luck.random()), stop, ruleset) for group in groups])
                before = cost(server)
                await played(load, spectators, seconds, luck, stop, console)
                console.print()
                console.print(spent(before, cost(server), load.figures().commands), highlight=False)
                console.print("Holding what was told against the log …")
                found = await load.wrongs()
                await verified(server.environment)
                return found


def cost(server: ServerProcess) -> dict[str, tuple[float, int]]:
    """Return the CPU seconds and the bytes of unshared memory of each program."""
    ours = psutil.Process(server.pid)
    found: dict[str, tuple[float, int]] = {}
    for process in (ours, *ours.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            times, memory = process.cpu_times(), process.memory_full_info().uss
            cpu, size = found.get(process.name(), (0.0, 0))
            found[process.name()] = (cpu + times.user + times.system, size + memory)
    return found


def spent(before: dict[str, tuple[float, int]], after: dict[str, tuple[float, int]], commands: int) -> str:
    """Describe each program's memory, and its CPU time per command including pushes."""
    parts = (
        f"{name} {1000 * (cpu - before.get(name, (0.0, 0))[0]) / max(1, commands):.2f} ms, {size >> 20} MiB"
        for name, (cpu, size) in sorted(after.items())
    )
    return f"CPU a command, and memory: {'; '.join(parts)}"


async def played(load: Load, spectators: int, seconds: int, luck: Random, stop: asyncio.Event, console: Console) -> None:
    watching = [asyncio.create_task(load.watch(Random(luck.random()))) for _ in range(spectators)]
    async with asyncio.TaskGroup() as group:
        for play in load.plays:
            group.create_task(play.run())
        with Live(load.figures().shown(), console=console, auto_refresh=False) as live:
            while load.figures().seconds < seconds:
                await asyncio.sleep(EACH)
                live.update(load.figures().shown(), refresh=True)
        stop.set()
    for watcher in watching:
        watcher.cancel()
    cut = [each for each in await asyncio.gather(*watching, return_exceptions=True) if isinstance(each, Exception)]
    assert not cut, f"{len(cut)} spectators were cut off: {cut[0]}"


def main(
    players: Annotated[int, typer.Option(min=2, max=MOST_PLAYERS)] = 40,
    spectators: Annotated[int, typer.Option(min=0, max=MOST_SPECTATORS)] = 40,
    title: Annotated[str, typer.Option(help="a ruleset's id")] = "game-of-kingdoms",
    seconds: Annotated[int, typer.Option(min=1, max=LONGEST)] = 30,
    seed: int = 1,
) -> None:
    if title not in titles():
        raise typer.BadParameter(f"there is no title {title}; there are {', '.join(titles())}")
    if players < min(titles()[title].seats):
        raise typer.BadParameter(f"{title} takes {min(titles()[title].seats)} players at least")
    found = asyncio.run(loaded(players, spectators, title, seconds, Random(seed), Console()))
    print(*found[:10] or ["Nothing that was acknowledged is missing, in another place, or there twice."], sep="\n")
    if found:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
