"""Fixtures for a log for each test, along with the fixtures of tests/tables."""
import pytest

from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """Return a new log for each test, since tests damage, archive or read whole logs."""
    return database_url
