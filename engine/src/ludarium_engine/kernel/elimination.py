"""Help with games in which seats leave before the end and get their rank then.

A title keeps a public zone of ranks, `place: Public[list[int]]`, where 0 means that the seat is still in. These helpers read
and write it. A seat that leaves gets the best free rank (`finish`) or the worst one (`knock_out`); a game may use both.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ludarium_engine.kernel.table import Table


def seats_left(places: Sequence[int], seat: int = 0) -> list[int]:
    """Return the seats still in, in turn order, starting with or after `seat`."""
    return [p for p in (*range(seat, len(places)), *range(seat)) if not places[p]]


def next_seat_left(places: Sequence[int], seat: int) -> int:
    """Return the next seat still in after `seat`; `seat` itself if no other is."""
    return seats_left(places, seat + 1)[0]


def best_free_place(places: Sequence[int]) -> int:
    """Return the best free rank, which is 1 until a seat has finished.

    Seats that share a rank use up as many ranks as there are seats.
    """
    place = 1
    while place in places:
        place += places.count(place)
    return place


def finish(t: Table[Any], where: list[int], seats: Collection[int]) -> int:
    """Give seats the best free rank, which they share, and return it.

    Raises:
        RulesError: one of the seats has already left.
    """
    return leave_with(t, where, seats, best_free_place(t.content(where)))


def knock_out(t: Table[Any], where: list[int], seats: Collection[int]) -> int:
    """Give seats the worst free rank, which they share, and return it.

    Raises:
        RulesError: one of the seats has already left.
    """
    places = t.content(where)
    return leave_with(t, where, seats, best_free_place(places) + places.count(0) - len(seats))


def leave_with(t: Table[Any], where: list[int], seats: Collection[int], place: int) -> int:
    """Give seats a rank, with which they leave the game.

    Raises:
        RulesError: one of the seats has already left.
    """
    if gone := [seat for seat in seats if t.content(where)[seat]]:
        raise t.error(f"the seats {gone} have left before")
    for seat in seats:
        t.set(where[seat], place)
    return place


def final_places(places: Sequence[int]) -> list[int]:
    """Return the final rank of each seat; seats still in share the best free rank."""
    free = best_free_place(places)
    return [place or free for place in places]


def places_by_result(places: Sequence[int], results: Mapping[int, Any]) -> list[int]:
    """Return the rank of each seat if play stopped now.

    Args:
        places: the ranks so far; 0 for seats still in.
        results: the result of each seat still in; the greatest is first.
    """
    free = best_free_place(places)
    return [place or free + sum(other > results[seat] for other in results.values()) for seat, place in enumerate(places)]
