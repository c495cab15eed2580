"""Compute a lower bound for the repeated meetings in a round."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludarium_pairing.history import PastRounds


def least_repeats(past: PastRounds, tables: Sequence[Sequence[int]]) -> int:
    """Return a lower bound for the repeats at tables of these sizes.

    The larger of two bounds is returned. First, if an earlier round had fewer tables than a table now has seats, some
    players at that table sat together then. Second, a player who has met nearly everyone has few new opponents left.
    """
    sizes, players = [len(table) for table in tables], [player for table in tables for player in table]
    by_rounds = sum(by_round(groups(past, at, players), sizes) for at in range(past.round - 1))
    return max(by_players(past, players, sizes), by_rounds)


def groups(past: PastRounds, at: int, players: Iterable[int]) -> int:
    """Return the number of groups of players who sat together in an earlier round.

    A player who did not play then counts as a group.
    """
    here = set(players)
    sets = [here & {number for _, number in past.players_at(table)} for table in past.history[at].tables]
    return sum(map(bool, sets)) + len(here.difference(*sets))


def by_round(groups: int, sizes: Iterable[int]) -> int:
    """Return the number of same-group pairs if groups are spread evenly over tables."""
    return sum(pairs(size, groups) for size in sizes)


def pairs(size: int, groups: int) -> int:
    """Return the number of same-group pairs at a table filled evenly from the groups.

    >>> pairs(6, 4), pairs(4, 3), pairs(4, 16)
    (2, 1, 0)
    """
    each, more = divmod(size, groups)
    return more * (each + 1) * each // 2 + (groups - more) * each * (each - 1) // 2


def by_players(past: PastRounds, players: Sequence[int], sizes: Iterable[int]) -> int:
    """Return how many repeats are needed because players run out of new opponents.

    All tables count as if they had the smallest size. Each repeat involves two players, so the sum is halved.
    """
    here, mates = set(players), min(sizes, default=1) - 1
    new = (len(here) - 1 - len(past.met[player].keys() & here) for player in players)
    return (sum(max(0, mates - unmet) for unmet in new) + 1) // 2
