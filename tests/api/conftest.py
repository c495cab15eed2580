"""A whole server on the loopback, with the real PostgreSQL and Valkey of this run."""

from collections.abc import AsyncIterator

import httpx
import pytest

from services.config import Config
from services.embedded import Services
from services.server import Address, running
from tests.engine.conftest import seed

__all__ = ["seed"]

CONFIG = Config(port=0, ws_port=0)


@pytest.fixture(scope="module")
async def address(module_database_url: str, embedded_services: Services) -> AsyncIterator[Address]:
    async with running(CONFIG, module_database_url, embedded_services.redis_url) as where:
        yield where


@pytest.fixture
def server(address: Address) -> str:
    """The URL of its HTTP service."""
    return address.http


@pytest.fixture
async def http(server: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a token; the rate limits begin anew."""
    async with httpx.AsyncClient(base_url=f"{server}/api/v1", timeout=60) as client:
        yield client
