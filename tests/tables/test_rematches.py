"""The id of a rematch cannot be derived from anything that is ever published."""
from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from uuid import UUID

from ludarium.platform import ids
from ludarium.records.record import GameRecord, record_of
from ludarium.tables.deals.events import DealRevealed, decode
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.model.events import SeedsRevealed
from ludarium.tables.model.seating import Newcomer
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from ludarium_eventstore import EventStore
from tests.clock import now
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, RULESET, Silent, play, started


async def test_nobody_derives_the_rematch_from_what_a_whole_record_opens(tables: Tables) -> None:
    stream = await started(tables, 2)
    assert (await play(tables, stream, Random(1))).status == "over"
    again = (await tables.rematch(stream, "ada")).id
    table, rows = await tables.cache.fresh(stream), await tables.cache.events(stream)
    assert again not in guesses(stream, {*told(record_of(table, rows, SPECTATOR)), *revealed(rows[-1].event)}, b"rematch")
    assert table.secret.key not in told(record_of(table, rows, SPECTATOR))


async def test_whoever_asks_for_the_rematch_at_whatever_process_gets_the_first_ones(tables: Tables, store: EventStore) -> None:
    table = await started(tables, 3)
    await play(tables, table, Random(1))
    processes = [Tables(store, Silent(), ENTROPY) for _ in range(3)]
    made = await asyncio.gather(*(there.rematch(table, player) for there in processes for player in PLAYERS[:3]))
    assert len({body.id for body in made}) == 1
    body = await tables.queries.table(ids.decode(made[0].id), PLAYERS[0])
    assert {seat.player for seat in body.seats} == {*PLAYERS[:3]}


async def test_a_rematch_keeps_no_seat_for_a_player_whom_its_opener_may_not_meet(tables: Tables) -> None:
    stream = await started(tables, 3)
    await play(tables, stream, Random(1))
    again = await tables.rematch(stream, "ada", Newcomer(barred={PLAYERS[1]}))
    table = await tables.cache.fresh(ids.decode(again.id))
    assert {*table.lifecycle.reserved.values()} == {PLAYERS[2]}


async def test_nobody_derives_the_tables_of_a_deal_from_its_seeds(tables: Tables, store: EventStore) -> None:
    async def waiting() -> list[UUID]:
        return []

    deals = SharedDeals(tables, now, waiting)
    deal = await deals.streams.open("host", 2, now() + timedelta(hours=1))
    opened = {await deals.open_table(deal, board, "host", NewTable(RULESET, 2)) for board in (1, 2)}
    assert opened == {(await deals.streams.load(deal)).table(board) for board in (1, 2)}
    await deals.close(deal, "host")
    last = (await store.read(deal))[-1]
    seeds = revealed(decode(last.type, last.schema, last.data))
    names = [b"board" + deal.bytes + board.to_bytes(2, "big") for board in (1, 2)]
    assert not {ids.encode(table) for table in opened} & {guess for name in names for guess in guesses(deal, seeds, name)}


def revealed(row: object) -> set[bytes]:
    assert isinstance(row, SeedsRevealed | DealRevealed)
    return {row.seed, row.deal}


def told(record: GameRecord) -> set[bytes]:
    """Return all values of 32 bytes in a record."""
    return {*hashes(record)}


def hashes(record: GameRecord) -> Iterator[bytes]:
    for row in record.rows:
        yield from (row.link, row.root, row.leaf_0, *(row.leaves or ()))
        yield from (leaf.salt for leaf in row.opened)


def guesses(stream: UUID, keys: set[bytes], name: bytes) -> set[str]:
    """Return the ids that the server would derive from each of these keys."""
    return {ids.encode(ids.derived_id(ids.time_of(stream), key, name)) for key in keys}
