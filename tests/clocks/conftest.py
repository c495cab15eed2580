"""Tables on a migrated store."""
from tests.tables.conftest import store, tables

__all__ = ["store", "tables"]
