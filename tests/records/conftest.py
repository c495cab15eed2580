"""Records of games on a migrated store, which is that of the tests of tables."""
from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]
