"""Fixtures for the Python client at a real server.

Only `limited_server` has rate limits.
"""

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
    """Return the URL of the HTTP service."""
    return address.http


@pytest.fixture
async def limited_server(module_database_url: str, redis_url: str) -> AsyncIterator[str]:
    """Yield the URL of a server whose rate limits have not been used yet."""
    async with running(Config(port=0, ws_port=0), module_database_url, redis_url, ENTROPY) as where:
        yield where.http
