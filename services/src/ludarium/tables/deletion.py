"""A table that one of its people leaves for good, at whatever moment. Pure, like decisions."""
from __future__ import annotations

from ludarium.tables.model.access import own_seat
from ludarium.tables.model.endings import end_table, retire
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import HandedOver, Left, Reserved
from ludarium.tables.model.table_state import TableState


def departed(table: TableState, player: str) -> list[AnyEvent]:
    """Nothing, if it is over or they are not there any more."""
    if table.ended is not None:
        return []
    return left(table, player) if table.status == "open" else given_up(table, player)


def left(table: TableState, player: str) -> list[AnyEvent]:
    """Before the game: the table goes to the first who sits there, or is closed."""
    heir = heir_of(table, player)
    if player == table.lifecycle.host and heir is None:
        return end_table(table, "voided", None)
    seat = own_seat(table, player)
    kept: list[AnyEvent] = [Reserved(place, None) for place, whose in table.lifecycle.reserved.items() if whose == player]
    return [*handed_over(table, player), *([] if seat is None else [Left(seat)]), *kept]


def given_up(table: TableState, player: str) -> list[AnyEvent]:
    """In the game: as who resigns."""
    seat = own_seat(table, player)
    gone = seat is None or seat in table.lifecycle.retired
    return [*handed_over(table, player), *([] if seat is None or gone else retire(table, seat, "resigned"))]


def handed_over(table: TableState, player: str) -> list[AnyEvent]:
    heir = heir_of(table, player)
    return [HandedOver(heir)] if player == table.lifecycle.host and heir is not None else []


def heir_of(table: TableState, player: str) -> str | None:
    """The first of the other people who sit there and are in the game; somebody's program is none."""
    seated = [s for s in table.seats if s and s.seat not in table.lifecycle.retired | table.lifecycle.owners.keys()]
    return next((s.player for s in seated if s.player not in (None, player)), None)
