"""Compute the units that entries get for a round."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ludarium_pairing.errors import Refused
from ludarium_pairing.model import MOST_SEATS, WIN, Round, Settings, Table, Unplayed

FIVE = {2: (5, 0), 3: (5, 2, 0), 4: (5, 3, 1, 0), 5: (5, 3, 1, 0, 0), 6: (5, 3, 1, 0, 0, 0)}
ARENA = {2: (2, 0)}
POINTS_BY_SCHEME: Mapping[str, Mapping[int, tuple[int, ...]]] = {"5310": FIVE, "arena": ARENA}
HALF = WIN // 2
NO_SEATS = frozenset[int]()
ALL_SEATS = [tuple(range(size)) for size in range(MOST_SEATS + 1)]
"""All seats of a table, by its size."""


def by_place(settings: Settings, size: int) -> tuple[int, ...]:
    """Return the units for each place from 1 to `size`, without ties."""
    points_by_size = settings.own if settings.scheme == "own" else POINTS_BY_SCHEME.get(settings.scheme)
    if points_by_size is None:
        return evenly_spread(size)
    whole = points_by_size.get(size)
    if whole is None or len(whole) != size:
        raise Refused("settings-invalid", f"the scheme {settings.scheme} does not say what places are worth at {size}")
    return tuple([WIN * points for points in whole])


@lru_cache
def evenly_spread(size: int) -> tuple[int, ...]:
    """Return evenly spaced units by place, from a whole point down to none."""
    return tuple(WIN * below // max(size - 1, 1) for below in range(size - 1, -1, -1))


@lru_cache(10_000)
def split_ties(units: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """Split the units of tied places evenly.

    >>> split_ties((120, 80, 40, 0), (2, 1, 2, 4))
    (60, 120, 60, 0)
    """
    tied = [places.count(place) for place in places]
    return tuple(sum(units[place - 1:place - 1 + n]) // n for place, n in zip(places, tied, strict=True))


def places_of(table: Table) -> tuple[int, ...]:
    """Return a table's places by seat, from its only game or the sum of its games.

    Each game of several gives one point to the first place.
    """
    if len(table.games) == 1:
        return table.games[0].places
    size = len(table.seats)
    sums = [sum(seat) for seat in zip(*(split_ties(evenly_spread(size), game.places) for game in table.games), strict=True)]
    return tuple(1 + sum(other > own for other in sums) for own in sums)


def game_points(table: Table) -> tuple[int, ...]:
    """Return the sum of all games' points by seat.

    The result is empty if no game has points, for example after a resignation.
    """
    if len(table.games) == 1:
        return table.games[0].points
    counted = [game.points for game in table.games if game.points]
    return tuple(map(sum, zip(*counted, strict=True))) if counted else ()


def shares(table: Table) -> tuple[int, ...]:
    """Return each seat's share of the points in units; an even share is half a point.

    If the game has no points, the places decide.
    """
    points = game_points(table)
    return shares_of(points, len(table.seats)) if points else evenly_placed(table)


def evenly_placed(table: Table) -> tuple[int, ...]:
    return split_ties(evenly_spread(len(table.seats)), places_of(table))


@lru_cache(10_000)
def shares_of(points: tuple[int, ...], size: int) -> tuple[int, ...]:
    own = [max(0, each) for each in points]
    return tuple(HALF * size * each // sum(own) for each in own) if sum(own) else (HALF,) * size


def compare_with_others(table: Table, others: Sequence[Table]) -> tuple[int, ...]:
    """Score a duplicate deal by comparing each seat with that seat at other tables.

    More points than another table give one point, equal points half a point. A table without points is scored by place.
    """
    own, rivals = game_points(table), [*filter(None, map(game_points, others))]
    if not own:
        return evenly_placed(table)
    won = (sum((points > rival[seat]) + (points >= rival[seat]) for rival in rivals) for seat, points in enumerate(own))
    return tuple(HALF * twice // len(rivals) if rivals else HALF for twice in won)


def ranking(table: Table) -> list[int]:
    """Return places by seat, used to decide who advances.

    Absent seats come last. Without a result, all seats are first.
    """
    if not table.games:
        return [1] * len(table.seats)
    absent, size = absent_seats(table), len(table.seats)
    return [size + 1 if seat in absent else place for seat, place in enumerate(places_of(table))]


def absent_seats(table: Table) -> frozenset[int]:
    """Return the seats that were absent in all games."""
    if len(table.games) == 1:
        absent = table.games[0].absent
        return frozenset(absent) if absent else NO_SEATS
    return frozenset.intersection(*(frozenset(game.absent) for game in table.games)) if table.games else NO_SEATS


def present_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that played; empty if there is no result."""
    if not table.games:
        return ()
    absent = absent_seats(table)
    return tuple([seat for seat in range(len(table.seats)) if seat not in absent]) if absent else ALL_SEATS[len(table.seats)]


def unplayed_points(settings: Settings, what: Unplayed) -> int:
    """Return the units for a round without a game, 0 in an arena."""
    if what == "none" or settings.format == "arena":
        return 0
    worth = by_place(settings, settings.seats)
    return worth[0] if what == "win" else sum(worth) // len(worth)


def table_points(settings: Settings, table: Table, round: Round) -> tuple[int, ...]:
    """Return the units by seat that a table gives."""
    if not table.games:
        return (0 if table.running else unplayed_points(settings, settings.void),) * len(table.seats)
    absent, won = absent_seats(table), points_by_scheme(settings, table, round)
    return tuple(0 if seat in absent else units for seat, units in enumerate(won)) if absent else won


def points_by_scheme(settings: Settings, table: Table, round: Round) -> tuple[int, ...]:
    match settings.scheme:
        case "share":
            return shares(table)
        case "duplicate":
            size = len(table.seats)
            return compare_with_others(table, [t for t in round.tables if t is not table and t.games and len(t.seats) == size])
        case _:
            return split_ties(by_place(settings, len(table.seats)), places_of(table))


def round_points(settings: Settings, round: Round) -> dict[str, int]:
    """Return the units by entry of all entries that were paired or had a bye."""
    units = dict.fromkeys(round.byes, unplayed_points(settings, settings.bye))
    for table in round.tables:
        units.update(zip(table.seats, table_points(settings, table, round), strict=True))
    return units
