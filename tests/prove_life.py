"""The parts of `make prove` about deadlines, absence and matchmaking at tables."""
from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

from rich.progress import track

from ludarium.embedded import embedded
from ludarium_engine.registry import titles
from ludarium_engine.testkit.absence import play as vanishing
from ludarium_engine.testkit.fuzz import cases
from tests.clocks.absences import vanishing as vanishing_at_servers
from tests.clocks.siege import besiege as overdue
from tests.conftest import fresh_database
from tests.live.seekers import Sought, sought
from tests.proving import Options, home, servers_at

CROWD = 3
"""The factor of tables, at most of which a player is thinking."""
ROWS, SHOTS = 20_000, 5
"""Events and kills in a round, with tables that have clocks."""
SEEKERS = 100
"""Players in a round who enter the queue at the same time."""
GAMES, VANISH = 100, 0.02
"""Games of each title in a round, and the chance that a seat leaves for good."""


def deadlines(options: Options) -> None:
    with home() as folder:
        print(asyncio.run(deadlines_under_fire(folder, options)))


async def deadlines_under_fire(folder: Path, options: Options) -> str:
    async with embedded(folder) as servers, fresh_database(servers.database_url) as dsn:
        return await overdue(
            servers, dsn, rows=options.rounds * ROWS, kills=options.rounds * SHOTS, tables=CROWD * options.tables,
            luck=Random(options.seed), tell=partial(print, flush=True),
        )  # fmt: skip


def seekers(options: Options) -> None:
    with home() as folder:
        found = asyncio.run(sought_at_once(folder, options.rounds * SEEKERS))
    answered, known = found.seconds
    print(f"{found.seekers:,} seekers, each at one of {found.tables} tables; all tickets answered after {answered:.1f} s, all"
          f" tables known after {known:.1f} s")  # fmt: skip


async def sought_at_once(folder: Path, seekers: int) -> Sought:
    async with servers_at(folder) as (database_url, carrier):
        return await sought(database_url, carrier.url, seekers)


def absence(options: Options) -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for title in titles():
            shares = processes.map(partial(vanished, title, options.seed), range(options.rounds))
            found = [*track(shares, title, options.rounds)]
            longest, kinds = max(share.longest for share in found), {kind for share in found for kind in share.kinds}
            print(f"{title}: {GAMES * len(found)} games ended, the longest after {longest} events; somebody has gone from each"
                  f" of {len(kinds)} kinds of question", flush=True)  # fmt: skip
    with home() as folder:
        asyncio.run(absences_at_servers(folder, options))


class Vanished(NamedTuple):
    """The result of a round of games of a title.

    `longest` is the number of events in the longest game. `kinds` has the questions at which seats left.
    """

    longest: int
    kinds: set[str]


def vanished(title: str, seed: int, nth: int) -> Vanished:
    """Play a round of games in a separate process.

    In every third game, all seats leave at the start.
    """
    lengths, kinds, first = [], set[str](), nth * GAMES
    tables = islice(cycle(cases(titles()[title])), first, first + GAMES)
    for game, case in enumerate(tables, first):
        if game % 3 == 0:
            lengths.append(vanishing(case, seed + game, range(case.seats))[0])
        else:
            lengths.append(vanishing(case, seed + game, (), VANISH, kinds)[0])
    return Vanished(max(lengths), kinds)


async def absences_at_servers(folder: Path, options: Options) -> None:
    async with servers_at(folder) as (database_url, carrier):
        async for line in vanishing_at_servers(database_url, carrier.url, [*titles()], options.rounds, options.seed):
            print(line, flush=True)
