"""Who may see a table and who may come in. Whatever shows one or takes somebody in asks here."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.chat import Room
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted, Arrived, OpenedFor, Ready, Returned, Way
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import SPECTATOR

T = TypeVar("T")
Proof = Literal["link", "invitation"]
"""What somebody has shown besides who they are, as far as it still holds."""


def own_seat(table: TableState, player: str | None) -> int | None:
    return next((i for i, s in enumerate(table.seats) if s and s.player == player is not None), None)


def require_seat(table: TableState, player: str) -> int:
    seat = own_seat(table, player)
    if seat is None:
        raise Problem("not-seated")
    return seat


def may_see(table: TableState, player: str | None, proof: Proof | None = None) -> bool:
    """Whether the table is there for them: for all, unless its spectators are named or nobody."""
    watched = table.policies.spectators
    if not watched.are_private or takes_part(table, player) or player in watched.people:
        return True
    return way_of_entry(table, player, proof) is not None


def takes_part(table: TableState, player: str | None) -> bool:
    """Whether they sit there, a seat is kept for them, or the table is theirs."""
    kept = player in table.lifecycle.reserved.values()
    return kept or player == table.lifecycle.host or own_seat(table, player) is not None


def is_delayed(table: TableState, audience: int) -> bool:
    """Before the start there is nothing to hide, and after the end nothing is hidden any more."""
    return audience == SPECTATOR and table.policies.spectators.who == "delayed" and table.status == "playing"


def needs_proof(table: TableState, player: str | None) -> bool:
    """Whether only what they may have shown would let them see the table."""
    return player is not None and accepts_players(table) and not may_see(table, player)


def accepts_players(table: TableState) -> bool:
    return table.status == "open" or bool(vacancies(table))


def vacancies(table: TableState) -> list[int]:
    """The seats that somebody else may take over: their players are away, and come back if nobody does.

    None where others play the same deal, who might know what lies hidden.
    """
    if table.status != "playing" or not table.policies.substitutes or table.opened.deal.stream:
        return []
    return [seat for seat in table.lifecycle.away if seat not in table.lifecycle.retired]


def way_of_entry(table: TableState, player: str | None, proof: Proof | None) -> Way | None:
    """By which way they may take a seat, while one is to be had."""
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
    """Whether whose table it is, or somebody who sits there, is to have nothing to do with them."""
    return table.lifecycle.host in barred or any(seat.player in barred for seat in table.seats if seat)


def check_may_enter(table: TableState, player: str, proof: Proof | None) -> Way:
    """By which way they take a seat. Raises Problem `not-invited`."""
    way = way_of_entry(table, player, proof)
    if way is None:
        raise Problem("not-invited")
    return way


def check_may_find(table: TableState, player: str | None, proof: Proof | None = None) -> None:
    """Raises Problem `not-found` where the table is none of the player's business."""
    if not may_see(table, player, proof):
        raise Problem("not-found")


def undisclosed(table: TableState, player: str, decide: Callable[[TableState], T], proof: Proof | None = None) -> T:
    """What is decided. A refusal does not tell that the table is there to whom it is not."""
    try:
        return decide(table)
    except Problem as refusal:
        if may_see(table, player, proof):
            raise
        raise Problem("not-found") from refusal


def is_arranged(table: TableState) -> bool:
    """Whether the table belongs to a tournament."""
    return isinstance(table.opened, OpenedFor)


def check_may_leave(table: TableState) -> None:
    """Raises Problem `forbidden` where seats are a tournament's: who plays there withdraws from that."""
    if is_arranged(table):
        raise Problem("forbidden", "the seats of this table are its tournament's")


def check_host(table: TableState, player: str) -> None:
    if player != table.lifecycle.host:
        raise Problem("forbidden")


def room_of(table: TableState, player: str, proof: Proof | None) -> Room:
    """Where they talk. Raises Problem as `audience` does."""
    return "spectators" if audience(table, player, None, proof) == SPECTATOR else "seats"


def may_hear(table: TableState, player: str, room: Room) -> bool:
    """Whether they are told what is said there, of those who see the table."""
    players, these = listeners_in(table, room)
    return (player in players) == these


def listeners_in(table: TableState, room: Room) -> tuple[frozenset[str], bool]:
    """Players, and whether these hear what is said there, or all others do who see the table."""
    seated = {seat.player for seat in table.seats if seat and seat.player}
    if room == "seats":
        return frozenset(seated | {table.lifecycle.host}), True
    return frozenset(seated if table.status == "playing" else ()), False


def check_talk(table: TableState, room: Room, free: bool) -> None:
    """free: in words of one's own. Raises Problem `chat-off`, `phrases-only`."""
    talk = table.policies.chat
    if talk == "nobody" or (talk == "players" and room == "spectators"):
        raise Problem("chat-off")
    if talk == "phrases" and free:
        raise Problem("phrases-only")


def audience(table: TableState, player: str | None, as_: int | None, proof: Proof | None = None) -> int:
    """As whom the player sees the table; as_ None: own seat, else spectator. When all is revealed, as anybody.

    Until then only its own seats see a table of a shared deal: others may be about to play the same boards.
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


# --- who has come to a tournament's table -----------------------------------------------------------------------------
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
