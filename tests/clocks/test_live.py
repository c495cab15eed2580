"""Tables with a live clock, where players can lose on time."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import pytest

from ludarium.clocks.server_clock import LONG_AGO, ServerClock
from ludarium.clocks.settings import LiveClock
from ludarium.ops.log_verification import stream_faults
from ludarium.platform.background import background
from ludarium.platform.problems import Problem
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model import endings, seating
from ludarium.tables.model.consent import propose
from ludarium.tables.model.events import Left, SeedsRevealed, TableEnded, TimedOut
from ludarium.tables.model.lifecycle_events import Retired
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import Arrival
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from tests.clocks.play import answered, clocked, left, mover
from tests.support.entropy import ENTROPY
from tests.support.simulated import at, set_clock
from tests.support.table_games import PLAYERS, Silent, chosen
from tests.support.waiting import eventually, within_limit


async def test_a_seat_pays_for_its_span_and_earns_its_increment(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(300, 3))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 20)
    assert left(await tables.view(table, None, None))[seat] == 280_000
    while await mover(tables, table) == seat:
        await answered(tables, table, seat)
    assert left(await tables.view(table, None, None))[seat] == 283_000


async def test_a_seat_that_lets_its_time_run_out_loses(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300, 3)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 300.499)
    assert await deadlines.process_due() == 0
    with pytest.raises(Problem, match="out-of-time"):
        await tables.command(table, PLAYERS[seat], command)
    await set_clock(database_url, tables, 300.5)
    assert await deadlines.process_due() == 1
    await set_clock(database_url, tables, 301.499)
    assert await deadlines.process_due() == 0
    assert (await tables.view(table, None, None)).status == "playing"
    await set_clock(database_url, tables, 301.5)
    assert [await deadlines.process_due(), await deadlines.process_due()] == [1, 0]
    view = await tables.view(table, None, None)
    assert view.status == "over" and view.clocks is not None and not any(clock.runs for clock in view.clocks.seats)
    kinds = [type(entry.event) for entry in await tables.cache.events(table)]
    assert kinds[-4:] == [TimedOut, Retired, TableEnded, SeedsRevealed]
    assert [fault async for fault in stream_faults(tables.store, table, await tables.store.read(table))] == []


async def test_a_command_that_came_before_is_in_time_whoever_appends_first(
    tables: Tables, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 300.6)
    assert await deadlines.process_due() == 1
    for arrival in (Arrival(at(300.001)), Arrival(at(300.2), 100)):
        with pytest.raises(Problem, match="out-of-time"):
            await tables.command(table, PLAYERS[seat], command, arrival=arrival)
    await tables.command(table, PLAYERS[seat], command, arrival=Arrival(at(300)))
    await set_clock(database_url, tables, 310)
    await deadlines.process_due()
    assert (await tables.view(table, None, None)).status == "playing"


async def test_a_process_that_has_not_followed_a_table_looks_before_it_puts_its_deadline_off(
    tables: Tables, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    other = Tables(tables.store, Silent(), ENTROPY, server_clock=tables.server_clock)
    table = await clocked(tables, LiveClock(300))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 290)
    while await mover(tables, table) == seat:
        await answered(tables, table, seat)
    known = await other.cache.load(table)
    first = known.clocks.next() if known.clocks else None
    assert first is not None and first[1] != seat
    while await mover(tables, table) != seat:
        await answered(tables, table, 1 - seat)
    await set_clock(database_url, tables, 301)
    assert await Deadlines(other).process_due() == 1
    assert isinstance((await tables.cache.events(table))[-1].event, TimedOut)


async def test_late_moves_and_early_claims_append_nothing(tables: Tables, database_url: str) -> None:
    """This holds before the timeout, at that instant, afterwards, and for a lost seat."""
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))

    async def refused(code: str, work: Callable[[], Awaitable[object]]) -> None:
        before = (await tables.cache.fresh(table)).version
        with pytest.raises(Problem, match=code):
            await work()
        assert (await tables.cache.fresh(table)).version == before

    async def moves() -> None:
        await tables.command(table, PLAYERS[seat], command)

    async def claims() -> None:
        await tables.change(table, PLAYERS[1 - seat], lambda h: endings.claim(h, PLAYERS[1 - seat], seat))

    await refused("claim-too-early", claims)
    for seconds in (300.499, 300.5):
        await set_clock(database_url, tables, seconds)
        await refused("out-of-time", moves)
        await refused("claim-too-early", claims)
    assert await deadlines.process_due() == 1
    await refused("out-of-time", moves)
    await refused("claim-too-early", claims)
    await set_clock(database_url, tables, 301.5)
    assert await deadlines.process_due() == 1
    await refused("game-over", moves)
    await refused("game-over", claims)


async def test_what_was_decided_before_others_moved_the_table_is_decided_again(tables: Tables, database_url: str) -> None:
    """Another process ends the game while the command waits to learn of outages."""
    await set_clock(database_url, tables, 0)
    other = Tables(tables.store, Silent(), ENTROPY, server_clock=ServerClock(tables.store, lambda: 0.0))
    await other.server_clock.learn()
    await other.server_clock.outages.beat()
    table = await clocked(tables, LiveClock(300))
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    tables.server_clock.outages.seen = LONG_AGO
    owner = await asyncpg.connect(database_url)
    async with asyncio.TaskGroup() as group, owner.transaction():
        await owner.execute("select from clocks.beat for update")
        late = group.create_task(refusal(tables.command(table, PLAYERS[seat], command)))
        await eventually(lambda: waits_for(database_url, "clocks.beat"))
        await other.decide_and_append(table, lambda h: endings.resign(h, PLAYERS[1 - seat]))
        await tables.cache.fresh(table)
    await owner.close()
    assert late.result() == "game-over"
    assert isinstance((await tables.cache.events(table))[-1].event, SeedsRevealed)


async def test_a_start_whose_documents_wait_is_decided_again_when_somebody_has_left(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    other = Tables(tables.store, Silent(), ENTROPY, server_clock=tables.server_clock)
    table = await clocked(tables, LiveClock(300), begun=False)
    owner = await asyncpg.connect(database_url)
    async with asyncio.TaskGroup() as group, owner.transaction():
        await owner.execute("lock table es.documents in exclusive mode")
        started = group.create_task(refusal(tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))))
        await eventually(lambda: waits_for(database_url, "es.documents"))
        await other.change(table, PLAYERS[1], lambda t: seating.leave(t, PLAYERS[1], 1))
        await tables.cache.fresh(table)
    await owner.close()
    assert started.result() == "seats-empty"
    assert isinstance((await tables.cache.events(table))[-1].event, Left)


async def test_nobody_is_late_in_an_outage_which_house_time_that_is_ahead_does_not_know_of_yet(
    tables: Tables, database_url: str
) -> None:
    """The server clock is half a second ahead of PostgreSQL's.

    By that clock, a command arrives half a second after the last heartbeat.
    """
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(300))
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 299.8)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await set_clock(database_url, None, 310, alive=False)

    tables.server_clock.sleep = sleep
    await tables.command(table, PLAYERS[seat], command, arrival=Arrival(at(300.3)))
    assert slept == [0.5]
    assert left(await tables.view(table, None, None))[seat] == 200


async def test_an_outage_that_came_after_a_late_command_does_not_excuse_it(tables: Tables, database_url: str) -> None:
    """The event of the deadline comes first, and has already credited the outage."""
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 303)
    await set_clock(database_url, tables, 308, alive=False)
    assert await deadlines.process_due() == 1
    with pytest.raises(Problem, match="out-of-time"):
        await tables.command(table, PLAYERS[seat], command, arrival=Arrival(at(302)))
    await tables.command(table, PLAYERS[seat], command, arrival=Arrival(at(299)))
    assert left(await tables.view(table, None, None))[seat] == 1000


async def refusal(command: Awaitable[object]) -> str:
    with pytest.raises(Problem) as refused:
        await command
    return refused.value.code


async def test_a_deadline_that_cannot_be_seen_to_yet_holds_up_no_other_one(tables: Tables, database_url: str) -> None:
    """One deadline waits for a command at its table while another deadline is due."""
    await set_clock(database_url, tables, 0)
    stuck, other = await clocked(tables, LiveClock(300)), await clocked(tables, LiveClock(320))
    fired = asyncio.Event()

    async def note(table: TableState) -> None:
        if table.stream == other:
            fired.set()

    tables.listeners.append(note)
    async with within_limit(), background(Deadlines(tables).run()):
        async with tables.cache.lock(stuck):
            before = await tables.store.head(stuck)
            await set_clock(database_url, tables, 301)
            await eventually(lambda: claimed(database_url, stuck))
            await set_clock(database_url, tables, 321)
            await fired.wait()
            assert await tables.store.head(stuck) == before
        await set_clock(database_url, tables, 322)              # the claim on it has expired
        await eventually(lambda: moved(tables, stuck, before))
    assert any(isinstance(entry.event, TimedOut) for entry in await tables.cache.events(stuck))


async def moved(tables: Tables, table: UUID, before: int | None) -> bool:
    return await tables.store.head(table) != before


async def waits_for(database_url: str, table: str) -> bool:
    """Check whether a statement that uses the table waits for a lock in this database."""
    owner = await asyncpg.connect(database_url)
    try:
        return bool(await owner.fetchval(
            "select true from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            " and position($1 in query) > 0 limit 1", table,
        ))  # fmt: skip
    finally:
        await owner.close()


async def claimed(database_url: str, table: UUID) -> bool:
    owner = await asyncpg.connect(database_url)
    try:
        return bool(await owner.fetchval("select claimed > '-infinity' from es.due where stream_id = $1", table))
    finally:
        await owner.close()


async def test_the_view_credits_an_outage_as_the_deadline_does(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 290)
    await set_clock(database_url, tables, 330, alive=False)
    assert left(await tables.view(table, None, None))[seat] == 10_000
    await set_clock(database_url, tables, 339)
    assert left(await tables.view(table, None, None))[seat] == 1000
    assert left(await tables.queries.view_for(table, SPECTATOR))[seat] == 1000
    assert not await deadlines.fire(table)
    await set_clock(database_url, tables, 340.5)
    assert left(await tables.view(table, None, None))[seat] == 0
    assert await deadlines.fire(table)


async def test_what_is_sent_after_an_outage_credits_it_too(tables: Tables, database_url: str) -> None:
    """A proposal is the first event after the outage, so only its view has the clocks."""
    await set_clock(database_url, tables, 0)
    stream = await clocked(tables, LiveClock(300))
    seat = await mover(tables, stream)
    await set_clock(database_url, tables, 290)
    await set_clock(database_url, tables, 330, alive=False)
    made = await tables.change(stream, PLAYERS[1 - seat], lambda table: propose(table, PLAYERS[1 - seat], "draw"))
    sent: Any = msgspec.json.decode(msgspec.json.encode(made.view))
    assert sent["clocks"]["seats"][seat]["remaining_ms"] == 10_000
    newest: Any = msgspec.to_builtins((await tables.queries.events(stream, SPECTATOR, made.seq - 1))[-1])
    assert newest["data"]["view"]["clocks"]["seats"][seat]["remaining_ms"] == 10_000
    assert left(await tables.view(stream, None, None, at=made.seq))[seat] == 10_000
