"""`make prove [ONLY=worlds|kill] [ROUNDS=n]`: the proofs that take long.

worlds: nobody learns what is declared secret, for every title. kill: kill -9 of the service, PostgreSQL or Valkey in the
middle of a game, over and over; then the whole log is verified.
"""
from __future__ import annotations

import asyncio
import secrets
import subprocess
import tempfile
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.progress import track

from tests.api.test_crash import LUDARIUM, VICTIMS, house, survive, two_people


class Part(StrEnum):
    worlds = "worlds"
    kill = "kill"


def main(
    only: Annotated[Part | None, typer.Option(help="one part; both by default")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="games in which something is killed; games of two worlds")] = 10,
    seed: Annotated[int | None, typer.Option(help="a fresh one by default")] = None,
) -> None:
    seed = secrets.randbits(32) if seed is None else seed
    print(f"seed {seed}")
    if only in (None, Part.worlds):
        subprocess.run([LUDARIUM, "prove", "--games", str(rounds), "--seed", str(seed)], check=True)
    if only in (None, Part.kill):
        asyncio.run(kill(rounds, Random(seed)))


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


if __name__ == "__main__":
    typer.run(main)
