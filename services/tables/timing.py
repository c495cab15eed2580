"""What a table's rows have to do with its clocks: what a new row says of them, and how they take in those that stand there."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.kernel import Frame, Title
from engine.kernel.contract import PREFER, asking_row
from engine.kernel.facts import Agenda, AnyFact
from engine.kernel.scripts import Sealed
from eventstore import NOTHING_DUE
from services.clocks.clocks import Clocks
from services.clocks.hours import ALWAYS, Rest
from services.clocks.settings import DAY, HOUR, SECOND, LiveClock
from services.clocks.ticks import Begun, Tick
from services.problems import Problem
from services.tables.rows import (
    KINDS,
    Acted,
    AnyRow,
    ClockSet,
    Consent,
    GameEnded,
    GameStarted,
    PoliciesSet,
    Replaced,
    Returned,
    StoodIn,
    TableEnded,
    TimedAct,
    TimedOut,
    TimedStart,
    TimedUndo,
    TimeGiven,
    Undone,
    Unread,
)

OTHERWISE = frozenset(kind for kind in KINDS.values() if issubclass(kind, Undone | PoliciesSet | ClockSet))
"""Rows behind which clocks do not follow from those before: of an undo only a fold of the log knows, and other policies bring
others. Kinds are looked up here: to ask `isinstance` of a struct that it is no instance of costs as much as a fold."""
MILLISECOND = timedelta(milliseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ms(at: datetime) -> int:
    """Since 1970, without the fraction of a millisecond."""
    since = at - EPOCH
    return (since.days * DAY + since.seconds) * SECOND + since.microseconds // 1000


@lru_cache(maxsize=64)                          # a commit tells its moment to all audiences, and of the clocks
def timestamp(at: datetime) -> str:
    """RFC 3339, UTC, with milliseconds: always as long."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant(at: int) -> datetime:
    return EPOCH + at * MILLISECOND


# --- what stands in the log -------------------------------------------------------------------------------------------
def take_in(clocks: Clocks, version: int, at: int, row: AnyRow | Unread, *, dead: bool) -> None:
    match row:
        case TimedAct():
            clocks.act(version, at, row.seat, row.tick, answers=row.action.verb != PREFER, dead=dead)
        case TimedStart():
            clocks.start(version, at, row.tick)
        case TimedUndo():
            clocks.undo(version, at, row.to, row.tick)
        case TimedOut():
            clocks.time_out(at, row.seat, row.since, row.tick)
        case GameEnded() | TableEnded():
            clocks.stop(at)
        case Consent(question="pause" | "resume", answer="settled"):
            clocks.pause(at, on=row.question == "pause")
        case StoodIn() | Returned() | Replaced():
            clocks.absent(at, row.seat, away=isinstance(row, StoodIn))
        case TimeGiven():
            clocks.give(at, row.to, row.seconds * SECOND)


# --- what is about to be appended -------------------------------------------------------------------------------------
class Arrival(NamedTuple):
    """A command's. lag: milliseconds of the way there and back, as measured. ours: the service itself does it."""

    at: datetime
    lag: int = 0
    ours: bool = False


class Moment(msgspec.Struct, frozen=True):
    """When a change is made. In milliseconds, at: of its rows, since 1970; away: since the clocks were last told, in which
    nobody could append; late: from its arrival to the moment of its rows, which others' rows made later, without such time.
    rests: of whom sits where."""

    arrival: Arrival
    at: int
    away: int = 0
    late: int = 0
    rests: Mapping[int, Rest] = {}


Timed = tuple[list[AnyRow], Clocks | None]
"""Rows that are about to be appended, and the clocks after them, where the table has any and they follow from those before."""


class Timing:
    """What the rows of one append say of the clocks, one after the other. agenda: before them, as today's rules have it.

    They are judged by the clocks before them all. after: the clocks behind those that were told.
    """

    def __init__(self, title: Title[Any, Any], clocks: Clocks, agenda: Sequence[Frame], moment: Moment) -> None:
        self.title, self.clocks, self.agenda, self.moment = title, clocks, agenda, moment
        self.owes, self.away, self.late = clocks.owes, moment.away, moment.late
        self.after: Clocks | None = clocks.copied()

    def take(self, version: int, row: AnyRow) -> AnyRow:
        """Raises Problem `out-of-time`."""
        row = self.timed(row)
        if type(row) in OTHERWISE:
            self.after = None
        if self.after is not None:
            take_in(self.after, version, self.moment.at, row, dead=False)
        return row

    def timed(self, row: AnyRow) -> AnyRow:
        """Raises Problem `out-of-time`."""
        match row:
            case Acted():
                return TimedAct(row.seat, row.action, row.facts, self.acted(row))
            case GameStarted():
                tick = self.told(row.facts, None)
                return TimedStart(row.version, row.data, row.layout, row.zones, row.nonces, row.facts, tick)
            case Undone():
                return TimedUndo(row.seat, row.to, self.told((), None))
            case TimedOut():
                return replace(row, tick=self.told((), None))
            case _:
                return row

    def acted(self, row: Acted) -> Tick:
        if row.seat not in self.owes or row.action.verb == PREFER:
            return self.told(row.facts, None)
        arrival, credit = self.moment.arrival, self.clocks.credit(row.seat, self.moment.arrival.lag)
        present = row.seat not in self.clocks.away
        if present and not arrival.ours and self.clocks.is_late(row.seat, self.elapsed - credit):
            raise Problem("out-of-time")
        return self.told(row.facts, row.seat, credit, self.late)

    @property
    def elapsed(self) -> int:
        """At its arrival, of what runs on the clocks since they were last told."""
        return self.moment.at - self.clocks.at - self.moment.away - self.moment.late

    def told(self, facts: Sequence[AnyFact], actor: int | None, lag: int = 0, late: int = 0) -> Tick:
        """actor: whose decision ends."""
        before, self.agenda = self.agenda, after(self.agenda, facts)
        spans = begun(self.title, self.clocks, before, self.agenda, actor, self.moment)
        tick = Tick(asked(self.agenda), lag, late, self.away, spans)
        self.owes, self.late, self.away = tick.owes, 0, 0
        return tick


def timed(
    title: Title[Any, Any], clocks: Clocks, agenda: Sequence[Frame], version: int, rows: Sequence[AnyRow], moment: Moment
) -> Timed:
    """The rows, which begin with version `version`, with what they say of the clocks. Raises Problem `out-of-time`."""
    timing = Timing(title, clocks, agenda, moment)
    return [timing.take(nth, row) for nth, row in enumerate(rows, version)], timing.after


def after(agenda: Sequence[Frame], facts: Sequence[AnyFact]) -> Sequence[Frame]:
    for fact in facts:
        if type(fact) is Agenda:
            agenda = [*agenda[: fact.keep], *fact.frames]
    return agenda


def asked(agenda: Sequence[Frame]) -> list[int]:
    return [*agenda[-1].asked] if agenda else []


def begun(
    title: Title[Any, Any], clocks: Clocks, before: Sequence[Frame], now: Sequence[Frame], actor: int | None, moment: Moment
) -> list[Begun]:
    """The turn-based spans that begin with a row: of who owed nothing, and of who is asked a window or no longer one."""
    if isinstance(clocks.clock, LiveClock):
        return []
    window, was = is_window(title, now), is_window(title, before)
    seats = [p for p in asked(now) if p not in asked(before) or window != was or (window and p == actor)]
    return [span(clocks, seat, moment.rests.get(seat, ALWAYS), moment.at, window=window) for seat in seats]


def is_window(title: Title[Any, Any], agenda: Sequence[Frame]) -> bool:
    """Whether what is asked may always be passed."""
    row = asking_row(title, agenda[-1]) if agenda and agenda[-1].asked else None
    return isinstance(row, Sealed) and row.passed is not None


def span(clocks: Clocks, seat: int, rest: Rest, at: int, *, window: bool) -> Begun:
    clock = clocks.clock
    assert not isinstance(clock, LiveClock)
    if window:
        deadline = rest.after(at, clock.window_hours * HOUR * SECOND)
        return Begun(seat, deadline, deadline)
    free = rest.after(at, clock.days * DAY * SECOND)
    return Begun(seat, free, rest.after(free, clocks.seats[seat].bank))


def due(clocks: Clocks) -> datetime:
    """When the table has to be looked at again."""
    return NOTHING_DUE if (first := clocks.next) is None else instant(first[0])
