"""Tables on a migrated store."""
import pytest

from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """Of a test's own: its clock is set."""
    return database_url
