"""Divide a stage into groups, and choose the entries that qualify for the next."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from ludarium_pairing.heats import deal_out
from ludarium_pairing.model import Entries, Entry
from ludarium_pairing.sizes import evenly
from ludarium_pairing.standings import Standing


class Progression(Struct, frozen=True):
    """A rule of qualification: `each` entries per group, and the `best` of the rest."""

    each: int
    best: int = 0


class Group(Struct, frozen=True):
    """The standings of a finished group, and the number of rounds that it has played.

    The number of rounds makes groups of different lengths comparable.
    """

    standings: tuple[Standing, ...]
    played: int


class Qualified(NamedTuple):
    """A qualified entry, with its group and its place there.

    `next_best` tells whether the entry qualified as one of the best of the others.
    """

    id: str
    group: int
    place: int
    next_best: bool


def into_groups(entries: Entries, groups: int) -> list[Entries]:
    """Divide entries by seed into groups of even size, in snake order."""
    seeds = sorted(range(len(entries)), key=lambda number: (-entries[number].rating, number))
    return [tuple(entries[number] for number in group) for group in deal_out(seeds, evenly(len(entries), groups))]


def qualified(groups: Sequence[Group], rule: Progression) -> list[Qualified]:
    """Return the next stage's seeds: all group winners, then all seconds, and so on.

    Entries with equal places in different groups are ordered by their results per round.
    """
    through = [at for group in range(len(groups)) for at in positions(groups, group, 0, rule.each)]
    others = [at for group in range(len(groups)) for at in positions(groups, group, rule.each, None)]
    following = sorted(others, key=lambda at: sort_key(groups, at))[:rule.best]
    first = sorted(through, key=lambda at: (at[1], sort_key(groups, at)))
    return [Qualified(groups[group].standings[row].id, group, groups[group].standings[row].place, at in following)
            for at in first + following for group, row in [at]]


def positions(groups: Sequence[Group], group: int, start: int, stop: int | None) -> list[tuple[int, int]]:
    return [(group, row) for row in range(len(groups[group].standings))[start:stop]]


def sort_key(groups: Sequence[Group], at: tuple[int, int]) -> tuple[Fraction, ...]:
    """Return the key by which rows of different groups are compared; lower is better.

    Points and tie-breaks are divided by the number of rounds; then the number of the group decides.
    """
    group, row = at
    by = groups[group].standings[row].by
    return (*(Fraction(-amount, max(1, groups[group].played)) for _, amount in by), Fraction(group), Fraction(row))


def next_entries(through: Sequence[Qualified]) -> Entries:
    """Return the entries of the next stage, seeded in order of qualification."""
    return tuple(Entry(one.id, rating=len(through) - rank) for rank, one in enumerate(through))


def replaced(entries: Entries, leaving: str, reserves: Sequence[str]) -> Entries:
    """Replace a leaving entry by the first reserve before the stage begins.

    The reserve becomes the lowest seed.
    """
    stays = [entry for entry in entries if entry.id != leaving]
    last = min((entry.rating for entry in stays), default=0) - 1
    known = {entry.id for entry in entries}
    return (*stays, *(Entry(id, rating=last) for id in reserves if id not in known))[:len(entries)]
