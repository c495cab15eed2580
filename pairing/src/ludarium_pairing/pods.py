"""Three to six at a table: byes and short tables by turns, the standings cut into tables, then swaps."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludarium_pairing.exact import FEW, cheapest_tables
from ludarium_pairing.links import Links
from ludarium_pairing.search import settle, spread_seats
from ludarium_pairing.sizes import table_sizes

Tables = list[list[int]]


def podded(links: Links, order: Sequence[int], seated_evenly: bool = True) -> tuple[Tables, list[int]]:
    """Tables, the highest first, and who has the bye."""
    settings = links.past.settings
    sizes = table_sizes(len(order), settings)
    byes = least_often(order, links.past.byes, len(order) - sum(sizes), settings.short)
    playing = [player for player in order if player not in byes]
    if len(playing) <= FEW:
        tables = cheapest_tables(links, playing, sizes)
    else:
        tables = cut(links, playing, sizes)
        settle(links, tables)
        if seated_evenly:
            spread_seats(links, tables)
    tables = without_forbidden(links, tables)
    seated = {player for table in tables for player in table}
    return tables, [player for player in order if player not in seated]


def least_often(order: Sequence[int], had: Sequence[int], count: int, short: str) -> set[int]:
    """Who had it least often; among these the lowest, or the highest."""
    from_the_end = order if short == "high" else order[::-1]
    return set(sorted(from_the_end, key=lambda player: had[player])[:count])


def cut(links: Links, playing: Sequence[int], sizes: Sequence[int]) -> Tables:
    """The order cut into full tables and that of those whose turn it is into short ones, which stand where they belong."""
    settings = links.past.settings
    short_sizes = [size for size in sizes if size < settings.seats]
    full_sizes = [size for size in sizes if size >= settings.seats]
    turn = least_often(playing, links.past.short, sum(short_sizes), settings.short)
    short = slices([player for player in playing if player in turn], short_sizes)
    full = slices([player for player in playing if player not in turn], full_sizes)
    return short + full if settings.short == "high" else full + short


def slices(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    ends = [sum(sizes[:at + 1]) for at in range(len(sizes))]
    return [list(order[end - size:end]) for end, size in zip(ends, sizes, strict=True)]


def without_forbidden(links: Links, tables: Tables) -> Tables:
    """Where no swap could part a forbidden pair, the one listed later goes; the others too if they are too few to play."""
    parted = [list(legal(links, table)) for table in tables]
    return [table for table in parted if len(table) >= links.past.settings.fewest]


def legal(links: Links, table: Sequence[int]) -> Iterator[int]:
    """Who must not be with one of those before him is left out."""
    seated: list[int] = []
    for player in table:
        if not any((player, other) in links.forbidden for other in seated):
            seated.append(player)
            yield player
