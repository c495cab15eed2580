"""What projections say through the API."""
from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.kernel.bodies import ViewBody
from services.clocks.settings import Clock, LiveClock
from services.tables.bodies import SeatBody, Status, TableView

Pace = Literal["live", "turn-based", "none"]
"""Of which kind a table's clock is."""


class LobbyTable(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: Status
    creator: str
    seats: list[SeatBody]
    clock: Clock | None = None
    rated: bool = False


def pace_of(clock: Clock | None) -> Pace:
    if clock is None:
        return "none"
    return "live" if isinstance(clock, LiveClock) else "turn-based"


class TablePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tables: list[LobbyTable]
    next: str | None


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the caller sits, or which they opened: then seat is null.

    your_turn: whether the seat is asked something; since: the seq since which it is asked what it is asked now.
    deadline: RFC 3339; when its time is over, while its clock runs. A live one has a little longer where messages take long.
    """

    table: LobbyTable
    seat: int | None
    your_turn: bool
    since: int
    deadline: str | None = None


class OwnTablePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tables: list[OwnTable]
    next: str | None


class PositionPage(msgspec.Struct, frozen=True):
    """Games as spectators see them. next: what to give as `after` for the next page; null on the last one."""

    positions: list[TableView]
    next: str | None


class ReplayFrame(msgspec.Struct, frozen=True):
    """A finished game as it was after event `seq`."""

    seq: int
    view: ViewBody


class FramePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    frames: list[ReplayFrame]
    next: int | None


class FinishedGame(msgspec.Struct, frozen=True):
    """outcome: the place of each seat, null if none was found; events: how many the table has; ended_at: RFC 3339."""

    table: LobbyTable
    outcome: list[int] | None
    events: int
    ended_at: str


class FinishedPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    games: list[FinishedGame]
    next: str | None


class Results(msgspec.Struct, frozen=True):
    """places[0]: how many games were won, places[1]: how many came second, and so on. bot: null for people."""

    seat: int
    bot: str | None
    places: list[int]


class Lengths(msgspec.Struct, frozen=True):
    """In events."""

    shortest: int
    mean: float
    longest: int


class SeatsStatistics(msgspec.Struct, frozen=True):
    """Finished games with so many seats."""

    seats: int
    games: int
    lengths: Lengths
    results: list[Results]


class Statistics(msgspec.Struct, frozen=True):
    ruleset: str
    by_seats: list[SeatsStatistics]


class WinRate(msgspec.Struct, frozen=True):
    """low, high: Wilson's interval, in which the true rate is 95 times in 100. A first place that is shared is won."""

    games: int
    wins: int
    rate: float
    low: float
    high: float


class CardFigures(msgspec.Struct, frozen=True):
    """Of the seats that ever held one. kind: as of the ruleset's cards."""

    kind: str
    won: WinRate


class CardStatistics(msgspec.Struct, frozen=True):
    """seats, seat, who: what was asked for, null for all. every: whatever they held, to compare with."""

    ruleset: str
    seats: int | None
    seat: int | None
    who: Literal["people", "bots"]
    every: WinRate
    cards: list[CardFigures]
