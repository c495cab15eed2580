"""Events that projections do not know stop none of them, in any kind of stream."""
from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections import records
from ludarium.projections.lobby import TableQuery
from ludarium.projections.rebuilding import rebuild
from ludarium.projections.registry import Projections
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.model import seating
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import Append, EventStore, NewEvent
from tests.clock import now
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up
from tests.support.table_games import RULESET, started


async def foreign(store: EventStore, stream: UUID, version: int, type_: int) -> None:
    await store.append(Append(stream, version, [NewEvent(type_, 1, now(), b"\x90", bytes(32), bytes(32))]))


@pytest.mark.parametrize("type_", [30, 100, 200])
async def test_a_row_of_an_unknown_type_in_a_stream_of_its_own(
    tables: Tables, base: Database, projections: Projections, type_: int
) -> None:
    await foreign(tables.store, ids.new_id(ENTROPY), 0, type_)
    table = await started(tables)
    await caught_up(base)
    assert projections.stopped() == {}
    assert [t.id for t in (await projections.tables(TableQuery(None, RULESET), None, 10)).tables] == [ids.encode(table)]


async def test_a_row_that_only_a_newer_release_reads_leaves_its_table_as_it_was(
    tables: Tables, base: Database, projections: Projections
) -> None:
    table, other = await started(tables), await started(tables)
    version = (await tables.cache.fresh(table)).version
    await foreign(tables.store, table, version + 1, 2)          # a seat, with bytes that cannot be decoded
    await caught_up(base)
    assert projections.stopped() == {}
    listed = {t.id: t.status for t in (await projections.tables(TableQuery(None, RULESET), None, 10)).tables}
    assert listed == {ids.encode(table): "playing", ids.encode(other): "playing"}


async def test_a_shared_deal_is_in_no_list_of_tables(tables: Tables, base: Database, projections: Projections) -> None:
    deals = SharedDeals(tables, now, projections.open_deals)
    deal = await deals.streams.open("host", 1, now() + timedelta(hours=1))
    table = await deals.open_table(deal, 1, "host", NewTable(RULESET, 2))
    for player in ("ada", "ben"):
        await tables.sit(table, player, None)
    await tables.change(table, "host", lambda t: seating.start(t, "host"))
    await caught_up(base)
    assert projections.stopped() == {}
    assert [t.id for t in (await projections.tables(TableQuery(), None, 10)).tables] == [ids.encode(table)]
    assert (await projections.positions(None, None, None, 10)).positions == []
    await deals.close(deal, "host")
    await caught_up(base)
    (game,) = (await projections.records(records.RecordQuery(ruleset=RULESET), None, 10)).games
    assert game.outcome is None and (await projections.statistics(RULESET)).by_seats == []


async def test_the_deals_that_wait_are_listed_until_they_are_revealed(
    tables: Tables, store: EventStore, base: Database, projections: Projections, database_url: str
) -> None:
    deals = SharedDeals(tables, now, projections.open_deals)
    made = [await deals.streams.open("host", 1, now() + timedelta(hours=1)) for _ in range(3)]
    await deals.close(made[1], "host")
    waiting = sorted([made[0], made[2]])
    await caught_up(base, "deals")
    assert await projections.open_deals() == waiting
    await base.row("delete from deals.waiting")
    await rebuild(database_url, "deals", TableCache(store), lambda done, of: None)
    assert await projections.open_deals() == waiting
