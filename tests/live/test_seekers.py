"""The smallest case of `make prove ONLY=seekers`."""
from __future__ import annotations

from tests.live.seekers import SEATS, sought


async def test_seekers_at_two_servers_are_each_at_one_table(database_url: str, redis_url: str) -> None:
    found = await sought(database_url, redis_url, 40)
    assert found.tables == 40 // SEATS
