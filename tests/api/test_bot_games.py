"""The limit on concurrent games of bots alone."""
from __future__ import annotations

import asyncio

import httpx

from ludarium.platform.config import Config
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.people import Person
from tests.support.waiting import LIMIT

SEATS = 2


async def opened(creator: Person, bots: int) -> str:
    table: str = (await creator.post("/tables", {"ruleset": "kemet", "seats": SEATS}))["id"]
    for _ in range(bots):
        await creator.post(f"/tables/{table}/seats", {"bot": "random"})
    return table


async def test_a_player_has_so_many_games_of_bots_alone_and_no_more(database_url: str, redis_url: str) -> None:
    """Concurrent starts count too; games with people and other players' games do not."""
    config = Config(port=0, ws_port=0, bot_games=2)
    async with (
        running(config, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        ada, ben = [await Person.arrive(http, name) for name in ("Ada", "Ben")]
        tables = [await opened(ada, SEATS) for _ in range(4)]
        answers = await asyncio.gather(*(ada.ask("POST", f"/tables/{table}/start") for table in tables))
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["code"] == "too-many-bot-games" and int(refused.headers["retry-after"]) > 0
        left = tables[[answer.status_code for answer in answers].index(429)]
        assert (await ada.get(f"/tables/{left}"))["status"] == "open"
        mixed = await opened(ada, SEATS - 1)
        await ada.post(f"/tables/{mixed}/seats", {})
        await ada.post(f"/tables/{mixed}/start", {})
        await ben.post(f"/tables/{await opened(ben, SEATS)}/start", {})
