"""What travels through Redis: one message per committed row of a table, made by the process that committed it."""

from collections.abc import Mapping

import msgspec

PREFIX = "ludarium:table:"
LARGEST = 32 * 1024
"""Bytes for one audience. One that would get more is only hinted at, and reads the log; the others get theirs.

At the largest tables of today's titles half of all are below 3 KiB and the largest has 12; the sum for all is 50. It goes by
the audience, so that how much the others are told does not show in how one is told.
"""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, dict[int, bytes]]).decode


def of_table(table: str) -> bytes:
    """The channel of one table."""
    return f"{PREFIX}{table}".encode()


def table_of(channel: bytes) -> str:
    return channel.decode().removeprefix(PREFIX)


def encode(seq: int, messages: Mapping[int, bytes]) -> bytes:
    """The row at `seq`, as JSON bytes for each audience (a seat, or -1 for spectators) for which that is not too long."""
    return _encode((seq, {audience: event for audience, event in messages.items() if len(event) <= LARGEST}))


def hint(seq: int) -> bytes:
    """Says only that the table has reached `seq`."""
    return _encode((seq, {}))


PRESENCE = hint(-1)
"""Says that somebody came or went."""


def decode(payload: bytes) -> tuple[int, dict[int, bytes]]:
    """Raises msgspec.MsgspecError if the payload is no message of ours."""
    return _decode(payload)
