"""Limits per player and per table hold when all requests arrive at once."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import asyncpg
import httpx
import pytest

from ludarium.accounts import apps, bots, tokens
from ludarium.platform.database import Share, database
from ludarium.tables import invitations
from tests.api.test_imports import with_account
from tests.support.people import Json, Person
from tests.support.waiting import LIMIT, eventually, in_time

CASES: dict[str, tuple[str, int, Callable[[int], Json]]] = {
    "tokens": ("/me/tokens", tokens.MAX_TOKENS, lambda nth: {"name": f"token {nth}", "scopes": ["play"]}),
    "bots": ("/me/bots", bots.MAX_BOTS, lambda nth: {"name": f"Robot {nth}", "scopes": ["play"]}),
    "apps": ("/me/apps", apps.MAX_APPS, lambda nth: {"name": f"app {nth}", "redirects": []}),
}
BUSY = 503
TOO_MANY = 10
"""Requests beyond the limit."""
PATIENT = Share("accounts", connections=2, waiting=10, patience=LIMIT)


async def answered(person: Person, path: str, body: Json, key: str) -> int:
    """Repeat a request while the server is busy; return the final status code."""
    while True:
        answer = await person.ask("POST", path, json=body, headers={"idempotency-key": key})
        if answer.status_code != BUSY:
            return answer.status_code


async def answers(person: Person, path: str, bodies: list[Json]) -> Counter[int]:
    """Send all requests at once and count the status codes."""
    asked = (answered(person, path, body, f"parallel-request-{nth:08}") for nth, body in enumerate(bodies))
    return Counter(await asyncio.gather(*asked))


@pytest.mark.parametrize("case", CASES)
async def test_a_limit_of_a_player_holds_for_parallel_requests(http: httpx.AsyncClient, case: str) -> None:
    path, most, body = CASES[case]
    ada = await with_account(http)
    found = await answers(ada, path, [body(nth) for nth in range(most + TOO_MANY)])
    assert found == {201: most, 409: TOO_MANY}


async def test_a_limit_of_a_table_holds_for_parallel_requests(http: httpx.AsyncClient) -> None:
    ada = await with_account(http)
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    found = await answers(ada, f"/tables/{table}/links", [{"most": 1}] * (invitations.MOST + TOO_MANY))
    assert found == {201: invitations.MOST, 429: TOO_MANY}


async def test_statements_of_one_owner_run_one_after_the_other(database_url: str) -> None:
    """Otherwise both would count before either inserts.

    The test locks the table until both statements wait.
    """
    owner = await asyncpg.connect(database_url)
    try:
        await owner.execute("create table accounts.limited (id int)")
        await owner.execute("grant select, insert on accounts.limited to ludarium_service")
        add = "insert into accounts.limited select 1 where (select count(*) from accounts.limited) < 1 returning id"
        async with database(database_url, PATIENT) as base:
            async with owner.transaction():
                await owner.execute("lock table accounts.limited in share row exclusive mode")
                asked = [asyncio.create_task(base.row_one_at_a_time("ada", add)) for _ in range(2)]
                await eventually(lambda: two_wait(owner))
            found = await in_time(asyncio.gather(*asked))
        assert sorted(row is None for row in found) == [False, True]
    finally:
        await owner.close()


async def two_wait(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    await connection.execute("select pg_stat_clear_snapshot()")          # statistics are cached within a transaction
    waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    return len(await connection.fetch(waits)) == 2
