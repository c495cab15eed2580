"""Append, read and audit on PostgreSQL. Knows streams, versions and bytes, not games.

    store = await EventStore.open(dsn)
    verdict = await store.append(Append(stream, expected=4, events=[NewEvent(...)], key=..., request=...))
    rows = await store.read(stream, after=3)

`migrations.migrate` makes the tables, `chain` the hashes, `audit` looks over the whole log, `subscriptions` follows it.
"""
from eventstore.audit import Fault, audit, has_hash
from eventstore.migrations import ChangedMigration, migrate
from eventstore.model import (
    Append,
    BrokenOrder,
    Conflict,
    Duplicate,
    Mismatch,
    NewEvent,
    Ok,
    Refused,
    StoredEvent,
    StoreUnavailable,
    Verdict,
)
from eventstore.reconnect import untouched
from eventstore.store import EventStore
from eventstore.subscriptions import Failure, LostLog, Subscriber, Subscription, subscribers_pool

__all__ = [
    "Append",
    "BrokenOrder",
    "ChangedMigration",
    "Conflict",
    "Duplicate",
    "EventStore",
    "Failure",
    "Fault",
    "LostLog",
    "Mismatch",
    "NewEvent",
    "Ok",
    "Refused",
    "StoreUnavailable",
    "StoredEvent",
    "Subscriber",
    "Subscription",
    "Verdict",
    "audit",
    "has_hash",
    "migrate",
    "subscribers_pool",
    "untouched",
]
