"""Merkle trees over the tables of an hour, to prove that a table is among them.

leaf = BLAKE2b-256("ludarium table" | id | head)    node = BLAKE2b-256("ludarium node" | left | right)

Leaves are sorted by their hashes. If a level has an odd number of nodes, the last one moves up unchanged.
"""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium_eventstore.chain import digest


def leaf(table: UUID, head: bytes) -> bytes:
    return digest(b"ludarium table" + table.bytes + head)


def node(left: bytes, right: bytes) -> bytes:
    return digest(b"ludarium node" + left + right)


def above(level: Sequence[bytes]) -> list[bytes]:
    paired = [node(*level[n : n + 2]) for n in range(0, len(level) - 1, 2)]
    return paired + ([level[-1]] if len(level) % 2 else [])


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root of the tree over these leaves, of which there is at least one."""
    level = sorted(leaves)
    while len(level) > 1:
        level = above(level)
    return level[0]


def path(leaves: Sequence[bytes], of: bytes) -> list[tuple[bool, bytes]]:
    """Return the path from a leaf to the root.

    Each step says whether the sibling is on the left, and gives the sibling's hash.
    """
    level, steps = sorted(leaves), list[tuple[bool, bytes]]()
    nth = level.index(of)
    while len(level) > 1:
        other = nth ^ 1
        if other < len(level):
            steps.append((other < nth, level[other]))
        level, nth = above(level), nth // 2
    return steps
