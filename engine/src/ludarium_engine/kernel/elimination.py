"""Seats that leave a game or a deal before it ends: the order of those left, and places by the order of leaving.

A title keeps a public row of places, `place: Public[list[int]]`, in which 0 says that a seat is still in. These helpers read
and write it. Those who leave first have the best places (`finish`) or the worst ones (`knock_out`); a game may have both.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ludarium_engine.kernel.table import Table


def seats_left(places: Sequence[int], seat: int = 0) -> list[int]:
    """Return the seats that are still in, in turn order, beginning with this one or the next one after it."""
    return [p for p in (*range(seat, len(places)), *range(seat)) if not places[p]]


def next_seat_left(places: Sequence[int], seat: int) -> int:
    """Return the next seat after this one that is still in; this one if no other is."""
    return seats_left(places, seat + 1)[0]


def best_free_place(places: Sequence[int]) -> int:
    """Return the best place that nobody has: 1 until a seat has finished."""
    place = 1
    while place in places:
        place += places.count(place)
    return place


def finish(t: Table[Any], where: list[int], seats: Collection[int]) -> int:
    """Let seats leave with the best free place, which those who leave together share, and return it."""
    return leave_with(t, where, seats, best_free_place(t.content(where)))


def knock_out(t: Table[Any], where: list[int], seats: Collection[int]) -> int:
    """Let seats leave behind those who are still in, and return the place that they share."""
    places = t.content(where)
    return leave_with(t, where, seats, best_free_place(places) + places.count(0) - len(seats))


def leave_with(t: Table[Any], where: list[int], seats: Collection[int], place: int) -> int:
    """Give these seats a place. Raises RulesError if one has left before."""
    if gone := [seat for seat in seats if t.content(where)[seat]]:
        raise t.error(f"the seats {gone} have left before")
    for seat in seats:
        t.set(where[seat], place)
    return place


def final_places(places: Sequence[int]) -> list[int]:
    """Return the place of each seat at the end; those still in share the best free one."""
    free = best_free_place(places)
    return [place or free for place in places]


def places_by_result(places: Sequence[int], results: Mapping[int, Any]) -> list[int]:
    """Return the place of each seat if play stopped now. results: of each seat that is still in, the greatest first."""
    free = best_free_place(places)
    return [place or free + sum(other > results[seat] for other in results.values()) for seat, place in enumerate(places)]
