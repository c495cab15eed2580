"""Swap players between tables, first to reduce repeats, then to even out seats.

The order of the swaps is specified in docs/tournaments.md.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludarium_pairing.pair_costs import REPEAT, PairCosts
from ludarium_pairing.repeats import least_repeats
from ludarium_pairing.seating import seat_cost

NEAR, WIDER = 2, 4
WORK = 20_000
LEAST_PATIENCE, MOST_PATIENCE = 4, 400
SEAT_REACH = (4, 8)
Tables = list[list[int]]


class Swap(NamedTuple):
    """An exchange of `one` with `other`, who sits at table number `other_table`."""

    one: int
    other: int
    other_table: int


def reduce_repeats(pair_costs: PairCosts, tables: Tables) -> None:
    """Reduce repeats by tabu search.

    Tables with repeats take turns. Each makes its best swap, even one that makes things worse if there is no better.
    """
    Search(pair_costs, tables).run()


class Search:
    def __init__(self, pair_costs: PairCosts, tables: Tables) -> None:
        self.pair_costs, self.tables = pair_costs, tables
        self.cost_at_table = {player: pair_costs.to(player, table, player) for table in tables for player in table}
        """Each player's total cost at the current table."""
        self.repeats = [self._repeats(table) for table in tables]
        self.least = least_repeats(pair_costs.past, tables)
        self.step = 0
        self.banned: dict[tuple[int, int], int] = {}
        """The step until which a player may not return to a table, by player and table."""

    def run(self) -> None:
        best, best_tables, idle, at = sum(self.repeats), list(map(list, self.tables)), 0, -1
        patience = min(MOST_PATIENCE, max(LEAST_PATIENCE, WORK // sum(map(len, self.tables))))
        while best > self.least and idle < patience:
            self.step += 1
            at = self._next_with_repeats(at)
            self._improve(at)
            idle += 1
            if (now := sum(self.repeats)) < best:
                best, best_tables, idle = now, list(map(list, self.tables)), 0
        self.tables[:] = best_tables

    def _next_with_repeats(self, at: int) -> int:
        """Return the index of the next table with repeats, in turn."""
        count = len(self.tables)
        return next(table for ahead in range(1, count + 1) if self.repeats[table := (at + ahead) % count])

    def _improve(self, here: int) -> None:
        """Make the best swap with nearby tables.

        Tables farther away are tried while no swap reduces the repeats.
        """
        reach = NEAR
        while True:
            best, change = self._best(here, reach)
            if (best and change <= -REPEAT // 2) or reach >= len(self.tables):
                break
            reach *= WIDER
        if best:
            self._swap(here, best)

    def _best(self, here: int, reach: int) -> tuple[Swap | None, int]:
        best, least = None, 0
        for swap in swaps(self.pair_costs, self.tables, here, reach):
            if not self._banned(here, swap):
                before = self.cost_at_table[swap.one] + self.cost_at_table[swap.other]
                change = cost_after(self.pair_costs, self.tables, here, swap) - before
                if best is None or change < least:
                    best, least = swap, change
        return best, least

    def _banned(self, here: int, swap: Swap) -> bool:
        """Return whether a swap returns both players to tables that they left recently."""
        step, banned = self.step, self.banned
        return banned.get((swap.one, swap.other_table), 0) > step and banned.get((swap.other, here), 0) > step

    def _swap(self, here: int, swap: Swap) -> None:
        until = self.step + 5 + self.step % 7
        self.banned[swap.one, here] = self.banned[swap.other, swap.other_table] = until
        exchange(self.tables, here, swap)
        for at in (here, swap.other_table):
            table = self.tables[at]
            self.cost_at_table.update({player: self.pair_costs.to(player, table, player) for player in table})
            self.repeats[at] = self._repeats(table)

    def _repeats(self, table: list[int]) -> int:
        """Return the number of repeats at a table; forbidden pairs count more than all."""
        return sum(self.cost_at_table[player] for player in table) // 2 // REPEAT


def swaps(pair_costs: PairCosts, tables: Tables, here: int, reach: int) -> Iterator[Swap]:
    """Yield the swaps with tables within reach.

    Between a short and a full table, a swap is allowed only for players with equally many short tables so far.
    """
    short, seats, table = pair_costs.past.short, pair_costs.past.settings.seats, tables[here]
    for one in table:
        for there in range(max(0, here - reach), min(len(tables), here + reach + 1)):
            if there != here:
                alike = (len(table) < seats) == (len(tables[there]) < seats)
                for other in tables[there]:
                    if alike or short[one] == short[other]:
                        yield Swap(one, other, there)


def cost_after(pair_costs: PairCosts, tables: Tables, here: int, swap: Swap) -> int:
    """Return the cost of both players at their new tables after a swap."""
    return pair_costs.to(swap.other, tables[here], swap.one) + pair_costs.to(swap.one, tables[swap.other_table], swap.other)


def cost_change(pair_costs: PairCosts, tables: Tables, here: int, swap: Swap) -> int:
    """Return the increase in the two tables' cost through a swap."""
    before = pair_costs.to(swap.one, tables[here], swap.one) + pair_costs.to(swap.other, tables[swap.other_table], swap.other)
    return cost_after(pair_costs, tables, here, swap) - before


def exchange(tables: Tables, here: int, swap: Swap) -> None:
    """Exchange two players in the lists of their tables."""
    table, beyond = tables[here], tables[swap.other_table]
    mine, theirs = table.index(swap.one), beyond.index(swap.other)
    table[mine], beyond[theirs] = swap.other, swap.one


def spread_seats(pair_costs: PairCosts, tables: Tables) -> None:
    """Exchange players of equal level to even out seats, without causing new repeats."""
    costs = [seat_cost(pair_costs.past, table) for table in tables]
    for reach in SEAT_REACH:
        for here in range(len(tables)):
            if costs[here] and (swap := best_for_seats(pair_costs, tables, costs, here, reach)):
                exchange(tables, here, swap)
                for table in (here, swap.other_table):
                    costs[table] = seat_cost(pair_costs.past, tables[table])


def best_for_seats(pair_costs: PairCosts, tables: Tables, costs: list[int], here: int, reach: int) -> Swap | None:
    """Return the first swap with the largest gain, None if no swap has a gain."""
    best, most, levels, seats = None, 0, pair_costs.levels, pair_costs.past.seats
    for swap in swaps(pair_costs, tables, here, reach):
        if levels[swap.one] == levels[swap.other] and seats[swap.one] != seats[swap.other]:
            gain = costs[here] + costs[swap.other_table] - seat_costs_after(pair_costs, tables, here, swap)
            if gain > most and cost_change(pair_costs, tables, here, swap) <= 0:
                best, most = swap, gain
    return best


def seat_costs_after(pair_costs: PairCosts, tables: Tables, here: int, swap: Swap) -> int:
    table = [swap.other if player == swap.one else player for player in tables[here]]
    beyond = [swap.one if player == swap.other else player for player in tables[swap.other_table]]
    return seat_cost(pair_costs.past, table) + seat_cost(pair_costs.past, beyond)
