"""The events of a deal's stream, which are fully public.

The rules for events of tables (`model/event_types.py`) apply: type and schema number name a struct, which never
changes. Types from NOTES on are notes. A process takes any other unknown type or schema for one of a newer release.
"""
from __future__ import annotations

from typing import Any

import msgspec

from ludarium.tables.model.event_types import UnreadEvent, decode_by
from ludarium_engine.kernel.decoding import msgpack_decoder


class DealEvent(msgspec.Struct, array_like=True, frozen=True):
    """An event of a deal's stream, fully public."""


class DealOpened(DealEvent, frozen=True):
    """The first event.

    Attributes:
        commitment: BLAKE2b-256 of the seed of its chain's salts.
        deal: BLAKE2b-256 of the seed of its chance.
        nonce: random bytes from its owner.
        boards: number of boards.
        closes_at: microseconds since 1970.
    """

    commitment: bytes
    deal: bytes
    nonce: bytes
    boards: int
    closes_at: int
    owner: str


class DealPostponed(DealEvent, frozen=True):
    """The deal closes later."""

    closes_at: int


class BoardOpened(DealEvent, frozen=True):
    """The table that plays this board, counted from 1, with its settings."""

    board: int
    creator: str
    table: dict[str, Any]


class PlayerJoined(DealEvent, frozen=True):
    """The player is assigned to this board, and cannot join another one of the deal."""

    player: str
    board: int


class DealClosed(DealEvent, frozen=True):
    """No board opens and no player joins any more. Running games are voided."""


class DealRevealed(DealEvent, frozen=True):
    """All tables have ended and have revealed the seeds."""

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
"""By type and schema number, every struct that was ever written."""
DEAL_NUMBERS = {kind: numbers for numbers, kind in sorted(DEAL_KINDS.items())}
"""Type and schema number of what is written today."""
DEAL_NAMES = {
    64: "deal_opened",
    65: "deal_put_off",
    66: "board_opened",
    67: "player_joined",
    68: "deal_closed",
    69: "deal_revealed",
}
OPENED, REVEALED = 64, 69
"""The types of a deal's first and last event."""
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in DEAL_KINDS.items()}
encode = msgspec.msgpack.Encoder().encode


def decode(type_: int, schema: int, data: bytes) -> AnyDealEvent | UnreadEvent:
    """Decode an event of a deal."""
    return decode_by(DECODERS, type_, schema, data)
