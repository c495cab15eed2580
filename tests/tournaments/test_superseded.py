"""A tournament whose games use rules that are no longer supported.

The tournament's pages are served, and the host can replay unfinished games.
"""
from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.platform.database import Database
from ludarium.platform.schema_check import migrated
from ludarium.records.tournament_tables import faults_of_tournament
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model import endings
from ludarium.tables.model.event_types import NAMES
from ludarium.tournaments import corrections
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.plan import Deals, StageBody
from ludarium_eventstore import EventStore
from tests.support.clock import SteppedClock
from tests.support.tournaments import SWISS, event_of
from tests.tables.test_superseded import CODE, next_revision
from tests.tournaments.stepped import HOST, WAIT, SteppedEvent


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[EventStore]:
    await migrated(database_url)
    async with await EventStore.open(database_url) as opened:
        await opened.name_types({**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES})
        yield opened


@pytest.fixture
async def clock(store: EventStore, database_url: str) -> SteppedClock:
    return await SteppedClock.begun(database_url)


async def test_the_pages_of_a_tournament_whose_games_are_superseded_are_served(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4, {**SWISS, "rounds": 1})
    await event.whole_round()
    before = (await http.get(f"{event.path}/standings")).json()
    with next_revision(supports_last=False):
        pages = ("", "/entries", "/standings/1/why", "/crosstable", "/bracket", "/stages/1/rounds/1", "/stream", "/records",
                 "/sheets/standings", "/sheets/pairings")  # fmt: skip
        for page in pages:
            told = await http.get(event.path + page)
            assert told.status_code == 200, (page, told.text)
        assert (await http.get(f"{event.path}/standings")).json() == before
        assert (await http.get(f"{event.path}/records")).text == ""


async def playing(store: EventStore, clock: SteppedClock, *stages: StageBody) -> SteppedEvent:
    event = await SteppedEvent.opened(store, clock, ("ada", "ben"), *stages)
    await event.published()
    await event.step(WAIT)
    assert (await event.table_state()).status == "playing"
    return event


async def another_process(event: SteppedEvent) -> SteppedEvent:
    later = SteppedEvent(event.store, event.clock)
    later.stream = event.stream
    await later.tables.server_clock.learn()
    return later


async def replay(event: SteppedEvent) -> None:
    state = await event.state()
    round = state.rounds[1, 1]
    now = event.tournaments.now()
    await event.desk(lambda s: corrections.replay(s, HOST, round, round.boards[1], s.version, bytes(16), now))


@pytest.mark.parametrize("deals", ["own", "shared"])
async def test_a_game_that_is_superseded_before_its_end_is_replayed(
    store: EventStore, clock: SteppedClock, caplog: pytest.LogCaptureFixture, deals: Deals
) -> None:
    event = await playing(store, clock, StageBody("swiss", seats=2, rounds=1, deals=deals))
    first = (await event.board()).table
    with next_revision(supports_last=False):
        later = await another_process(event)
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                await later.rounds.process(later.stream)
        assert [CODE in line for line in caplog.messages] == [True], "it is not tried again each second"
        await replay(later)
        await later.rounds.process(later.stream)
        await later.step(WAIT)
        assert (await later.board()).table != first and (await later.table_state()).status == "playing"
        again = (await later.board()).table
        await later.tables.view(again, "ben", None)
        await later.tables.change(again, "ada", lambda table: endings.resign(table, "ada"))
        await later.look()
        await later.closed()
        state = await later.state()
        assert state.is_over
        assert await later.points() == {"ben": 120, "ada": 0}
        stored = await store.read(later.stream)
        faults = [fault async for fault in faults_of_tournament(store, later.stream, stored)]
        assert [(fault.stream, fault.what.partition(":")[0]) for fault in faults] == [(first, CODE)]
