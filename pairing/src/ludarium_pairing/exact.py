"""Few players: all ways to seat them are looked at."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from ludarium_pairing.links import Links
from ludarium_pairing.seating import seat_cost

FEW = 10
Cost = tuple[int, int, int]
Group = tuple[int, ...]
DEAREST: Cost = (1 << 200, 0, 0)


def cheapest_tables(links: Links, order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The first of the cheapest: tables are filled from the first unseated player, larger sizes and earlier players first."""
    past = links.past

    @cache
    def cost(table: Group) -> Cost:
        """Times at short tables, repeats and gaps, seats, in this order."""
        short = sum(past.short[player] for player in table) if len(table) < past.settings.seats else 0
        return short, links.within(table), seat_cost(past, table)

    def search(rest: Group, left: Group, paid: Cost, limit: Cost) -> tuple[Cost, list[Group]] | None:
        """The cheapest way below the limit."""
        if not rest:
            return paid, []
        best: tuple[Cost, list[Group]] | None = None
        for table in tables_of(rest, left):
            now = added(paid, cost(table))
            if now < limit:
                remaining = tuple(player for player in rest if player not in table)
                found = search(remaining, without(left, len(table)), now, limit)
                if found and found[0] < limit:
                    best, limit = (found[0], [table, *found[1]]), found[0]
        return best

    found = search(tuple(order), tuple(sizes), (0, 0, 0), DEAREST)
    assert found is not None
    return [list(table) for table in found[1]]


def tables_of(rest: Group, sizes: Group) -> Iterator[Group]:
    """Those with the first player, by size, then in the order of the others."""
    for size in sorted(set(sizes), reverse=True):
        for others in combinations(rest[1:], size - 1):
            yield rest[0], *others


def without(sizes: Group, size: int) -> Group:
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1:]


def added(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
