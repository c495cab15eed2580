"""One process plays the bots of a table, and creators of tables take turns.

The time that a bot needs blocks nothing else.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from ludarium.bots.bots import Asked, Bots
from ludarium.bots.fair_queue import BotTable, FairQueue
from ludarium.bots.leases import Leases
from ludarium.bots.thinking import RNG_BYTES, UnknownData, answer, bot_question
from ludarium.platform.background import background, endless
from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.platform.ids import decode
from ludarium.server import running
from ludarium.tables.appends import Commit
from ludarium.tables.model import seating
from ludarium.tables.model.events import Acted
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_engine import registry
from ludarium_engine.kernel import Chance, new_game, seats_to_act
from ludarium_engine.kernel.contract import is_asked
from ludarium_engine.kernel.describe import describe_choice
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY, uuid4
from tests.support.servers import ServerProcess
from tests.support.table_games import RULESET, Silent
from tests.support.waiting import LIMIT, eventually, in_time

RENEWED = timedelta(seconds=3)
"""Longer than a lease: a lease that is still valid after this time was renewed."""


class Counting(Tables):
    """Tables that count the changes not made by players.

    These are the answers of bots, including refused ones.
    """

    answers = 0

    async def decide_and_append(self, *args: Any, **kwargs: Any) -> Commit:
        self.answers += "player" not in kwargs
        return await super().decide_and_append(*args, **kwargs)


@pytest.fixture
async def base(store: EventStore, log_url: str) -> AsyncIterator[Database]:
    async with database(log_url) as opened:
        yield opened


@asynccontextmanager
async def playing(tables: Tables, base: Database) -> AsyncIterator[Bots]:
    bots = Bots(tables, Leases(base))
    tables.listeners.append(bots.on_commit)
    async with bots.running():
        yield bots


async def table_of_bots(tables: Tables, seats: int, creator: str = "nobody") -> BotTable:
    table = decode((await tables.create(creator, NewTable(RULESET, seats))).id)
    for _ in range(seats):
        await tables.change(table, creator, lambda t: seating.add_bot(t, creator, "random", None))
    await tables.change(table, creator, lambda t: seating.start(t, creator))
    return BotTable(table, creator)


async def over(tables: Tables, table: BotTable) -> None:
    await eventually(lambda: is_over(tables, table))


async def is_over(tables: Tables, table: BotTable) -> bool:
    return (await tables.queries.table(table.id, None)).status == "over"


async def acted(store: EventStore, tables: Tables, table: BotTable) -> int:
    return sum(isinstance(entry.event, Acted) for entry in await tables.cache.events(table.id))


async def test_two_processes_that_are_woken_think_of_each_answer_once(store: EventStore, base: Database) -> None:
    both = [Counting(store, Silent(), ENTROPY) for _ in range(2)]
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(playing(tables, base)) for tables in both]
        table = await table_of_bots(both[0], 4)

        async def woken_until_over() -> bool:
            for each in bots:
                each.wake(table)
            return await is_over(both[0], table)

        await eventually(woken_until_over)
    assert sum(tables.answers for tables in both) == await acted(store, both[0], table)
    assert (await base.rows("select * from bots.leases")) == []


async def test_a_lease_is_for_one_until_it_is_released_or_runs_out(base: Database) -> None:
    one, two, table = Leases(base), Leases(base), uuid4()
    assert (await one.take([table]), await two.take([table]), await one.take([table])) == ({table}, set(), {table})
    await one.release(table)
    assert (await two.take([table]), await one.take([table])) == ({table}, set())
    await base.rows("update bots.leases set until = now() - interval '1 second'")
    assert await one.take([table]) == {table}
    keeping = asyncio.create_task(two.renew_forever())
    await eventually(lambda: not two.held)
    keeping.cancel()


async def test_when_the_process_that_plays_a_table_is_killed_another_plays_on(log_url: str, redis_url: str) -> None:
    """The other process waits until the lease has expired."""
    config = Config(port=0, ws_port=0)
    async with (
        ServerProcess(log_url, redis_url) as victim, running(config, log_url, redis_url, ENTROPY),
        database(log_url) as base, await EventStore.open(log_url) as store,
    ):
        await note_early_changes(log_url)
        table = decode(await bots_at(victim.api))
        before = await holder(base, table, None)
        await eventually(lambda: base.rows("select from bots.leases where id = $1 and until > taken + $2", table, RENEWED))
        await victim.kill()
        head = (await store.heads([table]))[table]
        assert await holder(base, table, before) != before

        async def goes_on() -> bool:
            return (await store.heads([table]))[table] > head

        await eventually(goes_on)
        assert await early_changes(log_url) == 0


async def holder(base: Database, table: UUID, other_than: UUID | None) -> UUID:
    """Wait until another holder has the table's lease, and return that holder."""
    other = "select holder from bots.leases where id = $1 and holder is distinct from $2"
    found: UUID = (await eventually(lambda: base.rows(other, table, other_than)))[0]["holder"]
    return found


async def note_early_changes(url: str) -> None:
    """Make the database record when a lease changes its holder before it expires."""
    async with owner(url) as connection:
        await connection.execute("""
            alter table bots.leases add column taken timestamptz not null default now();
            create table early (id uuid);
            create function note_early() returns trigger language plpgsql security definer as
            $$ begin insert into early values (old.id); return new; end $$;
            create trigger note_early before update on bots.leases for each row
            when (new.holder <> old.holder and old.until >= now()) execute function note_early()""")


async def early_changes(url: str) -> int:
    async with owner(url) as connection:
        return int(await connection.fetchval("select count(*) from early"))


@asynccontextmanager
async def owner(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def bots_at(api: str) -> str:
    """Start a long game between bots and return its id."""
    async with httpx.AsyncClient(base_url=api, timeout=LIMIT) as http:
        token = (await http.post("/guests", json={})).json()["token"]
        http.headers["authorization"] = f"Bearer {token}"
        table: str = (await http.post("/tables", json={"ruleset": "kemet", "seats": 5})).json()["id"]
        for _ in range(5):
            await http.post(f"/tables/{table}/seats", json={"bot": "random"})
        (await http.post(f"/tables/{table}/start")).raise_for_status()
    return table


# --- the order of tables ----------------------------------------------------------------------------------------------
async def served(line: FairQueue, count: int) -> list[str]:
    """Return the creators of the next `count` tables, each of which is queued again."""
    creators = []
    for _ in range(count):
        table = await in_time(line.next())
        with line.turn(table):
            line.put(table)
        creators.append(table.creator)
    return creators


async def test_creators_take_turns_however_many_tables_each_has() -> None:
    line = FairQueue()
    for _ in range(100):
        line.put(BotTable(uuid4(), "greedy"))
    assert await served(line, 3) == ["greedy"] * 3
    for creator in ("ada", "ben"):
        line.put(BotTable(uuid4(), creator))
    turns = await served(line, 12)
    assert [turns.count(creator) for creator in ("greedy", "ada", "ben")] == [4, 4, 4]


async def test_tables_of_one_creator_take_turns_and_none_has_two_at_once() -> None:
    line, tables = FairQueue(), [BotTable(uuid4(), "ada") for _ in range(3)]
    for table in (*tables, *tables):
        line.put(table)
    first = await line.next()
    with line.turn(first):
        line.put(first)
        assert [await line.next() for _ in range(2)] == tables[1:]
    assert (first, await line.next()) == (tables[0], first)


# --- thinking ---------------------------------------------------------------------------------------------------------
async def test_bots_are_found_by_the_next_look_when_one_look_fails(store: EventStore, base: Database) -> None:
    tables, looks = Tables(store, Silent(), ENTROPY), 0
    table = await table_of_bots(tables, 2)

    async def asked() -> list[Asked]:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise asyncpg.UndefinedTableError("while a rebuilt projection takes its place")
        return [(table, 0, 0)]

    bots = Bots(tables, Leases(base))
    async with bots.running(), background(endless(partial(bots.resume_left_tables, asked, at_once=True))):
        await over(tables, table)


@pytest.mark.parametrize("ruleset", registry.titles())
def test_a_bot_thinks_on_a_game_that_it_gets_as_bytes(ruleset: str) -> None:
    title = registry.titles()[ruleset]
    state, _ = new_game(title, title.options(), title.seats.start, Chance(bytes(32)))
    seat = seats_to_act(state)[0]
    offer, _ = answer(bot_question(title, "simple", seat, state, bytes(RNG_BYTES)))
    choice = describe_choice(title, state, seat)
    assert choice is not None and offer in [offered.id for offered in choice.offers]
    others = [other for other in range(title.seats.start) if not is_asked(state, other)]
    for other in others[:1]:
        with pytest.raises(LookupError):
            answer(bot_question(title, "simple", other, state, bytes(RNG_BYTES)))


def test_data_that_a_process_has_not_met_are_asked_for() -> None:
    title = registry.titles()[RULESET]
    others = registry.provide(RULESET, title.data.replace(b"{", b"{ ", 1))
    state, _ = new_game(title, title.options(), 2, Chance(bytes(32)))
    asked = bot_question(others, "random", seats_to_act(state)[0], state, bytes(RNG_BYTES))
    registry.known.cache_clear()                  # as in a process that has just started
    with pytest.raises(UnknownData):
        answer(asked)
    assert answer(asked, others.data)[0] and answer(asked)[0]
    registry.known.cache_clear()
