"""Kill workers and PostgreSQL while time runs fast, then judge the log.

The judge computes everything from the events alone. No deadline may be missed, processed early or processed twice. No
command in time may be refused, and no late command accepted.
"""
from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import NamedTuple
from uuid import UUID

import asyncpg

from ludarium.embedded import Services
from ludarium.platform.schema_check import migrated
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.events import TableEnded, TimedAct, TimedOut, TimedStart
from ludarium.tables.model.hash_chain import entry_of
from ludarium.tables.model.timing import ms
from ludarium_eventstore import EventStore, StoredEvent, StoreUnavailable
from tests.clocks.worker import BANK
from tests.faults.liveness import in_words
from tests.support.entropy import seed_variables
from tests.support.waiting import eventually

SPEED = 4
PROCESSES = 2
LULL = (1.0, 6.0)                               # seconds between two kills
VICTIMS = ("postgres", "both", "one", "postgres and one", "other")


class Refused(NamedTuple):
    stream: UUID
    seat: int
    received: int


class Siege:
    """Workers that play at tables and are killed.

    Args:
        tell: A function that gets lines of text about the progress.
    """

    def __init__(self, services: Services, dsn: str, tables: int, luck: Random, tell: Callable[[str], None]) -> None:
        self.services, self.dsn, self.tables, self.luck, self.tell = services, dsn, tables, luck, tell
        self.alive: list[Process | None] = [None] * PROCESSES
        self.listening: list[asyncio.Task[None]] = []
        self.refused: list[Refused] = []
        self.kills = 0
        self.waited = 0.0

    async def launch(self, nth: int, tables: int) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.clocks.worker", self.dsn, str(tables), str(SPEED), str(self.luck.random()),
            stdout=PIPE, stderr=DEVNULL if os.environ.get("QUIET") else None,
            env=os.environ | seed_variables(),
        )  # fmt: skip
        self.alive[nth] = process
        self.listening.append(asyncio.create_task(self.listen(process)))

    async def listen(self, process: Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            if line.endswith(b"\n"):
                stream, seat, received = line.decode().split()
                self.refused.append(Refused(UUID(stream), int(seat), int(received)))

    async def kill(self, nth: int) -> None:
        if (process := self.alive[nth]) is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def shoot(self, victim: str) -> None:
        self.kills += 1
        if "postgres" in victim:
            with suppress(ProcessLookupError):
                os.kill(self.services.supervisors["postgres"].pid, signal.SIGKILL)
        those = {"one": [0], "other": [1], "both": [0, 1], "postgres and one": [0]}.get(victim, [])
        for nth in those:
            await self.kill(nth)
        await asyncio.sleep(self.luck.uniform(0, 1))
        for nth in those:
            await self.launch(nth, self.tables)

    async def run(self, rows: int, kills: int) -> None:
        """Run until there are enough events and kills, then wait for all deadlines."""
        async with await EventStore.open(self.dsn) as store:
            await store.name_types({**NAMES, **DEAL_NAMES})
            try:
                for nth in range(PROCESSES):
                    await self.launch(nth, self.tables)
                while (there := await count(store)) < rows or self.kills < kills:
                    self.tell(f"{there:,} of {rows:,} rows, {self.kills} of {kills} kills")
                    await asyncio.sleep(self.luck.uniform(*LULL))
                    if self.kills < kills:
                        await self.shoot(VICTIMS[self.kills % len(VICTIMS)])
                for nth in range(PROCESSES):
                    await self.kill(nth)
                self.waited = await self.plays_again(store)
                await self.kill(0)
                await self.launch(0, 0)
                await self.settled(store)
            finally:
                for nth in range(PROCESSES):
                    await self.kill(nth)
                await asyncio.gather(*self.listening)

    async def plays_again(self, store: EventStore) -> float:
        """Start a process, and return the seconds until one of its commands is accepted."""
        before, began = await count(store), monotonic()
        await self.launch(0, self.tables)

        async def accepted() -> bool:
            return await count(store) > before

        await eventually(accepted)
        return monotonic() - began

    async def settled(self, store: EventStore) -> None:
        async def nothing_is_due() -> bool:
            due = await store.fetch("select count(*) as n from es.due where at < es.now() + interval '1 day'")
            return not due[0]["n"]

        await eventually(nothing_is_due)


async def count(store: EventStore) -> int:
    try:
        rows: int = (await store.fetch("select coalesce(max(position), 0) as n from es.events"))[0]["n"]
    except StoreUnavailable:
        return 0
    return rows


def untold(_: str) -> None:
    """Discard a line about the progress."""


async def besiege(
    services: Services, dsn: str, *, rows: int, kills: int, tables: int, luck: Random, tell: Callable[[str], None] = untold
) -> str:
    """Run two workers with players at `tables` tables each, and return a summary."""
    await migrated(dsn)
    await hasten(dsn)
    siege = Siege(services, dsn, tables, luck, tell)
    await siege.run(rows, kills)
    async with await EventStore.open(dsn) as store:
        found = await judged(store, siege.refused)
        outages = (await store.fetch("select count(*) as n from clocks.outages"))[0]["n"]
    assert not found.wrongs, found.wrongs[:20]
    late = sorted(found.lateness)
    assert late, "no deadline came"
    return (
        f"{found.rows:,} rows, {found.tables:,} tables, {siege.kills} kills, {outages} outages, {len(late):,} deadlines fired, "
        f"{len(siege.refused):,} late commands refused: none missed, early or twice; fired after their instant, in house time:"
        f" p50 {late[len(late) // 2]} ms, p99 {late[len(late) * 99 // 100]} ms, last {late[-1]} ms; "
        f"{in_words(siege.waited)}"
    )


async def hasten(dsn: str) -> None:
    owner = await asyncpg.connect(dsn)
    begun = await owner.fetchval("select clock_timestamp()")
    await owner.execute(
        "create or replace function es.now() returns timestamptz language sql volatile"
        f" return '{begun}'::timestamptz + {SPEED} * (clock_timestamp() - '{begun}'::timestamptz)"
    )
    await owner.close()


# --- judging the log --------------------------------------------------------------------------------------------------
class Found:
    """The findings of the judge.

    Args:
        outages: The start and the end of each outage, newest first.
    """

    def __init__(self, outages: Sequence[tuple[int, int]]) -> None:
        self.outages = outages
        self.rows = self.tables = 0
        self.lateness: list[int] = []
        self.wrongs: list[str] = []

    def back(self, at: int, time: int) -> int:
        """Return the moment that is `time` before `at`, not counting outages."""
        for since, until in self.outages:
            if since < at and at - time < until:
                time += min(until, at) - since
        return at - time


async def judged(store: EventStore, refused: Sequence[Refused]) -> Found:
    outages = await store.fetch("select since, until from clocks.outages order by since desc")
    found = Found([(ms(row["since"]), ms(row["until"])) for row in outages])
    streams, position = defaultdict[UUID, list[StoredEvent]](list), 0
    while page := await store.since(position):
        for event in page:
            streams[event.stream].append(event)
        position = page[-1].position
    late = defaultdict[UUID, list[Refused]](list)
    for one in refused:
        late[one.stream].append(one)
    for stream, events in streams.items():
        found.rows, found.tables = found.rows + len(events), found.tables + 1
        found.wrongs += (f"{stream}: {wrong}" for wrong in Table(found, late[stream]).wrongs(events))
    return found


class Table:
    """The time that each seat has used, summed without the code of the clock."""

    def __init__(self, found: Found, refused: Sequence[Refused]) -> None:
        self.found, self.refused = found, refused
        self.used, self.owes, self.at = [0, 0], list[int](), 0
        self.decision = [0, 0]                  # time used for the current decision, by seat
        self.begun = dict[int, int]()
        self.deadlines = [0, 0]                 # the instant of the last recorded timeout, by seat
        self.outs = set[tuple[int, int]]()
        self.over = 0

    def wrongs(self, events: Sequence[StoredEvent]) -> Iterator[str]:
        for event in events:
            row, at = entry_of(event).event, ms(event.at)
            match row:
                case TimedStart():
                    self.at = at
                    self.owe(event.version, row.tick.owes)
                case TimedAct():
                    yield from self.acted(at, row)
                    self.owe(event.version, row.tick.owes)
                case TimedOut():
                    yield from self.timed_out(at, row)
                case TableEnded():
                    self.over += 1
        if self.over != 1 and self.owes:
            yield "a deadline was missed"
        if self.over > 1:
            yield "it ended twice"
        for one in self.refused:
            if not self.deadlines[one.seat] or one.received <= self.deadlines[one.seat]:
                yield f"{one} was in time, by {self.deadlines[one.seat]}"

    def acted(self, at: int, row: TimedAct) -> Iterator[str]:
        self.charge(at, row.tick.away, row.seat, row.tick.lag + row.tick.late)
        if self.used[row.seat] > BANK * 1000:
            yield f"seat {row.seat} answered after {self.used[row.seat]} ms"
        self.decision[row.seat] = 0
        self.outs = {out for out in self.outs if out[0] != row.seat}       # the turn may continue and time out again

    def timed_out(self, at: int, row: TimedOut) -> Iterator[str]:
        self.charge(at, row.tick.away)
        over = self.used[row.seat] - BANK * 1000
        if over < 500:
            yield f"the deadline of seat {row.seat} came {500 - over} ms early"
        if row.seat not in self.owes or self.begun[row.seat] != row.since:
            yield f"seat {row.seat} owed nothing since {row.since}"
        if (row.seat, row.since) in self.outs:
            yield f"the deadline of seat {row.seat} came twice"
        self.outs.add((row.seat, row.since))
        self.deadlines[row.seat] = self.found.back(at, over)
        self.found.lateness.append(over - 500)

    def charge(self, at: int, away: int, seat: int | None = None, credit: int = 0) -> None:
        """Charge the seats that have to act for the time since the last event.

        A credit is limited to the time that the decision has taken, since the server clock may have been set back.
        """
        for owing in self.owes:
            before = self.decision[owing]
            now = self.decision[owing] = before + at - self.at - away - (credit if owing == seat else 0)
            self.used[owing] += max(now, 0) - max(before, 0)
        self.at = at

    def owe(self, version: int, owes: list[int]) -> None:
        for seat in {*owes} - {*self.owes}:
            self.begun[seat], self.decision[seat] = version, 0
        self.begun = {seat: self.begun[seat] for seat in owes}
        self.owes = owes
