"""A live table with a clock: opened, played, and lost on time."""
from __future__ import annotations

from random import Random
from uuid import UUID

import pytest

from eventstore import EventStore
from services import ids
from services.clocks.settings import Clock, LiveClock
from services.problems import Problem
from services.tables.bodies import NewTable, TableView
from services.tables.deadlines import Deadlines
from services.tables.tables import Tables
from services.tables.timing import Arrival
from tests.clocks.simulated import at, set_clock
from tests.tables.games import PLAYERS, RULESET, answer, chosen


async def clocked(tables: Tables, clock: Clock, seats: int = 2) -> UUID:
    """A table at which the first players sit, and whose game has begun."""
    body = await tables.create(PLAYERS[0], NewTable(RULESET, seats, {}, clock=clock))
    table = ids.decode(body.id)
    for player in PLAYERS[:seats]:
        await tables.sit(table, player, None)
    await tables.start(table, PLAYERS[0])
    return table


def left(view: TableView) -> list[int]:
    assert view.clocks is not None
    return [seat.remaining_ms for seat in view.clocks.seats]


async def mover(tables: Tables, table: UUID) -> int:
    view = await tables.view(table, None, None)
    assert view.view is not None
    return view.view.asked[0]


async def test_a_seat_pays_for_its_span_and_earns_its_increment(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(300, 3))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 20)
    assert left(await tables.view(table, None, None))[seat] == 280_000
    while await mover(tables, table) == seat:
        await answer(tables, table, seat, Random(1))
    assert left(await tables.view(table, None, None))[seat] == 283_000


async def test_a_seat_that_lets_its_time_run_out_loses(tables: Tables, store: EventStore, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300, 3)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 300.499)
    assert await deadlines.round() == 0
    with pytest.raises(Problem, match="out-of-time"):
        await tables.command(table, PLAYERS[seat], command)
    await set_clock(database_url, tables, 300.5)
    assert await deadlines.round() == 1
    await set_clock(database_url, tables, 301.499)
    assert await deadlines.round() == 0
    assert (await tables.view(table, None, None)).status == "playing"
    await set_clock(database_url, tables, 301.5)
    assert [await deadlines.round(), await deadlines.round()] == [1, 0]
    view = await tables.view(table, None, None)
    assert view.status == "over" and view.clocks is not None and not any(clock.runs for clock in view.clocks.seats)
    assert [event["type"] for event in await told(tables, table)][-3:] == ["timed_out", "game_ended", "revealed"]


async def test_a_command_that_came_before_is_in_time_whoever_appends_first(
    tables: Tables, store: EventStore, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await set_clock(database_url, tables, 300.6)
    assert await deadlines.round() == 1
    for arrival in (Arrival(at(300.001)), Arrival(at(300.2), 100)):
        with pytest.raises(Problem, match="out-of-time"):
            await tables.command(table, PLAYERS[seat], command, arrival=arrival)
    await tables.command(table, PLAYERS[seat], command, arrival=Arrival(at(300)))
    await set_clock(database_url, tables, 310)
    await deadlines.round()
    assert (await tables.view(table, None, None)).status == "playing"


async def told(tables: Tables, table: UUID) -> list[dict[str, object]]:
    import msgspec

    events: list[dict[str, object]] = msgspec.to_builtins(await tables.events(table, -1, -1))
    return events
