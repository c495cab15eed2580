"""Fixtures for a migrated event store, tables without listeners, and projections."""
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from ludarium.platform.database import Database, database
from ludarium.projections.registry import Projections, follow_projections
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import EventStore
from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """Return a new log for each test, because the lists contain everything in the log."""
    return database_url


@pytest.fixture
async def base(store: EventStore, log_url: str) -> AsyncIterator[Database]:
    async with database(log_url) as opened:
        yield opened


@pytest.fixture
async def projections(store: EventStore, base: Database, log_url: str) -> AsyncIterator[Projections]:
    """Yield the projections of a process that plays no games, so nothing wakes them."""
    async with follow_projections(log_url, base, TableCache(store), grace=0.0) as made:
        yield made
