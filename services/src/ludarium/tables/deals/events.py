"""The events of a shared deal's stream, which are fully public.

As for events of tables (`model/event_types.py`), a type and a schema number identify a struct, which never changes.
Types from NOTES on are notes, which change nothing. A process assumes that any other unknown type or schema comes from a
newer release.
"""
from __future__ import annotations

from typing import Any

import msgspec

from ludarium.tables.model.event_types import UnreadEvent, decode_by
from ludarium_engine.kernel.decoding import msgpack_decoder


class DealEvent(msgspec.Struct, array_like=True, frozen=True):
    """An event of a shared deal's stream."""


class DealOpened(DealEvent, frozen=True):
    """The first event of a deal.

    Attributes:
        commitment: the BLAKE2b-256 hash of the seed from which the salts of the stream's hash chain follow.
        deal: the BLAKE2b-256 hash of the seed from which the tables' chance follows.
        nonce: random bytes from the owner.
        boards: the number of boards.
        closes_at: when the deal closes, in microseconds since 1970.
        owner: the player who opened the deal.
    """

    commitment: bytes
    deal: bytes
    nonce: bytes
    boards: int
    closes_at: int
    owner: str


class DealPostponed(DealEvent, frozen=True):
    """The deal's closing time is postponed.

    Attributes:
        closes_at: the new time, in microseconds since 1970.
    """

    closes_at: int


class BoardOpened(DealEvent, frozen=True):
    """The table of a board is opened.

    Attributes:
        board: the board's number, from 1.
        creator: the player who opened the table.
        table: the table's settings.
    """

    board: int
    creator: str
    table: dict[str, Any]


class PlayerJoined(DealEvent, frozen=True):
    """A player is assigned to a board, and cannot join another board of the deal."""

    player: str
    board: int


class DealClosed(DealEvent, frozen=True):
    """The deal is closed: boards and players can no longer be added.

    Games that are still running end without a result.
    """


class DealRevealed(DealEvent, frozen=True):
    """The seeds are revealed, since all tables of the deal have ended.

    Attributes:
        seed: the seed of the salts of the deal's hash chain.
        deal: the seed from which the tables' chance follows.
    """

    seed: bytes
    deal: bytes


AnyDealEvent = DealOpened | DealPostponed | BoardOpened | PlayerJoined | DealClosed | DealRevealed
DEAL_KINDS: dict[tuple[int, int], type[AnyDealEvent]] = {
    (64, 1): DealOpened,
    (65, 1): DealPostponed,
    (66, 1): BoardOpened,
    (67, 1): PlayerJoined,
    (68, 1): DealClosed,
    (69, 1): DealRevealed,
}
"""Every struct that was ever written, by type and schema number."""
DEAL_NUMBERS = {kind: numbers for numbers, kind in sorted(DEAL_KINDS.items())}
"""Type and schema number by struct, for events that are written now."""
DEAL_NAMES = {
    64: "deal_opened",
    65: "deal_put_off",
    66: "board_opened",
    67: "player_joined",
    68: "deal_closed",
    69: "deal_revealed",
}
OPENED, REVEALED = 64, 69
"""The type numbers of a deal's first event and of its last event."""
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in DEAL_KINDS.items()}
encode = msgspec.msgpack.Encoder().encode


def decode(type_: int, schema: int, data: bytes) -> AnyDealEvent | UnreadEvent:
    """Decode an event of a deal."""
    return decode_by(DECODERS, type_, schema, data)
