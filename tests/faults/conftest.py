"""Fixtures: a migrated event store for each test, and its database."""
from tests.eventstore.conftest import store

__all__ = ["store"]
