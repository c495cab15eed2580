"""Compute from past rounds each entry's scores, meetings, seats and byes."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import permutations

from ludarium_pairing.model import MOST_SEATS, Entries, Entry, History, Settings, Table
from ludarium_pairing.points import places_of, present_seats, table_points, unplayed_points

Seats = tuple[int, ...]
"""The number of times that an entry had each seat of a table."""


class PastRounds:
    """The rounds played so far.

    Entries are identified by their index in the list of entries.
    """

    def __init__(self, entries: Entries, history: History, settings: Settings) -> None:
        self.entries, self.history, self.settings = entries, history, settings
        self.number = {entry.id: at for at, entry in enumerate(entries)}
        self.round = len(history) + 1
        self._packed: dict[int, list[int]] = {}

    # --- past seats ---------------------------------------------------------------------------------------------------
    @cached_property
    def seated_tables(self) -> list[tuple[Table, list[tuple[int, int]]]]:
        """All tables so far, each with (seat, number) of the entries that played there."""
        return [(table, self.players_at(table)) for round in self.history for table in round.tables]

    @cached_property
    def shared_tables(self) -> list[tuple[Table, list[tuple[int, int]]]]:
        """The tables at which at least two entries played."""
        return [(table, players) for table, players in self.seated_tables if len(players) > 1]

    @cached_property
    def played(self) -> set[int]:
        return {number for _, players in self.shared_tables for _, number in players}

    @cached_property
    def byes(self) -> list[int]:
        byes = [0] * len(self.entries)
        for round in self.history:
            for entry in round.byes:
                byes[self.number[entry]] += 1
        for _, players in self.seated_tables:
            if len(players) == 1:
                byes[players[0][1]] += 1
        return byes

    @cached_property
    def short(self) -> list[int]:
        """The number of times that each entry sat at a table below the preferred size."""
        short = [0] * len(self.entries)
        for table, players in self.shared_tables:
            for _, number in players if len(table.seats) < self.settings.seats else ():
                short[number] += 1
        return short

    @cached_property
    def seats(self) -> list[Seats]:
        seats: list[Seats] = [(0,) * MOST_SEATS for _ in self.entries]
        for _, players in self.shared_tables:
            for seat, number in players:
                counts = seats[number]
                seats[number] = (*counts[:seat], counts[seat] + 1, *counts[seat + 1:])
        return seats

    @cached_property
    def met(self) -> list[dict[int, int]]:
        met: list[dict[int, int]] = [{} for _ in self.entries]
        for _, players in self.shared_tables:
            for (_, one), (_, other) in permutations(players, 2):
                met[one][other] = met[one].get(other, 0) + 1
        return met

    def players_at(self, table: Table) -> list[tuple[int, int]]:
        """Return (seat, number) of the entries that played at a table.

        The list is empty if the table has no result.
        """
        return [(seat, self.number[table.seats[seat]]) for seat in present_seats(table)]

    def packed_seats(self, size: int) -> list[int]:
        """Return how often each entry had each of the first `size` seats.

        The counts of an entry are packed as one byte per seat.
        """
        if size not in self._packed:
            self._packed[size] = [packed(counts[:size]) for counts in self.seats]
        return self._packed[size]

    # --- points -------------------------------------------------------------------------------------------------------
    @cached_property
    def scores(self) -> list[int]:
        """Each entry's total units, including units for rounds not played."""
        total = {entry.id: entry.points for entry in self.entries}
        streak = dict.fromkeys(total, 0)
        absent, bye = unplayed_points(self.settings, self.settings.absent), unplayed_points(self.settings, self.settings.bye)
        for at, round in enumerate(self.history, 1):
            for entry in self.entries if absent else ():
                total[entry.id] += absent if at in entry.out else 0
            for id in round.byes:
                total[id] += 2 * bye if streak[id] >= 2 else bye
            for table in round.tables:
                for id, own in zip(table.seats, table_points(self.settings, table, round), strict=True):
                    total[id] += 2 * own if streak[id] >= 2 else own
            if self.settings.scheme == "arena":
                for table in round.tables:
                    streak.update(win_streaks(table, streak))
        return [total[entry.id] for entry in self.entries]

    # --- the next round -----------------------------------------------------------------------------------------------

    @cached_property
    def present(self) -> list[int]:
        """The entries that take part in the next round."""
        return self.present_at(self.round)

    def present_at(self, round: int) -> list[int]:
        """Return the entries that take part in a round.

        Reserves fill the free places. Reserves that have played before come first.
        """
        here = [number for number, entry in enumerate(self.entries) if takes_part(entry, round)]
        regular = [number for number in here if not self.entries[number].reserve]
        reserves = sorted((number for number in here if self.entries[number].reserve), key=lambda n: n not in self.played)
        return sorted(regular + reserves[:max(0, (self.settings.places or 0) - len(regular))])

    def ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.entries[number].id for number in numbers)

    def seeded(self, numbers: Iterable[int]) -> list[int]:
        """Sort entries by rating, best first; equal ratings keep the order of the list."""
        return sorted(numbers, key=lambda number: (-self.entries[number].rating, number))

    def repeats(self, table: Sequence[int]) -> int:
        """Return the number of earlier meetings over all pairs at a table."""
        return sum(self.met[one].get(other, 0) for at, one in enumerate(table) for other in table[:at])


def packed(counts: Seats) -> int:
    return int.from_bytes(bytes(min(had, 255) for had in counts), "little")


def takes_part(entry: Entry, round: int) -> bool:
    return entry.joined <= round and (entry.left is None or round < entry.left) and round not in entry.out


def win_streaks(table: Table, before: dict[str, int]) -> dict[str, int]:
    """Return each entry's number of consecutive wins after this table."""
    if not table.games:
        return {}
    places = places_of(table)
    return {id: before[id] + 1 if places[seat] == 1 and places.count(1) == 1 else 0 for seat, id in enumerate(table.seats)}
