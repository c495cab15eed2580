"""The clocks of one table, folded from its events without side effects.

All times are in milliseconds; instants count from 1970. A seat owes an answer while it has to act. A span is the time
from when a seat begins to owe an answer until it owes none. The clocks of all seats that owe answers run at the same
time.

A dead event is one that a later event undoes; which events are dead is known when a whole log is folded. Dead events are
applied to the clocks as well, because an undo returns no time and takes increments back. Each dead event therefore keeps
the data that its undo needs.
"""
from __future__ import annotations

import msgspec
from msgspec.structs import replace

from ludarium.clocks.settings import DAY, SECOND, Clock, LiveClock
from ludarium.clocks.ticks import Begun, Tick

QUOTA = 10 * SECOND
"""Maximum latency credited to a seat in one game."""
MOST_LAG = 500
"""Maximum latency credited for one command."""
SETTLE = SECOND
"""Wait between a time-out and its consequences, since a command received in time may still be on its way to the log."""
NEVER = -1
BACK = 30 * SECOND
"""Minimum time on the clock of a player who returns after an absence."""


class SeatClock(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The clock of one seat.

    Attributes:
        bank: the time left; below 0 within a span that takes too long.
        quota: the latency that can still be credited.
        used: the time used in the game.
        since: the version of the event that began the current span, NEVER if there is none.
        span: the time used in the current span.
        decision: the time used for the current decision.
        free: in a turn-based span, the instant when the bank begins to run.
        deadline: in a turn-based span, the instant when the bank is used up.
        out: the instant when the span's time-out was recorded, 0 if there was no time-out.
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
    """A decision, and perhaps a span, that a dead event ended; its undo needs this.

    Attributes:
        seat: the seat that had to act.
        closed: whether the span ended together with the decision.
        span: the time used in the span.
        free: the time left until the bank would have begun to run.
        deadline: the time left until the bank would have been used up.
    """

    seat: int
    closed: bool
    span: int
    free: int
    deadline: int


class UndoneTurn(msgspec.Struct, array_like=True, frozen=True):
    """A dead event.

    Attributes:
        version: the event's number.
        owed: the seats that owed an answer before the event.
        ended: the decisions and spans that the event ended.
    """

    version: int
    owed: list[int]
    ended: list[EndedSpan]


class Clocks(msgspec.Struct, array_like=True):
    """The clocks of a table.

    Attributes:
        clock: the clock settings of the table.
        seats: the clock of each seat.
        at: the instant up to which the clocks are computed.
        owes: the seats that owe an answer. Their clocks run unless the game is paused.
        dead: the dead events whose undo has not been applied yet.
        away: absent seats, whose deadlines are not enforced.
        paused: whether the game is paused.
    """

    clock: Clock
    seats: list[SeatClock]
    at: int = 0
    owes: list[int] = []
    dead: list[UndoneTurn] = []
    away: list[int] = []
    paused: bool = False

    def copied(self) -> Clocks:
        """Return a copy, so that events can be applied without changing the original."""
        return Clocks(self.clock, [*self.seats], self.at, self.owes, [*self.dead], self.away, self.paused)

    def change(self, seat: int, **values: int) -> None:
        self.seats[seat] = replace(self.seats[seat], **values)

    # --- fold ---------------------------------------------------------------------------------------------------------
    def start(self, version: int, at: int, tick: Tick) -> None:
        self.at = at
        self.owe(version, tick)

    def act(self, version: int, at: int, seat: int, tick: Tick, *, answers: bool = True, dead: bool = False) -> None:
        """Apply a seat's action.

        Args:
            version: the event's number.
            at: the event's time.
            seat: the seat that acts.
            tick: the event's clock data.
            answers: whether the action ends a decision. Setting a preference does not.
            dead: whether a later event undoes the action.
        """
        self.pass_time(at, tick, seat)
        if dead:
            self.dead.append(UndoneTurn(version, self.owes, self.ended(at, seat if answers else None, tick)))
        if answers and seat in tick.owes:
            self.change(seat, decision=0, out=0)
        self.owe(version, tick)

    def undo(self, version: int, at: int, to: int, tick: Tick) -> None:
        """Apply an undo, which returns to version `to`.

        The seats that owed an answer after version `to` owe one again, as the undone events recorded.
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
            at: the event's time.
            away: the milliseconds of an outage before the event, which are credited to all running clocks. The argument
                has this meaning in the following methods, too.
        """
        self.pass_time(at, Tick(away=away))
        for seat in self.owes:
            self.change(seat, since=NEVER)
        self.owes = []

    def pause(self, at: int, away: int = 0, *, on: bool) -> None:
        """Pause all clocks, or resume them with the same time left."""
        if on:
            self.pass_time(at, Tick(away=away))
        else:
            for seat in self.owes:
                self.postpone(seat, at - self.at)
        self.at, self.paused = at, on

    def absent(self, at: int, seat: int, away: int = 0, *, gone: bool) -> None:
        """Record that a player is absent or returns.

        A returning player has at least BACK milliseconds, or with a turn-based clock a day.
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
        """Advance all clocks to the instant `at`.

        During a pause, the clocks remain at the start of the pause; resuming the game moves all deadlines.

        Args:
            tick: the clock data of the event at this instant.
            seat: the seat that acts with the event, if any; latency is credited to this seat.
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
        """Move the deadline of a turn-based span by `more` milliseconds."""
        clock = self.seats[seat]
        self.change(seat, free=clock.free + more, deadline=clock.deadline + more)

    def owe(self, version: int, tick: Tick) -> None:
        """Begin and end spans, so that the seats of the tick owe answers.

        A span in `Tick.begun` begins anew even if its seat already owed an answer.
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
        """End a seat's span and decision, and add the increment to the bank."""
        clock, earned = self.seats[seat], self.clock.increment * SECOND
        bank = clock.bank if isinstance(self.clock, LiveClock) else clock.bank - self.overdrawn(clock)
        self.seats[seat] = replace(clock, bank=bank + earned if bank > 0 else earned, since=NEVER, decision=0, out=0)

    def overdrawn(self, clock: SeatClock) -> int:
        """Return how much of the bank a turn-based span has used so far."""
        length = clock.deadline - clock.free
        if self.at <= clock.free or not length:
            return 0
        return clock.bank * min(self.at - clock.free, length) // length

    def ended(self, at: int, actor: int | None, tick: Tick) -> list[EndedSpan]:
        """Return the decisions and spans that an event is about to end.

        Args:
            at: the event's time.
            actor: the seat whose decision ends, if any.
            tick: the event's clock data.
        """
        anew = {span.seat for span in tick.begun}
        found = []
        for seat in self.owes:
            clock, closed = self.seats[seat], seat not in tick.owes or seat in anew
            if closed or seat == actor:
                found.append(EndedSpan(seat, closed, clock.span, clock.free - at, clock.deadline - at))
        return found

    def take_back(self, version: int, seat: int, ended: list[EndedSpan]) -> None:
        """Remove the increments that a seat earned for undone spans.

        If the seat owes an answer again, the first undone span continues. The delay of that span counts as used up, and
        all time since its beginning counts as part of it.
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
        """Return when the seat's time will be over, None if its clock is stopped.

        The result is in milliseconds since 1970. Views, lists and deadlines all use it.

        Args:
            away: the milliseconds of an outage since the clocks' newest event, in which no clock ran.
        """
        return self.at + self.left(seat) + away if seat in self.owes and not self.paused else None

    def remaining(self, seat: int, at: int, away: int) -> int:
        """Return the seat's time left at an instant; below 0 once the time is over.

        Args:
            at: the instant.
            away: the milliseconds of an outage, as in `over`.
        """
        over, left = self.over(seat, away), self.left(seat)
        return left if over is None or over - at > left else over - at

    def is_due(self, seat: int, at: int, away: int) -> bool:
        """Return whether the instant that `fires` returns has passed.

        The arguments are those of `remaining`.
        """
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
        """Return how much of a command's latency is credited to the acting seat."""
        quota = self.seats[seat].quota
        if lag <= 0 or quota <= 0 or not isinstance(self.clock, LiveClock):
            return 0
        most = MOST_LAG if quota > MOST_LAG else quota
        return lag if lag < most else most

    def is_late(self, seat: int, elapsed: int) -> bool:
        """Return whether a command was received after the seat's time was over.

        Args:
            elapsed: the milliseconds from the clocks' newest event to the command's arrival, without outages and
                credited latency; below 0 if the command arrived before that event.
        """
        return self.left(seat) < elapsed and self.seats[seat].runs

    def fires(self, seat: int) -> int:
        """Return the instant when a seat's time-out or its consequences are due."""
        clock = self.seats[seat]
        return clock.out + SETTLE if clock.out else self.at + self.left(seat) + self.credit(seat, MOST_LAG)

    def next(self) -> tuple[int, int] | None:
        """Return the earliest instant of `fires` and its seat; None while no clock runs."""
        first = None
        for seat in self.owes if not self.paused else ():
            if seat not in self.away:
                found = self.fires(seat), seat
                first = found if first is None or found < first else first
        return first


def clocks_of(clock: Clock, seats: int) -> Clocks:
    """Return the clocks of a table before the game begins."""
    bank = clock.bank if isinstance(clock, LiveClock) else clock.bank * DAY
    return Clocks(clock, [SeatClock(bank * SECOND) for _ in range(seats)])
