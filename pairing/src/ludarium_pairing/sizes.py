"""How many sit at each table."""
from __future__ import annotations

from ludarium_pairing.model import Settings


def table_sizes(players: int, settings: Settings) -> list[int]:
    """The larger first. Tables are filled evenly: as few as hold everybody, else one fewer and larger, else with byes.

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
