"""The lobby and the bots take up what a process that died has left."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import httpx

from eventstore import EventStore
from services.bots import Bots
from services.config import Config
from services.database import database
from services.ids import decode
from services.live.publisher import Publisher
from services.projections.lobby import Lobby
from services.server import migrated, running
from services.tables.bodies import NewTable
from services.tables.tables import Tables
from tests.api.people import Person, open_game, play_on

CONFIG = Config(port=0, ws_port=0)
TIMEOUT = 20


@asynccontextmanager
async def serving(database_url: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        running(CONFIG, database_url, redis_url) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1") as http,
    ):
        yield http


@asynccontextmanager
async def bare_tables(database_url: str, redis_url: str) -> AsyncIterator[Tables]:
    """Tables to which nobody listens: as if the process had died after each commit."""
    async with await EventStore.open(database_url) as store, Publisher(redis_url) as publisher:
        yield Tables(store, publisher)


async def test_the_lobby_can_be_built_anew_from_the_log(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with serving(database_url, redis_url) as http:
        people = [await Person.arrive(http) for _ in range(2)]
        for _ in range(3):
            await play_on(people, await open_game(people), 5, random.Random(1))
        before = (await http.get("/tables")).json()
    async with database(database_url) as base, bare_tables(database_url, redis_url) as tables:
        await base.rows("delete from lobby.tables")
        await base.rows("delete from lobby.progress")
        await Lobby(base).read_up(tables.store, tables)
        assert (await Lobby(base).page(None, None, None, 50)).tables != []
    async with serving(database_url, redis_url) as http:
        assert (await http.get("/tables")).json() == before


async def test_a_bot_left_thinking_goes_on_after_a_restart(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with bare_tables(database_url, redis_url) as tables:
        wanted = NewTable("game-of-kingdoms", 2, {"dealer": 0})
        body = await tables.create("nobody", wanted)
        table = decode(body.id)
        for bot in ("simple", "random"):
            await tables.add_bot(table, "nobody", bot, None)
        await tables.start(table, "nobody")
    async with serving(database_url, redis_url) as http:
        async with asyncio.timeout(TIMEOUT):
            while (await http.get(f"/tables/{body.id}")).json()["status"] != "over":
                await asyncio.sleep(0.05)


async def test_bots_of_two_processes_do_not_answer_twice(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with bare_tables(database_url, redis_url) as one, bare_tables(database_url, redis_url) as two:
        body = await one.create("nobody", NewTable("game-of-kingdoms", 4, {"version": "ruthless"}))
        table = decode(body.id)
        for _ in range(4):
            await one.add_bot(table, "nobody", "random", None)
        await one.start(table, "nobody")
        both = [Bots(one), Bots(two)]
        one.listeners.append(both[0].follow)
        two.listeners.append(both[1].follow)
        for bots in both:
            await bots.sweep([table])
        async with asyncio.timeout(TIMEOUT):
            while (await one.table(table, None)).status != "over":
                await asyncio.sleep(0.05)
        for bots in both:
            await bots.stop()
        assert (await two.hot.fresh(table)).ended is not None


async def test_a_damaged_table_stands_in_nobodys_way(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with bare_tables(database_url, redis_url) as tables:
        made = [(await tables.create("nobody", NewTable("game-of-kingdoms", 2))).id for _ in range(3)]
    connection = await asyncpg.connect(database_url)
    await connection.execute("update es.events set hash = sha256('') where stream_id = $1", decode(made[1]))
    await connection.close()
    async with database(database_url) as base, bare_tables(database_url, redis_url) as tables:
        lobby = Lobby(base)
        await lobby.read_up(tables.store, tables)
        await Bots(tables).sweep([decode(table) for table in made])
        assert [table.id for table in (await lobby.page(None, None, None, 50)).tables] == [made[2], made[0]]
