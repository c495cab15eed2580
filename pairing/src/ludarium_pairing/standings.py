"""Compute standings, with places by points and tie-breaks."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import NamedTuple

from ludarium_pairing.crosstable import Crosstable
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entries, History, Settings
from ludarium_pairing.points import ranking
from ludarium_pairing.tiebreaks import Amount, Amounts, Criterion, criterion, fixed_amounts

ELIMINATIONS = ("single-elimination", "double-elimination", "pods", "lives")


class Standing(NamedTuple):
    """A row of the standings.

    Attributes:
        place: the place, shared by entries that no tie-break separates.
        points: points in units.
        by: each criterion in order, with this entry's amount.
    """

    place: int
    id: str
    points: int
    by: tuple[tuple[str, Amount], ...]


def standings(entries: Entries, history: History, settings: Settings, lot: bytes = b"") -> list[Standing]:
    return standings_by(Crosstable(entries, history, settings), lot)


def standings_by(table: Crosstable, lot: bytes = b"") -> list[Standing]:
    """Return the rows of the standings, best first.

    Entries that share a place are in the order of the list of entries.

    Args:
        lot: seed of the tie-break "lot".

    Raises:
        Refused: `settings-invalid` if the tie-break "lot" has no seed.
    """
    if "lot" in table.settings.tie_breaks and not lot:
        raise Refused("settings-invalid", "the tie-break lot needs the seed that was committed to")
    entries, groups, columns = table.past.entries, [taking_part(table.past)], list[tuple[str, dict[int, Amount]]]()
    for name, amounts in criteria(table, lot):
        amount_of = {number: amount for group in groups for number, amount in amounts(group).items()}
        groups = [part for group in groups for part in split_by(group, amount_of)]
        columns.append((name, amount_of))
    return [
        Standing(place, entries[number].id, table.scores[number], tuple([(name, of[number]) for name, of in columns]))
        for place, number in places(groups)
    ]


def taking_part(past: PastRounds) -> list[int]:
    """Return all entries except reserves that have never played."""
    return [number for number, entry in enumerate(past.entries) if not entry.reserve or number in past.played]


def criteria(table: Crosstable, lot: bytes) -> list[tuple[str, Criterion]]:
    if table.settings.format in ELIMINATIONS:
        return [("reached", fixed_amounts(rounds_survived(table.past)))]
    scores = dict(enumerate(table.scores))
    named = [(name, criterion(name, table, lot)) for name in table.settings.tie_breaks]
    return [("points", fixed_amounts(scores)), *named]


def split_by(group: list[int], amount_of: Amounts) -> list[list[int]]:
    if len(group) == 1:
        return [group]
    whole = common_numerators(group, amount_of)
    ordered = sorted(group, key=whole.__getitem__, reverse=True)
    return [list(part) for _, part in groupby(ordered, key=whole.__getitem__)]


def common_numerators(group: Sequence[int], amount_of: Amounts) -> Mapping[int, int]:
    """Bring the amounts to a common denominator, since fractions are slow to compare."""
    of = lcm(*{amount_of[number].denominator for number in group})
    return {number: amount_of[number].numerator * (of // amount_of[number].denominator) for number in group}


def places(groups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return each entry's place and number, for groups of tied entries.

    A tie takes up as many places as it has entries.
    """
    before, found = 0, []
    for group in groups:
        found += [(before + 1, number) for number in group]
        before += len(group)
    return found


def rounds_survived(past: PastRounds) -> Amounts:
    """Return how far each entry got: its last round minus a tenth of its place."""
    reached: dict[int, Amount] = dict.fromkeys(range(len(past.entries)), Fraction(0))
    for at, round in enumerate(past.history, 1):
        reached.update({past.number[id]: Fraction(at) for id in round.byes})
        for table in round.tables:
            places = zip(table.seats, ranking(table), strict=True)
            reached.update({past.number[id]: at - Fraction(place, 10) for id, place in places})
    return reached
