"""Playing hours and vacations of players.

Turn-based clocks pause outside playing hours and on vacation. The functions are pure. Instants are milliseconds since
1970. Days are those of the player's time zone (an IANA zone from the package `tzdata`).
"""
from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec import Meta

MINUTES = 24 * 60
LEAST = 12 * 60
"""Minimum length of the daily playing hours, in minutes."""
NOTICE = timedelta(days=7)
"""Delay until a change takes effect, so that nobody gains time for a current turn by changing playing hours."""
MOST_VACATIONS, LONGEST = 8, 31
Minute = Annotated[int, Meta(ge=0, lt=MINUTES)]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


class Vacation(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A vacation in whole days, including the first and the last one."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if not 0 <= (self.last - self.first).days < LONGEST:
            raise ValueError(f"a vacation has 1 to {LONGEST} days")


class Rest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A player's playing hours and vacations.

    `opens` and `closes` are minutes of the local day, between which the player plays. If they are equal, the player can
    play at any time.
    """

    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    opens: Minute = 0
    closes: Minute = 0
    vacations: Annotated[list[Vacation], Meta(max_length=MOST_VACATIONS)] = []

    def __post_init__(self) -> None:
        if self.zone not in zones():
            raise ValueError("there is no such zone")
        if (self.closes - self.opens) % MINUTES < LEAST and self.opens != self.closes:
            raise ValueError(f"one plays for {LEAST // 60} hours a day at least")

    def after(self, start: int, wanted: int) -> int:
        """Return the instant when `wanted` milliseconds of playing time have passed.

        Args:
            start: the instant from which to count.
            wanted: milliseconds of playing time.
        """
        if self == ALWAYS:
            return start + wanted
        for opens, closes in self.stretches(start):
            had = closes - max(opens, start)
            if had >= wanted:
                return max(opens, start) + wanted
            wanted -= max(had, 0)
        raise ValueError("a date beyond the calendar")

    def stretches(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each stretch of playing time, in order.

        The first stretches may end before `start`.
        """
        day = (EPOCH + timedelta(milliseconds=start)).astimezone(ZoneInfo(self.zone)).date() - DAY
        length = (self.closes - self.opens) % MINUTES or MINUTES
        while True:
            if not any(vacation.first <= day <= vacation.last for vacation in self.vacations):
                yield self.moment(day, self.opens), self.moment(day, self.opens + length)
            day += DAY

    def moment(self, day: date, minute: int) -> int:
        """Return the instant of a local time.

        A time in the hour that daylight saving time skips is moved to the next hour.

        Args:
            minute: the minute of the day; from MINUTES on, it counts into the next day.
        """
        days, minute = divmod(minute, MINUTES)
        local = datetime.combine(day + days * DAY, time(*divmod(minute, 60)), ZoneInfo(self.zone))
        return round((local - EPOCH).total_seconds() * 1000)


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    return frozenset(available_timezones())


ALWAYS = Rest()
