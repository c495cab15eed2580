"""Connect a table's events with its clocks.

New events get ticks, which record how much time has passed. Stored events are applied to the clocks.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludarium.clocks.clocks import Clocks
from ludarium.clocks.hours import ALWAYS, Rest
from ludarium.clocks.settings import DAY, HOUR, SECOND, LiveClock
from ludarium.clocks.ticks import Begun, Tick
from ludarium.platform.problems import Problem
from ludarium.tables.model.event_types import AnyEvent, MovesClocks, UnreadEvent, kinds_of
from ludarium.tables.model.events import Acted, GameStarted, TableEnded, TimedAct, TimedOut, TimedStart, TimedUndo, Undone
from ludarium.tables.model.lifecycle_events import Consent, PoliciesSet, Replaced, Returned, StoodIn, TimeGiven
from ludarium_engine.kernel import Frame, Title
from ludarium_engine.kernel.contract import PREFER, asking_row
from ludarium_engine.kernel.facts import Agenda, AnyFact
from ludarium_engine.kernel.scripts import Sealed
from ludarium_eventstore import NOTHING_DUE

UNPREDICTABLE = kinds_of(Undone, PoliciesSet)
"""Kinds of events after which the clocks cannot be computed from the previous clocks: an undo needs a fold of the log,
and new policies can set a different clock."""
MILLISECOND = timedelta(milliseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NO_RESTS: Mapping[int, Rest] = {}


def ms(at: datetime) -> int:
    """Return a time as whole milliseconds since 1970."""
    since = at - EPOCH
    return (since.days * DAY + since.seconds) * SECOND + since.microseconds // 1000


@lru_cache(maxsize=64)                          # one commit sends the same instants to all audiences
def timestamp(at: datetime) -> str:
    """Format a time by RFC 3339, in UTC with milliseconds and of constant length."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant(at: int) -> datetime:
    return EPOCH + at * MILLISECOND


# --- stored events ----------------------------------------------------------------------------------------------------
def apply_to_clocks(clocks: Clocks, version: int, at: int, event: AnyEvent | UnreadEvent, *, dead: bool) -> None:
    match event:
        case TimedAct():
            clocks.act(version, at, event.seat, event.tick, answers=event.action.verb != PREFER, dead=dead)
        case TimedStart():
            clocks.start(version, at, event.tick)
        case TimedUndo():
            clocks.undo(version, at, event.to, event.tick)
        case TimedOut():
            clocks.time_out(at, event.seat, event.since, event.tick)
        case TableEnded():
            clocks.stop(at, event.outage)
        case Consent(question="pause" | "resume", answer="settled"):
            clocks.pause(at, event.outage, on=event.question == "pause")
        case StoodIn() | Returned() | Replaced():
            clocks.absent(at, event.seat, event.outage, gone=isinstance(event, StoodIn))
        case TimeGiven():
            clocks.give(at, event.to, event.seconds * SECOND, event.outage)


# --- new events -------------------------------------------------------------------------------------------------------
class NextCheck(NamedTuple):
    """When the table is checked at the latest.

    Until an event at `sure`, no other process can have moved it.
    """

    by: datetime
    sure: datetime


class Arrival(NamedTuple):
    """The arrival of a command.

    Attributes:
        at: when the command arrived.
        lag: the measured round trip to the sender, in milliseconds.
        ours: whether the service itself acts instead of a client.
    """

    at: datetime
    lag: int = 0
    ours: bool = False


Timed = tuple[list[AnyEvent], Clocks | None]
"""Events to append, and the clocks after them; None without clocks, or if the clocks cannot be computed yet."""


class EventTimes(NamedTuple):
    """When the events of one append happen, in milliseconds.

    Attributes:
        at: the time of the events, since 1970.
        away: the outage since the clocks' newest event.
        late: the time from the command's arrival to `at`, without outages; other players' events cause it.
    """

    at: int
    away: int = 0
    late: int = 0


class Timing:
    """Adds ticks to the events of one append, in order.

    Whether a command is late depends on the clocks before the append. All times are in milliseconds.

    Args:
        agenda: the agenda before the events, under the current rules.
        rests: the playing hours by seat.

    Attributes:
        after: the clocks after the events that have a tick so far.
        elapsed: the time from the clocks' newest event to the command's arrival.
    """

    def __init__(
        self, title: Title[Any, Any], clocks: Clocks, agenda: Sequence[Frame], arrival: Arrival, times: EventTimes,
        rests: Mapping[int, Rest] = NO_RESTS,
    ) -> None:  # fmt: skip
        self.title, self.clocks, self.agenda, self.arrival, self.rests = title, clocks, agenda, arrival, rests
        self.at, self.away, self.late = times
        self.elapsed = self.at - clocks.at - self.away - self.late
        self.owes = clocks.owes
        self.after: Clocks | None = clocks.copied()

    def with_clocks(self, version: int, events: Sequence[AnyEvent]) -> Timed:
        """Add ticks to events, the first of which gets the number `version`.

        Raises:
            Problem: `out-of-time` if a command is late.
        """
        told: list[AnyEvent] = []
        for event in events:
            told.append(self.extend(version + len(told), event))
        return told, self.after

    def extend(self, version: int, event: AnyEvent) -> AnyEvent:
        """Add the tick to the next event. Raises Problem `out-of-time`."""
        event = self.with_tick(event)
        if type(event) in UNPREDICTABLE:
            self.after = None
        if self.after is not None:
            apply_to_clocks(self.after, version, self.at, event, dead=False)
        return event

    def with_tick(self, event: AnyEvent) -> AnyEvent:
        """Return the event with its tick. Raises Problem `out-of-time`."""
        match event:
            case Acted():
                return TimedAct(event.seat, event.action, event.facts, self.command_tick(event))
            case GameStarted():
                tick = self.tick(event.facts, None)
                return TimedStart(event.version, event.data, event.layout, event.zones, event.nonces, event.facts, tick)
            case Undone():
                return TimedUndo(event.seat, event.to, self.tick((), None))
            case TimedOut():
                return replace(event, tick=self.tick((), None))
            case TableEnded() | StoodIn() | Returned() | Replaced() | TimeGiven() | Consent(question="pause", answer="settled"):
                return self.credited(event)
            case _:
                return event

    def credited(self, event: MovesClocks) -> MovesClocks:
        """Add the preceding outage to an event of a kind that has no tick."""
        if not self.away:
            return event
        outage, self.late, self.away = self.away, 0, 0
        return replace(event, outage=outage)

    def command_tick(self, event: Acted) -> Tick:
        if event.seat not in self.owes or event.action.verb == PREFER:
            return self.tick(event.facts, None)
        credit = self.clocks.credit(event.seat, self.arrival.lag)
        present = event.seat not in self.clocks.away
        if present and not self.arrival.ours and self.clocks.is_late(event.seat, self.elapsed - credit):
            raise Problem("out-of-time")
        return self.tick(event.facts, event.seat, credit, self.late)

    def tick(self, facts: Sequence[AnyFact], actor: int | None, lag: int = 0, late: int = 0) -> Tick:
        """Return the tick of an event.

        Args:
            facts: the event's facts.
            actor: the seat whose decision ends with the event.
            lag: latency credited to the seat, in milliseconds.
            late: milliseconds by which events of other players delayed this one.
        """
        before, self.agenda = self.agenda, after(self.agenda, facts)
        begun = [] if isinstance(self.clocks.clock, LiveClock) else self.begun(before, actor)
        tick = Tick(asked(self.agenda), lag, late, self.away, begun)
        self.owes, self.late, self.away = tick.owes, 0, 0
        return tick

    def begun(self, before: Sequence[Frame], actor: int | None) -> list[Begun]:
        """Return the turn-based spans that begin with an event.

        A span is the time in which a seat has to act. It begins if the seat did not have to act before the event, or if
        the question becomes a window or ceases to be one.
        """
        now, was = is_window(self.title, self.agenda), is_window(self.title, before)
        seats = [p for p in asked(self.agenda) if p not in asked(before) or now != was or (now and p == actor)]
        return [span(self.clocks, seat, self.rests.get(seat, ALWAYS), self.at, window=now) for seat in seats]


def after(agenda: Sequence[Frame], facts: Sequence[AnyFact]) -> Sequence[Frame]:
    """Return the agenda after the facts of an event.

    Only the event's last Agenda counts.
    """
    for fact in reversed(facts):
        if type(fact) is Agenda:
            return [*agenda[: fact.keep], *fact.frames]
    return agenda


def asked(agenda: Sequence[Frame]) -> list[int]:
    return [*agenda[-1].asked] if agenda else []


def is_window(title: Title[Any, Any], agenda: Sequence[Frame]) -> bool:
    """Return whether the current question can always be passed."""
    row = asking_row(title, agenda[-1]) if agenda and agenda[-1].asked else None
    return isinstance(row, Sealed) and row.pass_action is not None


def span(clocks: Clocks, seat: int, rest: Rest, at: int, *, window: bool) -> Begun:
    clock = clocks.clock
    assert not isinstance(clock, LiveClock)
    if window:
        deadline = rest.after(at, clock.window_hours * HOUR * SECOND)
        return Begun(seat, deadline, deadline)
    free = rest.after(at, clock.days * DAY * SECOND)
    return Begun(seat, free, rest.after(free, clocks.seats[seat].bank))


def due(clocks: Clocks) -> datetime:
    """Return when the clocks need the next check, NOTHING_DUE while none runs."""
    return NOTHING_DUE if (first := clocks.next()) is None else instant(first[0])
