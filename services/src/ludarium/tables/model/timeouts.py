"""Find what is due at a table, and when something will be due next.

Something is due when an open table has expired, all people have been away too long, a pause has lasted too long, or a
seat's time is over. The functions are pure.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ludarium.clocks.clocks import Clocks
from ludarium.clocks.settings import LiveClock
from ludarium.tables.model import timing
from ludarium.tables.model.decisions import apply_answer, run_rules
from ludarium.tables.model.endings import abandon, all_people_away, apply_absence, patience, people
from ludarium.tables.model.event_types import AnyEvent, kinds_of
from ludarium.tables.model.events import GameStarted, TableEnded, TimedOut
from ludarium.tables.model.lifecycle import OFFICIALS
from ludarium.tables.model.lifecycle_events import Consent, PoliciesSet, Replaced, Returned, StoodIn
from ludarium.tables.model.seating import expire
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import NextCheck, ms
from ludarium_engine.kernel.contract import asking_row
from ludarium_engine.kernel.scripts import Sealed
from ludarium_eventstore import NOTHING_DUE

KEPT = timedelta(minutes=1)
"""The store keeps a deadline that is more than this far away, if an event's own deadline is later; see `es.append`."""
UNTIMELY = timedelta(seconds=16)
"""The sum of two tolerances: `es.append` accepts events up to 15 s behind the database's clock or 1 s ahead."""
LONGEST, LONGEST_LIVE = timedelta(days=14), timedelta(hours=1)
"""Maximum length of a pause, without and with a live clock. After that the game resumes automatically."""
ENDS, STARTS = kinds_of(TableEnded), kinds_of(GameStarted)
PRESENCE = kinds_of(StoodIn, Returned, Replaced)
LIFTS = kinds_of(GameStarted, Returned, Replaced, Consent)
"""Kinds of events that remove a deadline, unless there is another reason for one."""


def due(table: TableState, now: datetime, away: int) -> list[AnyEvent]:
    """Return the events for the first thing that is due, none if nothing is due.

    Args:
        now: the current time.
        away: milliseconds of an outage that have not been credited yet.
    """
    if events := expire(table, now) or abandon(table, now) or resumed(table, now):
        return events
    clocks = table.clocks
    first = clocks.next() if clocks else None
    if clocks is None or first is None or all_people_away(table) or not clocks.is_due(first[1], ms(now), away):
        return []
    seat = first[1]
    return apply_timeout(table, seat, now) if clocks.seats[seat].out else [TimedOut(seat, clocks.seats[seat].since)]


def apply_timeout(table: TableState, seat: int, now: datetime) -> list[AnyEvent]:
    """Return the events that follow a recorded time-out.

    If the seat's question is a window, which can be passed, the seat passes; otherwise the absence policy applies.
    """
    return pass_window(table, seat) or apply_absence(table, seat, now)


def pass_window(table: TableState, seat: int) -> list[AnyEvent]:
    """Pass for the seat, if its question can be passed; otherwise return no events."""
    state = table.playing
    row = asking_row(table.title, state.agenda[-1])
    answer = row.pass_action if isinstance(row, Sealed) else None
    if answer is None:
        return []
    return run_rules(table, lambda: apply_answer(table, seat, answer))


# --- deadlines --------------------------------------------------------------------------------------------------------
def next_due(table: TableState, at: datetime, events: Sequence[AnyEvent], clocks: Clocks | None) -> datetime | None:
    """Return when the table must be checked after these events.

    Args:
        at: the time of the events.
        clocks: the clocks after the events, if known.

    Returns:
        None if the events do not change the next check.
    """
    kinds = {*map(type, events)}
    if table.ended or kinds & ENDS:
        return NOTHING_DUE
    if table.state is None and not kinds & STARTS:
        return waits_until(table, at, events)
    paused = paused_until(table, at, events)
    stands = [until for until in (left_until(table, at, events), paused) if until]
    if stands:
        return NOTHING_DUE if paused == NOTHING_DUE else min(stands)
    if table.clocks is not None:
        return timing.due(clocks) if clocks else at
    return NOTHING_DUE if kinds & LIFTS else None


def check_after(table: TableState, at: datetime, due: datetime | None) -> NextCheck | None:
    """Return the next check of a table after an event at time `at`.

    The known check remains in force while it is certain to be stored and is not later than `due`. Otherwise the event
    stores a new one.
    """
    known = table.next_check if at >= table.at else None          # after a clock was set back, nothing is sure
    if due is None or (known and at < known.sure and known.by <= due < NOTHING_DUE):
        return table.next_check
    return NextCheck(due, min(due, at + KEPT) - UNTIMELY)


def left_until(table: TableState, at: datetime, events: Sequence[AnyEvent]) -> datetime | None:
    """Return when a game ends because all people are away, None if someone is present."""
    if not table.lifecycle.away and PRESENCE.isdisjoint(map(type, events)):
        return None
    seats = people(table)
    if not seats or not all(is_away(table, events, seat) for seat in seats):
        return None
    since = at if any(isinstance(event, StoodIn) for event in events) else table.lifecycle.since
    return (since or at) + patience(table)


def waits_until(table: TableState, at: datetime, events: Sequence[AnyEvent]) -> datetime:
    """Return when an open table expires."""
    policies = next((event.policies for event in events if isinstance(event, PoliciesSet)), table.policies)
    return (at if table.version < 0 else table.opened_at) + timedelta(seconds=policies.expires)


def is_away(table: TableState, events: Sequence[AnyEvent], seat: int) -> bool:
    """Return whether the seat is away after these events."""
    changes = [event for event in events if isinstance(event, StoodIn | Returned | Replaced) and event.seat == seat]
    return isinstance(changes[-1], StoodIn) if changes else seat in table.lifecycle.away


# --- pauses -----------------------------------------------------------------------------------------------------------
def longest(table: TableState) -> timedelta:
    return LONGEST_LIVE if isinstance(table.policies.clock, LiveClock) else LONGEST


def resumed(table: TableState, now: datetime) -> list[AnyEvent]:
    """Return the event that ends a pause which has lasted too long.

    Pauses by tournament officials are not limited.
    """
    pause = table.lifecycle.pause
    if table.status != "playing" or pause is None or pause.seat == OFFICIALS or now < pause.since + longest(table):
        return []
    return [Consent(pause.seat, "resume", "settled")]


def paused_until(table: TableState, at: datetime, events: Sequence[AnyEvent]) -> datetime | None:
    """Return when the pause after these events ends, None if there is none."""
    pause = table.lifecycle.pause
    since, seat = (pause.since, pause.seat) if pause else (None, OFFICIALS)
    for event in events:
        if isinstance(event, Consent) and event.answer == "settled" and event.question in ("pause", "resume"):
            since, seat = (at, event.seat) if event.question == "pause" else (None, OFFICIALS)
    if since is None:
        return None
    return NOTHING_DUE if seat == OFFICIALS else since + longest(table)
