"""The server's origin: its default follows the port, and `Host` cannot forge it."""

import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.http.hosts import Hosts
from ludarium.platform.config import Config, ConfigError, read_config
from ludarium.platform.ids import EXAMPLE
from ludarium.platform.origins import Origins
from ludarium.server import Address, running
from tests.api.test_passkeys import opened
from tests.support.authenticator import Authenticator
from tests.support.entropy import ENTROPY
from tests.support.people import Person
from tests.support.waiting import LIMIT

CONFIG = Config(port=0, ws_port=0, rate_limits=False)
METADATA = "/.well-known/oauth-authorization-server"
FORGED = "evil.example"


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    async with running(CONFIG, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
def origin(address: Address) -> str:
    return f"http://localhost:{address.http.rpartition(':')[2]}"


@pytest.fixture
async def site(address: Address) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=address.http, timeout=LIMIT) as client:
        yield client


async def test_oauth_and_the_api_name_the_port_that_the_server_listens_on(site: httpx.AsyncClient, origin: str) -> None:
    metadata = (await site.get(METADATA)).json()
    assert metadata["issuer"] == origin
    assert all(value.startswith(f"{origin}/") for name, value in metadata.items() if name.endswith("_endpoint"))
    assert (await site.get("/api/v1")).json()["origin"] == origin


async def test_passkeys_belong_to_the_port_that_the_server_listens_on(http: httpx.AsyncClient, origin: str) -> None:
    account = await opened(await Person.arrive(http), Authenticator(origin))
    assert len(await account.list("/me/passkeys")) == 1


@pytest.mark.parametrize("path", [METADATA, f"/t/{EXAMPLE}", "/docs", "/.well-known/ludarium-keys", "/manifest.webmanifest"])
async def test_no_document_repeats_the_host_header(site: httpx.AsyncClient, path: str) -> None:
    answer = await site.get(path, headers={"host": FORGED, "x-forwarded-host": FORGED})
    assert FORGED not in answer.text and FORGED not in answer.headers.get("location", "")


@pytest.mark.parametrize("host", ["a;script-src *", "a b", "a'", "<a>", "a,b", "ä"])
async def test_a_strange_host_enters_neither_the_policy_nor_the_websocket_address(site: httpx.AsyncClient, host: str) -> None:
    headers = httpx.Headers({"host": host}, encoding="latin-1")
    root = await site.get("/api/v1", headers=headers)
    page = await site.get("/", headers=headers)
    assert root.status_code == 400 or root.json()["ws_url"].startswith("ws://localhost:")
    assert host not in page.headers.get("content-security-policy", "")
    assert page.headers.get("content-security-policy", "script-src 'self'").count("script-src") == 1


async def test_the_first_request_for_another_host_is_logged_once(
    module_database_url: str, module_redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    config = Config(port=0, ws_port=0, rate_limits=False, origin=Origins("https://play.example,https://www.play.example"))
    async with (
        running(config, module_database_url, module_redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=address.http, timeout=LIMIT) as client,
    ):
        with caplog.at_level(logging.WARNING, logger="ludarium.http.hosts"):
            for host in ("play.example", "www.play.example", "play.example:443", "127.0.0.1:8000", "[::1]:8000", "localhost"):
                await client.get(METADATA, headers={"host": host})
                await client.get("/api/v1", headers={"host": host})
            assert not caplog.records
            await client.get(METADATA, headers={"host": f"evil;[2J{'x' * 300}"})
            await client.get("/api/v1", headers={"host": FORGED})
    (record,) = caplog.records
    message = record.getMessage()
    assert "LUDARIUM_ORIGIN" in message and "https://play.example" in message
    assert message.isascii() and message.isprintable() and f"evil??2J{'x' * 92}" in message and "x" * 93 not in message


def test_only_another_host_or_port_is_worth_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    for header in ("localhost:18220", "127.0.0.1:18220", "[::1]:18220", "LOCALHOST:18220", ""):
        Hosts(Origins("http://localhost:18220")).check(header)
    assert not caplog.records
    for header in ("localhost:1", "localhost", "127.0.0.1", "192.0.2.7:18220", "play.example"):
        Hosts(Origins("http://localhost:18220")).check(header)
    assert len(caplog.records) == 5


def test_a_control_character_of_a_host_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    Hosts(Origins("https://play.example")).check("evil\x1b[2J\r\nforged line\u202e")
    assert "evil??2J??forged?line?" in caplog.records[0].getMessage()


def test_a_path_in_the_origin_is_refused_in_words() -> None:
    with pytest.raises(ConfigError, match=r"^LUDARIUM_ORIGIN: .*/games.* needs a host name of its own"):
        read_config({"LUDARIUM_ORIGIN": "https://site.example/games/"})


def test_an_origin_that_is_set_stands_whatever_the_port() -> None:
    config = read_config({"LUDARIUM_ORIGIN": "https://play.example", "LUDARIUM_PORT": "18220"})
    assert config.origins(18220).first == "https://play.example"
    assert read_config({"LUDARIUM_PORT": "18220"}).origins(18220).first == "http://localhost:18220"
