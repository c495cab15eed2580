"""Fixtures for a migrated event store for each test, and for its database."""
from tests.eventstore.conftest import store

__all__ = ["store"]
