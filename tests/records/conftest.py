"""Fixtures: a log for each test, with the fixtures of tests/tables."""
import pytest

from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """A log for each test, which damages, archives or reads the whole of it."""
    return database_url
