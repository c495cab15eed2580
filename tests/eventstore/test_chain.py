"""The format of the hashes: rows can't be chained anew later, so these bytes never change."""
from __future__ import annotations

import hmac
from hashlib import blake2b
from uuid import UUID

import pytest

from eventstore.chain import genesis, leaf, link, salt

STREAM = UUID("01234567-89ab-7def-8123-456789abcdef")
SEED = bytes(range(32))


def test_known_answers() -> None:
    """The worked example of docs/eventstore.md."""
    leaves = [leaf(salt(SEED, 0, i), row) for i, row in enumerate((b"seat 0", b"seat 1", b"whole"))]
    first = link(genesis(STREAM), 0, 1, 1, 1_767_225_600_000_000, b"public", leaves)
    assert genesis(STREAM).hex() == "d4735b9c13c60788f556caa5baed2e671907219618afd7468209eb332821117d"
    assert salt(SEED, 0, 2).hex() == "a81775c7a3f9ea90ccc67129906aefabf42eb0a7310130315ebc14b1f2dd9ef0"
    assert leaves[0].hex() == "24f623456b126a5bd74cf9b87a442c225ae04b2f2e8def8b1e4140ae22a6b6cc"
    assert first.hex() == "41e51df20d4f7847ce705f4d64b7fb72dc01f7239165459ecd8d0c60c908d07c"


def test_it_is_what_the_document_says() -> None:
    """The same with nothing but hashlib and hmac, byte by byte."""
    salted = hmac.new(SEED, b"salt" + (7).to_bytes(4, "big") + (1).to_bytes(2, "big"), "sha256").digest()
    assert salt(SEED, 7, 1) == salted
    assert leaf(salted, b"row") == blake2b(salted + b"row", digest_size=32).digest()
    head = b"\0\0\0\7" + b"\0\5" + b"\0\1" + (123456789).to_bytes(8, "big") + b"\0\0\0\3"
    whole = bytes(32) + head + b"abc" + bytes([1] * 32) + bytes([2] * 32)
    assert link(bytes(32), 7, 5, 1, 123456789, b"abc", [bytes([1] * 32), bytes([2] * 32)]) == (
        blake2b(whole, digest_size=32).digest()
    )


BASE = (bytes(32), 3, 5, 1, 1000, b"public", [bytes(32), bytes([1] * 32)])


@pytest.mark.parametrize(
    ("nth", "value"),
    [(0, bytes([9]) + bytes(31)), (1, 4), (2, 6), (3, 2), (4, 1001), (5, b"publiC"), (6, [bytes([1] * 32), bytes(32)])],
)
def test_every_part_counts(nth: int, value: object) -> None:
    changed = [*BASE]
    changed[nth] = value
    assert link(*changed) != link(*BASE)  # type: ignore[arg-type]


def test_what_moves_from_one_part_to_the_next_is_another_row() -> None:
    assert link(bytes(32), 0, 1, 1, 0, b"a" * 33, []) != link(bytes(32), 0, 1, 1, 0, b"a", [b"a" * 32])


def test_streams_begin_differently() -> None:
    assert genesis(STREAM) != genesis(UUID(int=STREAM.int + 1))
