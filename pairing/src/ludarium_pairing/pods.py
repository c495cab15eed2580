"""Pair tables of three to six players.

Byes and short tables are assigned in turn. The standings are cut into tables, then players are swapped.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from ludarium_pairing.pair_costs import PairCosts
from ludarium_pairing.search import reduce_repeats, spread_seats
from ludarium_pairing.seating import seat_cost
from ludarium_pairing.sizes import table_sizes

Tables = list[list[int]]
FEW = 10
"""The number of players up to which all ways to seat them are compared."""
Cost = tuple[int, int, int]
Group = tuple[int, ...]
NO_LIMIT: Cost = (1 << 200, 0, 0)


def pair_tables(pair_costs: PairCosts, order: Sequence[int], seated_evenly: bool = True) -> tuple[Tables, list[int]]:
    """Return the tables, highest first, and the byes."""
    settings = pair_costs.past.settings
    sizes = table_sizes(len(order), settings)
    byes = least_often(order, pair_costs.past.byes, len(order) - sum(sizes), settings.short)
    playing = [player for player in order if player not in byes]
    if len(playing) <= FEW:
        tables = cheapest_tables(pair_costs, playing, sizes)
    else:
        tables = cut_into_tables(pair_costs, playing, sizes)
        reduce_repeats(pair_costs, tables)
        if seated_evenly:
            spread_seats(pair_costs, tables)
    tables = without_forbidden(pair_costs, tables)
    seated = {player for table in tables for player in table}
    return tables, [player for player in order if player not in seated]


def least_often(order: Sequence[int], counts: Sequence[int], count: int, short: str) -> set[int]:
    """Return the `count` players with the lowest counts.

    Among equals, the lowest or the highest in the order are chosen, depending on the setting `short`.
    """
    from_the_end = order if short == "high" else order[::-1]
    return set(sorted(from_the_end, key=lambda player: counts[player])[:count])


def cut_into_tables(pair_costs: PairCosts, playing: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Split the order into full tables, and short tables for players whose turn it is.

    Short tables come first or last, depending on the setting `short`.
    """
    settings = pair_costs.past.settings
    short_sizes = [size for size in sizes if size < settings.seats]
    full_sizes = [size for size in sizes if size >= settings.seats]
    turn = least_often(playing, pair_costs.past.short, sum(short_sizes), settings.short)
    short = slices([player for player in playing if player in turn], short_sizes)
    full = slices([player for player in playing if player not in turn], full_sizes)
    return short + full if settings.short == "high" else full + short


def slices(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    ends = [sum(sizes[:at + 1]) for at in range(len(sizes))]
    return [list(order[end - size:end]) for end, size in zip(ends, sizes, strict=True)]


def without_forbidden(pair_costs: PairCosts, tables: Tables) -> Tables:
    """Take players out of tables where no swap could separate a forbidden pair.

    The player listed later leaves. A table that becomes too small is dropped.
    """
    parted = [list(without_conflicts(pair_costs, table)) for table in tables]
    return [table for table in parted if len(table) >= pair_costs.past.settings.fewest]


def without_conflicts(pair_costs: PairCosts, table: Sequence[int]) -> Iterator[int]:
    """Yield the players who may sit with all players yielded before."""
    seated: list[int] = []
    for player in table:
        if not any((player, other) in pair_costs.forbidden for other in seated):
            seated.append(player)
            yield player


# --- few players: all ways to seat them ----------------------------------------------------------------------------
def cheapest_tables(pair_costs: PairCosts, order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return the first of the cheapest ways to seat the players.

    The first unseated player starts each table; larger sizes and players earlier in the order are tried first.
    """
    past = pair_costs.past

    @cache
    def cost(table: Group) -> Cost:
        """Return a table's cost: earlier short tables, pair costs and seat unevenness."""
        short = sum(past.short[player] for player in table) if len(table) < past.settings.seats else 0
        return short, pair_costs.within(table), seat_cost(past, table)

    def search(rest: Group, left: Group, so_far: Cost, limit: Cost) -> tuple[Cost, list[Group]] | None:
        """Return the cheapest seating below the limit, None if there is none."""
        if not rest:
            return so_far, []
        best: tuple[Cost, list[Group]] | None = None
        for table in tables_of(rest, left):
            now = total(so_far, cost(table))
            if now < limit:
                remaining = tuple(player for player in rest if player not in table)
                found = search(remaining, without(left, len(table)), now, limit)
                if found and found[0] < limit:
                    best, limit = (found[0], [table, *found[1]]), found[0]
        return best

    found = search(tuple(order), tuple(sizes), (0, 0, 0), NO_LIMIT)
    assert found is not None
    return [list(table) for table in found[1]]


def tables_of(rest: Group, sizes: Group) -> Iterator[Group]:
    """Yield the possible tables with the first player, larger ones first."""
    for size in sorted(set(sizes), reverse=True):
        for others in combinations(rest[1:], size - 1):
            yield rest[0], *others


def without(sizes: Group, size: int) -> Group:
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1:]


def total(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
