"""The hash chain of a stream. Bytes only: what they mean is the caller's business.

    genesis = BLAKE2b-256("ludarium stream" | stream id)
    salt_i  = HMAC-SHA-256(seed, "salt" | version | i)
    leaf_i  = BLAKE2b-256(salt_i | what seat i may see)
    row     = BLAKE2b-256(prev | version | type | schema | at | length of public | public | leaf_0 | ... | leaf_n)

Numbers are big-endian: version 4 bytes, type and schema 2 each, at 8 (microseconds since 1970), the length 4, i 2. Everything
has a fixed width or its length before it, so no two inputs are the same bytes. The first row's prev is the genesis, so a row
that is moved to another stream is found.
"""
from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from uuid import UUID

SIZE = 32
HEAD = Struct(">IHHqI")
SALT = Struct(">IH")


def genesis(stream: UUID) -> bytes:
    return blake2b(b"ludarium stream" + stream.bytes, digest_size=SIZE).digest()


def salt(seed: bytes, version: int, i: int) -> bytes:
    """Of the i-th leaf of a row: nobody without the seed can tell salts from random bytes (RFC 2104)."""
    return hmac.digest(seed, b"salt" + SALT.pack(version, i), "sha256")


def leaf(salt: bytes, row: bytes) -> bytes:
    return blake2b(salt + row, digest_size=SIZE).digest()


def link(
    prev: bytes, version: int, type_: int, schema: int, at_us: int, public: bytes, leaves: Sequence[bytes]
) -> bytes:
    """The row's hash (RFC 7693); prev is the hash of the row before it, or the genesis."""
    head = HEAD.pack(version, type_, schema, at_us, len(public))
    return blake2b(b"".join((prev, head, public, *leaves)), digest_size=SIZE).digest()
