"""Rate limits leave room for legitimate bursts, and for no others."""

import asyncio

import httpx

from ludarium.http.rate_limits import NEWCOMER, ORGANISER, PREFIX
from ludarium.platform import valkey
from tests.api.test_my_bots import KINGDOMS, an_account
from tests.support.entropy import uuid4
from tests.support.people import Person
from tests.support.waiting import admitted


async def opened(person: Person) -> int:
    """Return the status, once the server is not too busy to answer."""
    key = {"idempotency-key": uuid4().hex}
    return (await admitted(lambda: person.ask("POST", "/tables", json=KINGDOMS, headers=key), 503)).status_code


async def statuses(person: Person, times: int) -> list[int]:
    return sorted(await asyncio.gather(*(opened(person) for _ in range(times))))


async def test_an_organiser_opens_the_tables_of_a_round_at_once(http: httpx.AsyncClient) -> None:
    """`tournaments:host` allows 250 tables at once; other tokens get the usual rate."""
    ada = await an_account(http)
    wanted = {"name": "Cup", "scopes": ["tables", "tournaments:host"]}
    organiser = Person(http, {"player": {"id": ada.id}, "token": (await ada.post("/me/tokens", wanted))["secret"]})
    assert await statuses(organiser, 250) == [201] * 250 and ORGANISER.most >= 250
    other = {"name": "Bot", "scopes": ["tables"]}
    hasty = Person(http, {"player": {"id": ada.id}, "token": (await ada.post("/me/tokens", other))["secret"]})
    assert (await statuses(hasty, NEWCOMER.most + 20))[-1] == 429


async def test_an_app_server_that_is_trusted_says_for_whom_it_asks(
    http: httpx.AsyncClient, module_redis_url: str, client_address: str
) -> None:
    """Players behind a trusted proxy are counted by the address that it forwards.

    What they write into the header themselves does not count.
    """
    for forwarded in ("192.0.2.7", "6.6.6.6, 192.0.2.7", "192.0.2.8"):
        (await http.post("/guests", json={}, headers={"x-forwarded-for": forwarded})).raise_for_status()
    async with valkey.client(module_redis_url) as client:
        counted = {key.decode().rpartition(":")[2] async for key in client.scan_iter(f"{PREFIX}/api/v1/guests:*")}
    assert {"192.0.2.7", "192.0.2.8"} <= counted
    assert not {"6.6.6.6", client_address} & counted
