"""Compute the crosstable, each entry's results by round, for tie-breaks."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec import Struct

from ludarium_pairing.history import PastRounds, takes_part
from ludarium_pairing.model import WIN, Entries, History, Round, Settings, Table
from ludarium_pairing.points import by_place, places_of, present_seats, shares, table_points, unplayed_points

FLOOR = Fraction(1, 3)
SIXTIETHS = 60
"""Sixtieths in a unit. An average over one to five opponents is a whole number of them, so sums need no fractions."""


class Played(Struct, frozen=True, gc=False):
    """A round in which the entry played.

    Attributes:
        opponents: pairs of an opponent's number and twice the score against that opponent: 2 for a better place, 1 for a
            shared place, 0 for a worse one.
        units: units won.
        most_units: the most units that the table could give.
        normal: the entry's share of the game's points, in units.
        first: whether no opponent had a better place.
    """

    opponents: tuple[tuple[int, int], ...]
    units: int
    most_units: int
    normal: int
    first: bool


class Unplayed(Struct, frozen=True, gc=False):
    """A round in which the entry did not play.

    Attributes:
        units: units given for the round.
        own_doing: whether the entry stayed away by choice.
    """

    units: int
    own_doing: bool


Cell = Played | Unplayed
Column = list[Cell]
"""The cells of one round, one for each entry."""


class Crosstable:
    """A crosstable with a row for each entry and a cell for each round."""

    def __init__(self, entries: Entries, history: History, settings: Settings, known: Sequence[Column] = ()) -> None:
        """Compute the crosstable.

        Args:
            known: columns of the first rounds from an earlier crosstable. More entries may have joined since then.
        """
        self.past = PastRounds(entries, history, settings)
        self.settings = settings
        self.sizes: dict[int, int] = {}
        self.columns = [self.extended(at, column) for at, column in enumerate(known, 1)]
        self.columns += [self.column(at, history[at - 1]) for at in range(len(known) + 1, len(history) + 1)]
        self.rows: list[tuple[Cell, ...]] = [*zip(*self.columns, strict=True)] if history else [()] * len(entries)

    def extended(self, at: int, column: Column) -> Column:
        more = [self.without_table(number, at) for number in range(len(column), len(self.past.entries))]
        return [*column, *more] if more else column

    def column(self, at: int, round: Round) -> Column:
        """Return each entry's cell for one round."""
        bye, found = unplayed_points(self.settings, self.settings.bye), dict[int, Cell]()
        for number in map(self.past.number.__getitem__, round.byes):
            found[number] = Unplayed(bye, self.stayed_away(number, at))
        for table in round.tables:
            self.add_table(found, at, table, table_points(self.settings, table, round))
        return [found[one] if one in found else self.without_table(one, at) for one in range(len(self.past.entries))]

    def without_table(self, number: int, at: int) -> Unplayed:
        given = unplayed_points(self.settings, self.settings.absent) if at in self.past.entries[number].out else 0
        return Unplayed(given, self.stayed_away(number, at))

    def stayed_away(self, number: int, at: int) -> bool:
        entry = self.past.entries[number]
        return entry.joined <= at and not takes_part(entry, at)

    def add_table(self, found: dict[int, Cell], at: int, table: Table, units: tuple[int, ...]) -> None:
        numbers, present = [*map(self.past.number.__getitem__, table.seats)], present_seats(table)
        if len(present) < len(numbers):
            for seat, number in enumerate(numbers):
                missed = bool(table.games) and seat not in present
                found[number] = Unplayed(units[seat], missed or self.stayed_away(number, at))
        if len(present) < 2:
            return
        normal, most = shares(table), self.most_units(len(numbers))
        for seat, (others, first) in zip(present, compare_seats(places_of(table), present), strict=True):
            opponents = tuple([(numbers[other], twice) for other, twice in others])
            found[numbers[seat]] = Played(opponents, units[seat], most, normal[seat], first)

    def most_units(self, size: int) -> int:
        """Return the most units that a table of this size can give to a player."""
        if size not in self.sizes:
            shares = self.settings.scheme in ("share", "duplicate")
            self.sizes[size] = WIN if shares else by_place(self.settings, size)[0]
        return self.sizes[size]

    @cached_property
    def scores(self) -> list[int]:
        """Each entry's score in units, like `PastRounds.scores` but summed from columns.

        An arena needs the whole history, since streaks make later rounds worth more.
        """
        if self.settings.scheme == "arena":
            return self.past.scores
        given = [entry.points for entry in self.past.entries]
        return [own + sum([cell.units for cell in row]) for own, row in zip(given, self.rows, strict=True)]

    @cached_property
    def as_opponents(self) -> list[int]:
        """Each entry's score as counted in the tie-breaks of its opponents.

        A round that the entry missed by choice counts as an even result.
        """
        even = unplayed_points(self.settings, "mean")
        scores = [*self.scores]
        for number, games in enumerate(self.games):
            if len(games) < len(self.columns):
                missed = [cell for cell in self.rows[number] if isinstance(cell, Unplayed) and cell.own_doing]
                scores[number] += sum([even - cell.units for cell in missed])
        return scores

    @cached_property
    def as_opponents_in_sixtieths(self) -> list[int]:
        return [SIXTIETHS * score for score in self.as_opponents]

    @cached_property
    def won_shares(self) -> list[Fraction]:
        """Each entry's share of the possible units, at least a third."""
        return [won_share(games) for games in self.games]

    @cached_property
    def games(self) -> list[list[Played]]:
        """The rounds that each entry played."""
        return [[row for row in rows if isinstance(row, Played)] for rows in self.rows]


def won_share(played: Sequence[Played]) -> Fraction:
    return max(FLOOR, Fraction(sum(row.units for row in played), sum(row.most_units for row in played))) if played else FLOOR


@lru_cache(10_000)
def compare_seats(places: tuple[int, ...], seats: tuple[int, ...]) -> list[tuple[list[tuple[int, int]], bool]]:
    """Compare each of the seats with the others.

    Results are cached, since most tables have one of a few patterns of places.

    Returns:
        For each seat, the other seats with twice the score against them (see `Played`), and whether none of them had a better
            place.
    """
    return [
        ([(other, 1 + sign(places[other] - places[seat])) for other in seats if other != seat],
         all(places[seat] <= places[other] for other in seats))
        for seat in seats
    ]  # fmt: skip


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
