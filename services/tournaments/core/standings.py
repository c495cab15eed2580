"""Who stands where, and by what."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import NamedTuple

from services.tournaments.core.crosstable import Crosstable
from services.tournaments.core.errors import Refused
from services.tournaments.core.model import Entries, History, Settings
from services.tournaments.core.past import Past
from services.tournaments.core.points import ranking
from services.tournaments.core.tiebreaks import Amount, Amounts, Criterion, criterion

ELIMINATIONS = ("single-elimination", "double-elimination", "pods", "lives")


class Standing(NamedTuple):
    """place: shared by those whom no tie-break parts; by: each criterion in order, with what this entry has of it.

    points: in units.
    """

    place: int
    id: str
    points: int
    by: tuple[tuple[str, Amount], ...]


def standings(entries: Entries, history: History, settings: Settings, lot: bytes = b"") -> list[Standing]:
    return standings_by(Crosstable(entries, history, settings), lot)


def standings_by(table: Crosstable, lot: bytes = b"") -> list[Standing]:
    """From the first to the last; of those who share a place, who is listed first. lot: for the tie-break of that name."""
    if "lot" in table.settings.tie_breaks and not lot:
        raise Refused("settings-invalid", "the tie-break lot needs the seed that was committed to")
    entries = table.past.entries
    has: dict[int, list[tuple[str, Amount]]] = {number: [] for number in range(len(entries))}
    groups = [taking_part(table.past)]
    for name, amounts in criteria(table, lot):
        groups = [part for group in groups for part in parted(name, group, amounts(group), has)]
    return [Standing(place, entries[number].id, table.scores[number], tuple(has[number]))
            for place, number in places(groups)]


def taking_part(past: Past) -> list[int]:
    """Everybody but reserves who were not needed."""
    return [number for number, entry in enumerate(past.entries) if not entry.reserve or number in past.played]


def criteria(table: Crosstable, lot: bytes) -> list[tuple[str, Criterion]]:
    if table.settings.format in ELIMINATIONS:
        reached = survival(table.past)
        return [("reached", lambda group: reached)]
    scores = dict(enumerate(table.scores))
    named = [(name, criterion(name, table, lot)) for name in table.settings.tie_breaks]
    return [("points", lambda group: scores), *named]


def parted(name: str, group: list[int], have: Amounts, has: dict[int, list[tuple[str, Amount]]]) -> list[list[int]]:
    for number in group:
        has[number].append((name, have[number]))
    if len(group) == 1:
        return [group]
    whole = in_whole_numbers(group, have)
    ordered = sorted(group, key=whole.__getitem__, reverse=True)
    return [list(part) for _, part in groupby(ordered, key=whole.__getitem__)]


def in_whole_numbers(group: Sequence[int], have: Amounts) -> Mapping[int, int]:
    """Of the same order as the amounts, over one denominator: fractions are slow to compare."""
    of = lcm(*{have[number].denominator for number in group})
    return {number: have[number].numerator * (of // have[number].denominator) for number in group}


def places(groups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Place and number: who shares a place takes up as many."""
    ahead, found = 0, []
    for group in groups:
        found += [(ahead + 1, number) for number in group]
        ahead += len(group)
    return found


def survival(past: Past) -> Amounts:
    """How far each came in an elimination: its last round, less its place there."""
    reached: dict[int, Amount] = dict.fromkeys(range(len(past.entries)), Fraction(0))
    for at, round in enumerate(past.history, 1):
        reached.update({past.number[id]: Fraction(at) for id in round.byes})
        for table in round.tables:
            places = zip(table.seats, ranking(table), strict=True)
            reached.update({past.number[id]: at - Fraction(place, 10) for id, place in places})
    return reached
