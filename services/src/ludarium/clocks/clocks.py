"""The clocks of one table: a pure fold of what its events say of them. All times are milliseconds, instants since 1970.

A span runs from a seat's owing an answer until it owes none; all who owe run at once. Every event is folded, those too that
are taken back later: an undo gives back no time, and takes back what was earned. So an event that is to be taken back, which
who folds a log knows in advance, leaves a note of what its undo needs.
"""
from __future__ import annotations

import msgspec
from msgspec.structs import replace

from ludarium.clocks.settings import DAY, SECOND, Clock, LiveClock
from ludarium.clocks.ticks import Begun, Tick

QUOTA = 10 * SECOND
"""Of lag, credited to a seat in one game at most."""
MOST_LAG = 500
"""Of it, for one command."""
SETTLE = SECOND
"""From a time-out to what follows from it: a command that was received before the deadline may still be on its way."""
NEVER = -1
BACK = 30 * SECOND
"""What who was away has at least when they come back."""


class SeatClock(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """since: the version of the event that began the running span; NEVER while none runs.

    bank: what is left of it; below 0 within a span that takes too long. quota: the lag that may still be credited.
    span, decision: what has gone of those that run. free, deadline: of a turn-based span. out: when it was recorded that its
    time was out; 0: it is not.
    """

    bank: int
    quota: int = QUOTA
    used: int = 0
    since: int = NEVER
    span: int = 0
    decision: int = 0
    free: int = 0
    deadline: int = 0
    out: int = 0

    @property
    def runs(self) -> bool:
        return self.since != NEVER


class EndedSpan(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A seat whose decision an event ended, and perhaps its span, when so much of that was gone, and left."""

    seat: int
    closed: bool
    span: int
    free: int
    deadline: int


class UndoneTurn(msgspec.Struct, array_like=True, frozen=True):
    """An event that will be taken back. owed: who owed an answer before it."""

    version: int
    owed: list[int]
    ended: list[EndedSpan]


class Clocks(msgspec.Struct, array_like=True):
    """at: up to when they are told. owes: the seats that owe an answer, whose clocks run, unless all are paused.

    away: the seats that are stood in for: nothing falls due for them.
    """

    clock: Clock
    seats: list[SeatClock]
    at: int = 0
    owes: list[int] = []
    dead: list[UndoneTurn] = []
    away: list[int] = []
    paused: bool = False

    def copied(self) -> Clocks:
        """To be told more, without these being told it."""
        return Clocks(self.clock, [*self.seats], self.at, self.owes, [*self.dead], self.away, self.paused)

    def change(self, seat: int, **values: int) -> None:
        self.seats[seat] = replace(self.seats[seat], **values)

    # --- the fold -----------------------------------------------------------------------------------------------------
    def start(self, version: int, at: int, tick: Tick) -> None:
        self.at = at
        self.owe(version, tick)

    def act(self, version: int, at: int, seat: int, tick: Tick, *, answers: bool = True, dead: bool = False) -> None:
        """A seat's event. answers: it ends a decision, which a preference does not. dead: it will be taken back."""
        self.pass_time(at, tick, seat)
        if dead:
            self.dead.append(UndoneTurn(version, self.owes, self.ended(at, seat if answers else None, tick)))
        if answers and seat in tick.owes:
            self.change(seat, decision=0, out=0)
        self.owe(version, tick)

    def undo(self, version: int, at: int, to: int, tick: Tick) -> None:
        """The game stands again as after version `to`; who owes an answer then, the events that are taken back have noted."""
        self.pass_time(at, tick)
        gone = [event for event in self.dead if event.version > to]
        if not gone:
            return
        self.dead = [event for event in self.dead if event.version <= to]
        for seat in self.owes:
            if seat not in gone[0].owed:
                self.change(seat, since=NEVER)
        self.owes = gone[0].owed
        for seat in range(len(self.seats)):
            if ended := [before for event in gone for before in event.ended if before.seat == seat]:
                self.take_back(version, seat, ended)

    def time_out(self, at: int, seat: int, since: int, tick: Tick) -> None:
        """Recorded of the span that began with version `since`."""
        self.pass_time(at, tick)
        if self.seats[seat].since == since:
            self.change(seat, out=at)

    def stop(self, at: int, away: int = 0) -> None:
        """The game is over. away: here and below, of an outage before the event, which is credited to all who ran."""
        self.pass_time(at, Tick(away=away))
        for seat in self.owes:
            self.change(seat, since=NEVER)
        self.owes = []

    def pause(self, at: int, away: int = 0, *, on: bool) -> None:
        """on: from here on no clock runs; else all go on as they stood."""
        if on:
            self.pass_time(at, Tick(away=away))
        else:
            for seat in self.owes:
                self.postpone(seat, at - self.at)
        self.at, self.paused = at, on

    def absent(self, at: int, seat: int, away: int = 0, *, gone: bool) -> None:
        """Who comes back has time for what they owe: a live clock has half a minute at least, a turn-based one a day."""
        self.pass_time(at, Tick(away=away))
        self.away = [other for other in self.away if other != seat] + [seat] * gone
        if not gone:
            clock = self.seats[seat]
            deadline = max(clock.deadline, self.at + DAY * SECOND) if clock.deadline else 0
            self.change(seat, bank=max(clock.bank, BACK), span=0, decision=0, deadline=deadline, out=0)

    def give(self, at: int, seat: int, more: int, away: int = 0) -> None:
        """By an opponent."""
        self.pass_time(at, Tick(away=away))
        if isinstance(self.clock, LiveClock):
            self.change(seat, bank=self.seats[seat].bank + more)
        elif self.seats[seat].runs:
            self.postpone(seat, more)

    # --- its parts ----------------------------------------------------------------------------------------------------
    def pass_time(self, at: int, tick: Tick, seat: int | None = None) -> None:
        """seat: whose event it is. In a pause `at` stays at its start: its end puts deadlines off by all of it."""
        if self.paused:
            return
        gone = at - self.at - tick.away
        if gone < 0:
            gone = 0
        for running in self.owes:
            self.run(running, gone - tick.lag - tick.late if running == seat else gone)
            if tick.away:
                self.postpone(running, tick.away)
        if seat is not None and tick.lag:
            self.change(seat, quota=self.seats[seat].quota - tick.lag)
        self.at = at

    def run(self, seat: int, elapsed: int) -> None:
        clock = self.seats[seat]
        self.seats[seat] = replace(
            clock, bank=clock.bank - self.clock.cost(clock.decision, elapsed), used=clock.used + elapsed,
            span=clock.span + elapsed, decision=clock.decision + elapsed,
        )  # fmt: skip

    def postpone(self, seat: int, more: int) -> None:
        """A turn-based span has so much more time."""
        clock = self.seats[seat]
        self.change(seat, free=clock.free + more, deadline=clock.deadline + more)

    def owe(self, version: int, tick: Tick) -> None:
        """Spans end and begin; one may begin anew at once, which the event says."""
        begun = {span.seat: span for span in tick.begun} if tick.begun else {}
        before, self.owes = self.owes, tick.owes
        for seat in before:
            if seat not in tick.owes or seat in begun:
                self.end(seat)
        for seat in tick.owes:
            if seat not in before or seat in begun:
                self.begin(version, seat, begun.get(seat))

    def begin(self, version: int, seat: int, begun: Begun | None) -> None:
        clock, free, deadline = self.seats[seat], begun.free if begun else 0, begun.deadline if begun else 0
        self.seats[seat] = SeatClock(clock.bank, clock.quota, clock.used, version, free=free, deadline=deadline)

    def end(self, seat: int) -> None:
        """Nothing of its span or decision goes on."""
        clock, earned = self.seats[seat], self.clock.increment * SECOND
        bank = clock.bank if isinstance(self.clock, LiveClock) else clock.bank - self.overdrawn(clock)
        self.seats[seat] = replace(clock, bank=bank + earned if bank > 0 else earned, since=NEVER, decision=0, out=0)

    def overdrawn(self, clock: SeatClock) -> int:
        """What a turn-based span has cost of the bank by now."""
        length = clock.deadline - clock.free
        if self.at <= clock.free or not length:
            return 0
        return clock.bank * min(self.at - clock.free, length) // length

    def ended(self, at: int, actor: int | None, tick: Tick) -> list[EndedSpan]:
        """What an undo of an event has to know; asked before the event ends anything."""
        anew = {span.seat for span in tick.begun}
        found = []
        for seat in self.owes:
            clock, closed = self.seats[seat], seat not in tick.owes or seat in anew
            if closed or seat == actor:
                found.append(EndedSpan(seat, closed, clock.span, clock.free - at, clock.deadline - at))
        return found

    def take_back(self, version: int, seat: int, ended: list[EndedSpan]) -> None:
        """A seat loses what its spans have earned. The first of them goes on if it is asked again: its delay is spent, and
        what has gone since, in this span or others, is gone of it."""
        clock, closed = self.seats[seat], [before for before in ended if before.closed]
        self.change(seat, bank=min(clock.bank, max(clock.bank - self.clock.increment * SECOND * len(closed), 0)))
        if seat not in self.owes:
            return
        self.change(seat, decision=DAY * SECOND)
        if closed:
            more = sum(before.span for before in closed[1:]) + (clock.span if clock.runs else 0)
            free, deadline = (self.at + left - more for left in (closed[0].free, closed[0].deadline))
            self.change(seat, since=version, span=closed[0].span + more, free=free, deadline=deadline, out=0)

    # --- what they say ------------------------------------------------------------------------------------------------
    def over(self, seat: int, away: int) -> int | None:
        """Return when the seat's time is over, in milliseconds since 1970; None while its clock does not run.

        Views, lists and deadlines use it.

        Args:
            away: milliseconds of an outage since the newest event of the clocks: no clock ran then.
        """
        return self.at + self.left(seat) + away if seat in self.owes and not self.paused else None

    def remaining(self, seat: int, at: int, away: int) -> int:
        """Return what the seat has at a moment, `at`; below 0 once its time is over. away: as of `over`."""
        over, left = self.over(seat, away), self.left(seat)
        return left if over is None or over - at > left else over - at

    def is_due(self, seat: int, at: int, away: int) -> bool:
        """Whether something has to be done about the seat that owes, as `fires` says; at, away: as of `remaining`."""
        if out := self.seats[seat].out:
            return out + SETTLE + away <= at
        return self.remaining(seat, at, away) + self.credit(seat, MOST_LAG) <= 0

    def left(self, seat: int) -> int:
        """What the seat has for what it owes, at the newest event; a seat that owes nothing, for its next span."""
        clock, kind = self.seats[seat], self.clock
        left = clock.bank
        if not isinstance(kind, LiveClock):
            return clock.deadline - self.at if clock.runs else left + kind.days * DAY * SECOND
        if kind.delay:
            left += max(kind.delay * SECOND - (clock.decision if clock.runs else 0), 0)
        if kind.cap is not None:
            left = min(left, kind.cap * SECOND - (clock.span if clock.runs else 0))
        return left

    def credit(self, seat: int, lag: int) -> int:
        """What of the time that a command was on its way is given back to its seat."""
        quota = self.seats[seat].quota
        if lag <= 0 or quota <= 0 or not isinstance(self.clock, LiveClock):
            return 0
        most = MOST_LAG if quota > MOST_LAG else quota
        return lag if lag < most else most

    def is_late(self, seat: int, elapsed: int) -> bool:
        """Whether a command comes after the seat's time. elapsed: since the clocks were told last, without outages and without
        what is credited to it, when it was received; below 0 if that was before."""
        return self.left(seat) < elapsed and self.seats[seat].runs

    def fires(self, seat: int) -> int:
        """When something has to be done about the seat that owes: its time is out, and after that, what follows from it."""
        clock = self.seats[seat]
        return clock.out + SETTLE if clock.out else self.at + self.left(seat) + self.credit(seat, MOST_LAG)

    def next(self) -> tuple[int, int] | None:
        """When the first of those is, and whose; None while no clock runs."""
        first = None
        for seat in self.owes if not self.paused else ():
            if seat not in self.away:
                found = self.fires(seat), seat
                first = found if first is None or found < first else first
        return first


def clocks_of(clock: Clock, seats: int) -> Clocks:
    """Before the game."""
    bank = clock.bank if isinstance(clock, LiveClock) else clock.bank * DAY
    return Clocks(clock, [SeatClock(bank * SECOND) for _ in range(seats)])
