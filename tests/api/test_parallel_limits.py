""""At most n" of one player or one table holds when all requests come at once."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import httpx
import pytest

from ludarium.accounts import apps, bots, tokens
from ludarium.tables import invitations
from tests.api.test_imports import with_account
from tests.support.people import Json, Person

CASES: dict[str, tuple[str, int, Callable[[int], Json]]] = {
    "tokens": ("/me/tokens", tokens.MOST_TOKENS, lambda nth: {"name": f"token {nth}", "scopes": ["play"]}),
    "bots": ("/me/bots", bots.MOST, lambda nth: {"name": f"Robot {nth}", "scopes": ["play"]}),
    "apps": ("/me/apps", apps.MOST, lambda nth: {"name": f"app {nth}", "redirects": []}),
}
BUSY = 503
TOO_MANY = 10
"""Requests beyond the limit."""


async def answered(person: Person, path: str, body: Json, key: str) -> int:
    """Send a request until a busy server has taken or refused it, and return the status code."""
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
