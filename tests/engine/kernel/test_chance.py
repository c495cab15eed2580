"""Random draws, with known values, uniform results and independent streams."""
from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice, product

import pytest

from ludarium_engine.kernel import Chance
from ludarium_engine.kernel.chance import draw
from tests.engine.kernel.tiny import CHANCE

BLOCK_OF_DECK = "847e6930607b04554e5beb8adfe2430c50d3f2c16cfddb798152c800edb67a20"
SECOND_BLOCK_OF_DIE_2 = "0a4728cab2b85bee053413e83048530f7d53238e87fb791c7a23d5faa3e29349"


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Compute HMAC-SHA256 as written out in RFC 2104."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def test_the_stream_is_hmac_of_slot_draw_and_block() -> None:
    first = b"".join(n.to_bytes(2, "big") for n in islice(CHANCE.numbers("deck", 0), 16))
    later = b"".join(n.to_bytes(2, "big") for n in islice(CHANCE.numbers("die", 2), 16, 32))
    assert first.hex() == BLOCK_OF_DECK and later.hex() == SECOND_BLOCK_OF_DIE_2
    assert first == hmac_sha256(CHANCE.seed, b"deck/0/0") and later == hmac_sha256(CHANCE.seed, b"die/2/1")


def test_known_answers() -> None:
    assert CHANCE.shuffled(range(10), "deck", 0) == (9, 4, 5, 2, 6, 1, 7, 3, 0, 8)
    assert CHANCE.shuffled(range(10), "deck", 1) == (6, 9, 8, 2, 1, 4, 7, 5, 0, 3)
    assert [CHANCE.below(6, "die", n) for n in range(10)] == [0, 5, 2, 4, 4, 2, 2, 4, 4, 1]
    assert [CHANCE.below(1000, "die", n) for n in range(4)] == [736, 625, 664, 228]


def test_numbers_beyond_the_last_multiple_are_rejected() -> None:
    assert draw(40_000, iter([65_535, 40_000, 39_999])) == 39_999
    assert draw(10, iter([65_530, 65_529])) == 9
    assert draw(65_536, iter([65_535])) == 65_535


def test_a_die_has_no_bias_that_shows() -> None:
    found = Counter(CHANCE.below(6, "die", n) for n in range(12_000))
    assert sum((found[face] - 2_000) ** 2 / 2_000 for face in range(6)) < 20.5           # chi squared, p = 0.001


def test_every_order_is_as_likely() -> None:
    found = Counter(CHANCE.shuffled(range(4), "deck", n) for n in range(4_800))
    assert len(found) == 24 and sum((n - 200) ** 2 / 200 for n in found.values()) < 49.7   # chi squared, p = 0.001


def test_a_shuffle_keeps_the_cards() -> None:
    assert sorted(CHANCE.shuffled([7, 7, 1, 300], "deck", 5)) == [1, 7, 7, 300]
    assert CHANCE.shuffled([], "deck", 0) == () and CHANCE.shuffled([4], "deck", 0) == (4,)


def test_streams_differ_by_slot_number_and_seed() -> None:
    streams = product((CHANCE, Chance(bytes(32))), ("deck", "hand.1"), (0, 1))
    shuffles = [chance.shuffled(range(40), slot, n) for chance, slot, n in streams]
    assert len(set(shuffles)) == 8


@pytest.mark.parametrize("bound", [-1, 0, 65_537])
def test_there_are_numbers_below_a_bound_or_it_is_refused(bound: int) -> None:
    """Facts in foreign files may have any bound."""
    with pytest.raises(ValueError, match=str(bound)):
        CHANCE.below(bound, "die", 0)


def test_a_pile_has_no_more_cards_than_there_are_numbers() -> None:
    with pytest.raises(ValueError, match="65537"):
        CHANCE.shuffled(range(65_537), "deck", 0)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32"):
        Chance(bytes(size))
