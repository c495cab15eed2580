"""Long work does not block the event loop, so the server goes on responding."""

import asyncio
from uuid import UUID

import httpx
import pytest

from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.records.record import record_of
from ludarium.server import running
from ludarium.tables.appends import chain_events, new_event
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted
from ludarium.tables.service import Tables
from ludarium_engine.kernel.contract import set_preference
from ludarium_eventstore import Append, EventStore, Ok
from tests.clock import now
from tests.support.entropy import ENTROPY
from tests.support.table_games import Silent, started
from tests.support.waiting import LIMIT, turns_during

EVENTS = 10_000
AT_ONCE = 500


async def lengthened(tables: Tables) -> UUID:
    """Return a table with EVENTS events, made by one seat that toggles a preference."""
    stream = await started(tables, 2, version="ruthless")
    table = await tables.cache.load(stream)
    while table.version < EVENTS:
        rows: list[AnyEvent] = []
        for nth in range(AT_ONCE):
            _, event = set_preference(table.title, table.playing, 0, "wave", nth % 2 == 0)
            rows.append(Acted(event.seat, event.action, event.facts))
        made = [row.entry for row in chain_events(table, rows, now())]
        verdict = await tables.store.append(Append(stream, table.version + 1, [*map(new_event, made)], None, None))
        assert isinstance(verdict, Ok)
        tables.cache.apply(table, made, check=False)
    return stream


@pytest.fixture(scope="module")
async def table(module_database_url: str) -> UUID:
    async with await EventStore.open(module_database_url) as store:
        return await lengthened(Tables(store, Silent(), ENTROPY))


async def test_the_loop_turns_while_a_long_table_is_folded_and_recorded(module_database_url: str, table: UUID) -> None:
    async with await EventStore.open(module_database_url) as store:
        tables = Tables(store, Silent(), ENTROPY)
        rows = await tables.cache.events(table)
        state = await tables.cache.load(table)
        assert await turns_during(tables.cache.state_at(table, rows, EVENTS)) > 100
        record = tables.cache.workers.run(len(rows), lambda: record_of(state, rows, 0))
        assert await turns_during(record) > 100


async def test_health_is_told_while_a_long_table_is_loaded(
    module_database_url: str, redis_url: str, table: UUID
) -> None:
    async with (
        running(Config(port=0, ws_port=0), module_database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=address.http, timeout=LIMIT) as http,
    ):
        asked, told = asyncio.create_task(http.get(f"/api/v1/tables/{ids.encode(table)}/record")), 0
        while not asked.done():
            told += (await http.get("/healthz")).status_code == 200
        assert (await asked).status_code == 200
        assert told > 5
