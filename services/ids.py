"""Identifiers of tables and players: UUIDv7 inside (they sort by time), 26 opaque letters and digits outside."""

import os
import time
from datetime import datetime
from uuid import UUID

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u."""
LENGTH = 26
PATTERN = f"^[0-7][{ALPHABET}]{{25}}$"

_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}


def new_id() -> UUID:
    """RFC 9562, version 7: 48 bits of Unix milliseconds, then 74 random bits of the operating system."""
    return _version_7(time.time_ns() // 1_000_000, os.urandom(10))


def derived(at: datetime, chance: bytes) -> UUID:
    """The same for the same time and bytes, and sorted among the others by that time."""
    return _version_7(round(at.timestamp() * 1000), chance[:10])


def _version_7(millis: int, chance: bytes) -> UUID:
    number = (millis & (1 << 48) - 1) << 80 | int.from_bytes(chance)
    version, variant = 0x7 << 76, 0b10 << 62
    return UUID(int=number & ~(0xF << 76) & ~(0b11 << 62) | version | variant)


def encode(identifier: UUID) -> str:
    return base32(identifier.int, LENGTH)


def decode(text: str) -> UUID:
    """Raises ValueError if `text` is not the very text that `encode` gives for some identifier."""
    if len(text) != LENGTH or text[0] not in "01234567":
        raise ValueError("not an identifier")
    number = 0
    for letter in text:
        if letter not in _VALUES:
            raise ValueError("not an identifier")
        number = number << 5 | _VALUES[letter]
    return UUID(int=number)


def base32(number: int, length: int) -> str:
    """The lowest 5 * `length` bits of `number`."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))
