"""Fixtures for a server that runs tournaments."""
from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.waiting import LIMIT


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    config = Config(port=0, ws_port=0, rate_limits=False)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
async def http(address: Address) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as client:
        yield client


@pytest.fixture(scope="module")
async def base(module_database_url: str) -> AsyncIterator[Database]:
    async with database(module_database_url) as base:
        yield base
