"""What the rounds so far mean for the next one: scores, meetings, seats, byes and short tables, by number of the entry."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from services.tournaments.core.model import MOST_SEATS, Entries, Entry, History, Round, Settings, Table
from services.tournaments.core.points import missing, places_of, round_points, unplayed

Seats = tuple[int, ...]
"""How often each seat of a table was had."""


class Past:
    """Entries are numbers here: their places in the list of entries."""

    def __init__(self, entries: Entries, history: History, settings: Settings) -> None:
        self.entries, self.history, self.settings = entries, history, settings
        self.number = {entry.id: at for at, entry in enumerate(entries)}
        self.round = len(history) + 1
        self.met: list[dict[int, int]] = [{} for _ in entries]
        self.seats: list[Seats] = [(0,) * MOST_SEATS for _ in entries]
        self.byes = [0] * len(entries)
        self.short = [0] * len(entries)
        self.played: set[int] = set()
        self._packed: dict[int, list[int]] = {}
        for round in history:
            self._count(round)

    def _count(self, round: Round) -> None:
        for entry in round.byes:
            self.byes[self.number[entry]] += 1
        for table in round.tables:
            self._count_table(table)

    def _count_table(self, table: Table) -> None:
        there = self.there(table)
        if len(there) == 1:
            self.byes[there[0][1]] += 1
            return
        numbers = [number for _, number in there]
        for seat, number in there:
            counts = self.seats[number]
            self.seats[number] = (*counts[:seat], counts[seat] + 1, *counts[seat + 1:])
            self.short[number] += len(table.seats) < self.settings.seats
            for other in numbers:
                if other != number:
                    self.met[number][other] = self.met[number].get(other, 0) + 1
        self.played.update(numbers)

    def there(self, table: Table) -> list[tuple[int, int]]:
        """Seats and numbers of those who played; nobody where there is no result."""
        absent = missing(table)
        return [(seat, self.number[id]) for seat, id in enumerate(table.seats) if table.games and seat not in absent]

    def packed_seats(self, size: int) -> list[int]:
        """By number of the entry, how often it had each of so many seats, a byte each: what is looked up often."""
        if size not in self._packed:
            self._packed[size] = [packed(counts[:size]) for counts in self.seats]
        return self._packed[size]

    @cached_property
    def scores(self) -> list[int]:
        return scores(self.entries, self.history, self.settings)

    @cached_property
    def present(self) -> list[int]:
        """Who takes part in the next round."""
        return self.present_at(self.round)

    def present_at(self, round: int) -> list[int]:
        """Reserves take part while there are places; those who have played before go first."""
        here = [number for number, entry in enumerate(self.entries) if takes_part(entry, round)]
        regular = [number for number in here if not self.entries[number].reserve]
        reserves = sorted((number for number in here if self.entries[number].reserve), key=lambda n: n not in self.played)
        return sorted(regular + reserves[:max(0, (self.settings.places or 0) - len(regular))])

    def ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.entries[number].id for number in numbers)

    def seeded(self, numbers: Iterable[int]) -> list[int]:
        """The best rated first; of two alike, who was listed first."""
        return sorted(numbers, key=lambda number: (-self.entries[number].rating, number))

    def repeats(self, table: Sequence[int]) -> int:
        """Earlier meetings of those at a table."""
        return sum(self.met[one].get(other, 0) for at, one in enumerate(table) for other in table[:at])


def packed(counts: Seats) -> int:
    return int.from_bytes(bytes(min(had, 255) for had in counts), "little")


def takes_part(entry: Entry, round: int) -> bool:
    return entry.joined <= round and (entry.left is None or round < entry.left) and round not in entry.out


def scores(entries: Entries, history: History, settings: Settings) -> list[int]:
    """Units by number of the entry, given ones included."""
    total = {entry.id: entry.points for entry in entries}
    streak = dict.fromkeys(total, 0)
    for at, round in enumerate(history, 1):
        for entry in entries:
            total[entry.id] += unplayed(settings, settings.absent) if at in entry.out else 0
        for id, units in round_points(settings, round).items():
            total[id] += 2 * units if settings.scheme == "arena" and streak[id] >= 2 else units
        for table in round.tables:
            streak.update(streaks(table, streak))
    return [total[entry.id] for entry in entries]


def streaks(table: Table, before: dict[str, int]) -> dict[str, int]:
    """Wins in a row after this table."""
    if not table.games:
        return {}
    places = places_of(table)
    return {id: before[id] + 1 if places[seat] == 1 and places.count(1) == 1 else 0 for seat, id in enumerate(table.seats)}
