"""Shared deals are verified like tables, and their tables against the deals."""
from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg
import pytest

from ludarium.ops.log_verification import LogSource, stream_faults, verify_log
from ludarium.platform import ids
from ludarium.tables.deals.events import AnyDealEvent, BoardOpened, DealClosed, DealPostponed, DealRevealed, PlayerJoined
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.model import endings, seating
from ludarium.tables.model.hash_chain import new_secret
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, Fault, audit
from tests.clock import now
from tests.support.entropy import ENTROPY
from tests.support.table_games import RULESET

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
WANTED = NewTable(RULESET, 2)


@pytest.fixture
async def owner(store: EventStore, database_url: str) -> AsyncIterator[Owner]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture
def deals(tables: Tables) -> SharedDeals:
    async def waiting() -> list[UUID]:
        return []

    return SharedDeals(tables, now, waiting)


async def dealt(deals: SharedDeals) -> tuple[UUID, list[UUID]]:
    """Open a deal of two boards, with a running game at the first."""
    deal = await deals.streams.open("host", 2, now() + timedelta(hours=1), b"nonce")
    tables = [await deals.open_table(deal, board, "host", WANTED) for board in (1, 2)]
    for player in ("ada", "ben"):
        await deals.tables.sit(tables[0], player, None)
    await deals.tables.change(tables[0], "host", lambda t: seating.start(t, "host"))
    return deal, tables


async def found(store: EventStore) -> list[Fault]:
    """Return the findings of `verify --all`, computed in this process."""
    streams = {row.stream for row in await store.since(0)}
    return [*await audit(store), *[f for s in streams async for f in stream_faults(store, s, await store.read(s))]]


@asynccontextmanager
async def put_back(owner: Owner) -> AsyncIterator[None]:
    for name in ("events", "secrets"):
        await owner.execute(f"create table kept_{name} as table es.{name}")
    yield
    for name in ("events", "secrets"):
        await owner.execute(f"delete from es.{name}; insert into es.{name} table kept_{name}; drop table kept_{name}")


async def test_each_column_of_each_row_of_a_deal(deals: SharedDeals, store: EventStore, owner: Owner) -> None:
    deal, _ = await dealt(deals)
    await deals.close(deal, "host")
    assert await found(store) == []
    changes = (
        "type = case type when 64 then 65 when 65 then 66 else 64 end", "schema = 2", "at = at + interval '1 us'",
        "data = set_byte(data, length(data) - 1, get_byte(data, length(data) - 1) # 1)", "root = sha256(root)",
        "hash = sha256(hash)",
    )  # fmt: skip
    moves = ("version = version + 50", f"stream_id = '{ids.new_id(ENTROPY)}'", "partition = 1 - partition % 2")
    for row in await store.read(deal):
        for change in (*changes, *moves):
            async with put_back(owner):
                await owner.execute(f"update es.events set {change} where stream_id = $1 and version = $2", deal, row.version)
                faults = await found(store)
                assert faults and (change in moves or (deal, row.version) in {fault[:2] for fault in faults}), change


async def test_a_secret_that_is_missing_altered_or_anothers(
    deals: SharedDeals, store: EventStore, owner: Owner, database_url: str
) -> None:
    (deal, tables), (other, _) = await dealt(deals), await dealt(deals)
    for stream in (deal, tables[0]):
        changes = [
            "delete from es.secrets where stream_id = $1",
            f"update es.secrets set data = (select data from es.secrets where stream_id = '{other}') where stream_id = $1",
            *(f"update es.secrets set data = set_byte(data, {at}, get_byte(data, {at}) # 1) where stream_id = $1"
              for at in (0, 31, 32, 63, 64, 95)),
        ]  # fmt: skip
        for change in changes:
            async with put_back(owner):
                await owner.execute(change, stream)
                assert stream in {fault.stream for fault in await found(store)}, change
    await owner.execute("delete from es.secrets where stream_id = $1", deal)
    faults = (await verify_log(LogSource(database_url), store, 1, lambda done, of: None)).faults
    assert faults == [Fault(deal, 0, "the seeds that it is committed to are missing or others")]


Write = Callable[[SharedDeals, UUID, list[UUID]], Awaitable[Any]]


async def write(deals: SharedDeals, deal: UUID, *rows: AnyDealEvent) -> None:
    for row in rows:
        await deals.streams.append(await deals.streams.load(deal), row)


async def seeds(deals: SharedDeals, deal: UUID) -> tuple[bytes, bytes]:
    return (await deals.streams.load(deal)).secret.seeds


async def revealed_early(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, DealRevealed(*await seeds(deals, deal)))


async def revealed_twice(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await deals.close(deal, "host")
    await write(deals, deal, DealRevealed(*await seeds(deals, deal)))


async def revealed_otherwise(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, DealClosed(), DealRevealed((await seeds(deals, deal))[0], ENTROPY.draw(32, "bytes")))


async def revealed_before_its_tables(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, DealClosed(), DealRevealed(*await seeds(deals, deal)))


async def joined_after_the_close(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, DealClosed(), PlayerJoined("late", 2))


async def joined_two_boards(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, PlayerJoined("ada", 2))


async def opened_a_board_too_many(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, BoardOpened(3, "host", {}))


async def closes_sooner(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    await write(deals, deal, DealPostponed(0))


async def told_a_table_early(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    for decide in (endings.void_table, endings.reveal_seeds):
        await deals.tables.decide_and_append(tables[1], decide)


async def opened_a_foreign_table(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    shared = await deals.streams.load(deal)
    secret = new_secret(ENTROPY.draw(32, "bytes"), shared.secret.deal)
    await deals.tables.open(ids.new_id(ENTROPY), "host", WANTED, dealt=(secret, shared.deal_of(1)))


async def opened_a_table_of_no_deal(deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
    shared = await deals.streams.load(deal)
    nowhere = ids.new_id(ENTROPY).bytes
    row = type(shared.deal_of(1))(shared.opened.deal, nowhere, 1, [])
    await deals.tables.open(ids.new_id(ENTROPY), "host", WANTED, dealt=(shared.secret_of(1), row))


@pytest.mark.parametrize(("does", "said"), [
    (revealed_early, "before the deal is closed"),
    (revealed_twice, "behind the end of the deal"),
    (revealed_otherwise, "the seeds that are revealed are others"),
    (revealed_before_its_tables, "was not told the seeds"),
    (joined_after_the_close, "behind the close of the deal"),
    (joined_two_boards, "does not follow"),
    (opened_a_board_too_many, "does not follow"),
    (closes_sooner, "does not follow"),
    (told_a_table_early, "while its deal is being played"),
    (opened_a_foreign_table, "has another table at its board"),
    (opened_a_table_of_no_deal, "is not there"),
])  # fmt: skip
async def test_what_no_correct_server_writes(deals: SharedDeals, store: EventStore, does: Write, said: str) -> None:
    deal, tables = await dealt(deals)
    assert await found(store) == []
    await does(deals, deal, tables)
    faults = await found(store)
    assert faults and all(said in fault.what for fault in faults), faults
