"""A reader of new events misses nothing, because es.append takes a lock."""
from __future__ import annotations

from tests.eventstore.race import FROM_A_COUNTER, LAST, LOCK, change_append, race

BATCHES = 20
MOST_BATCHES = 400
"""The test stops at the first fault, which is late on a busy machine."""
SEED = 20261121


async def test_a_reader_beside_eight_appenders_misses_nothing(database_url: str) -> None:
    result = await race(database_url, BATCHES, SEED)
    assert result.committed > 100
    assert (result.missing, result.failure, result.refused) == (0, None, 0)


async def test_without_the_lock_appends_are_refused_rather_than_put_out_of_order(database_url: str) -> None:
    await change_append(database_url, (LOCK, ""))
    result = await race(database_url, BATCHES, SEED)
    assert result.refused > 0
    assert (result.missing, result.failure) == (0, None)


async def test_with_numbers_that_are_given_before_the_commit_the_reader_would_miss_rows_and_says_so(database_url: str) -> None:
    """Stores that number events by a sequence behave like this."""
    await change_append(database_url, (LOCK, ""), (LAST, FROM_A_COUNTER))
    result = await race(database_url, MOST_BATCHES, SEED)
    assert result.failure is not None and "BrokenOrder" in result.failure
    assert result.missing > 0
