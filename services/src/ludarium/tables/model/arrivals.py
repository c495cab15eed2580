"""Who has come to a table of a tournament: who is ready, has looked at the table, or has done anything there. Pure."""
from __future__ import annotations

from collections.abc import Sequence

from ludarium.tables.model.access import is_arranged, own_seat
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted, Arrived, Ready, Returned
from ludarium.tables.model.table_state import TableState


def never_came(table: TableState) -> list[int]:
    """Return the seats whose players have not come.

    An answer that the server gave in a player's place does not count.
    """
    life = table.lifecycle
    here = {*life.ready, *life.answered, *life.arrived}
    return [seat for seat in range(len(table.seats)) if seat not in here]


def arrival_events(table: TableState, player: str | None) -> list[AnyEvent]:
    """Return the events for a player who is at the table now; none if it has been noted before.

    A player who was stood in for because they had not come has their seat back.
    """
    seat = own_seat(table, player) if is_arranged(table) and table.ended is None else None
    if seat is None or seat in table.lifecycle.retired or seat not in never_came(table):
        return []
    return [Arrived(seat), Returned(seat)] if seat in table.lifecycle.away else [Arrived(seat)]


def with_arrival(table: TableState, player: str, events: list[AnyEvent]) -> list[AnyEvent]:
    """Return what a player does, with their arrival before it.

    An answer and being ready say themselves that the player is there.
    """
    if not events or not is_arranged(table) or proves_presence(events):
        return events
    seat = own_seat(table, player)
    if seat is None or table.ended or seat in table.lifecycle.arrived or seat in table.lifecycle.answered:
        return events
    return [Arrived(seat), *events]


def proves_presence(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, Acted | Arrived) or (isinstance(event, Ready) and event.on) for event in events)
