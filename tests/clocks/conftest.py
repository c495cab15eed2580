"""Fixtures for tables on a migrated event store."""
import pytest

from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """Return a new log for each test, because the tests set the database clock."""
    return database_url
