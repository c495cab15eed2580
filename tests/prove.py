"""Run one of the long proofs, or list them, by `make prove [ONLY=name]`.

docs/proofs.md describes each of the proofs.
"""
from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple

import httpx
import msgspec
import typer
from rich.progress import track

from ludarium.embedded import embedded
from tests.api.suggestions import Role, asked_as, busy_server, roles
from tests.conftest import fresh_database
from tests.engine.oracles import ORACLES, differences
from tests.eventstore.race import FROM_A_COUNTER, LAST, LOCK, Result, change_append, race
from tests.faults.deals import besiege as revealed_under_fire
from tests.faults.failover import failed_over
from tests.faults.kills import VICTIMS, besiege
from tests.faults.pooler import NoPgBouncer, pooled_race
from tests.faults.restores import set_back
from tests.foreign.faults import look, swift
from tests.foreign.games import games
from tests.foreign.tools import NoNode, make
from tests.prove_events import tournament
from tests.prove_life import absence, deadlines, seekers
from tests.prove_live import live_redis, live_resume, live_stalled, live_worlds
from tests.prove_replays import branches, folded
from tests.prove_servers import named_faults, rolling, takeovers
from tests.prove_soak import soak
from tests.prove_web import web
from tests.proving import Options, home, servers_at
from tests.support.entropy import ENTROPY, SEED
from tests.support.kept_logs import ALL
from tests.support.servers import LUDARIUM
from tests.tables.test_deals import BOARDS
from tests.tournaments.record_rounds import records
from tests.tournaments.second import faults
from tests.tournaments.second_formats import FORMATS

REQUESTS, EXAMPLES = 10_000, 8
"""The fewest requests, and the examples of each operation for each role.

All edge cases of schemas are added.
"""
LONGEST_ROLE = 20 * 60
"""Seconds for one role; an idle machine takes two minutes, and fifteen for all."""
PROMOTIONS = 2
"""Number of promotions of lagging standbys."""
KILLS_OF_A_DEAL = 10
LOOKS = 1000
"""Number of reads before a deal is closed."""
POSITIONS = 1000
"""Number of positions of each oracle in a round."""


def worlds(options: Options) -> None:
    command = [str(LUDARIUM.with_name("ludarium-engine")), "prove", "--games", str(options.rounds), "--seed", str(options.seed)]
    command += [options.title] if options.title else []
    subprocess.run(command, check=True)


def oracles(options: Options) -> None:
    for name, compare in ORACLES.items():
        seeds = (f"{options.seed}-{n}" for n in range(options.rounds * POSITIONS))
        found = differences(compare, track(seeds, name, options.rounds * POSITIONS))
        print(f"{name}: {options.rounds * POSITIONS} positions, {len(found)} differences", *found.items(), sep="\n")
        if found:
            raise typer.Exit(1)


def examples(options: Options) -> None:
    """Run the suite's random tests again, with fresh seeds instead of fixed ones."""
    fresh = ["--hypothesis-profile=fresh", f"--hypothesis-seed={options.seed}"]
    for chosen in (["-m", "hypothesis"], ["tests/engine"]):
        command = [sys.executable, "-m", "pytest", *fresh, *chosen]
        subprocess.run(command, env=os.environ | {SEED: str(options.seed)}, check=True)


def kept(options: Options) -> None:
    """Read every stored log of earlier releases, not only the sample of the suite."""
    command = [sys.executable, "-m", "pytest", "tests/records/test_kept.py"]
    subprocess.run(command, env=os.environ | {ALL: "all"}, check=True)


def kill(options: Options) -> None:
    luck = Random(options.seed)
    victims = luck.choices(VICTIMS, k=options.rounds)
    with home() as folder:
        print(asyncio.run(besiege(folder, track(victims, "Killing"), options.tables, luck)))
    killed = ", ".join(f"{victims.count(victim)} x {victim}" for victim in VICTIMS)
    print(f"killed {killed}: nothing that was acknowledged is missing, in another place, or there twice")


def failover(options: Options) -> None:
    async def told() -> None:
        async for line in failed_over(folder, PROMOTIONS, options.tables, Random(options.seed)):
            print(line, flush=True)

    with home() as folder:
        asyncio.run(told())


def restore(options: Options) -> None:
    async def told() -> None:
        async for line in set_back(folder, options.tables, Random(options.seed)):
            print(line, flush=True)

    with home() as folder:
        asyncio.run(told())


def deals(options: Options) -> None:
    luck = Random(options.seed)
    for first in range(0, options.rounds, KILLS_OF_A_DEAL):
        with home() as folder:
            print(asyncio.run(one_deal(folder, min(KILLS_OF_A_DEAL, options.rounds - first), luck)), flush=True)


async def one_deal(folder: Path, kills: int, luck: Random) -> str:
    async with servers_at(folder) as (database_url, carrier):
        return await revealed_under_fire(
            database_url, carrier.url, luck, boards=BOARDS, finished=BOARDS - 1, looks=LOOKS, kills=kills
        )


def tail(options: Options) -> None:
    with home() as folder:
        asyncio.run(tails(folder, options.seed))


def complete(result: Result) -> bool:
    return result.committed >= 20_000 and (result.missing, result.failure, result.refused) == (0, None, 0)


Change = tuple[str, str]
TAILS: list[tuple[str, int, list[Change], Callable[[Result], bool]]] = [
    ("es.append", 400, [], complete),
    ("without its lock", 70, [(LOCK, "")], lambda result: result.refused > 0),
    ("positions from a counter", 400, [(LOCK, ""), (LAST, FROM_A_COUNTER)], lambda result: result.missing > 0),
]


async def tails(folder: Path, seed: int) -> None:
    async with embedded(folder) as servers:
        for name, batches, changes, holds in TAILS:
            async with fresh_database(servers.database_url) as dsn:
                await change_append(dsn, *changes)
                result = await race(dsn, batches, seed)
            print(f"{name}: {result}")
            if not holds(result):
                raise typer.Exit(1)


def pairings(options: Options) -> None:
    rounds = wrong = 0
    for record in track(islice(records(Random(options.seed)), options.rounds), "Pairing", options.rounds):
        found = list(faults(json.loads(msgspec.json.encode(record)), FORMATS))
        rounds, wrong = rounds + len(record.rounds), wrong + len(found)
        if found:
            print(f"{record.settings}, {len(record.entries)} entries: {found}")
    print(f"{rounds} rounds of {options.rounds} tournaments computed a second time, {wrong} otherwise")
    if wrong:
        raise typer.Exit(1)


def pgbouncer(options: Options) -> None:
    with home() as folder:
        try:
            print(asyncio.run(pooled_race(folder, options.seed)))
        except NoPgBouncer as problem:
            print(problem)
            raise typer.Exit(2) from None


def schemathesis(options: Options) -> None:
    with home() as folder:
        requests = asyncio.run(suggested_requests(folder, options.seed))
    print(f"{requests} requests, each answered as announced")
    if requests < REQUESTS:
        raise typer.Exit(1)


async def suggested_requests(folder: Path, seed: int) -> int:
    made = 0
    async with servers_at(folder) as (database_url, carrier), busy_server(database_url, carrier.url) as http:
        for role in await roles(http):
            made += await asked_in_time(role, http, folder.parent, seed)
    return made


async def asked_in_time(role: Role, http: httpx.AsyncClient, folder: Path, seed: int) -> int:
    start = time.monotonic()
    try:
        report = await asyncio.wait_for(asked_as(role, http, folder, EXAMPLES, seed), LONGEST_ROLE)
    except TimeoutError:
        print(f"{role.name}: not at an end after {LONGEST_ROLE // 60} minutes")
        raise typer.Exit(1) from None
    print(f"{role.name}: {report.cases} requests in {time.monotonic() - start:.0f} s", flush=True)
    if report.failed:
        print(report.text)
        raise typer.Exit(1)
    return report.cases


def foreign(options: Options) -> None:
    try:
        make()
    except NoNode as problem:
        print(problem)
        raise typer.Exit(2) from None
    look()
    with home() as folder:
        asyncio.run(foreign_games(folder, options.seed))
    print("enums that Swift has of unions, with their cases:", swift())


async def foreign_games(folder: Path, seed: int) -> None:
    async with servers_at(folder) as (database_url, carrier):
        async for game in games(database_url, carrier.url, seed):
            print(game, flush=True)


class Part(StrEnum):
    worlds = "worlds"
    oracles = "oracles"
    examples = "examples"
    kept = "kept"
    kill = "kill"
    failover = "failover"
    restore = "restore"
    rolling = "rolling"
    takeovers = "takeovers"
    deals = "deals"
    deadlines = "deadlines"
    seekers = "seekers"
    tail = "tail"
    live_redis = "live-redis"
    live_resume = "live-resume"
    live_stalled = "live-stalled"
    live_worlds = "live-worlds"
    pairings = "pairings"
    absence = "absence"
    tournament = "tournament"
    folded = "folded"
    branches = "branches"
    faults = "faults"
    soak = "soak"
    web = "web"
    pgbouncer = "pgbouncer"
    schemathesis = "schemathesis"
    foreign = "foreign"


PARTS: dict[Part, Callable[[Options], None]] = {
    Part.worlds: worlds, Part.oracles: oracles, Part.examples: examples, Part.kept: kept, Part.kill: kill,
    Part.failover: failover, Part.restore: restore,
    Part.rolling: rolling, Part.takeovers: takeovers, Part.deals: deals,
    Part.deadlines: deadlines, Part.seekers: seekers, Part.tail: tail, Part.live_redis: live_redis,
    Part.live_resume: live_resume, Part.live_stalled: live_stalled, Part.live_worlds: live_worlds, Part.pairings: pairings,
    Part.absence: absence, Part.tournament: tournament, Part.folded: folded,
    Part.branches: branches, Part.faults: named_faults, Part.soak: soak, Part.web: web,
    Part.pgbouncer: pgbouncer, Part.schemathesis: schemathesis, Part.foreign: foreign,
}  # fmt: skip
STANDARD = "standard"
NEEDS_MORE = {Part.pgbouncer, Part.foreign, Part.faults, Part.soak, Part.web}
"""Proofs that run only by name: they need a program, the network or much time."""
PAGE = Path(__file__).parents[1] / "docs/proofs.md"
ROW = re.compile(r"\| `(?P<name>[a-z-]+)` \| (?P<shows>[^|]+) \| (?P<time>[^|]+) \|")


class Description(NamedTuple):
    """The description of a proof, as a row of the table in docs/proofs.md."""

    shows: str
    time: str


def descriptions() -> dict[str, Description]:
    """Return the description of each proof in docs/proofs.md, in order, by name."""
    table = PAGE.read_text().partition("## The proofs")[2]
    links = re.compile(r"\[([^]]+)\]\([^)]+\)")
    return {row["name"]: Description(links.sub(r"\1", row["shows"]), row["time"]) for row in ROW.finditer(table)}


def list_proofs() -> None:
    """Print the name, the time and the claim of each proof."""
    for name, (shows, duration) in descriptions().items():
        print(textwrap.fill(f"{name:13} {duration:21} {shows}", 128, subsequent_indent=" " * 36))
    print("\nmake prove ONLY=name runs one of them, ONLY=standard most; docs/proofs.md has the parameters.")


def chosen(only: str | None, title: str | None) -> Sequence[Part]:
    """Return the proofs to run, or none if neither a proof nor a title is named.

    Raises:
        typer.BadParameter: There is no such proof.
    """
    if only == STANDARD:
        return [part for part in Part if part not in NEEDS_MORE]
    if only is None:
        return [Part.worlds] if title else []
    if only not in set(Part):
        raise typer.BadParameter(f"{only} is no proof; it is one of {STANDARD}, {', '.join(Part)}", param_hint="ONLY")
    return [Part(only)]


def main(
    only: Annotated[str | None, typer.Option(help=f"a proof, or {STANDARD}; without it, the proofs are listed")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="how much is repeated")] = 10,
    tables: Annotated[int, typer.Option(min=1, help="tables that are played at while something is killed")] = 64,
    seed: Annotated[int | None, typer.Option(help="the seed of all chance; a new one by default")] = None,
    title: Annotated[str | None, typer.Option(help="the only title to play")] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="how long the soak lasts")] = 30,
) -> None:
    """Run long proofs. docs/proofs.md describes them and their parameters."""
    parts = chosen(only, title)
    if not parts:
        list_proofs()
    options = Options(rounds, tables, secrets.randbits(32) if seed is None else seed, title, minutes)
    for part in parts:
        named = f" TITLE={title}" if title else ""
        print(f"make prove ONLY={part}{named} ROUNDS={rounds} TABLES={tables} SEED={options.seed}", flush=True)
        with ENTROPY.scope(f"{part} {options.seed}"):
            PARTS[part](options)


if __name__ == "__main__":
    typer.run(main)
