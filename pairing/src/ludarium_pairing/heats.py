"""Compute elimination at larger tables.

Losers lose lives, or only the best of each table advance.
"""
from __future__ import annotations

from collections.abc import Sequence

from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Table
from ludarium_pairing.points import ranking
from ludarium_pairing.sizes import table_sizes

Tables = list[list[int]]


def heats(past: PastRounds) -> tuple[Tables, list[int]]:
    """Return tables and byes of an elimination's next round at larger tables.

    Players are distributed over the tables in snake order, best placed first. Both results are empty after a round with a
    single table.
    """
    alive = past.seeded(past.present_at(1))
    for at, round in enumerate(past.history):
        if len(round.tables) == 1 and not round.byes:
            return [], []
        present = set(past.present_at(at + 2))
        alive = [number for number in advancing(past, at, alive) if number in present]
    if len(alive) < 2:
        return [], []
    sizes = table_sizes(len(alive), past.settings) if len(alive) >= past.settings.fewest else [len(alive)]
    playing = alive[len(alive) - sum(sizes):]
    return deal_out(playing, sizes), alive[:len(alive) - sum(sizes)]


def advancing(past: PastRounds, at: int, alive: Sequence[int]) -> list[int]:
    """Return the players who advance, by place and then by previous order.

    A bye counts as a first place.
    """
    rank_before = {number: rank for rank, number in enumerate(alive)}
    through = [(1, rank_before[past.number[id]]) for id in past.history[at].byes]
    for table in past.history[at].tables:
        ranked = ranked_at(past, table, rank_before)
        keep = min(past.settings.advance, len(ranked) - 1)
        through += [(place, rank_before[number]) for place, number in enumerate(ranked[:keep], 1)]
    return [alive[rank] for _, rank in sorted(through)]


def ranked_at(past: PastRounds, table: Table, rank_before: dict[int, int]) -> list[int]:
    """Return the players at a table by place.

    Tied players, or all without a result, keep their previous order.
    """
    places = {past.number[id]: place for id, place in zip(table.seats, ranking(table), strict=True)}
    return sorted(places, key=lambda number: (places[number], rank_before[number]))


def deal_out(players: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Distribute players over tables with room in snake order: 1 2 3, 3 2 1, 1 2 3."""
    tables: Tables = [[] for _ in sizes]
    waiting, forward = list(players), True
    while waiting:
        for at in range(len(sizes)) if forward else reversed(range(len(sizes))):
            if waiting and len(tables[at]) < sizes[at]:
                tables[at].append(waiting.pop(0))
        forward = not forward
    return tables


def lives_left(past: PastRounds) -> list[int]:
    """Return each entry's remaining lives.

    The lower half of each table loses a life.
    """
    lives = [past.settings.lives] * len(past.entries)
    rank_before = {number: rank for rank, number in enumerate(past.seeded(range(len(past.entries))))}
    for round in past.history:
        for table in round.tables:
            ranked = ranked_at(past, table, rank_before) if table.games else []
            for number in ranked[len(ranked) - len(ranked) // 2:]:
                lives[number] -= 1
    return lives
