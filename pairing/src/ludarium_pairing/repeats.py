"""How many repeats nobody could avoid, by counting."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludarium_pairing.history import PastRounds


def least_repeats(past: PastRounds, tables: Sequence[Sequence[int]]) -> int:
    """Fewer repeats than this no tables of these sizes and people can have.

    Of those at a table some sat together in an earlier round if that had fewer tables than seats are here: each earlier
    round adds its own. And who has met nearly everybody has few left to meet.
    """
    sizes, players = [len(table) for table in tables], [player for table in tables for player in table]
    by_rounds = sum(by_round(groups(past, at, players), sizes) for at in range(past.round - 1))
    return max(by_players(past, players, sizes), by_rounds)


def groups(past: PastRounds, at: int, players: Iterable[int]) -> int:
    """Into how many sets who have met an earlier round parts these players; who met nobody is a set of his own."""
    here = set(players)
    sets = [here & {number for _, number in past.players_at(table)} for table in past.history[at].tables]
    return sum(map(bool, sets)) + len(here.difference(*sets))


def by_round(groups: int, sizes: Iterable[int]) -> int:
    """Pairs that share a group when each table is filled from the groups as evenly as can be."""
    return sum(pairs(size, groups) for size in sizes)


def pairs(size: int, groups: int) -> int:
    """
    >>> pairs(6, 4), pairs(4, 3), pairs(4, 16)
    (2, 1, 0)
    """
    each, more = divmod(size, groups)
    return more * (each + 1) * each // 2 + (groups - more) * each * (each - 1) // 2


def by_players(past: PastRounds, players: Sequence[int], sizes: Iterable[int]) -> int:
    """Whom each would have to meet beyond those he has not met yet, at the smallest table; each meeting counts for two."""
    here, mates = set(players), min(sizes, default=1) - 1
    new = (len(here) - 1 - len(past.met[player].keys() & here) for player in players)
    return (sum(max(0, mates - unmet) for unmet in new) + 1) // 2
