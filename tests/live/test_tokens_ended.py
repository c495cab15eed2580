"""A token that ends, at whatever process, takes its connections at all others with it."""

import httpx

from services.config import Config
from services.server import Address, running
from tests.api.people import Person
from tests.live.client import client
from tests.live.valkey import Valkey


async def test_a_revoked_token_closes_its_socket_at_another_process_while_valkey_is_away(
    database_url: str, valkey: Valkey
) -> None:
    config = Config(port=0, ws_port=0)
    async with (
        running(config, database_url, valkey.url) as one,
        running(config, database_url, valkey.url) as two,
        httpx.AsyncClient(base_url=f"{one.http}/api/v1") as http,
    ):
        ada = await Person.arrive(http)
        issued = await ada.post("/me/tokens", {"name": "x", "scopes": ["me:read"]})
        async with client(port_of(two), issued["secret"]) as socket:
            await valkey.kill()
            await ada.ask("DELETE", f"/me/tokens/{issued['token']['id']}")
            assert await socket.until_closed() == 1008


def port_of(address: Address) -> int:
    return int(address.ws.rstrip("/").rpartition(":")[2])
