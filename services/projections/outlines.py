"""Tables without their games: what the rows tell that are no commands."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from eventstore import StoredEvent
from eventstore.store import COLUMNS, stored
from eventstore.subscriptions import Connection
from services import ids
from services.projections.bodies import LobbyTable
from services.tables.bodies import SeatBody, Status
from services.tables.rows import (
    NUMBERS,
    Acted,
    AnyRow,
    GameEnded,
    GameStarted,
    Left,
    RulesChanged,
    Seated,
    TableOpened,
    Undone,
    decode,
)

PLAY = frozenset({NUMBERS[Acted], NUMBERS[Undone], NUMBERS[RulesChanged]})
"""The rows in the middle of a game: outlines do not need them."""


class Outline:
    """A table after some row: who sits there, whether it has begun, how it ended."""

    def __init__(self, stream: UUID, opened: TableOpened) -> None:
        self.stream, self.opened = stream, opened
        self.seats: list[Seated | None] = [None] * opened.seats
        self.status: Status = "open"
        self.ended: GameEnded | None = None
        self.version = 0

    def take_in(self, version: int, row: AnyRow) -> None:
        self.version = version
        match row:
            case Seated():
                self.seats[row.seat] = row
            case Left():
                self.seats[row.seat] = None
            case GameStarted():
                self.status = "playing"
            case GameEnded():
                self.status, self.ended = "over", row

    def body(self) -> LobbyTable:
        opened = self.opened
        seats = [SeatBody(i, s.player if s else None, s.bot if s else None) for i, s in enumerate(self.seats)]
        return LobbyTable(
            ids.encode(self.stream), opened.ruleset, opened.options, self.status, opened.creator, seats
        )


async def outlines_of(connection: Connection, rows: Sequence[StoredEvent]) -> list[Outline]:
    """The tables of these rows as they were after the last of them."""
    streams = list(dict.fromkeys(row.stream for row in rows))
    found = await connection.fetch(
        f"select {COLUMNS} from es.events where stream_id = any ($1) and position <= $2 and type <> all ($3::smallint[])"
        " order by stream_id, version",
        streams, max(row.position for row in rows), [*PLAY],
    )  # fmt: skip
    made = outlined(map(stored, found))
    return [made[stream] for stream in streams]


def outlined(rows: Iterable[StoredEvent]) -> dict[UUID, Outline]:
    """From rows of tables, each in its order from the first on."""
    found: dict[UUID, Outline] = {}
    for stored_row in rows:
        row = decode(stored_row.type, stored_row.schema, stored_row.data)
        if isinstance(row, TableOpened):
            found[stored_row.stream] = Outline(stored_row.stream, row)
        else:
            found[stored_row.stream].take_in(stored_row.version, row)
    return found
