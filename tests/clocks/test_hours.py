"""Playing hours and vacations, and how long such rest postpones a deadline."""
from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.clocks.hours import ALWAYS, MINUTES, Rest, Vacation

HOUR = 3_600_000
ZONES = ("UTC", "Europe/Budapest", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Kiritimati")
RESTS = st.builds(
    lambda zone, opens, hours, first, days: Rest(
        zone, opens, (opens + hours * 60) % MINUTES, [Vacation(first, first + timedelta(days - 1))] if days else []
    ),
    st.sampled_from(ZONES), st.integers(0, MINUTES - 1), st.integers(12, 24),
    st.dates(date(2026, 3, 20), date(2026, 4, 20)), st.integers(0, 31),
)  # fmt: skip
STARTS = st.integers(ms := round(datetime(2026, 3, 20, tzinfo=UTC).timestamp()) * 1000, ms + 40 * 24 * HOUR)


def at(year: int, month: int, day: int, hour: int) -> int:
    return round(datetime(year, month, day, hour, tzinfo=UTC).timestamp() * 1000)


@given(RESTS, STARTS, st.integers(0, 10 * 24 * HOUR), st.integers(0, 24 * HOUR))
def test_a_deadline_is_never_early_and_comes_by_and_by(rest: Rest, start: int, wanted: int, more: int) -> None:
    """Rest postpones a deadline by at most half of each day, and by the vacation."""
    until = rest.after(start, wanted)
    assert until >= start + wanted
    assert until <= start + 2 * wanted + 33 * 24 * HOUR
    assert rest.after(start, wanted + more) == rest.after(until, more) or more == 0
    assert ALWAYS.after(start, wanted) == start + wanted


@given(RESTS, STARTS)
def test_a_deadline_falls_in_playing_time(rest: Rest, start: int) -> None:
    until = rest.after(start, HOUR)
    assert any(opens < until <= closes for opens, closes in islice(rest.stretches(until), 3))


def test_the_night_and_the_vacation_do_not_count() -> None:
    rest = Rest("Europe/Budapest", 8 * 60, 20 * 60, [Vacation(date(2026, 7, 3), date(2026, 7, 5))])
    assert rest.after(at(2026, 7, 1, 10), 2 * HOUR) == at(2026, 7, 1, 12)
    # an hour until 20:00 local time, and an hour from 8:00
    assert rest.after(at(2026, 7, 1, 17), 2 * HOUR) == at(2026, 7, 2, 7)
    assert rest.after(at(2026, 7, 2, 17), 2 * HOUR) == at(2026, 7, 6, 7)
    assert rest.after(at(2026, 7, 4, 12), 0) == at(2026, 7, 6, 6)


def test_hours_are_those_of_the_clock_on_the_wall_when_it_is_set() -> None:
    """Budapest has no 2:30 on 29 March 2026, and has it twice on 25 October."""
    early = Rest("Europe/Budapest", 150, 150 + 12 * 60)
    assert early.after(at(2026, 3, 28, 13), HOUR) == at(2026, 3, 29, 2)            # it opens at 3:30, with half an hour left
    for day, hours in ((at(2026, 3, 29, 12), 11), (at(2026, 3, 30, 12), 12), (at(2026, 10, 25, 12), 13)):
        opens, closes = next(stretch for stretch in early.stretches(day) if stretch[1] > day)
        assert closes - opens == hours * HOUR


@pytest.mark.parametrize(("body", "why"), [
    (b'{"zone": "Europe/Atlantis"}', "no such zone"),
    (b'{"zone": "../../etc/passwd"}', "no such zone"),
    (b'{"opens": 480, "closes": 1199}', "12 hours"),
    (b'{"opens": 1440}', "< 1440|<= 1439"),
    (b'{"vacations": [{"first": "2026-07-05", "last": "2026-07-04"}]}', "31 days"),
    (b'{"vacations": [{"first": "2026-07-01", "last": "2026-08-01"}]}', "31 days"),
    (b'{"vacations": [{"first": "2026-02-30", "last": "2026-03-01"}]}', "date"),
])  # fmt: skip
def test_hours_that_cannot_be(body: bytes, why: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.json.decode(body, type=Rest)


def test_half_a_day_is_enough() -> None:
    assert msgspec.json.decode(b'{"zone": "Asia/Kathmandu", "opens": 1200, "closes": 480}', type=Rest).after(0, HOUR)
