"""When a token ends, its connections are closed in all processes."""

import httpx
import pytest

from ludarium.accounts import session_watch
from ludarium.platform.config import Config
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.oauth import BACK, Flow
from tests.support.people import Person
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT


async def test_a_revoked_token_and_app_lose_their_sockets_at_another_process_while_valkey_is_away(
    database_url: str, valkey: Valkey
) -> None:
    config = Config(port=0, ws_port=0)
    async with (
        running(config, database_url, valkey.url, ENTROPY) as one,
        running(config, database_url, valkey.url, ENTROPY) as two,
        httpx.AsyncClient(base_url=f"{one.http}/api/v1", timeout=LIMIT) as http,
    ):
        ada = await Person.arrive(http)
        issued = await ada.post("/me/tokens", {"name": "x", "scopes": ["me:read"]})
        app = await ada.post("/me/apps", {"name": "Radar", "redirects": [BACK]})
        pair = await Flow(ada, app["id"]).pair()
        approval = (await ada.list("/me/approvals"))[0]["id"]
        async with client(port_of(two), issued["secret"]) as own, client(port_of(two), pair["access_token"]) as radar:
            await valkey.kill()
            await ada.ask("DELETE", f"/me/tokens/{issued['token']['id']}")
            assert await own.until_closed() == 1008
            await ada.ask("DELETE", f"/me/approvals/{approval}")
            assert await radar.until_closed() == 1008


async def test_a_process_that_hears_of_it_looks_at_once(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interval between regular checks is an hour."""
    monkeypatch.setattr(session_watch, "INTERVAL", 3600.0)
    config = Config(port=0, ws_port=0)
    async with (
        running(config, database_url, redis_url, ENTROPY) as one,
        running(config, database_url, redis_url, ENTROPY) as two,
        httpx.AsyncClient(base_url=f"{one.http}/api/v1", timeout=LIMIT) as http,
    ):
        ada = await Person.arrive(http)
        async with client(port_of(two), ada.token) as socket:
            await ada.ask("DELETE", "/me/token")
            assert await socket.until_closed() == 1008


def port_of(address: Address) -> int:
    return int(address.ws.rstrip("/").rpartition(":")[2])
