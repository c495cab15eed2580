"""Tables of a tournament, where the tournament decides seats, starts and absences.

The functions are pure.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from ludarium.tables.model.decisions import run_rules
from ludarium.tables.model.endings import end_table, people, players, substitute
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent
from ludarium.tables.model.events import Acted, Left, SeatedBy
from ludarium.tables.model.hash_chain import LogEntry, microseconds
from ludarium.tables.model.lifecycle import OFFICIALS
from ludarium.tables.model.lifecycle_events import Arrived, Consent, Ready, Replaced, Returned, StoodIn, TimeGiven
from ludarium.tables.model.seating import start_events
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.contract import is_asked
from ludarium_engine.kernel.facts import TurnPassed


def seats_of(players: Sequence[str], nonce: bytes) -> list[AnyEvent]:
    """Return the events that seat the players when the table opens.

    Args:
        players: the players in the order of their seats. None of them is ready yet.
        nonce: random bytes, equal for all players.
    """
    return [event for seat, player in enumerate(players) for event in seated(seat, player, nonce)]


def seated(seat: int, player: str, nonce: bytes) -> list[AnyEvent]:
    return [SeatedBy(seat, player, None, nonce, "reserved"), Ready(seat, False)]


def reseated(table: TableState, players: Sequence[str], nonce: bytes) -> list[AnyEvent]:
    """Seat other players at a table whose game has not started.

    There are no events for players who have their seats already.
    """
    if table.status != "open":
        return []
    now = [sat.player if sat else None for sat in table.seats]
    changed = [seat for seat, player in enumerate(players) if now[seat] != player]
    leaving: list[AnyEvent] = [Left(seat) for seat in changed if now[seat]]
    return [*leaving, *(event for seat in changed for event in seated(seat, players[seat], nonce))]


def substituted(table: TableState, players: Sequence[str]) -> list[AnyEvent]:
    """Give seats of a running game to other players.

    Args:
        players: the player for each seat.
    """
    if table.status != "playing":
        return []
    now = [sat.player if sat else None for sat in table.seats]
    return [Replaced(seat, player, "reserved") for seat, player in enumerate(players)
            if now[seat] != player and seat not in table.lifecycle.retired]


def all_ready(table: TableState) -> bool:
    return len(table.lifecycle.ready) == len(table.seats)


def begin(table: TableState) -> list[AnyEvent]:
    """Start the game, even if some players are not ready.

    There are no events if the game has already started.
    """
    if table.status != "open" or None in table.seats:
        return []
    return run_rules(table, lambda: start_events(table, [sat for sat in table.seats if sat]))


def silent(table: TableState) -> list[int]:
    """Return the seats that must act for the first time and have never shown presence.

    A player shows presence by declaring to be ready, or by acting.
    """
    if table.status != "playing" or table.lifecycle.paused:
        return []
    heard = {*table.lifecycle.ready, *table.lifecycle.answered, *table.lifecycle.away}
    return [seat for seat in people(table) if seat not in heard and is_asked(table.playing, seat)]


def silent_since(table: TableState, events: Sequence[LogEntry], seat: int) -> datetime:
    """Return when the grace period of a silent seat starts.

    The period starts when the seat is asked, and again when its player arrives or when the game resumes after a pause.
    """
    later = (entry for entry in reversed(events) if entry.version > table.since[seat] and restarts(entry.event, seat))
    return next((entry.at for entry in later), events[table.since[seat]].at)


def restarts(event: AnyEvent | UnreadEvent, seat: int) -> bool:
    """Return whether this event restarts the grace period of a silent seat."""
    match event:
        case Arrived() | Returned() | Replaced():
            return event.seat == seat
        case Consent(question="resume", answer="settled"):
            return True
        case _:
            return False


def no_shows(table: TableState, late: Collection[int]) -> list[AnyEvent]:
    """Return the events by which stand-ins take over seats of missing players.

    Args:
        table: the current table.
        late: the seats whose grace period is over.
    """
    return [StoodIn(seat, substitute(table)) for seat in silent(table) if seat in late]


def adjudicated(table: TableState, wanted: Sequence[int]) -> list[AnyEvent]:
    """End a running game with these places; return no events if none is running."""
    return end_table(table, "adjudicated", [*wanted]) if table.status == "playing" else []


def pause_by_officials(table: TableState) -> list[AnyEvent]:
    """Pause a running game until officials resume it.

    A pause that the players agreed on ends.
    """
    if table.status != "playing" or table.lifecycle.paused_by_officials:
        return []
    pause = table.lifecycle.pause
    resumed: list[AnyEvent] = [Consent(pause.seat, "resume", "settled")] if pause else []
    return [*resumed, Consent(OFFICIALS, "pause", "settled")]


def resume_by_officials(table: TableState) -> list[AnyEvent]:
    """Resume the game after a pause by officials; return no events without one."""
    paused = table.status == "playing" and table.lifecycle.paused_by_officials
    return [Consent(OFFICIALS, "resume", "settled")] if paused else []


def grant_time(table: TableState, granted: Mapping[int, int]) -> list[AnyEvent]:
    """Return the events that add the time granted by officials to clocks.

    Args:
        granted: by seat, the total seconds granted in the game. Seconds that a seat already has are not added again.
    """
    if table.status != "playing" or table.policies.clock is None:
        return []
    missing = {seat: seconds - table.lifecycle.granted.get(seat, 0) for seat, seconds in granted.items()}
    return [TimeGiven(OFFICIALS, seat, more) for seat, more in missing.items() if more > 0 and seat in players(table)]


def end_of_turn(events: Sequence[LogEntry], at: int) -> int | None:
    """Return the version of the event that ended the turn in progress at an instant.

    Args:
        at: the instant, in microseconds since 1970.

    Returns:
        None if that turn has not ended.
    """
    late = (entry for entry in events if microseconds(entry.at) >= at)
    return next((entry.version for entry in late if isinstance(entry.event, Acted) and ends_turn(entry.event)), None)


def ends_turn(event: Acted) -> bool:
    return any(isinstance(fact, TurnPassed) for fact in event.facts)


def points(table: TableState) -> list[int]:
    """Return the points of a finished game by seat.

    The list is empty if the rules did not end the game.
    """
    if table.ended is None or table.ended.reason != "finished":
        return []
    return [sum(each.values()) for each in table.title.scores(table.playing)]


def counted_places(outcome: Sequence[int], absent: Collection[int]) -> list[int]:
    """Return the places by seat that count in a tournament.

    All absent players share the place below the others.
    """
    here = [place for seat, place in enumerate(outcome) if seat not in absent]
    return [
        len(here) + 1 if seat in absent else 1 + sum(other < place for other in here) for seat, place in enumerate(outcome)
    ]
