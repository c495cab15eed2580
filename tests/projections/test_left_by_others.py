"""Lists and bots continue work that was left unfinished by a dead process."""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import httpx

from ludarium.bots.bots import Bots
from ludarium.bots.fair_queue import BotTable
from ludarium.bots.leases import Leases
from ludarium.live.publisher import Publisher
from ludarium.platform.config import Config
from ludarium.platform.database import Database
from ludarium.platform.ids import decode, encode
from ludarium.projections.registry import follow_projections
from ludarium.server import running
from ludarium.tables.model import seating
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up
from tests.support.waiting import LIMIT, eventually

CONFIG = Config(port=0, ws_port=0)
RULESET = "game-of-kingdoms"


@asynccontextmanager
async def serving(database_url: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        running(CONFIG, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        yield http


@asynccontextmanager
async def bare_tables(database_url: str, redis_url: str) -> AsyncIterator[Tables]:
    """Yield tables without listeners, as if the process had died after each commit."""
    async with await EventStore.open(database_url) as store, Publisher(redis_url, ENTROPY) as publisher:
        yield Tables(store, publisher, ENTROPY)


async def table_of_bots(tables: Tables, *bots: str) -> UUID:
    table = decode((await tables.create("nobody", NewTable(RULESET, len(bots)))).id)
    for bot in bots:
        await tables.change(table, "nobody", lambda t, bot=bot: seating.add_bot(t, "nobody", bot, None))  # type: ignore[misc]
    await tables.change(table, "nobody", lambda t: seating.start(t, "nobody"))
    return table


async def over(tables: Tables, table: UUID) -> None:
    async def is_over() -> bool:
        return (await tables.queries.table(table, None)).status == "over"

    await eventually(is_over)


async def test_a_bot_left_thinking_goes_on_after_a_restart(database_url: str, redis_url: str) -> None:
    async with bare_tables(database_url, redis_url) as tables:
        table = await table_of_bots(tables, "simple", "random")
        async with serving(database_url, redis_url):
            await over(tables, table)


async def test_a_bot_whose_process_died_is_taken_up_by_another(database_url: str, redis_url: str) -> None:
    """The other process has been running for a long time, and is not notified."""
    async with serving(database_url, redis_url) as http, bare_tables(database_url, redis_url) as tables:
        table = await table_of_bots(tables, "simple", "random", "random")
        await over(tables, table)
        assert [game["table"]["id"] for game in (await http.get("/records")).json()["games"]] == [encode(table)]


async def test_a_damaged_table_stands_in_nobodys_way(tables: Tables, base: Database, database_url: str) -> None:
    made = [await table_of_bots(tables, "random", "random") for _ in range(3)]
    connection = await asyncpg.connect(database_url)
    await connection.execute("update es.events set hash = sha256('') where stream_id = $1 and version = 1", made[1])
    await connection.close()
    tables.cache.tables.clear()
    async with follow_projections(database_url, base, tables.cache, grace=0.0) as projections:
        await caught_up(base)
        assert projections.stopped() == {}
        shown = (await projections.positions(None, None, None, 20)).positions
    assert [decode(view.table) for view in shown] == [made[2], made[0]]
    bots = Bots(tables, Leases(base))
    async with bots.running():
        await bots.take_over({table: BotTable(table, "nobody") for table in made})
        for table in (made[0], made[2]):
            await over(tables, table)


async def test_a_list_that_is_out_of_date_for_good_is_told_and_the_service_is_ready(
    store: EventStore, base: Database, database_url: str, redis_url: str
) -> None:
    await base.rows("insert into es.checkpoints (name, position, hash) values ('records', 77, sha256(''))")
    async with serving(database_url, redis_url) as http:
        ready = str(http.base_url.copy_with(path="/readyz"))

        async def stopped() -> httpx.Response | None:
            answer = await http.get(ready)
            return answer if answer.json()["stopped"] else None

        answer = await eventually(stopped)
        assert (answer.status_code, answer.json()["stopped"]) == (200, {"records": 77})
        assert (await http.get("/tables")).json()["tables"] == []
