"""Compute bonuses from tiles, and change a seat's prayer and victory points."""
from __future__ import annotations

from functools import cache

from .cards import ID, MOST_PP, PARAMS, RULES, TILES
from .state import Kemet, T, at


def bonus(s: Kemet, seat: int, effect: str) -> int:
    """Return the sum of an effect's values over all tiles that the seat owns."""
    return sum(map(by_tile(effect).__getitem__, s.tiles[seat]))


@cache
def by_tile(effect: str) -> dict[int, int]:
    return {tile: int(PARAMS[tile].get(effect, 0)) for tile in TILES}


def has(s: Kemet, seat: int, tile: str) -> bool:
    return any(ID[mine] == tile for mine in s.tiles[seat])


def price(s: Kemet, seat: int, cost: int) -> int:
    """Return the price that the seat pays for a given cost, in prayer points.

    Priest of Ra reduces each payment by 1.
    """
    return max(0, cost + bonus(s, seat, "any_cost_delta"))


def gain(t: T, seat: int, points: int) -> int:
    """Add prayer points up to the limit, and return how many were gained."""
    gained = min(points, MOST_PP - t.s.pp[seat])
    t.add(at.pp[seat], gained)
    return gained


def pay(t: T, seat: int, cost: int) -> int:
    """Pay a cost in prayer points, and return how many were paid.

    The given cost does not include the reduction by Priest of Ra.
    """
    paid = price(t.s, seat, cost)
    t.add(at.pp[seat], -paid)
    return paid


def earn(t: T, seat: int, points: int = 1) -> None:
    """Add permanent victory points."""
    t.add(at.vp[seat], points)


def points_of(s: Kemet, seat: int) -> int:
    return s.vp[seat] + s.held[seat]


def troop_limit(s: Kemet, seat: int) -> int:
    return max(RULES["troop_limit"], bonus(s, seat, "troop_limit"))


def pyramid_limit(s: Kemet) -> int:
    return RULES["beginner_pyramid_max"] if s.options.length == "beginner" else RULES["pyramid_max_level"]
