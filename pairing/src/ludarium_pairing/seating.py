"""Assign seats so that every player has each seat about equally often."""
from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from ludarium_pairing.history import PastRounds, Seats
from ludarium_pairing.random_draws import RandomDraws

CACHED = 1 << 16


def unevenness(counts: Seats, seat: int) -> int:
    """Return the cost of having a seat once more.

    The cost is the squared difference to the seat had least often.
    """
    return int(counts[seat] - min(counts)) ** 2


@lru_cache(maxsize=CACHED)
def least_unevenness(rows: tuple[int, ...]) -> int:
    """Return the cost of the best order of players with these packed counts of seats.

    The algorithm is dynamic programming over sets of taken seats.
    """
    best = {0: 0}
    for row in (tuple(row.to_bytes(len(rows), "little")) for row in rows):
        following: dict[int, int] = {}
        for taken, cost in best.items():
            for seat in range(len(rows)):
                if not taken >> seat & 1:
                    now = taken | 1 << seat
                    following[now] = min(following.get(now, 1 << 62), cost + unevenness(row, seat))
        best = following
    return best[(1 << len(rows)) - 1]


def seat_cost(past: PastRounds, table: Sequence[int]) -> int:
    """Return the cost of a table's best order.

    The cost is 0 if all players get a seat that they have had least often.
    """
    rows = past.packed_seats(len(table))
    return least_unevenness(tuple(sorted([rows[number] for number in table])))


def seat_tables(past: PastRounds, tables: Sequence[Sequence[int]], seed: bytes) -> list[tuple[int, ...]]:
    """Assign the seats at all tables.

    With `seating` "seeds", the players are listed by score and seed, best first, and choose in that order.
    """
    if past.settings.seating == "seeds":
        return [tuple(sorted(past.seeded(table), key=lambda number: -past.scores[number])) for table in tables]
    drawn = RandomDraws(seed, f"round {past.round} seats").shuffled(range(len(past.entries)))
    rank = {number: at for at, number in enumerate(drawn)}
    return [most_even_order(past, sorted(table, key=rank.__getitem__)) for table in tables]


def most_even_order(past: PastRounds, drawn: Sequence[int]) -> tuple[int, ...]:
    """Return the order with the most even seats.

    Of equally even orders, the first permutation of the drawn order is chosen.
    """
    rows = [past.seats[number][:len(drawn)] for number in drawn]
    costs = [[unevenness(row, seat) for seat in range(len(drawn))] for row in rows]
    least = seat_cost(past, drawn)
    orders = permutations(range(len(drawn)))
    return next(tuple(drawn[at] for at in order) for order in orders
                if sum(costs[at][seat] for seat, at in enumerate(order)) == least)


def uneven_entries(past: PastRounds, tables: Sequence[Sequence[int]]) -> int:
    """Return the number of players who would have one seat too often.

    These are players who have a seat of a full table at least two times more often than another seat.
    """
    after = {number: counts_after(past.seats[number], seat) for table in tables for seat, number in enumerate(table)}
    full = past.settings.seats
    return sum(max(counts[:full]) - min(counts[:full]) > 1 for counts in after.values())


def counts_after(counts: Seats, seat: int) -> Seats:
    return tuple(count + (at == seat) for at, count in enumerate(counts))
