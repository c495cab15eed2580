"""Fixtures for a migrated event store for each test."""
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from ludarium_eventstore import EventStore, migrate


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[EventStore]:
    await migrate(database_url)
    async with await EventStore.open(database_url) as opened:
        await opened.name_types({1: "happened", 2: "ended"})
        yield opened
