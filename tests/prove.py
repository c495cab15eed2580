"""`make prove [ONLY=worlds|kill|tail] [ROUNDS=n]`: the proofs that take long.

worlds: nobody learns what is declared secret, for every title. kill: kill -9 of the service, PostgreSQL or Valkey in the
middle of a game, over and over; then the whole log is verified. tail: a reader beside eight appenders for a minute; then
without the append's lock, where it must fail.
"""
from __future__ import annotations

import asyncio
import secrets
import subprocess
import tempfile
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.progress import track

from services.embedded import embedded
from tests.api.test_crash import LUDARIUM, VICTIMS, house, survive, two_people
from tests.conftest import fresh_database
from tests.eventstore.race import FROM_A_COUNTER, LAST, LOCK, Result, change_append, race


def complete(result: Result) -> bool:
    return result.committed >= 20_000 and (result.missing, result.failure, result.refused) == (0, None, 0)


Change = tuple[str, str]
TAILS: list[tuple[str, float, list[Change], Callable[[Result], bool]]] = [
    ("es.append", 60, [], complete),
    ("without its lock", 10, [(LOCK, "")], lambda result: result.refused > 0),
    ("positions from a counter", 10, [(LOCK, ""), (LAST, FROM_A_COUNTER)], lambda result: result.missing > 0),
]


class Part(StrEnum):
    worlds = "worlds"
    kill = "kill"
    tail = "tail"


def main(
    only: Annotated[Part | None, typer.Option(help="one part; all by default")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="games in which something is killed; games of two worlds")] = 10,
    seed: Annotated[int | None, typer.Option(help="a fresh one by default")] = None,
) -> None:
    seed = secrets.randbits(32) if seed is None else seed
    print(f"seed {seed}")
    if only in (None, Part.worlds):
        subprocess.run([LUDARIUM, "prove", "--games", str(rounds), "--seed", str(seed)], check=True)
    if only in (None, Part.kill):
        asyncio.run(kill(rounds, Random(seed)))
    if only in (None, Part.tail):
        asyncio.run(tail(seed))


async def kill(rounds: int, luck: Random) -> None:
    with tempfile.TemporaryDirectory(prefix="ludarium-prove-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        async with house(home / "home") as server, two_people(server) as people:
            victims = luck.sample([VICTIMS[n % 3] for n in range(rounds)], rounds)
            events = [await survive(server, people, victim) for victim in track(victims, "Killing")]
            subprocess.run([LUDARIUM, "verify", "--all"], env=server.environment, check=True)
        told = ", ".join(f"{victims.count(victim)} x {victim}" for victim in VICTIMS)
        print(f"{rounds} games, killed {told}: {sum(events)} acknowledged events, none missing, none twice")


async def tail(seed: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ludarium-prove-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            for name, seconds, changes, holds in TAILS:
                async with fresh_database(servers.database_url) as dsn:
                    await change_append(dsn, *changes)
                    result = await race(dsn, seconds, seed)
                print(f"{name}: {result}")
                if not holds(result):
                    raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
