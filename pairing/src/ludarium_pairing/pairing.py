"""The pure function from what was to who plays whom."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ludarium_pairing.checks import check_complete, check_request, check_tables
from ludarium_pairing.formats import FORMATS, Asked, Draft
from ludarium_pairing.history import Past
from ludarium_pairing.min_cost import least_repeats
from ludarium_pairing.model import VERSION, Entries, History, Pairing, Quality, Settings
from ludarium_pairing.seating import seat_all, uneven_entries

Tables = Sequence[Sequence[str]]


def pair(
    entries: Entries, history: History, settings: Settings, seed: bytes, version: int = VERSION, *,
    locked: Tables = (), waiting: Iterable[str] | None = None,
) -> Pairing:  # fmt: skip
    """The next round. An elimination that is over has no tables.

    locked: tables by seat that are to be as they are; waiting: in an arena, who is not playing just now (all by default).
    Raises Refused for what makes no sense; what makes sense is always answered.
    """
    check_request(entries, history, settings, seed, version)
    past = Past(entries, history, settings)
    check_tables(past, locked)
    asked = Asked(past, free(past, locked, waiting), seed, both_ways(past))
    draft = FORMATS[settings.format](asked)
    fixed = [[past.number[id] for id in table] for table in locked]
    seated = draft.tables if draft.seated else seat_all(past, draft.tables, seed)
    tables = boards(past, [*fixed, *seated])
    return Pairing(tuple(map(past.ids, tables)), past.ids(draft.byes), judged(past, tables, draft))


def free(past: Past, locked: Tables, waiting: Iterable[str] | None) -> list[int]:
    taken = {past.number[id] for table in locked for id in table}
    here = set(past.present) if waiting is None else {past.number[id] for id in waiting} & set(past.present)
    return [number for number in past.present if number in here - taken]


def both_ways(past: Past) -> frozenset[tuple[int, int]]:
    known = [(past.number[one], past.number[other]) for one, other in past.settings.forbidden
             if one in past.number and other in past.number]
    return frozenset(known + [(other, one) for one, other in known])


def boards(past: Past, tables: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """The highest first: by the best score at it, then by the best seed."""
    rank = {number: at for at, number in enumerate(past.seeded(range(len(past.entries))))}
    return sorted(tables, key=lambda table: min((-past.scores[number], rank[number]) for number in table))


def judged(past: Past, tables: Sequence[Sequence[int]], draft: Draft) -> Quality:
    repeats = sum(past.repeats(table) for table in tables)
    least = repeats if draft.fewest else least_repeats(past, tables)
    sizes = Counter(len(table) for table in tables)
    return Quality(repeats, least, uneven_entries(past, tables), dict(sorted(sizes.items(), reverse=True)))


def repaired(entries: Entries, history: History, settings: Settings, tables: Tables, byes: Sequence[str]) -> Pairing:
    """A round set by hand, such as one of `swapped`, judged like any other."""
    past = Past(entries, history, settings)
    check_tables(past, tables)
    check_complete(past, tables, byes)
    numbers = [[past.number[id] for id in table] for table in tables]
    return Pairing(tuple(map(tuple, tables)), tuple(byes), judged(past, numbers, Draft(numbers, ())))


def swapped(pairing: Pairing, one: str, other: str) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Tables and byes after two of them changed places; either may have the bye."""
    change = {one: other, other: one}

    def exchanged(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(change.get(id, id) for id in ids)

    return tuple(map(exchanged, pairing.tables)), exchanged(pairing.byes)
