"""Encode events once for all viewers who are sent the same version."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec

from ludarium_engine.kernel.decoding import json_decoder

_type = re.compile(rb'.{0,32}?"type":"([a-z_]+)"').match
VACATES = frozenset({b"left", b"replaced", b"taken_over"})
SHIFTS = frozenset({b"policies", b"handed_over", b"reserved"})
CLOSES = frozenset({b"game_started", b"game_ended", b"returned", b"replaced", b"retired"})
_at = re.compile(rb'.{0,128}"data":\{"at":"([^"]+)"').match
_head = re.compile(rb'.{0,64}"head":"([0-9a-f]{16})"').match

PIECE = 64 * 1024
"""Bytes of events after which a write to a client that is catching up ends."""


class _Seat(msgspec.Struct):
    seat: int


class _Left(msgspec.Struct):
    data: _Seat


_decode = json_decoder(_Left)


class EncodedEvent(NamedTuple):
    """An encoded event or other message.

    Attributes:
        seq: the event's number, None for a message without a number.
        event: the JSON object.
        frame: the WebSocket frame with the JSON object.
        name: the kind of a message that is not an event, such as presence or a reset.
        vacated: the seat that a player loses with the event.
        head: the event's head.
        prev: the head of the previous event, "" if this is the first.
        shifts: whether viewers may lose the right to watch by the event.
        closes: whether the event ends invitations, so that access is checked before the event is sent.
    """

    seq: int | None
    event: bytes
    frame: bytes
    name: bytes = b""
    vacated: int | None = None
    head: str = ""
    prev: str = ""
    shifts: bool = False
    closes: bool = False


def encoded_event(opening: bytes, seq: int | None, event: bytes, name: bytes = b"", prev: str = "") -> EncodedEvent:
    """Encode an event for all transports.

    Args:
        opening: the beginning of the push, to which the event's members are added.
        seq: the event's number, None for a message without a number.
        event: the JSON object.
        name: the kind of a message that is not an event.
        prev: the head of the previous event.
    """
    type = type_of(event)
    vacated = _decode(event).data.seat if type in VACATES else None
    head = found[1].decode() if (found := _head(event)) else ""
    frame = text_frame(opening + event[1:])
    return EncodedEvent(seq, event, frame, name, vacated, head, prev, type in SHIFTS, type in CLOSES)


def type_of(event: bytes) -> bytes:
    return found[1] if (found := _type(event)) else b""


def time_of(event: bytes) -> float | None:
    """Return an event's time in seconds since 1970, None if the event has no time."""
    return datetime.fromisoformat(found[1].decode()).timestamp() if (found := _at(event)) else None


def text_frame(payload: bytes) -> bytes:
    """Return an unmasked WebSocket text frame (RFC 6455, section 5.2).

    The frame is not compressed, so all clients can be sent the same bytes.
    """
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), payload)


def pieces(page: Iterable[EncodedEvent]) -> Iterator[list[EncodedEvent]]:
    """Split a page into chunks.

    Between two chunks, the sender waits for slow clients and checks access again.
    """
    piece, size = list[EncodedEvent](), 0
    for told in page:
        piece.append(told)
        size += len(told.frame)
        if size > PIECE or told.shifts or told.closes or told.vacated is not None:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


class Outlet(Protocol):
    """Interface to the WebSocket or HTTP stream to which events are written."""

    def send(self, *news: EncodedEvent) -> None:
        """Write events without waiting, in one write."""

    async def drained(self) -> None:
        """Wait until the client has read most of the waiting data, or is gone."""

    def fail(self) -> None:
        """Close the connection because of an internal error."""
