"""The fold of clocks over random events is compared with sums over turns."""
from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium.clocks.clocks import QUOTA, Clocks, SeatClock, clocks_of
from ludarium.clocks.settings import Clock, LiveClock, TurnBasedClock
from ludarium.clocks.ticks import Begun, Tick

SEATS = 3
HOURS = 3_600_000
decode = msgspec.msgpack.Decoder(Clocks).decode


class Row(NamedTuple):
    """An event.

    An undo reverses the last `back` events. Events of seats have `back` 0.
    """

    after: int
    seat: int
    owes: list[int]
    lag: int
    away: int
    answers: bool
    back: int


def rows_of(backs: st.SearchStrategy[int]) -> st.SearchStrategy[list[Row]]:
    seats = st.lists(st.integers(0, SEATS - 1), unique=True, max_size=SEATS)
    return st.lists(
        st.builds(
            Row, st.integers(0, 9000), st.integers(0, SEATS - 1), seats, st.integers(0, 900), st.integers(0, 500),
            st.booleans(), backs,
        ),
        min_size=1, max_size=25,
    )  # fmt: skip


LIVE = st.builds(
    LiveClock, st.integers(5, 60), st.integers(0, 5), st.integers(0, 4), st.none() | st.integers(5, 20)
)
TURNS = st.builds(TurnBasedClock, st.integers(2, 4), st.integers(0, 2))
CLOCKS = LIVE | TURNS
FORWARD, ANY = rows_of(st.just(0)), rows_of(st.just(0) | st.just(0) | st.integers(0, 6))


def dead(rows: Sequence[Row]) -> set[int]:
    """Return the versions of seats' events that are undone later.

    The first event has version 1.
    """
    found: set[int] = set()
    for version, row in enumerate(rows, 1):
        if row.back:
            found.update(range(max(version - row.back, 1), version))
    return {version for version in found if not rows[version - 1].back and rows[version - 1].answers}


def begun(clocks: Clocks, at: int, seats: Sequence[int]) -> list[Begun]:
    """Return the deadlines of seats that have just been asked, for turn-based clocks.

    A deadline is an hour later, and a final one after the remaining bank.
    """
    if isinstance(clocks.clock, LiveClock):
        return []
    return [Begun(p, at + HOURS, at + HOURS + max(clocks.seats[p].bank, 0)) for p in seats if p not in clocks.owes]


class Fold:
    """A fold of single events that tracks when each seat was asked, and its credits."""

    def __init__(self, clock: Clock, rows: Sequence[Row]) -> None:
        self.clocks, self.rows, self.dead = clocks_of(clock, SEATS), rows, dead(rows)
        self.at = 1_000_000
        self.clocks.start(0, self.at, Tick([0, 1], begun=begun(self.clocks, self.at, [0, 1])))
        self.since = {0: self.at, 1: self.at}
        self.spans, self.credits = [0] * SEATS, [0] * SEATS

    def take(self, version: int) -> None:
        row = self.rows[version - 1]
        self.at += row.after
        away, runs = min(row.away, row.after), row.seat in self.clocks.owes and not row.back and row.answers
        lag = min(self.clocks.credit(row.seat, row.lag), row.after - away) if runs else 0
        for seat in self.clocks.owes:
            self.credits[seat] += away + (lag if seat == row.seat else 0)
        if row.back:
            self.clocks.undo(version, self.at, max(version - row.back - 1, 0), Tick(away=away))
        else:
            owes = row.owes if row.answers else self.clocks.owes
            tick = Tick(owes, lag, 0, away, begun(self.clocks, self.at, owes))
            self.clocks.act(version, self.at, row.seat, tick, answers=row.answers, dead=version in self.dead)
        self.note()

    def note(self) -> None:
        for seat in {*self.since} - {*self.clocks.owes}:
            self.spans[seat] += self.at - self.since.pop(seat)
        for seat in self.clocks.owes:
            self.since.setdefault(seat, self.at)

    def whole(self) -> Clocks:
        for version in range(1, len(self.rows) + 1):
            self.take(version)
        return self.clocks


@given(CLOCKS, ANY)
def test_what_a_seat_has_used_is_the_sum_of_its_spans_without_its_credits(clock: Clock, rows: list[Row]) -> None:
    fold = Fold(clock, rows)
    fold.whole().stop(fold.at + 1234)
    for seat, used in enumerate(clock.used for clock in fold.clocks.seats):
        running = fold.at + 1234 - fold.since[seat] if seat in fold.since else 0
        assert used == fold.spans[seat] + running - fold.credits[seat]
    assert not fold.clocks.owes and not any(clock.runs for clock in fold.clocks.seats)


@given(CLOCKS, ANY)
def test_those_who_owe_run_and_nobody_else(clock: Clock, rows: list[Row]) -> None:
    fold = Fold(clock, rows)
    for version in range(1, len(rows) + 1):
        fold.take(version)
        assert [seat for seat, clock in enumerate(fold.clocks.seats) if clock.runs] == sorted(fold.clocks.owes)


@given(LIVE, FORWARD)
def test_a_bank_holds_what_it_was_given_and_earned_without_what_was_beyond_delays(clock: LiveClock, rows: list[Row]) -> None:
    """This is checked until a seat runs out of time.

    Only seats that have no answer to give at the end are checked.
    """
    fold = Fold(clock, rows)
    banks = [clock.bank * 1000] * SEATS
    decisions = {0: 0, 1: 0}
    for version, row in enumerate(rows, 1):
        before, used = fold.clocks.owes, [clock.used for clock in fold.clocks.seats]
        fold.take(version)
        for seat in before:
            decisions[seat] += fold.clocks.seats[seat].used - used[seat]
            if seat not in fold.clocks.owes or (row.answers and seat == row.seat):
                banks[seat] = banks[seat] - max(decisions.pop(seat) - clock.delay * 1000, 0)
                if banks[seat] < 0:
                    return
            if seat not in fold.clocks.owes:
                banks[seat] += clock.increment * 1000
        for seat in fold.clocks.owes:
            decisions.setdefault(seat, 0)
    for seat, one in enumerate(fold.clocks.seats):
        assert one.runs or one.bank == banks[seat]


@given(CLOCKS, ANY)
def test_an_undo_gives_nobody_time(clock: Clock, rows: list[Row]) -> None:
    """A seat that has to act has no more time than if it had gone on thinking."""
    fold = Fold(clock, rows)
    for version, row in enumerate(rows, 1):
        before = deepcopy(fold.clocks)
        before.pass_time(fold.at + row.after, Tick(away=min(row.away, row.after)))
        fold.take(version)
        if row.back:
            for seat, one in enumerate(fold.clocks.seats):
                assert one.bank <= before.seats[seat].bank and one.used == before.seats[seat].used
                if isinstance(clock, LiveClock) and one.runs:
                    assert fold.clocks.left(seat) <= max(before.left(seat), 0) or before.left(seat) < 0


@given(CLOCKS, ANY, st.integers(0, 25))
def test_a_fold_goes_on_alike_from_what_was_kept_of_it(clock: Clock, rows: list[Row], kept: int) -> None:
    """As with snapshots, the saved point is never undone."""
    whole, parts = Fold(clock, rows), Fold(clock, rows)
    for version in range(1, len(rows) + 1):
        if version == kept and not any(row.back and nth - row.back <= kept for nth, row in enumerate(rows, 1) if nth >= kept):
            parts.clocks = decode(msgspec.msgpack.encode(parts.clocks))
        whole.take(version)
        parts.take(version)
    assert whole.clocks == parts.clocks


@given(CLOCKS, FORWARD, st.integers(0, 2_000))
def test_a_command_is_in_time_up_to_the_deadline_and_the_lag_that_is_credited(clock: Clock, rows: list[Row], lag: int) -> None:
    fold = Fold(clock, rows)
    clocks = fold.whole()
    for seat in clocks.owes:
        deadline = clocks.at + clocks.left(seat)
        credit, left = clocks.credit(seat, lag), clocks.left(seat)
        assert not clocks.is_late(seat, left) and clocks.is_late(seat, left + 1)
        assert deadline + credit <= clocks.fires(seat) <= deadline + 500


@settings(max_examples=30)
@given(LIVE, st.lists(st.integers(0, 100_000), max_size=80))
def test_no_more_lag_is_credited_than_there_is(clock: LiveClock, lags: list[int]) -> None:
    clocks, at, given = clocks_of(clock, 2), 0, 0
    clocks.start(0, at, Tick([0]))
    for version, lag in enumerate(lags, 1):
        credit = clocks.credit(0, lag)
        assert 0 <= credit <= min(lag, 500)
        clocks.act(version, at, 0, Tick([0], credit))
        given += credit
    assert given <= QUOTA and clocks.seats[0].quota == QUOTA - given


def test_a_sealed_answer_that_is_replaced_neither_runs_nor_earns() -> None:
    clocks = clocks_of(LiveClock(60, 5), 2)
    clocks.start(0, 0, Tick([0, 1]))
    clocks.act(1, 1000, 0, Tick([1]))
    sealed = deepcopy(clocks.seats[0])
    for version in range(2, 6):
        clocks.act(version, 1000 * version, 0, Tick([1]))
        assert clocks.seats[0] == sealed
    assert sealed == SeatClock(64_000, used=1000, span=1000)


def test_an_increment_is_earned_once_and_taken_back_with_the_move() -> None:
    clocks = clocks_of(LiveClock(60, 5, delay=2), 2)
    clocks.start(0, 0, Tick([0]))
    clocks.act(1, 3000, 0, Tick([1]), dead=True)
    assert clocks.seats[0].bank == 64_000
    clocks.undo(2, 4000, 0, Tick())
    assert (clocks.owes, clocks.seats[0].bank, clocks.seats[0].span, clocks.seats[1].used) == ([0], 59_000, 3000, 1000)
    clocks.act(3, 5000, 0, Tick([1]))
    assert (clocks.seats[0].bank, clocks.seats[0].used) == (63_000, 4000)      # no second delay for the same decision


def test_a_turn_based_bank_runs_evenly_from_the_end_of_the_days_to_the_deadline() -> None:
    clocks = clocks_of(TurnBasedClock(1, 1), 1)
    day = 24 * HOURS
    clocks.start(0, 0, Tick([0], begun=[Begun(0, day, 3 * day)]))             # a day of its bank was rest
    clocks.act(1, 2 * day, 0, Tick([]))
    assert clocks.seats[0].bank == day // 2
