"""Append, read and audit streams of events on PostgreSQL.

The store knows streams, versions and bytes, not games.

    store = await EventStore.open(dsn)
    verdict = await store.append(Append(stream, expected=4, events=[NewEvent(...)], key=..., request=...))
    rows = await store.read(stream, after=3)

`migrations.migrate` creates the tables, `chain` computes the hashes, `audit` checks the whole log, `subscriptions` follows
it.
"""
from ludarium_eventstore.archive import Archive, Archived, BrokenBundle, Bundles
from ludarium_eventstore.audit import Fault, audit, has_hash
from ludarium_eventstore.durable import confirm, replicated
from ludarium_eventstore.logins import Login, owns_the_log
from ludarium_eventstore.migrations import Blocked, ChangedMigration, OldFormat, migrate, missing
from ludarium_eventstore.model import (
    NOTHING_DUE,
    Append,
    AppendRefused,
    BrokenOrder,
    Claimed,
    Conflict,
    Due,
    Duplicate,
    Keyed,
    Mark,
    Mismatch,
    NewEvent,
    Ok,
    Standing,
    StoredEvent,
    StoreUnavailable,
    Untimely,
    Verdict,
)
from ludarium_eventstore.observer import Observer
from ludarium_eventstore.probe import Probe, Pulse, refusal
from ludarium_eventstore.reconnect import again, is_down, limited, open_pool, reason
from ludarium_eventstore.store import EventStore
from ludarium_eventstore.subscriptions import CatchUpSubscription, Failure, LostLog, Subscriber, subscribers_pool
from ludarium_eventstore.unfinished import Unfinished

__all__ = [
    "NOTHING_DUE",
    "Append",
    "AppendRefused",
    "Archive",
    "Archived",
    "Blocked",
    "BrokenBundle",
    "BrokenOrder",
    "Bundles",
    "CatchUpSubscription",
    "ChangedMigration",
    "Claimed",
    "Conflict",
    "Due",
    "Duplicate",
    "EventStore",
    "Failure",
    "Fault",
    "Keyed",
    "Login",
    "LostLog",
    "Mark",
    "Mismatch",
    "NewEvent",
    "Observer",
    "Ok",
    "OldFormat",
    "Probe",
    "Pulse",
    "Standing",
    "StoreUnavailable",
    "StoredEvent",
    "Subscriber",
    "Unfinished",
    "Untimely",
    "Verdict",
    "again",
    "audit",
    "confirm",
    "has_hash",
    "is_down",
    "limited",
    "migrate",
    "missing",
    "open_pool",
    "owns_the_log",
    "reason",
    "refusal",
    "replicated",
    "subscribers_pool",
]
