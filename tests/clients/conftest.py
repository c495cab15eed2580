"""The Python client at the real server."""

import pytest

from tests.api.conftest import address, server

__all__ = ["address", "server"]


@pytest.fixture(autouse=True)
async def fresh_limits(redis_url: str) -> None:
    """The rate limits begin anew with each test."""
