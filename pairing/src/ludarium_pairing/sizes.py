"""Compute the sizes of a round's tables."""
from __future__ import annotations

from ludarium_pairing.model import Settings


def table_sizes(players: int, settings: Settings) -> list[int]:
    """Return the sizes of the tables, larger ones first.

    Tables are filled evenly. Their number is the smallest that seats everyone. If that is impossible, there is one table
    fewer, and the tables are larger. If that is impossible too, some players have byes.

    >>> table_sizes(61, Settings(seats=4))[-4:]
    [4, 3, 3, 3]
    """
    for playing in range(players, 0, -1):
        fewest = -(-playing // settings.seats)
        for tables in (fewest, fewest - 1):
            if tables and settings.fewest <= playing // tables and -(-playing // tables) <= settings.greatest:
                return evenly(playing, tables)
    return []


def evenly(playing: int, tables: int) -> list[int]:
    seats, larger = divmod(playing, tables)
    return [seats + 1] * larger + [seats] * (tables - larger)
