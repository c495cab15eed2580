"""Fixtures: a whole server with the real PostgreSQL and Valkey of this run."""

import itertools
from collections.abc import AsyncIterator
from ipaddress import IPv4Address

import httpx
import pytest

from ludarium.platform.client_address import Proxies
from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.platform.origins import Origins
from ludarium.server import Address, running
from tests.api.test_accounts import a_login, opened
from tests.engine.conftest import seed
from tests.support.entropy import ENTROPY
from tests.support.mailbox import Box, mail_server
from tests.support.people import Person
from tests.support.waiting import LIMIT

__all__ = ["seed"]

CONFIG = Config(
    port=0, ws_port=0, origin=Origins("http://localhost:8000"), trusted_proxies=Proxies("127.0.0.0/8,::1")
)
ADDRESSES = (str(IPv4Address("127.1.0.0") + number) for number in itertools.count(1))
"""Loopback addresses, a new one for each test."""


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    async with running(CONFIG, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
def server(address: Address) -> str:
    """Return the URL of the HTTP service."""
    return address.http


@pytest.fixture
def client_address() -> str:
    """Return an address for this test alone, so that it has its own rate limits."""
    return next(ADDRESSES)


@pytest.fixture
async def http(server: str, client_address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client without a token."""
    transport = httpx.AsyncHTTPTransport(local_address=client_address)
    async with httpx.AsyncClient(base_url=f"{server}/api/v1", timeout=LIMIT, transport=transport) as client:
        yield client


@pytest.fixture
async def base(module_database_url: str) -> AsyncIterator[Database]:
    async with database(module_database_url) as base:
        yield base


@pytest.fixture
def login() -> str:
    return a_login()


@pytest.fixture
async def ada(http: httpx.AsyncClient, login: str) -> Person:
    """Return a player with an account.

    Modules that need something else override this fixture.
    """
    return (await opened(await Person.arrive(http), login))[0]


# --- mail ---------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
async def smtp() -> AsyncIterator[tuple[Box, str]]:
    """Yield the mailbox of a mail server, and the server's URL."""
    async with mail_server() as served:
        yield served


@pytest.fixture
def box(smtp: tuple[Box, str]) -> Box:
    """Return the mailbox, emptied for this test."""
    smtp[0].letters.clear()
    return smtp[0]
