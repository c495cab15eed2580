"""The clocks of one table, as a pure fold over what its events say about them.

All times are in milliseconds, instants since 1970. A span is the time from when a seat owes an answer until it owes
none; all seats that owe answers run at the same time. Undone events are folded as well: an undo gives back no time, and
takes back increments. So an event that will be undone, which is known when a log is folded, leaves a note for its undo.
"""
from __future__ import annotations

import msgspec
from msgspec.structs import replace

from ludarium.clocks.settings import DAY, SECOND, Clock, LiveClock
from ludarium.clocks.ticks import Begun, Tick

QUOTA = 10 * SECOND
"""Maximum of latency credited to a seat in one game."""
MOST_LAG = 500
"""Maximum of latency credited for one command."""
SETTLE = SECOND
"""Wait between a time-out and its consequences: a command received before the deadline may still be on its way."""
NEVER = -1
BACK = 30 * SECOND
"""Minimum time of a player who returns after an absence."""


class SeatClock(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The clock of one seat.

    Attributes:
        bank: time left; below 0 within a span that takes too long.
        quota: latency that can still be credited.
        used: time used in the game.
        since: version of the event that began the running span, NEVER if none runs.
        span: time used in the running span.
        decision: time used for the running decision.
        free: of a turn-based span, the instant when its bank begins to run.
        deadline: of a turn-based span, the instant when the bank has run out.
        out: when its time-out was recorded, 0 if it was not.
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
    """A seat's decision, and perhaps its span, that an event ended; for a later undo.

    Attributes:
        closed: whether the span ended as well.
        span: time used in the span.
        free: time left until the bank would begin to run.
        deadline: time left until the bank would have run out.
    """

    seat: int
    closed: bool
    span: int
    free: int
    deadline: int


class UndoneTurn(msgspec.Struct, array_like=True, frozen=True):
    """An event that will be undone. `owed`: the seats that owed an answer before it."""

    version: int
    owed: list[int]
    ended: list[EndedSpan]


class Clocks(msgspec.Struct, array_like=True):
    """The clocks of a table.

    Attributes:
        at: instant up to which they are computed.
        owes: seats that owe an answer, whose clocks run unless all are paused.
        dead: events that will be undone.
        away: absent seats, for which no deadline is due.
    """

    clock: Clock
    seats: list[SeatClock]
    at: int = 0
    owes: list[int] = []
    dead: list[UndoneTurn] = []
    away: list[int] = []
    paused: bool = False

    def copied(self) -> Clocks:
        """Copy, so that later events can be applied without changing the original."""
        return Clocks(self.clock, [*self.seats], self.at, self.owes, [*self.dead], self.away, self.paused)

    def change(self, seat: int, **values: int) -> None:
        self.seats[seat] = replace(self.seats[seat], **values)

    # --- fold ---------------------------------------------------------------------------------------------------------
    def start(self, version: int, at: int, tick: Tick) -> None:
        self.at = at
        self.owe(version, tick)

    def act(self, version: int, at: int, seat: int, tick: Tick, *, answers: bool = True, dead: bool = False) -> None:
        """Apply an event of a seat.

        Args:
            answers: whether it ends a decision, which a preference does not.
            dead: whether it will be undone.
        """
        self.pass_time(at, tick, seat)
        if dead:
            self.dead.append(UndoneTurn(version, self.owes, self.ended(at, seat if answers else None, tick)))
        if answers and seat in tick.owes:
            self.change(seat, decision=0, out=0)
        self.owe(version, tick)

    def undo(self, version: int, at: int, to: int, tick: Tick) -> None:
        """Return to version `to`.

        The undone events have noted which seats owed an answer then.
        """
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
        """Record the time-out of the span that began with version `since`."""
        self.pass_time(at, tick)
        if self.seats[seat].since == since:
            self.change(seat, out=at)

    def stop(self, at: int, away: int = 0) -> None:
        """Stop all clocks at the end of the game.

        Args:
            away: here and below, milliseconds of an outage before the event, credited to all running clocks.
        """
        self.pass_time(at, Tick(away=away))
        for seat in self.owes:
            self.change(seat, since=NEVER)
        self.owes = []

    def pause(self, at: int, away: int = 0, *, on: bool) -> None:
        """Pause all clocks, or resume them as they were."""
        if on:
            self.pass_time(at, Tick(away=away))
        else:
            for seat in self.owes:
                self.postpone(seat, at - self.at)
        self.at, self.paused = at, on

    def absent(self, at: int, seat: int, away: int = 0, *, gone: bool) -> None:
        """Record an absence or a return.

        A returning player gets at least BACK, with a turn-based clock a day.
        """
        self.pass_time(at, Tick(away=away))
        self.away = [other for other in self.away if other != seat] + [seat] * gone
        if not gone:
            clock = self.seats[seat]
            deadline = max(clock.deadline, self.at + DAY * SECOND) if clock.deadline else 0
            self.change(seat, bank=max(clock.bank, BACK), span=0, decision=0, deadline=deadline, out=0)

    def give(self, at: int, seat: int, more: int, away: int = 0) -> None:
        """Add time to a seat's clock, as its opponents may."""
        self.pass_time(at, Tick(away=away))
        if isinstance(self.clock, LiveClock):
            self.change(seat, bank=self.seats[seat].bank + more)
        elif self.seats[seat].runs:
            self.postpone(seat, more)

    # --- parts of the fold --------------------------------------------------------------------------------------------
    def pass_time(self, at: int, tick: Tick, seat: int | None = None) -> None:
        """Advance all clocks to `at`.

        In a pause, `at` stays at its start, and resuming moves all deadlines.

        Args:
            seat: whose event it is; its latency is credited.
        """
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
        """Move the deadline of a turn-based span."""
        clock = self.seats[seat]
        self.change(seat, free=clock.free + more, deadline=clock.deadline + more)

    def owe(self, version: int, tick: Tick) -> None:
        """Begin and end spans by the event's seats.

        `Tick.begun` says which begin again at once.
        """
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
        """End a seat's span and decision, and add its increment."""
        clock, earned = self.seats[seat], self.clock.increment * SECOND
        bank = clock.bank if isinstance(self.clock, LiveClock) else clock.bank - self.overdrawn(clock)
        self.seats[seat] = replace(clock, bank=bank + earned if bank > 0 else earned, since=NEVER, decision=0, out=0)

    def overdrawn(self, clock: SeatClock) -> int:
        """Return what a turn-based span has taken from the bank so far."""
        length = clock.deadline - clock.free
        if self.at <= clock.free or not length:
            return 0
        return clock.bank * min(self.at - clock.free, length) // length

    def ended(self, at: int, actor: int | None, tick: Tick) -> list[EndedSpan]:
        """Return what an undo of an event needs, computed before the event ends anything."""
        anew = {span.seat for span in tick.begun}
        found = []
        for seat in self.owes:
            clock, closed = self.seats[seat], seat not in tick.owes or seat in anew
            if closed or seat == actor:
                found.append(EndedSpan(seat, closed, clock.span, clock.free - at, clock.deadline - at))
        return found

    def take_back(self, version: int, seat: int, ended: list[EndedSpan]) -> None:
        """Take back the increments of a seat's undone spans.

        If the seat has to answer again, its first undone span continues: its delay is used up, and all time since then
        counts.
        """
        clock, closed = self.seats[seat], [before for before in ended if before.closed]
        self.change(seat, bank=min(clock.bank, max(clock.bank - self.clock.increment * SECOND * len(closed), 0)))
        if seat not in self.owes:
            return
        self.change(seat, decision=DAY * SECOND)
        if closed:
            more = sum(before.span for before in closed[1:]) + (clock.span if clock.runs else 0)
            free, deadline = (self.at + left - more for left in (closed[0].free, closed[0].deadline))
            self.change(seat, since=version, span=closed[0].span + more, free=free, deadline=deadline, out=0)

    # --- queries ------------------------------------------------------------------------------------------------------
    def over(self, seat: int, away: int) -> int | None:
        """Return when the seat's time is over, in milliseconds since 1970.

        None if its clock does not run. Views, lists and deadlines use it.

        Args:
            away: milliseconds of an outage since the clocks' newest event; no clock ran during it.
        """
        return self.at + self.left(seat) + away if seat in self.owes and not self.paused else None

    def remaining(self, seat: int, at: int, away: int) -> int:
        """Return the seat's time left at instant `at`; below 0 once its time is over.

        `away`: as in `over`.
        """
        over, left = self.over(seat, away), self.left(seat)
        return left if over is None or over - at > left else over - at

    def is_due(self, seat: int, at: int, away: int) -> bool:
        """Return whether the deadline of `fires` has passed. `at`, `away`: as in `remaining`."""
        if out := self.seats[seat].out:
            return out + SETTLE + away <= at
        return self.remaining(seat, at, away) + self.credit(seat, MOST_LAG) <= 0

    def left(self, seat: int) -> int:
        """Return the seat's time left at the newest event."""
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
        """Return how much of a command's latency is credited to its seat."""
        quota = self.seats[seat].quota
        if lag <= 0 or quota <= 0 or not isinstance(self.clock, LiveClock):
            return 0
        most = MOST_LAG if quota > MOST_LAG else quota
        return lag if lag < most else most

    def is_late(self, seat: int, elapsed: int) -> bool:
        """Return whether a command was received after the seat's time was over.

        Args:
            elapsed: milliseconds from the clocks' newest event to when it was received, without outages and credited
                latency; below 0 if it was received before that event.
        """
        return self.left(seat) < elapsed and self.seats[seat].runs

    def fires(self, seat: int) -> int:
        """Return the instant when a seat's time-out, or what follows from it, is due."""
        clock = self.seats[seat]
        return clock.out + SETTLE if clock.out else self.at + self.left(seat) + self.credit(seat, MOST_LAG)

    def next(self) -> tuple[int, int] | None:
        """Return the first of these instants and its seat; None while no clock runs."""
        first = None
        for seat in self.owes if not self.paused else ():
            if seat not in self.away:
                found = self.fires(seat), seat
                first = found if first is None or found < first else first
        return first


def clocks_of(clock: Clock, seats: int) -> Clocks:
    """Return the clocks before the game begins."""
    bank = clock.bank if isinstance(clock, LiveClock) else clock.bank * DAY
    return Clocks(clock, [SeatClock(bank * SECOND) for _ in range(seats)])
