"""Every subscriber gets each event once and in order, despite crashes.

If a log cannot be followed, that is reported.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import asyncpg
import pytest

from ludarium_eventstore import CatchUpSubscription, EventStore, StoredEvent, subscribers_pool
from ludarium_eventstore.reconnect import Connection, Pool
from ludarium_eventstore.subscriptions import PAGE_SIZE
from tests.eventstore.follower import Scribe, failed, make_book, reached, running, told
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.waiting import LIMIT, eventually, let_others_run


@pytest.fixture
async def pool(store: EventStore, database_url: str) -> AsyncIterator[Pool]:
    await make_book(database_url)
    async with subscribers_pool(database_url, 4) as made:
        yield made


async def filled(store: EventStore, rows: int) -> None:
    await store.append(append(uuid4(), 0, rows=rows))


async def execute(dsn: str, statement: str) -> None:
    """Execute a statement as the owner of the database, who has all rights."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(statement)
    await connection.close()


async def test_what_is_there_is_caught_up_with_and_what_comes_is_followed(store: EventStore, pool: Pool) -> None:
    await filled(store, 2 * PAGE_SIZE + 500)
    async with running(pool, Scribe()) as subscription:
        await reached(store, 2 * PAGE_SIZE + 500)
        await filled(store, 3)
        subscription.wake()
        await reached(store, 2 * PAGE_SIZE + 503)
    assert await told(store) == [*range(1, 2 * PAGE_SIZE + 504)]


async def test_what_nobody_woke_it_for_is_found_by_looking(store: EventStore, pool: Pool) -> None:
    async with running(pool, Scribe()):
        await filled(store, 1)
        await reached(store, 1)


async def test_whoever_waits_for_it_finds_what_it_was_woken_for(store: EventStore, pool: Pool) -> None:
    async with running(pool, Scribe(), pace=0.05) as subscription:
        for count in range(1, 20):
            await filled(store, 1)
            subscription.wake()
            await subscription.settled(20)
            assert len(await told(store)) == count


async def test_rows_are_left_alone_until_they_have_been_there_for_the_grace(store: EventStore, pool: Pool) -> None:
    hour = 3600.0
    subscription = CatchUpSubscription(pool, "one", Scribe(), grace=hour)
    await filled(store, 3)
    await subscription.catch_up()
    assert await told(store) == []
    when, length = subscription.looks.pop()
    subscription.looks.append((when - hour, length))             # as if that check was an hour ago
    await filled(store, 4)
    await subscription.catch_up()
    assert await told(store) == [1, 2, 3]


async def test_nobody_waits_for_what_others_go_on_to_write(store: EventStore, pool: Pool) -> None:
    async def write(subscription: CatchUpSubscription) -> None:
        while True:
            await filled(store, 1)
            subscription.wake()

    async with running(pool, Scribe(), pace=0.02) as subscription:
        load = asyncio.create_task(write(subscription))
        for _ in range(10):
            await filled(store, 1)
            head = (await store.fetch("select max(position) as head from es.events"))[0]["head"]
            subscription.wake()
            await subscription.settled(LIMIT)
            assert len(await told(store)) >= head
        assert not load.done()
        load.cancel()


async def test_it_goes_on_where_the_one_before_stopped(store: EventStore, pool: Pool) -> None:
    await filled(store, 5)
    async with running(pool, Scribe()):
        await reached(store, 5)
    await filled(store, 5)
    later = Scribe()
    async with running(pool, later):
        await reached(store, 10)
    assert later.given == 5


async def test_rows_of_no_interest_are_passed_and_counted(store: EventStore, pool: Pool) -> None:
    uninterested = Scribe()
    uninterested.event_types = ()
    await filled(store, PAGE_SIZE + 1)
    async with running(pool, uninterested) as subscription:
        await eventually(lambda: subscription.position >= PAGE_SIZE + 1)
    assert uninterested.given == 0


async def test_of_two_runners_each_row_is_told_once(store: EventStore, pool: Pool, database_url: str) -> None:
    scribes = Scribe(), Scribe()
    async with subscribers_pool(database_url, 2) as other, running(pool, scribes[0]) as one, running(other, scribes[1]) as two:
        for _ in range(60):
            await filled(store, 7)
            one.wake()
            two.wake()
            await let_others_run()
        await reached(store, 420)
    assert await told(store) == [*range(1, 421)]
    assert sum(scribe.given for scribe in scribes) == 420


async def test_when_one_runner_ends_another_goes_on(store: EventStore, pool: Pool, database_url: str) -> None:
    async with subscribers_pool(database_url, 2) as other, running(other, Scribe()):
        async with running(pool, Scribe()):
            await filled(store, 10)
            await reached(store, 10)
        await filled(store, 10)
        await reached(store, 20)
    assert await told(store) == [*range(1, 21)]


class Mortal(Scribe):
    """A subscriber whose connection breaks before the checkpoint is written."""

    def __init__(self, deaths: int) -> None:
        super().__init__()
        self.deaths = deaths

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        await super().apply(connection, rows)
        if self.deaths:
            self.deaths -= 1
            connection.terminate()


async def test_a_connection_that_dies_in_between_leaves_nothing_half_done(store: EventStore, pool: Pool) -> None:
    await filled(store, 20)
    mortal = Mortal(deaths=3)
    async with running(pool, mortal):
        await reached(store, 20)
        await filled(store, 1)
        await reached(store, 21)
    assert await told(store) == [*range(1, 22)]
    assert mortal.given == 20 * 4 + 1


async def test_a_row_that_cannot_be_taken_in_stops_its_subscription_alone(store: EventStore, pool: Pool) -> None:
    await filled(store, 50)
    bad = Scribe("bad", poison=37)
    async with running(pool, bad, "bad", retry=0.1) as stopped, running(pool, Scribe("good"), "good") as sound:
        assert "ValueError" in await failed(stopped)
        assert stopped.failure is not None and stopped.failure.position == 36
        assert await told(store, "bad") == [*range(1, 37)]
        await stopped.settled(60)                                         # nothing waits for a stopped subscription
        await reached(store, 50, "good")
        bad.poison = 0
        await reached(store, 50, "bad")
        await filled(store, 1)
        await reached(store, 51, "bad")
        assert all(subscription.failure is None for subscription in (stopped, sound))
    assert await told(store, "bad") == [*range(1, 52)]


async def test_a_checkpoint_ahead_of_the_log_stops_its_subscription_loudly(
    store: EventStore, pool: Pool, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """This happens after a fail-over to a lagging standby.

    It is noticed even if the log has grown since.
    """
    await filled(store, 10)
    async with running(pool, Scribe("lost"), "lost"):
        await reached(store, 10, "lost")
    await execute(database_url, "delete from es.events where position > 6")
    async with running(pool, Scribe("lost"), "lost", retry=0.05) as lost, running(pool, Scribe(), "one") as sound:
        assert "LostLog" in await failed(lost)
        await reached(store, 6)
        await filled(store, 20)
        await reached(store, 26)
        assert "LostLog" in await failed(lost)
        assert sound.failure is None
    assert await told(store, "lost") == [*range(1, 11)]
    assert "lost stops behind position 10" in caplog.text


async def test_a_gap_in_the_log_is_never_passed(store: EventStore, pool: Pool, database_url: str) -> None:
    await filled(store, 30)
    await execute(database_url, "delete from es.events where position = 17")
    async with running(pool, Scribe(), retry=0.05) as subscription:
        assert "BrokenOrder" in await failed(subscription)
    assert await told(store) == []


async def test_an_open_transaction_elsewhere_holds_nobody_up(store: EventStore, pool: Pool, database_url: str) -> None:
    idle = await asyncpg.connect(database_url)
    await idle.execute("begin; insert into es.documents values (sha256(''), '')")
    async with running(pool, Scribe()):
        await filled(store, 5)
        await reached(store, 5)
    await idle.close()
