"""A simulated clock that replaces the database function es.now().

Only the owner of the database can set the clock.
"""
from __future__ import annotations

from datetime import datetime, timedelta

from ludarium.tables.service import Tables
from tests.support.clock import START, set_database_clock

__all__ = ["START", "at", "set_clock"]


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


async def set_clock(
    database_url: str, tables: Tables | None, seconds: float, *, alive: bool = True
) -> None:
    """Set the clock to this many seconds after START, and let the server clock know.

    Args:
        alive: Whether to record that the service was running until then.
    """
    await set_database_clock(database_url, at(seconds), alive=alive)
    if tables is not None:
        tables.server_clock.clock = lambda: 0.0
        await tables.server_clock.learn()
