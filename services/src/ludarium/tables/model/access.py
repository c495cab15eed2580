"""Access to a table: which players may see it, and which may join."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.chat import Room
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted, OpenedFor, Way
from ludarium.tables.model.lifecycle_events import Arrived, Ready, Returned
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import SPECTATOR

T = TypeVar("T")
Proof = Literal["link", "invitation"]
"""What lets a player in without a seat or reservation: a valid link or invitation."""


def own_seat(table: TableState, player: str | None) -> int | None:
    return next((i for i, s in enumerate(table.seats) if s and s.player == player is not None), None)


def require_seat(table: TableState, player: str) -> int:
    seat = own_seat(table, player)
    if seat is None:
        raise Problem("not-seated")
    return seat


def may_see(table: TableState, player: str | None, proof: Proof | None = None) -> bool:
    """Return whether the player can see the table.

    Everyone can, unless the policies restrict spectators.
    """
    watched = table.policies.spectators
    if not watched.are_private or takes_part(table, player) or player in watched.people:
        return True
    return way_of_entry(table, player, proof) is not None


def takes_part(table: TableState, player: str | None) -> bool:
    """Return whether the player has a seat or a reservation, or is the host."""
    kept = player in table.lifecycle.reserved.values()
    return kept or player == table.lifecycle.host or own_seat(table, player) is not None


def is_delayed(table: TableState, audience: int) -> bool:
    """Return whether the audience sees the table with a delay.

    Only spectators of a running game can be delayed.
    """
    return audience == SPECTATOR and table.policies.spectators.who == "delayed" and table.status == "playing"


def needs_proof(table: TableState, player: str | None) -> bool:
    """Return whether the player could see the table only by a link or an invitation."""
    return player is not None and accepts_players(table) and not may_see(table, player)


def accepts_players(table: TableState) -> bool:
    return table.status == "open" or bool(vacancies(table))


def vacancies(table: TableState) -> list[int]:
    """Return the seats that others may take over, because their players are away.

    In shared deals there are none, since other players might know the hidden cards.
    """
    if table.status != "playing" or not table.policies.substitutes or table.opened.deal.stream:
        return []
    return [seat for seat in table.lifecycle.away if seat not in table.lifecycle.retired]


def way_of_entry(table: TableState, player: str | None, proof: Proof | None) -> Way | None:
    """Return in which way the player may take a seat, None if they may not take one."""
    if player is None or not accepts_players(table):
        return None
    if player == table.lifecycle.host:
        return "opener"
    if player in table.lifecycle.reserved.values():
        return "reserved"
    if proof == "invitation" or (proof == "link" and table.policies.join == "link"):
        return proof
    return "open" if table.policies.join == "anybody" else None


def is_barred(table: TableState, barred: Collection[str]) -> bool:
    """Return whether the host or a seated player is among the barred players."""
    return table.lifecycle.host in barred or any(seat.player in barred for seat in table.seats if seat)


def check_may_enter(table: TableState, player: str, proof: Proof | None) -> Way:
    """Return in which way the player takes a seat. Raises Problem `not-invited`."""
    way = way_of_entry(table, player, proof)
    if way is None:
        raise Problem("not-invited")
    return way


def check_may_find(table: TableState, player: str | None, proof: Proof | None = None) -> None:
    """Raise Problem `not-found` if the player may not see the table."""
    if not may_see(table, player, proof):
        raise Problem("not-found")


def undisclosed(table: TableState, player: str, decide: Callable[[TableState], T], proof: Proof | None = None) -> T:
    """Return what `decide` returns, without revealing a hidden table by a refusal.

    If the player may not see the table, any refusal becomes `not-found`.
    """
    try:
        return decide(table)
    except Problem as refusal:
        if may_see(table, player, proof):
            raise
        raise Problem("not-found") from refusal


def is_arranged(table: TableState) -> bool:
    """Return whether the table belongs to a tournament."""
    return isinstance(table.opened, OpenedFor)


def check_may_leave(table: TableState) -> None:
    """Raise Problem `forbidden` for tournament tables.

    Players of a tournament withdraw from the tournament instead.
    """
    if is_arranged(table):
        raise Problem("forbidden", "the seats of this table are its tournament's")


def check_host(table: TableState, player: str) -> None:
    if player != table.lifecycle.host:
        raise Problem("forbidden")


def room_of(table: TableState, player: str, proof: Proof | None) -> Room:
    """Return the player's chat room. Raises the same problems as `audience`."""
    return "spectators" if audience(table, player, None, proof) == SPECTATOR else "seats"


def may_hear(table: TableState, player: str, room: Room) -> bool:
    """Return whether a player who can see the table may read this chat room."""
    players, these = listeners_in(table, room)
    return (player in players) == these


def listeners_in(table: TableState, room: Room) -> tuple[frozenset[str], bool]:
    """Return a set of players, and whether only they or all others can read the room."""
    seated = {seat.player for seat in table.seats if seat and seat.player}
    if room == "seats":
        return frozenset(seated | {table.lifecycle.host}), True
    return frozenset(seated if table.status == "playing" else ()), False


def check_talk(table: TableState, room: Room, free: bool) -> None:
    """Raise a Problem unless the policies allow this chat message.

    Args:
        free: whether the message is free text instead of a predefined phrase.

    Raises:
        Problem: `chat-off`, `phrases-only`.
    """
    talk = table.policies.chat
    if talk == "nobody" or (talk == "players" and room == "spectators"):
        raise Problem("chat-off")
    if talk == "phrases" and free:
        raise Problem("phrases-only")


def audience(table: TableState, player: str | None, as_: int | None, proof: Proof | None = None) -> int:
    """Return the audience as which the player sees the table.

    Once the seeds are revealed, any seat may be chosen. Until then, a table of a shared deal is only visible to its own
    seats, since others may still have to play the same boards.

    Args:
        as_: the requested audience; None means the player's own seat or, without a seat, spectators.

    Raises:
        Problem: `not-found`, `deal-running`, `no-such-seat`, `forbidden`.
    """
    check_may_find(table, player, proof)
    own = own_seat(table, player)
    if own is None and table.opened.deal.stream and not table.is_open_to_all:
        raise Problem("deal-running")
    if as_ is None:
        return SPECTATOR if own is None else own
    if as_ not in range(SPECTATOR, table.opened.seats):
        raise Problem("no-such-seat")
    if as_ not in (SPECTATOR, own) and not table.is_open_to_all:
        raise Problem("forbidden")
    return as_


# --- arrival at tournament tables -------------------------------------------------------------------------------------
def never_came(table: TableState) -> list[int]:
    """Return the seats whose players have not come to the table.

    Actions by a stand-in do not count as the player's presence.
    """
    life = table.lifecycle
    here = {*life.ready, *life.answered, *life.arrived}
    return [seat for seat in range(len(table.seats)) if seat not in here]


def arrival_events(table: TableState, player: str | None) -> list[AnyEvent]:
    """Return the events that record a player's arrival at a tournament table.

    If a stand-in plays the seat of a player who was late, the player gets the seat back.
    """
    seat = own_seat(table, player) if is_arranged(table) and table.ended is None else None
    if seat is None or seat in table.lifecycle.retired or seat not in never_came(table):
        return []
    return [Arrived(seat), Returned(seat)] if seat in table.lifecycle.away else [Arrived(seat)]


def with_arrival(table: TableState, player: str, events: list[AnyEvent]) -> list[AnyEvent]:
    """Return a player's events, preceded by the player's arrival if it is missing.

    Actions and `Ready` imply the arrival, so no other event is needed.
    """
    if not events or not is_arranged(table) or proves_presence(events):
        return events
    seat = own_seat(table, player)
    if seat is None or table.ended or seat in table.lifecycle.arrived or seat in table.lifecycle.answered:
        return events
    return [Arrived(seat), *events]


def proves_presence(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, Acted | Arrived) or (isinstance(event, Ready) and event.on) for event in events)
