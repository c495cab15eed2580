"""No clock runs during an outage, whichever event is the first afterwards.

This holds wherever a clock is shown.
"""
from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from ludarium.clocks.settings import DAY, Clock, LiveClock, TurnBasedClock
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import TableEnded
from ludarium.tables.model.lifecycle_events import Consent, Replaced, Returned, StoodIn, TimeGiven
from ludarium.tables.service import Tables
from tests.clocks.play import clocked, left, mover
from tests.support.entropy import ENTROPY
from tests.support.simulated import set_clock
from tests.support.table_games import PLAYERS, Silent

LIVE, TURNS = LiveClock(300), TurnBasedClock(3, 1)
FULL = {LIVE: 300_000, TURNS: (3 + 1) * DAY * 1000}
WITHOUT_TICK: dict[str, Callable[[int], AnyEvent]] = {
    "stood_in": lambda seat: StoodIn(seat, "default"),
    "returned": Returned,
    "replaced": lambda seat: Replaced(seat, PLAYERS[4], "open"),
    "time_given": lambda seat: TimeGiven(-1, seat, 60),
    "paused": lambda seat: Consent(seat, "pause", "settled"),
    "ended": lambda seat: TableEnded("adjudicated", [1, 2, 3]),
}
"""The first events after an outage, of a seat that owes no answer."""


async def begun(tables: Tables, database_url: str, clock: Clock) -> tuple[UUID, int]:
    """Return a table of three, and the seat that has to act."""
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, clock, 3)
    return table, await mover(tables, table)


async def stop(tables: Tables, database_url: str) -> None:
    """Stop the service for a minute, beginning ten seconds after the start."""
    await set_clock(database_url, tables, 10)
    await tables.server_clock.outages.beat()
    await set_clock(database_url, tables, 70, alive=False)


async def append(tables: Tables, stream: UUID, row: AnyEvent) -> None:
    await tables.decide_and_append(stream, lambda table: [row])


@pytest.mark.parametrize("clock", [LIVE, TURNS], ids=["live", "turn-based"])
@pytest.mark.parametrize("first", WITHOUT_TICK)
async def test_an_event_after_an_outage_charges_nobody_for_it(
    tables: Tables, database_url: str, clock: Clock, first: str
) -> None:
    stream, seat = await begun(tables, database_url, clock)
    await stop(tables, database_url)
    await append(tables, stream, WITHOUT_TICK[first]((seat + 1) % 3))
    table = await tables.cache.fresh(stream)
    assert table.clocks is not None and table.clocks.seats[seat].used == 10_000
    if not table.ended:
        assert left(await tables.view(stream, None, None))[seat] == FULL[clock] - 10_000
    again = await Tables(tables.store, Silent(), ENTROPY).cache.load(stream)
    assert again.clocks == table.clocks


@pytest.mark.parametrize("clock", [LIVE, TURNS], ids=["live", "turn-based"])
@pytest.mark.parametrize("outage", [True, False], ids=["outage", "no outage"])
async def test_a_pause_keeps_a_clock_as_it_is_when_a_player_leaves_in_it(
    tables: Tables, database_url: str, clock: Clock, outage: bool
) -> None:
    table, seat = await begun(tables, database_url, clock)
    await append(tables, table, Consent(seat, "pause", "settled"))
    if outage:
        await stop(tables, database_url)
    await set_clock(database_url, tables, 600)
    await append(tables, table, StoodIn((seat + 1) % 3, "default"))
    assert left(await tables.view(table, None, None))[seat] == FULL[clock]
    await set_clock(database_url, tables, 900)
    await append(tables, table, Consent(seat, "resume", "settled"))
    assert left(await tables.view(table, None, None))[seat] == FULL[clock]
