"""Officials pause the clock of a table, and the time limit of a round ends games.

A game ends with the turn that was running when its time was up.
"""
from __future__ import annotations

from uuid import UUID

from ludarium.clocks.settings import LiveClock
from ludarium.ops.log_verification import stream_faults
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model import endings, timeouts, tournament_tables
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tables.model.lifecycle_events import StoodIn
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from tests.clocks.play import answered, clocked, left, mover
from tests.support.simulated import at, set_clock
from tests.tables.test_ends import asks, does, refusal, says

HOUR = 3600


async def test_clocks_stand_still_until_the_desk_has_it_go_on(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 20)
    assert (await does(tables, table, tournament_tables.pause_by_officials)).lifecycle.paused_by_officials
    await set_clock(database_url, tables, 5 * HOUR)         # longer than the longest pause of players
    assert await deadlines.process_due() == 0
    assert left(await tables.view(table, None, None))[seat] == 280_000
    assert await refusal(tables, table, asks(seat, "resume")) == "desk-paused"
    assert not (await tables.decide_and_append(table, tournament_tables.pause_by_officials)).events
    assert not (await does(tables, table, tournament_tables.resume_by_officials)).lifecycle.paused
    assert not (await tables.decide_and_append(table, tournament_tables.resume_by_officials)).events
    await set_clock(database_url, tables, 5 * HOUR + 10)
    assert left(await tables.view(table, None, None))[seat] == 270_000
    assert [fault async for fault in stream_faults(tables.store, table, await tables.store.read(table))] == []


async def test_the_desks_pause_takes_the_place_of_one_of_the_players(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream = await clocked(tables, LiveClock(300))
    await does(tables, stream, asks(0, "pause"))
    assert (await does(tables, stream, says(1, True))).lifecycle.pauses == {0: 1}
    table = await does(tables, stream, tournament_tables.pause_by_officials)
    assert table.lifecycle.paused_by_officials and table.lifecycle.pauses == {0: 1}
    assert timeouts.resumed(table, at(5 * HOUR)) == []
    await does(tables, stream, tournament_tables.resume_by_officials)
    await answered(tables, stream, await mover(tables, stream))


async def test_nobodys_absence_ends_a_game_that_the_desk_has_paused(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream, deadlines = await clocked(tables, LiveClock(300)), Deadlines(tables)

    await does(tables, stream, lambda table: [StoodIn(0, None), StoodIn(1, None)])
    table = await does(tables, stream, tournament_tables.pause_by_officials)
    assert endings.abandon(table, at(5 * HOUR)) == []
    await set_clock(database_url, tables, 5 * HOUR)
    assert await deadlines.process_due() == 0
    table = await does(tables, stream, tournament_tables.resume_by_officials)
    assert endings.abandon(table, at(5 * HOUR)) == []
    assert endings.abandon(table, at(6 * HOUR)) != []


async def test_a_game_whose_time_is_up_counts_as_it_stood_when_its_turn_was_over(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(3000))
    seat = await mover(tables, table)
    await answered(tables, table, seat)
    over = microseconds(at(60))
    await set_clock(database_url, tables, 60)
    assert tournament_tables.end_of_turn(await tables.cache.events(table), over) is None
    turn = (await playing(tables, table)).playing.turn
    while (await playing(tables, table)).playing.turn == turn:
        assert tournament_tables.end_of_turn(await tables.cache.events(table), over) is None
        await answered(tables, table, await mover(tables, table))
    passed = (await playing(tables, table)).version
    for _ in range(2):
        await answered(tables, table, await mover(tables, table))
        assert tournament_tables.end_of_turn(await tables.cache.events(table), over) == passed


async def playing(tables: Tables, table: UUID) -> TableState:
    return await tables.cache.fresh(table)
