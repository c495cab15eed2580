"""What everybody did, round by round, as tie-breaks ask for it."""
from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from services.tournaments.core.model import WIN, Entries, History, Round, Settings, Table
from services.tournaments.core.past import Past, takes_part
from services.tournaments.core.points import by_place, places_of, round_points, shares, table_points, unplayed


class Played(NamedTuple):
    """opponents: numbers, with 2 for who came behind, 1 for who shared the place, 0 for who came before.

    units: won of most; normal: the share of the game's points; first: whether nobody came before.
    """

    opponents: tuple[tuple[int, int], ...]
    units: int
    most: int
    normal: int
    first: bool


class Unplayed(NamedTuple):
    """units: given; own_doing: whether the entry stayed away itself."""

    units: int
    own_doing: bool


class Crosstable:
    """Rows by number of the entry, one item a round."""

    def __init__(self, entries: Entries, history: History, settings: Settings) -> None:
        self.past = Past(entries, history, settings)
        self.settings = settings
        self.rows: list[list[Played | Unplayed]] = [[] for _ in entries]
        for at, round in enumerate(history, 1):
            self._add(at, round)

    def _add(self, at: int, round: Round) -> None:
        units = round_points(self.settings, round)
        for number, entry in enumerate(self.past.entries):
            here = takes_part(entry, at)
            given = unplayed(self.settings, self.settings.absent) if at in entry.out else 0
            self.rows[number].append(Unplayed(units.get(entry.id, given), not here and entry.joined <= at))
        for table in round.tables:
            self._add_table(table, round)

    def _add_table(self, table: Table, round: Round) -> None:
        there, units = self.past.there(table), table_points(self.settings, table, round)
        for seat, id in enumerate(table.seats):
            if table.games and seat not in {seat for seat, _ in there}:
                self.rows[self.past.number[id]][-1] = Unplayed(units[seat], True)
        if len(there) < 2:
            return
        places, normal, most = places_of(table), shares(table), self.most(len(table.seats))
        for seat, number in there:
            beaten = tuple((other, 1 + sign(places[beside] - places[seat])) for beside, other in there if other != number)
            first = all(places[seat] <= places[beside] for beside, _ in there)
            self.rows[number][-1] = Played(beaten, units[seat], most, normal[seat], first)

    def most(self, size: int) -> int:
        """Units that a table of this size gives at most."""
        return WIN if self.settings.scheme in ("share", "duplicate") else by_place(self.settings, size)[0]

    @cached_property
    def as_opponents(self) -> list[int]:
        """Scores as they count for others: what somebody did not play by his own doing counts as an even result."""
        even = unplayed(self.settings, "mean")
        changed = (sum(even - row.units for row in rows if isinstance(row, Unplayed) and row.own_doing) for rows in self.rows)
        return [score + change for score, change in zip(self.past.scores, changed, strict=True)]

    def played(self, number: int) -> list[Played]:
        return [row for row in self.rows[number] if isinstance(row, Played)]


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
