"""Fixtures for tables on a migrated event store."""
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.table_games import Silent


@pytest.fixture
def log_url(module_database_url: str) -> str:
    """Return one log for all tests of a module, since a new database is expensive."""
    return module_database_url


@pytest.fixture
async def store(log_url: str) -> AsyncIterator[EventStore]:
    async with await EventStore.open(log_url) as opened:
        await opened.name_types({**NAMES, **DEAL_NAMES})
        yield opened


@pytest.fixture
def tables(store: EventStore) -> Tables:
    return Tables(store, Silent(), ENTROPY)
