"""Measure durable commands in process, and the time to load tables from the log.

The commands are compared with boardgame.io, whose storage is in memory.
"""
from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from shutil import which
from statistics import median
from time import perf_counter, process_time
from uuid import UUID, uuid4

from benchmarks.rows import Row
from ludarium.embedded import embedded
from ludarium.live.publisher import Publisher
from ludarium.platform import ids
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.idempotency import Identity
from ludarium.platform.schema_check import migrated
from ludarium.platform.view_channel import look
from ludarium.tables.model import seating
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.folding import empty_table, fold
from ludarium.tables.model.hash_chain import LogEntry, decoded_entries, is_undone, undone_versions
from ludarium.tables.model.opening import Dealt, checked_table
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody, Command, NewTable
from ludarium.tables.service import Tables
from ludarium_engine.kernel import Offer, legal_offers
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore
from tests.live.full import largest

RUNS = 5
TABLES, MOVES = 64, 30
EVENTS = 500
FOLDS = 200                                     # the fastest fold counts, since other processes can only add time
SMALL = NewTable("game-of-kingdoms", 2)
PEER = Path(__file__).parent / "peers" / "boardgame.io"


class Elsewhere(Publisher):
    """A publisher that assumes that another process watches all tables.

    Each message is encoded and sent to Valkey.

    Attributes:
        looks: the view channels that are watched; None means all of them.
    """

    looks: Collection[int] | None = None

    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return audiences if self.looks is None else self.looks


async def rows() -> AsyncIterator[Row]:
    async with fresh_tables() as tables:
        runs = [(*await rates(tables, Random(n)), await asyncio.to_thread(peer_rate)) for n in range(RUNS)]
        all_, two, theirs = zip(*runs, strict=True)
        yield compared("every message of all audiences made", 1.0, all_, theirs)
        yield compared("its two seats watched", 1.5, two, theirs)
        for row in await full_rows(tables):
            yield row
        for row in await fold_rows(tables.store, await long_table(tables)):
            yield row


def compared(watched: str, goal: float, ours: Sequence[float], theirs: Sequence[float]) -> Row:
    name, value = f"commands: accepted through the core, {TABLES} tables, durable, {watched}", median(ours)
    if not all(theirs):
        return Row(name=name, value=round(value), unit="1/s", beside="boardgame.io: no npm here", goal=f">= {goal:g} x")
    peer = median(theirs)
    return Row(
        name=name, value=round(value), unit="1/s", beside=f"boardgame.io 0.50.2's Master, storage in memory: {peer:.0f}/s",
        ratio=value / peer, goal=f">= {goal:g} x", holds=value >= goal * peer,
    )  # fmt: skip


@asynccontextmanager
async def fresh_tables() -> AsyncIterator[Tables]:
    """Open tables on new servers, with fsync."""
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            await migrated(servers.database_url)
            entropy = SystemEntropy()
            async with (
                await EventStore.open(servers.database_url) as store, Elsewhere(servers.redis_url, entropy) as publisher
            ):
                await store.name_types(NAMES)
                tables = Tables(store, publisher, entropy)
                yield tables
                await tables.close()


# --- accepted commands ------------------------------------------------------------------------------------------------
async def rates(tables: Tables, luck: Random) -> tuple[float, float]:
    """Return the rates with all view channels watched, and with only two watched.

    All channels are what clients of views and clients of changes need together. The two are those of the seats, watched by
    clients that fold changes.
    """
    assert isinstance(tables.publisher, Elsewhere)
    whole = await rate(tables, luck)
    tables.publisher.looks = [look(seat, changes=True) for seat in range(SMALL.seats)]
    two = await rate(tables, luck)
    tables.publisher.looks = None
    return whole, two


async def rate(tables: Tables, luck: Random) -> float:
    """Play random moves at all tables at once, and return the commands per second."""
    started = [await begun(tables, SMALL) for _ in range(TABLES)]
    start = perf_counter()
    played = await asyncio.gather(*[play(tables, table, luck) for table in started])
    return sum(played) / (perf_counter() - start)


async def begun(tables: Tables, wanted: NewTable, dealt: Dealt | None = None) -> UUID:
    """Open a table, take all of its seats and start the game.

    Args:
        tables: the tables.
        wanted: the title, options and number of seats.
        dealt: the secret seeds and the deal of the game; new ones by default.
    """
    table = ids.new_table_id(SystemEntropy(), creator="0")
    await tables.open(table, "0", checked_table(wanted), dealt=dealt)
    for seat in range(wanted.seats):
        await tables.sit(table, str(seat), seat)
    await tables.change(table, "0", lambda t: seating.start(t, "0"))
    return table


async def play(tables: Tables, table: UUID, luck: Random) -> int:
    """Play up to MOVES random moves and return the number of moves.

    It is less than MOVES if the game ends earlier.
    """
    for nth in range(MOVES):
        table_state = await tables.cache.load(table)
        if table_state.status == "over":
            return nth
        await answer(tables, table_state, luck.choice)
    return MOVES


async def answer(tables: Tables, table: TableState, choose: Callable[[list[Offer]], Offer]) -> None:
    seat = table.playing.agenda[-1].asked[0]
    offer = choose(legal_offers(table.title, table.playing, seat))
    action = ActionBody(offer.id, [*offer.pool[: max(1, offer.least)]])
    await tables.command(table.stream, str(seat), Command(table.version, action), Identity(uuid4(), b"request"))


def peer_rate() -> float:
    """Return the commands per second of boardgame.io for as many moves.

    Without npm it is 0.
    """
    if which("npm") is None:
        return 0.0
    if not (PEER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=PEER, check=True)
    command = ["node", str(PEER / "commands.mjs"), str(TABLES), str(MOVES)]
    quiet = os.environ | {"NODE_ENV": "production"}
    return float(subprocess.run(command, env=quiet, check=True, capture_output=True, text=True).stdout)


async def full_rows(tables: Tables) -> list[Row]:
    """Measure the CPU of a command at the largest table of each title.

    It is compared with the smallest table. Only one command runs at a time.
    """
    wanted = [SMALL, *map(largest, titles())]
    runs = [[await cpu_of(tables, each, Random(n)) for each in wanted] for n in range(RUNS)]
    small, *full = (median(times) for times in zip(*runs, strict=True))
    return [
        Row(
            name=f"commands: CPU of one, every message made, {each.ruleset}, {each.seats} seats", value=round(cpu), unit="us",
            beside=f"Kingdoms with 2 seats: {small:.0f} us", ratio=cpu / small, goal="<= 2.5 x", holds=cpu <= 2.5 * small,
        )
        for each, cpu in zip(wanted[1:], full, strict=True)
    ]  # fmt: skip


async def cpu_of(tables: Tables, wanted: NewTable, luck: Random) -> float:
    """Return the microseconds of CPU that this process needs per command."""
    table = await begun(tables, wanted)
    start = process_time()
    moves = await play(tables, table, luck)
    return (process_time() - start) * 1e6 / moves


# --- tables from the log ----------------------------------------------------------------------------------------------
async def long_table(tables: Tables) -> UUID:
    """Create a table with EVENTS events whose game does not end.

    Each of the three players leads one card and takes one.
    """
    table = await begun(tables, NewTable("game-of-kingdoms", 3))
    while (table_state := await tables.cache.load(table)).version < EVENTS - 1:
        await answer(tables, table_state, lambda offers: offers[-1])
    return table


async def fold_rows(store: EventStore, table: UUID) -> list[Row]:
    async def decoded() -> list[LogEntry]:
        return decoded_entries(await store.read(table))

    async def unchecked() -> TableState:
        return applied(table, await decoded())

    async def checked() -> TableState:
        return fold(table, await decoded())

    runs = [[await seconds(work) for work in (decoded, unchecked, checked)] for _ in range(FOLDS)]
    limit, folding, whole = map(min, zip(*runs, strict=True))
    return [
        fold_row(f"commands: a table of {EVENTS} events from the log, folded", folding, limit, 1.5),
        fold_row(f"commands: a table of {EVENTS} events from the log, its chain verified", whole, limit, 2.3),
        fold_row(f"commands: the chain of {EVENTS} events", whole - folding, limit, 0.6),
    ]


def fold_row(name: str, value: float, limit: float, goal: float) -> Row:
    return Row(
        name=name, value=round(value * 1e3, 2), unit="ms", beside=f"reading and decoding its rows: {limit * 1e3:.2f} ms",
        ratio=value / limit, goal=f"<= {goal} x", holds=value <= goal * limit,
    )  # fmt: skip


def applied(table: UUID, rows: Sequence[LogEntry]) -> TableState:
    """Return the table after these events, without checking their hash chain."""
    table_state = empty_table(table, rows)
    dead = undone_versions(table_state.title, rows)
    for entry in rows:
        table_state.add(entry, dead=is_undone(entry, dead))
    return table_state


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    start = perf_counter()
    await work()
    return perf_counter() - start
