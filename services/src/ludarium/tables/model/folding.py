"""Fold a table from its events, and check the events against the hash chain."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import GameStarted, TableOpened
from ludarium.tables.model.hash_chain import (
    Damaged,
    LogEntry,
    NewerRelease,
    NoTable,
    StreamSecret,
    is_undone,
    link,
    secret_of,
    undone_versions,
)
from ludarium.tables.model.table_state import NO_DATA, TableState
from ludarium_engine.kernel import Illegal, checked_options
from ludarium_engine.registry import title_of, titles
from ludarium_eventstore import chain


def fold(stream: UUID, events: Sequence[LogEntry], *, upto: int | None = None) -> TableState:
    """Return the table after these events, or after version `upto`.

    Raises:
        Damaged: an event does not fit its hash or cannot be read.
        NewerRelease: a newer release opened the table.
        NoTable: the stream is not a table.
        Problem: `superseded-rules`.
    """
    return apply_entries(empty_table(stream, events), events if upto is None else events[: upto + 1])


def apply_entries(table: TableState, events: Sequence[LogEntry]) -> TableState:
    """Check further events and apply them to the table. Raises Damaged."""
    dead = undone_versions(table.title, events)
    for entry in events:
        table.check(entry)
        table.add(entry, dead=is_undone(entry, dead))
    return table


def empty_table(stream: UUID, events: Sequence[LogEntry]) -> TableState:
    """Return the table before its first event.

    Raises:
        Damaged: the first event does not fit its hash or the secret.
        NewerRelease: a newer release opened the table.
        NoTable: the stream is not a table.
        Problem: `superseded-rules`.
    """
    first = events[0]
    if first.type != type_of(TableOpened):
        raise NoTable(stream)
    secret = secret_of(first.secret)
    if not isinstance(first.event, TableOpened) or first.event.ruleset not in titles():
        raise unreadable_opening(stream, first, secret, "it does not open a table of a known ruleset")
    if not secret.fits((first.event.commitment, first.event.deal.commitment)):
        raise Damaged(stream, 0, "the seeds that it is committed to are missing or others")
    start = start_of(events)
    data = start.data if start else NO_DATA
    title = title_of(first.event.ruleset, data)
    if start:
        start.check_supported(title)
    try:
        checked_options(title, first.event.options, first.event.seats)
    except Illegal as error:
        raise unreadable_opening(stream, first, secret, str(error)) from error
    table = TableState(stream, first.event, secret, data)
    table.opened_at = first.at
    return table


def unreadable_opening(stream: UUID, first: LogEntry, secret: StreamSecret, why: str) -> Exception:
    """Return the error to raise for an unreadable first event.

    Returns:
        NewerRelease if the event fits its hash, otherwise Damaged.
    """
    if link(secret.seed, chain.genesis(stream), first, chain.NO_LAYOUT, first.data, first.root) == first.hash:
        return NewerRelease(f"table {stream}: {why}")
    return Damaged(stream, 0, why)


def start_of(events: Iterable[LogEntry]) -> GameStarted | None:
    """Return the event that started the game, None if the game has not started."""
    return next((entry.event for entry in events if isinstance(entry.event, GameStarted)), None)
