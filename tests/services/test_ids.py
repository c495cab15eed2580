"""Identifiers are unique and sortable, and have a single spelling."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis.strategies import integers, text

from ludarium.platform import ids
from tests.support.entropy import ENTROPY


@given(integers(0, 2**128 - 1))
def test_there_and_back(number: int) -> None:
    assert ids.decode(ids.encode(UUID(int=number))) == UUID(int=number)


@given(text(max_size=30))
def test_a_text_is_no_identifier_or_the_only_spelling_of_one(some: str) -> None:
    try:
        identifier = ids.decode(some)
    except ValueError:
        return
    assert ids.encode(identifier) == some


@pytest.mark.parametrize("wrong", ["", "0" * 25, "0" * 27, "8" + "0" * 25, "A" * 26, "u" * 26, "\u0660" * 26])
def test_what_is_no_identifier(wrong: str) -> None:
    with pytest.raises(ValueError, match="not an identifier"):
        ids.decode(wrong)


def test_new_ones_are_version_7_and_sort_by_time() -> None:
    made = [ids.new_id(ENTROPY) for _ in range(1000)]
    assert {(one.version, one.variant) for one in made} == {(7, made[0].variant)}
    assert len(set(made)) == 1000
    millis = [one.int >> 80 for one in made]
    assert millis == sorted(millis)


def test_ids_of_tables_and_deals_are_spread_over_all_partitions_but_the_first() -> None:
    drawn = [ids.new_table_id(ENTROPY) for _ in range(20_000)]
    derived = [ids.derived_id(0, b"key", nth.to_bytes(4, "big")) for nth in range(20_000)]
    created = [ids.new_table_id(ENTROPY, creator=str(nth)) for nth in range(20_000)]
    for made in (drawn, derived, created):
        assert {ids.partition_of(one) for one in made} == {*range(1, ids.PARTITIONS)}


def test_all_other_ids_are_in_the_first_partition() -> None:
    assert {ids.partition_of(ids.new_id(ENTROPY, nth)) for nth in range(100)} == {ids.HOME}
