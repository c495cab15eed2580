"""Lists and views show the same deadline, even right after an outage."""
from __future__ import annotations

from uuid import UUID

import pytest

from ludarium.clocks.settings import LiveClock, TurnBasedClock
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections import turns
from ludarium.projections.registry import Projections
from ludarium.tables.model.lifecycle_events import StoodIn
from ludarium.tables.model.timing import timestamp
from ludarium.tables.service import Tables
from tests.clocks.play import answered, clocked, mover
from tests.support.following import caught_up
from tests.support.simulated import at, set_clock
from tests.support.table_games import PLAYERS


@pytest.fixture
def log_url(database_url: str) -> str:
    """Return a new log for each test, because the tests set the database clock."""
    return database_url


async def test_an_outage_puts_off_the_deadline_in_lists_too(
    tables: Tables, base: Database, projections: Projections, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, TurnBasedClock(3), 3)
    seat = await mover(tables, table)
    player = PLAYERS[seat]
    await caught_up(base, "turns")

    async def listed() -> str | None:
        (own,) = (await projections.own_tables(player, None, True, None, 50, "deadline")).tables
        (playing,) = (await turns.playing_tables(base, [player]))[player]
        assert own.deadline == playing.deadline
        return own.deadline

    days = 3 * 24 * 3600
    assert await listed() == timestamp(at(days))
    await set_clock(database_url, tables, 10)
    await tables.server_clock.outages.beat()
    await set_clock(database_url, tables, 70, alive=False)
    await tables.server_clock.outages.beat()
    view = await tables.view(table, None, None)
    assert view.clocks is not None and view.clocks.seats[seat].deadline == timestamp(at(days + 60)) == await listed()
    await tables.decide_and_append(table, lambda table_state: [StoodIn((seat + 1) % 3, "default")])
    await caught_up(base, "turns")
    assert await listed() == timestamp(at(days + 60))


async def test_lists_are_in_the_order_of_the_deadlines_that_they_give(
    tables: Tables, base: Database, projections: Projections, database_url: str
) -> None:
    """An outage reverses the order of the two deadlines."""
    await set_clock(database_url, tables, 0)
    before = await asks_first_player(tables, 300)
    await set_clock(database_url, tables, 10)
    await tables.server_clock.outages.beat()
    await set_clock(database_url, tables, 310, alive=False)
    await tables.server_clock.outages.beat()
    after = await asks_first_player(tables, 200)
    await caught_up(base, "turns")
    first = await projections.own_tables(PLAYERS[0], None, True, None, 1, "deadline")
    second = await projections.own_tables(PLAYERS[0], None, True, first.next, 1, "deadline")
    found = [(own.table.id, own.deadline) for own in (*first.tables, *second.tables)]
    assert found == [(ids.encode(after), timestamp(at(510))), (ids.encode(before), timestamp(at(600)))]
    assert [own.deadline for own in (await turns.playing_tables(base, [PLAYERS[0]]))[PLAYERS[0]]] == [due for _, due in found]


async def asks_first_player(tables: Tables, bank: int) -> UUID:
    """Open a table at which seat 0 has to act, with this many seconds on the clock."""
    table = await clocked(tables, LiveClock(bank))
    while (seat := await mover(tables, table)) != 0:
        await answered(tables, table, seat)
    return table
