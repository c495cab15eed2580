"""`make prove [ONLY=part] [TITLE=id] [ROUNDS=n] [TABLES=n] [SEED=n]`: the proofs that take long.

worlds: nobody learns what is declared secret, for every title, or for the one that is named: then this part alone. oracles:
rules held against small models of them, in random positions. examples: the random tests of the suite, which tries the same
ones in each run, with fresh seeds. kept: every log of earlier releases, of which the suite reads a sample. kill: kill -9 of the
service, PostgreSQL, both or Valkey, also while they start, and people play at many tables, over and over; then everything that
they were told is held against the log.
failover: a lagging standby is promoted twice under load, and everybody who plays or watches ends at the log that is left.
restore: a house that is backed up all the time is set back to a moment of which the digest of the log is known, while two
servers and their players live on; then every table that lost rows says so.
rolling: every process of a house of six is restarted, one after the other, under people who play with the Python client and
sockets that watch: no command fails, and sockets are back soon. takeovers: the worker that works is killed, and another one
lets bots play, makes lists and sees to clocks, soon.
deals: kill -9 of all serving processes, one after the other, while they end and reveal the twenty tables of a deal, one of
which is never played to its end; spectators, players of other tables and lists learn nothing before the last one is over, and
everything afterwards. deadlines: kill -9 of processes that see to deadlines, and of PostgreSQL, in house time that runs fast:
none is missed, early or fired twice. seekers: as many as rounds, by the hundred, seek a quick match at two servers at the
same moment: each is at one table. tail: a reader beside eight appenders for a minute; then without the append's lock, where
it must fail.
live-redis: Valkey is killed for ten seconds in the middle of a game at two servers, and then hangs for as long. live-resume:
what was missed, up to 10,000 events, asked for by WebSocket and by curl. live-stalled: a client that does not read beside 999
that do. live-worlds: two worlds of any title, played at real servers: nobody is sent a byte by which to tell them apart.
absence: games of every title whose seats vanish at random, in every kind of question, or are away from the beginning: what
the title answers for them is legal, the game ends, and at every moment each seat has its place; then as many games as rounds
of each title at two servers, by all policies: whoever stays finishes, and log, story and record tell of it. folded: games
of every title, which every audience folds from its own events, in the kernel and in the web client's code: at each event it
ends at what it would be shown. branches: small positions, the deals of which that an audience may be in are told one by one:
10,000 of each come evenly, and the true one as often as any. tournament: events of every format, the largest with as many
players as tables, at two processes of which as many as rounds are killed: every act that was answered is one row, in the order
of the answers, and there is no row for which nobody asked; every board has one table, every pairing is what two implementations
make of the rows, every result its table's, places, points and figures are shown as the second one has them, a game that was
voided is rated no more, and of 100 streams with a row changed every one is found. pairings: every round of that many
tournaments, of all formats, computed a second time.
pgbouncer: appends through PgBouncer in transaction mode, whose connections are ended under it, and a game at a whole
server. faults: seven faults under load are named by alerts and dashboard, and ended by what the runbooks say; it needs Debian's
Prometheus. soak: idle and busy tables and thousands of sockets, for so many minutes. web: friends at the web client, in each
language, on the phone and at the desk, at most as often as rounds: invite, sit, play, lose the line, a minute of silence,
reload, watch, chat, resign, rematch, replay, time out, a tournament; it needs Debian's Chromium. These four only when named.
schemathesis: 10,000 requests that the OpenAPI document suggests or forbids, in the name of everybody whom the API tells apart:
no fault of the server, no answer that is not announced. A quarter of an hour where nothing else runs, with a line after each
role; one that is not at its end after twenty minutes is given up. foreign: what others' generators write of the document plays
a whole game of every title, at their default flags; Redocly and Spectral find no fault with it, Swift's unions have a case for
each type. It fetches their programs into .cache/, and runs only when it is named.

The first line that is printed repeats a run, as far as the machine's timing allows.
"""
from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated

import httpx
import msgspec
import typer
from rich.progress import track

from benchmarks.live.fanout import GROWTH, OTHERS, Stall, beside_a_stalled_one
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
from tests.live.outage import CAUGHT_UP, HANGING, KILLED, RESUMES, Fault, Outage, outage
from tests.live.pairs import many_pairs
from tests.live.resumes import NoCurl, resumed
from tests.prove_events import tournament
from tests.prove_life import absence, deadlines, seekers
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
"""At least so many requests; so many examples of each operation, beside all edges of its schema, for each role."""
LONGEST_ROLE = 20 * 60
"""Seconds in the name of one role: two minutes where nothing else runs, fifteen in all for thirteen roles."""
AWAY = 10.0
"""Seconds without Valkey."""
PROMOTIONS = 2
"""Of standbys that lag."""
KILLS_OF_A_DEAL = 10
LOOKS = 1000
"""Before a deal is closed."""
POSITIONS = 1000
"""A round, of each oracle."""


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
    """Run the suite's random tests again, with fresh seeds in place of their fixed ones."""
    fresh = ["--hypothesis-profile=fresh", f"--hypothesis-seed={options.seed}"]
    for chosen in (["-m", "hypothesis"], ["tests/engine"]):
        command = [sys.executable, "-m", "pytest", *fresh, *chosen]
        subprocess.run(command, env=os.environ | {SEED: str(options.seed)}, check=True)


def kept(options: Options) -> None:
    """Read every kept log, not only the sample of the suite."""
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


def live_redis(options: Options) -> None:
    for fault in (KILLED, HANGING):
        with home() as folder:
            print(asyncio.run(long_outage(folder, options.seed, fault)))


async def long_outage(folder: Path, seed: int, fault: Fault) -> Outage:
    async with servers_at(folder) as (database_url, carrier):
        went = await outage(database_url, carrier, seconds=AWAY, moves=0, seed=seed, fault=fault)
    assert went.latest <= CAUGHT_UP and went.resumed <= RESUMES, went
    return went


def live_resume(options: Options) -> None:
    with home() as folder:
        try:
            asyncio.run(long_absences(folder, options.seed))
        except NoCurl as problem:
            print(problem)
            raise typer.Exit(2) from None


async def long_absences(folder: Path, seed: int) -> None:
    async with servers_at(folder) as (database_url, carrier):
        async for line in resumed(database_url, carrier.url, seed):
            print(line, flush=True)


def live_worlds(options: Options) -> None:
    with home() as folder:
        played = asyncio.run(worlds_on_the_wire(folder, options))
    print(", ".join(f"{count} x {name}" for name, count in sorted(played.items())), "- nobody was sent another byte")


async def worlds_on_the_wire(folder: Path, options: Options) -> Counter[str]:
    async with servers_at(folder) as (database_url, carrier):
        return await many_pairs(database_url, carrier.url, options.rounds, Random(options.seed))


def live_stalled(options: Options) -> None:
    with home() as folder:
        stall = asyncio.run(one_stalled(folder))
    print(f"{OTHERS} clients beside a stalled one got everything, and {stall.lost} bytes more; grown by {stall.grown:,.0f} KiB")
    if stall.lost or stall.grown > GROWTH:
        raise typer.Exit(1)


async def one_stalled(folder: Path) -> Stall:
    async with servers_at(folder) as (_, carrier):
        return await beside_a_stalled_one(carrier.url, "stalled")


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
USUAL = tuple(part for part in Part if part not in {Part.pgbouncer, Part.foreign, Part.faults, Part.soak, Part.web})


def main(
    only: Annotated[Part | None, typer.Option(help="one part; else all but pgbouncer, foreign, faults, soak, web")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="kills, games, tournaments, rounds at servers, 1000s of positions")] = 10,
    tables: Annotated[int, typer.Option(min=1, help="at which people play while something is killed")] = 64,
    seed: Annotated[int | None, typer.Option(help="a fresh one by default")] = None,
    title: Annotated[str | None, typer.Option(help="the worlds of this one alone")] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="of the soak")] = 30,
) -> None:
    options = Options(rounds, tables, secrets.randbits(32) if seed is None else seed, title, minutes)
    parts = [only] if only else [Part.worlds] if title else USUAL
    for part in parts:
        named = f" TITLE={title}" if title else ""
        print(f"make prove ONLY={part}{named} ROUNDS={rounds} TABLES={tables} SEED={options.seed}", flush=True)
        with ENTROPY.scope(f"{part} {options.seed}"):
            PARTS[part](options)


if __name__ == "__main__":
    typer.run(main)
