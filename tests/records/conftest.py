"""Records of games on a migrated store, which is that of the tests of tables."""
import pytest

from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]


@pytest.fixture
def log_url(database_url: str) -> str:
    """Of a test's own: it is damaged, archived or read whole."""
    return database_url
