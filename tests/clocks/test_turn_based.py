"""Turn-based games over weeks, with deadlines, new hours, undos and an outage."""
from __future__ import annotations

from datetime import date
from random import Random

import pytest

from ludarium.clocks.hours import Rest, Vacation
from ludarium.clocks.playing_hours import rest_of, rests_of, set_rest
from ludarium.clocks.settings import DAY, HOUR, LiveClock, TurnBasedClock
from ludarium.platform.problems import Problem
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model.decisions import act_for_seat
from ludarium.tables.model.events import TimedAct, TimedOut
from ludarium.tables.model.folding import empty_table, fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.model.timing import is_window
from ludarium.tables.schemas import Undo
from ludarium.tables.service import Tables
from ludarium.tables.snapshots import packed, resume
from ludarium_eventstore import EventStore
from tests.clocks.play import answered, clocked, left, mover
from tests.support.entropy import ENTROPY
from tests.support.simulated import START, at, set_clock
from tests.support.table_games import PLAYERS, Silent, chosen

NIGHTS = Rest("Europe/Budapest", 8 * 60, 22 * 60)


async def test_hours_hold_after_a_week_and_from_the_next_span_on(
    tables: Tables, store: EventStore, database_url: str
) -> None:
    """New hours apply after a week, and only from the next turn on.

    START is noon on a Friday. A week later, it is 14:00 in Budapest, and a day of playing time ends on Sunday at
    10:00.
    """
    await set_clock(database_url, tables, 0)
    for player in PLAYERS[:2]:
        await set_rest(store, player, NIGHTS)
    assert await rest_of(store, PLAYERS[0]) == NIGHTS
    assert await rests_of(store, PLAYERS[:3], at(7 * DAY - 1)) == {}
    assert await rests_of(store, PLAYERS[:3], at(7 * DAY)) == dict.fromkeys(PLAYERS[:2], NIGHTS)
    table = await clocked(tables, TurnBasedClock(1))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, DAY - 1)
    assert left(await tables.view(table, None, None))[seat] == 1000
    await answered(tables, table, seat)
    await set_clock(database_url, tables, 7 * DAY)
    later = await clocked(tables, TurnBasedClock(1))
    assert await Deadlines(tables).process_due() == 1
    view = await tables.view(later, None, None)
    assert view.clocks is not None
    assert [clock.deadline for clock in view.clocks.seats if clock.runs] == ["2026-04-05T08:00:00.000Z"]


async def test_a_month_at_a_table(tables: Tables, store: EventStore, database_url: str) -> None:
    """One player sleeps and takes a vacation, the other moves to another time zone.

    No answer before the deadline is late, and later readers of the log see the same deadline.
    """
    await set_clock(database_url, tables, -8 * DAY)
    await set_rest(store, PLAYERS[0], Rest("Europe/Budapest", 8 * 60, 22 * 60, [Vacation(date(2026, 4, 6), date(2026, 4, 12))]))
    await set_rest(store, PLAYERS[1], Rest("America/New_York", 6 * 60, 20 * 60))
    await set_clock(database_url, tables, 0)
    stream, luck, now, deadlines = await clocked(tables, TurnBasedClock(2, 1)), Random(5), 0.0, Deadlines(tables)
    while now < 30 * DAY:
        table = await tables.cache.fresh(stream)
        if table.status == "over":
            break
        clocks = table.clocks
        assert clocks is not None
        seat = clocks.owes[0]
        until = (clocks.fires(seat) - round(START.timestamp() * 1000)) / 1000
        now = until if luck.random() < 0.3 else luck.uniform(now, until)
        if now > 9 * DAY and (await rest_of(store, PLAYERS[1])).zone == "America/New_York":
            await set_rest(store, PLAYERS[1], Rest("Asia/Kathmandu", 6 * 60, 20 * 60))
        await set_clock(database_url, tables, now - 0.001 if now == until else now)
        await deadlines.process_due()
        assert (await tables.cache.fresh(stream)).version == table.version
        await answered(tables, stream, seat)
    rows = decoded_entries(await store.read(stream))
    assert fold(stream, rows).clocks == (await tables.cache.fresh(stream)).clocks
    begun = [span for entry in rows if isinstance(entry.event, TimedAct) for span in entry.event.tick.begun]
    assert now > 9 * DAY and len(begun) > 5
    assert all(span.free - START.timestamp() * 1000 >= 2 * DAY * 1000 for span in begun)


async def test_a_window_that_nobody_answers_is_passed(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream, deadlines, now = await clocked(tables, TurnBasedClock(3, 0, 6), 3, version="ruthless"), Deadlines(tables), 0.0
    for _ in range(400):
        table = await tables.cache.fresh(stream)
        if is_window(table.title, table.playing.agenda):
            break
        await answered(tables, stream, table.playing.agenda[-1].asked[0])
    asked = [*table.playing.agenda[-1].asked]
    now += 6 * HOUR
    await set_clock(database_url, tables, now)
    assert await deadlines.process_due() == 1
    for _ in range(2 * len(asked)):
        now += 1
        await set_clock(database_url, tables, now)
        await deadlines.process_due()
    table = await tables.cache.fresh(stream)
    assert table.status == "playing" and table.clocks is not None
    outs = [entry.event.seat for entry in await tables.cache.events(stream) if isinstance(entry.event, TimedOut)]
    assert sorted(outs) == sorted(asked)


async def test_an_undo_takes_up_the_old_deadline_on_both_ways_of_loading(
    tables: Tables, store: EventStore, database_url: str
) -> None:
    for clock in (TurnBasedClock(2, 1), LiveClock(300, 5, 2)):
        await set_clock(database_url, tables, 0)
        stream = await clocked(tables, clock)
        middle = (await tables.cache.fresh(stream)).version
        kept = packed(await tables.cache.fresh(stream))
        undone = 0
        for now in range(1, 60):
            table = await tables.cache.fresh(stream)
            if table.status == "over":
                break
            await set_clock(database_url, tables, now)
            if table.undoable and undone < 5:
                seat = table.undoable[-1][1]
                assert table.clocks is not None
                before = [table.clocks.left(p) for p in range(2)]
                await tables.command(stream, PLAYERS[seat], Undo(table.version))
                after = (await tables.cache.fresh(stream)).clocks
                most = before[seat] if isinstance(clock, LiveClock) else 3 * DAY * 1000
                assert after is not None and after.left(seat) <= most
                undone += 1
            else:
                await answered(tables, stream, await mover(tables, stream))
        rows = decoded_entries(await store.read(stream))
        behind = resume(empty_table(stream, rows[:1] + rows[1:]), kept, rows[middle:])
        whole, hot = fold(stream, rows).clocks, (await tables.cache.fresh(stream)).clocks
        assert undone and whole is not None and not whole.dead
        assert behind is not None and whole == hot == behind.clocks


async def test_nobodys_clock_runs_while_the_service_is_away(tables: Tables, store: EventStore, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream = await clocked(tables, LiveClock(300))
    seat = await mover(tables, stream)
    await set_clock(database_url, tables, 100)
    await tables.server_clock.outages.beat()
    await set_clock(database_url, tables, 100 + 3600, alive=False)
    other = Tables(store, Silent(), ENTROPY)
    for machine in (tables, other):
        await set_clock(database_url, machine, 3700, alive=False)
        # postponed by the process that looked first
        assert await Deadlines(machine).process_due() == (machine is tables)
    assert len(await store.fetch("select * from clocks.outages")) == 1
    await answered(tables, stream, seat)
    table = await other.cache.fresh(stream)
    assert table.clocks is not None and table.clocks.seats[seat].used == 100_000
    await set_clock(database_url, tables, 3700 + 200)
    assert await Deadlines(tables).process_due() == 0


async def test_a_deadline_is_fired_once_by_however_many(tables: Tables, store: EventStore, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(5))
    machines = [tables, *(Tables(store, Silent(), ENTROPY, server_clock=tables.server_clock) for _ in range(3))]
    for machine in machines:
        await machine.cache.load(table)
    await set_clock(database_url, tables, 6)
    fired = [await Deadlines(machine).fire(table) for machine in machines]
    assert fired == [True, False, False, False]
    assert [type(entry.event) for entry in await tables.cache.events(table)].count(TimedOut) == 1


async def test_a_bot_is_late_as_anybody(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(5))
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 5.001)
    with pytest.raises(Problem, match="out-of-time"):
        await tables.decide_and_append(table, lambda h: act_for_seat(h, seat, command.action))


async def test_a_view_shows_the_deadline_after_an_outage_and_the_time_of_a_turn_to_come(
    tables: Tables, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, TurnBasedClock(3, 1))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, HOUR)
    await set_clock(database_url, tables, 2 * HOUR, alive=False)
    view = await tables.view(table, None, None)
    assert view.clocks is not None
    assert left(view)[seat] == (4 * DAY - HOUR) * 1000 and left(view)[1 - seat] == 4 * DAY * 1000
    assert [clock.deadline for clock in view.clocks.seats if clock.runs] == ["2026-03-31T13:00:00.000Z"]
