"""Pair a round, as a pure function of entries, history, settings and seed.

See docs/decisions/018.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ludarium_pairing.checks import check_complete, check_request, check_tables
from ludarium_pairing.formats import FORMATS, Draft, FormatInput
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import VERSION, Entries, History, Pairing, Quality, Settings
from ludarium_pairing.repeats import least_repeats
from ludarium_pairing.seating import seat_tables, uneven_entries

Tables = Sequence[Sequence[str]]


def pair(
    entries: Entries, history: History, settings: Settings, seed: bytes, version: int = VERSION, *,
    locked: Tables = (), waiting: Iterable[str] | None = None,
) -> Pairing:  # fmt: skip
    """Pair the next round.

    If an elimination is finished, the result has no tables.

    Args:
        entries: the entries of the stage.
        history: all earlier rounds with their results.
        settings: the settings of the stage.
        seed: 1 to 64 bytes, from which all random choices follow.
        version: the version of the algorithm.
        locked: tables, as entries by seat, that must not be changed.
        waiting: in an arena, the entries that are not playing at present; by default all.

    Raises:
        Refused: the input is invalid. Valid input always gives a pairing.
    """
    check_request(entries, history, settings, seed, version)
    past = PastRounds(entries, history, settings)
    check_tables(past, locked)
    given = FormatInput(past, free_entries(past, locked, waiting), seed, both_ways(past))
    draft = FORMATS[settings.format](given)
    fixed = [[past.number[id] for id in table] for table in locked]
    seated = draft.tables if draft.seated else seat_tables(past, draft.tables, seed)
    tables = sort_boards(past, [*fixed, *seated])
    return Pairing(tuple(map(past.ids, tables)), past.ids(draft.byes), quality_of(past, tables, draft))


def free_entries(past: PastRounds, locked: Tables, waiting: Iterable[str] | None) -> list[int]:
    taken = {past.number[id] for table in locked for id in table}
    present = set(past.present) if waiting is None else {past.number[id] for id in waiting} & set(past.present)
    return [number for number in past.present if number in present - taken]


def both_ways(past: PastRounds) -> frozenset[tuple[int, int]]:
    known = [(past.number[one], past.number[other]) for one, other in past.settings.forbidden
             if one in past.number and other in past.number]
    return frozenset(known + [(other, one) for one, other in known])


def sort_boards(past: PastRounds, tables: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """Sort tables by their best score, then by their best seed, top board first."""
    rank = {number: at for at, number in enumerate(past.seeded(range(len(past.entries))))}
    return sorted(tables, key=lambda table: min((-past.scores[number], rank[number]) for number in table))


def quality_of(past: PastRounds, tables: Sequence[Sequence[int]], draft: Draft) -> Quality:
    repeats = sum(past.repeats(table) for table in tables)
    least = repeats if draft.fewest else least_repeats(past, tables)
    sizes = Counter(len(table) for table in tables)
    return Quality(repeats, least, uneven_entries(past, tables), dict(sorted(sizes.items(), reverse=True)))


def pair_by_hand(entries: Entries, history: History, settings: Settings, tables: Tables, byes: Sequence[str]) -> Pairing:
    """Check and assess a round that was set by hand, for example with `swap`."""
    past = PastRounds(entries, history, settings)
    check_tables(past, tables)
    check_complete(past, tables, byes)
    numbers = [[past.number[id] for id in table] for table in tables]
    return Pairing(tuple(map(tuple, tables)), tuple(byes), quality_of(past, numbers, Draft(numbers, ())))


def swap(pairing: Pairing, one: str, other: str) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Exchange two entries, and return the tables and byes.

    One of the entries may have a bye.
    """
    change = {one: other, other: one}

    def exchanged(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(change.get(id, id) for id in ids)

    return tuple(map(exchanged, pairing.tables)), exchanged(pairing.byes)
