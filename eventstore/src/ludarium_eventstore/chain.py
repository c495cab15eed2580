"""Compute the hash chain of a stream, over bytes of any meaning.

genesis = BLAKE2b-256("ludarium stream" | stream id)
salt_i  = BLAKE2b-256("salt" | seed | version | i)
leaf_i  = BLAKE2b-256("leaf" | salt_i | bytes)
root    = BLAKE2b-256("root" | count | leaf_1 | ... | leaf_count)
link    = BLAKE2b-256("link" | prev | version | type | schema | at | layout | leaf_0 | root)

Leaf 0 is over the row as it is stored, leaf 1 over what spectators may see of it, leaf 2 + i over what seat i may see.
The root is stored in the row. With the stored bytes and the seed, a link can be checked without knowing what the bytes
mean, and a single leaf that was shown to a player can be found under the root.

Numbers are big-endian: version 4 bytes, type and schema 2 each, at 8 (microseconds since 1970), count and i 2 each.
Everything else has 32 bytes, except a leaf's bytes, which are last. So no two inputs give the same bytes. The first
row's prev is the genesis, so a row moved to another stream is detected.

See docs/decisions/020.
"""
from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from uuid import UUID

SIZE = 32
STORED, SPECTATORS, SEATS = 0, 1, 2             # index of each owner's leaf; that of seat i is SEATS + i
NO_LAYOUT = bytes(SIZE)                         # for rows that can be read without a layout
HEAD = Struct(">Ihhq")
SALT = Struct(">IH")
COUNT = Struct(">H")
EMPTY = blake2b(digest_size=SIZE)


def genesis(stream: UUID) -> bytes:
    return digest(b"ludarium stream" + stream.bytes)


def salt(seed: bytes, version: int, i: int) -> bytes:
    """Return the salt of a row's i-th leaf; it is secret as long as the seed is."""
    return digest(b"salt" + seed + SALT.pack(version, i))


def leaf(salt: bytes, data: bytes) -> bytes:
    return digest(b"leaf" + salt + data)


def salted_leaf(seed: bytes, version: int, i: int, data: bytes) -> bytes:
    """Return a row's i-th leaf, with the salt computed in the same call.

    Loading a table computes a leaf of every row, so this saves time.
    """
    salt = EMPTY.copy()
    salt.update(b"salt" + seed + SALT.pack(version, i))
    found = EMPTY.copy()
    found.update(b"leaf" + salt.digest() + data)
    return found.digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the hash of all leaves except leaf 0, in order."""
    return digest(b"root" + COUNT.pack(len(leaves)) + b"".join(leaves))


def link(
    prev: bytes, version: int, type_: int, schema: int, at_us: int, layout: bytes, stored: bytes, root: bytes
) -> bytes:
    """Return a row's hash in the chain.

    Args:
        prev: hash of the row before, or the genesis.
        version: the row's version in its stream.
        type_: the number of the event type.
        schema: the schema number of the event type.
        at_us: microseconds since 1970.
        layout: hash of the layout document, or NO_LAYOUT.
        stored: leaf 0.
        root: hash of all other leaves.
    """
    return digest(b"".join((b"link", prev, HEAD.pack(version, type_, schema, at_us), layout, stored, root)))


def digest(data: bytes) -> bytes:
    """Return the BLAKE2b-256 hash (RFC 7693).

    Copying a hash object is faster than creating one.
    """
    found = EMPTY.copy()
    found.update(data)
    return found.digest()
