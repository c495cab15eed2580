"""The built client, served by a complete server and opened in Debian's Chromium."""

from collections.abc import AsyncIterator

import httpx
import pytest
from playwright.async_api import Browser

from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.web.api import api
from tests.web.browser import chromium
from tests.web.seated import Seats

CONFIG = Config(port=0, ws_port=0, rate_limits=False)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as one:
        yield one


@pytest.fixture(scope="module")
async def site(module_database_url: str, module_redis_url: str) -> AsyncIterator[str]:
    """Run a server and yield the client's URL."""
    async with running(CONFIG, module_database_url, module_redis_url, ENTROPY) as where:
        yield where.http


@pytest.fixture
def seats(site: str, browser: Browser, module_database_url: str) -> Seats:
    """Return tables at which the player has to act, at any moment of a game."""
    return Seats(site, browser, module_database_url)


@pytest.fixture
async def base(module_database_url: str) -> AsyncIterator[Database]:
    async with database(module_database_url) as found:
        yield found


@pytest.fixture
async def http(site: str) -> AsyncIterator[httpx.AsyncClient]:
    async with api(site) as client:
        yield client
