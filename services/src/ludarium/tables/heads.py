"""Heads: whether the log still has the row that somebody has seen, or a fail-over has put another one in its place."""
from __future__ import annotations

from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.tables.model.access import own_seat
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import Command, Undo, head_of
from ludarium_eventstore import EventStore


async def has_row(store: EventStore, table: UUID, seq: int, head: str) -> bool:
    found = await store.read(table, after=seq - 1, limit=1)
    return bool(found) and head_of(found[0].hash) == head


async def check_basis(store: EventStore, history: TableState, player: str | None, wanted: Command | Undo) -> None:
    """Raises Problem `lost-row` if a seat says on which row it decided, and the log does not lead over that one.

    Of an older row than the newest only the log knows. A row that is lost behind this look takes the end of `history` with
    it, so the append conflicts. Whoever has no seat is told so by what decides.
    """
    seq, head = wanted.expected_seq, wanted.head
    if head is None or (seq == history.version and head == head_of(history.hash)):
        return
    if own_seat(history, player) is None:
        return
    if seq >= history.version or not await has_row(store, history.stream, seq, head):
        raise Problem("lost-row", seq=history.version)
