"""The Python client at the real server, which limits nobody's rate unless a test asks for `limited_server`."""

from collections.abc import AsyncIterator

import pytest

from ludarium.platform.config import Config
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    async with running(Config(port=0, ws_port=0, rate_limits=False), module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
def server(address: Address) -> str:
    """The URL of its HTTP service."""
    return address.http


@pytest.fixture
async def limited_server(module_database_url: str, redis_url: str) -> AsyncIterator[str]:
    """The URL of a server with rate limits of which nothing is used up."""
    async with running(Config(port=0, ws_port=0), module_database_url, redis_url, ENTROPY) as where:
        yield where.http
