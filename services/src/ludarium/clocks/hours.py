"""When a player rests: outside their playing hours, and on vacation. Turn-based clocks stand still meanwhile. Pure.

Instants are milliseconds since 1970. Days are those of the player's zone, as the IANA has it (the package `tzdata`).
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
"""Minutes a day in which one plays."""
NOTICE = timedelta(days=7)
"""Between a change and the first span that it holds for: nobody gets time for what they are asked already."""
MOST_VACATIONS, LONGEST = 8, 31
Minute = Annotated[int, Meta(ge=0, lt=MINUTES)]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


class Vacation(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Whole days, the last one too."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if not 0 <= (self.last - self.first).days < LONGEST:
            raise ValueError(f"a vacation has 1 to {LONGEST} days")


class Rest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """zone: of the IANA. opens, closes: minutes of the local day, between which one plays; the same twice: always."""

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
        """When so many milliseconds of playing time have gone since `start`."""
        if self == ALWAYS:
            return start + wanted
        for opens, closes in self.stretches(start):
            had = closes - max(opens, start)
            if had >= wanted:
                return max(opens, start) + wanted
            wanted -= max(had, 0)
        raise ValueError("a date beyond the calendar")

    def stretches(self, start: int) -> Iterator[tuple[int, int]]:
        """Of playing time, in their order; from one that has not ended long before `start`."""
        day = (EPOCH + timedelta(milliseconds=start)).astimezone(ZoneInfo(self.zone)).date() - DAY
        length = (self.closes - self.opens) % MINUTES or MINUTES
        while True:
            if not any(vacation.first <= day <= vacation.last for vacation in self.vacations):
                yield self.moment(day, self.opens), self.moment(day, self.opens + length)
            day += DAY

    def moment(self, day: date, minute: int) -> int:
        """By the clock on the wall, whose hours are missing or there twice when it is set; a missing one is the next."""
        days, minute = divmod(minute, MINUTES)
        local = datetime.combine(day + days * DAY, time(*divmod(minute, 60)), ZoneInfo(self.zone))
        return round((local - EPOCH).total_seconds() * 1000)


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    return frozenset(available_timezones())


ALWAYS = Rest()
