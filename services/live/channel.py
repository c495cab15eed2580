"""What travels through Redis: one message per committed row of a table, made by the process that committed it."""

from collections.abc import Mapping

import msgspec

PREFIX = "ludarium:table:"
LARGEST = 8 * 1024
"""Bytes. A larger message is sent as a hint, and the receivers read the log instead."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, dict[int, bytes]]).decode


def of_table(table: str) -> bytes:
    """The channel of one table."""
    return f"{PREFIX}{table}".encode()


def table_of(channel: bytes) -> str:
    return channel.decode().removeprefix(PREFIX)


def encode(seq: int, messages: Mapping[int, bytes]) -> bytes:
    """The row at `seq`, as JSON bytes for each audience (a seat, or -1 for spectators); a hint if that is too long."""
    payload = _encode((seq, messages))
    return payload if len(payload) <= LARGEST else hint(seq)


def hint(seq: int) -> bytes:
    """Says only that the table has reached `seq`."""
    return _encode((seq, {}))


PRESENCE = hint(-1)
"""Says that somebody came or went."""


def decode(payload: bytes) -> tuple[int, dict[int, bytes]]:
    """Raises msgspec.MsgspecError if the payload is no message of ours."""
    return _decode(payload)
