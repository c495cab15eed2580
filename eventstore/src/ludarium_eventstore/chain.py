"""The hash chain of a stream. Bytes only: what they mean is the caller's business.

    genesis = BLAKE2b-256("ludarium stream" | stream id)
    salt_i  = BLAKE2b-256("salt" | seed | version | i)
    leaf_i  = BLAKE2b-256("leaf" | salt_i | bytes)
    root    = BLAKE2b-256("root" | count | leaf_1 | ... | leaf_count)
    link    = BLAKE2b-256("link" | prev | version | type | schema | at | layout | leaf_0 | root)

Leaf 0 is over the row as it is stored, leaf 1 over what spectators may see of it, leaf 2 + i over what seat i may see. The
root stands in the row, so whoever has the stored bytes and the seed checks a link without knowing what the bytes mean, and
whoever was shown one leaf alone finds it under the root.

Numbers are big-endian: version 4 bytes, type and schema 2 each, at 8 (microseconds since 1970), count and i 2 each; everything
else but a leaf's bytes, which stand last, has 32. So no two inputs are the same bytes. The first row's prev is the genesis, so
a row that is moved to another stream is found.
"""
from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from uuid import UUID

SIZE = 32
STORED, SPECTATORS, SEATS = 0, 1, 2             # which leaf is whose; seat i has SEATS + i
NO_LAYOUT = bytes(SIZE)                         # of rows that need none to be understood
HEAD = Struct(">Ihhq")
SALT = Struct(">IH")
COUNT = Struct(">H")
EMPTY = blake2b(digest_size=SIZE)


def genesis(stream: UUID) -> bytes:
    return digest(b"ludarium stream" + stream.bytes)


def salt(seed: bytes, version: int, i: int) -> bytes:
    """Of the i-th leaf of a row: nobody without the seed can tell salts from random bytes."""
    return digest(b"salt" + seed + SALT.pack(version, i))


def leaf(salt: bytes, data: bytes) -> bytes:
    return digest(b"leaf" + salt + data)


def salted_leaf(seed: bytes, version: int, i: int, data: bytes) -> bytes:
    """The i-th leaf of a row with its salt, in one call: a table that is loaded pays for every row of it."""
    salt = EMPTY.copy()
    salt.update(b"salt" + seed + SALT.pack(version, i))
    found = EMPTY.copy()
    found.update(b"leaf" + salt.digest() + data)
    return found.digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Over all leaves but that of the stored bytes: spectators', then each seat's."""
    return digest(b"root" + COUNT.pack(len(leaves)) + b"".join(leaves))


def link(
    prev: bytes, version: int, type_: int, schema: int, at_us: int, layout: bytes, stored: bytes, root: bytes
) -> bytes:
    """The row's hash. prev: that of the row before it, or the genesis; stored: leaf 0."""
    return digest(b"".join((b"link", prev, HEAD.pack(version, type_, schema, at_us), layout, stored, root)))


def digest(data: bytes) -> bytes:
    """RFC 7693. A copy costs less than one that is made anew."""
    found = EMPTY.copy()
    found.update(data)
    return found.digest()
