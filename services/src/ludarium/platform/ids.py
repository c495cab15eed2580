"""Ids of streams, players and other objects.

An id is a UUIDv7, written as 26 letters and digits, so ids sort by time. After the time and the version come ten bits
with the partition, and 62 bits that are random or from a keyed hash:

| 48 milliseconds since 1970 | 0111 | 10 partition | 2 of 64 | 10 | 62 of 64 |

Tables and deals are in the partitions 1 to 1023, so that they can be distributed over several logs. Everything else
(players, tournaments, studies, apps) is in partition 0.

See docs/decisions/117.
"""

import time
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from ludarium.platform.entropy import Entropy, Part

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u."""
LENGTH = 26
PARTITIONS = 1 << 10
HOME = 0
"""The partition of everything except tables and deals."""
EXAMPLE = "0" * LENGTH
"""An id for examples, which no object has."""
PATTERN = f"^[0-7][{ALPHABET}]{{25}}$"

PARSED = 1 << 13
"""Number of parsed ids that are cached, since most commands and messages name the same few tables."""

_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}


def new_id(entropy: Entropy, *name: Part) -> UUID:
    """Make an id (RFC 9562, version 7) with the current time, in partition 0.

    Args:
        name: the name of the random draw, which says what the id is for.
    """
    return made(time.time_ns() // 1_000_000, HOME, int.from_bytes(entropy.draw(8, "id", *name)))


def new_table_id(entropy: Entropy, *name: Part, creator: str = "", key: bytes = b"") -> UUID:
    """Make an id for a table or a deal.

    Args:
        name: the name of the random draw, which says what the id is for.
        creator: the creator. Together with `key`, it determines the partition; without a creator, the partition is
            random.
        key: what the creator needs the id for.
    """
    drawn = entropy.draw(10, "id", *name)
    where = partition(creator, key) if creator else _of_table(drawn[8:])
    return made(time.time_ns() // 1_000_000, where, int.from_bytes(drawn[:8]))


def derived_id(at_ms: int, secret: bytes, name: bytes) -> UUID:
    """Derive the id of a table or a deal, so that every process finds the same id.

    Args:
        at_ms: when the stream or request began from which the id is derived, in milliseconds since 1970.
        secret: the secret key of the hash.
        name: the hashed name.
    """
    digest = blake2b(name, digest_size=16, key=secret, person=b"ludarium id").digest()
    return made(at_ms, _of_table(digest[:2]), int.from_bytes(digest[8:]))


def partition(creator: str, key: bytes) -> int:
    """Return the partition of tables and deals with this creator and key."""
    return _of_table(blake2b(creator.encode() + b"|" + key, digest_size=2).digest())


def _of_table(drawn: bytes) -> int:
    return 1 + int.from_bytes(drawn) % (PARTITIONS - 1)


def partition_of(identifier: UUID) -> int:
    """Return an id's partition. The SQL function es.partition_of does the same."""
    return identifier.int >> 66 & PARTITIONS - 1


def made(millis: int, partition: int, bits: int) -> UUID:
    version, variant = 0x7 << 76, 0b10 << 62
    high = (partition << 2 | bits >> 62) << 64
    return UUID(int=(millis & (1 << 48) - 1) << 80 | version | high | variant | bits & (1 << 62) - 1)


def time_of(identifier: UUID) -> int:
    """Return the time in an id, in milliseconds since 1970."""
    return identifier.int >> 80


def encode(identifier: UUID) -> str:
    return base32(identifier.int, LENGTH)


@lru_cache(maxsize=PARSED)
def decode(text: str) -> UUID:
    """Parse an id. Raises ValueError unless `encode` would return exactly this text."""
    if len(text) != LENGTH or text[0] not in "01234567":
        raise ValueError("not an identifier")
    number = 0
    for letter in text:
        if letter not in _VALUES:
            raise ValueError("not an identifier")
        number = number << 5 | _VALUES[letter]
    return UUID(int=number)


def is_id(text: str) -> bool:
    """Return whether the text is an id that `decode` accepts."""
    try:
        decode(text)
    except ValueError:
        return False
    return True


def base32(number: int, length: int) -> str:
    """Write the lowest 5 * `length` bits of `number` in base 32."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))
