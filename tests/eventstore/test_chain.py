"""The format of the hashes must never change, since chains cannot be recomputed."""
from __future__ import annotations

from hashlib import blake2b
from uuid import UUID

import pytest

from ludarium_eventstore.chain import genesis, leaf, link, root, salt

STREAM = UUID("01234567-89ab-7def-8123-456789abcdef")
SEED = bytes(range(32))
LAYOUT = bytes([7] * 32)


def test_known_answers() -> None:
    """The hashes equal the example in docs/eventstore.md."""
    leaves = [leaf(salt(SEED, 0, i), row) for i, row in enumerate((b"stored", b"spectators", b"seat 0"))]
    over = root(leaves[1:])
    first = link(genesis(STREAM), 0, 1, 1, 1_767_225_600_000_000, LAYOUT, leaves[0], over)
    assert genesis(STREAM).hex() == "d4735b9c13c60788f556caa5baed2e671907219618afd7468209eb332821117d"
    assert salt(SEED, 0, 2).hex() == "9fb929771909ba87064d5702d5e85228c95f01da9782ae6c77d239f7f0d5350c"
    assert leaves[0].hex() == "30e4fcb66571bbb4661a4c441c16cf2a5ebe1c5937d851d471b7014adfd1d471"
    assert over.hex() == "daacffec51ddd6d8e81a58c3933b4c04ed10ffa4ecf180cd4012023fb2a5d478"
    assert first.hex() == "1340f1c4a6db5ad5dc53b96f43f71ed66d57699fd12f4fe049bbfc4936885f33"


def test_it_is_what_the_document_says() -> None:
    """The hashes equal those made by hashlib alone, byte by byte."""

    def blake(data: bytes) -> bytes:
        return blake2b(data, digest_size=32).digest()

    salted = blake(b"salt" + SEED + (7).to_bytes(4, "big") + (1).to_bytes(2, "big"))
    assert salt(SEED, 7, 1) == salted
    assert leaf(salted, b"row") == blake(b"leaf" + salted + b"row")
    one, two = bytes([1] * 32), bytes([2] * 32)
    assert root([one, two]) == blake(b"root" + b"\0\2" + one + two)
    head = b"\0\0\0\7" + b"\0\5" + b"\0\1" + (123456789).to_bytes(8, "big")
    assert link(bytes(32), 7, 5, 1, 123456789, LAYOUT, one, two) == blake(b"link" + bytes(32) + head + LAYOUT + one + two)


BASE = (bytes(32), 3, 5, 1, 1000, LAYOUT, bytes(32), bytes([1] * 32))
OTHER = bytes([9]) + bytes(31)


@pytest.mark.parametrize(
    ("nth", "value"), [(0, OTHER), (1, 4), (2, 6), (3, 2), (4, 1001), (5, OTHER), (6, OTHER), (7, OTHER)]
)
def test_every_part_counts(nth: int, value: object) -> None:
    changed = [*BASE]
    changed[nth] = value
    assert link(*changed) != link(*BASE)  # type: ignore[arg-type]


def test_what_is_a_leaf_is_neither_a_root_nor_a_link() -> None:
    """Leaves, roots and links have different prefixes, so none passes as another."""
    assert len({leaf(bytes(32), b""), root([bytes(32)]), link(*BASE)}) == 3
    assert root([]) != root([bytes(32)]) != root([bytes(32), bytes(32)])


def test_streams_begin_differently() -> None:
    assert genesis(STREAM) != genesis(UUID(int=STREAM.int + 1))
