"""One check of the log's end serves all subscriptions of a process.

Idle subscriptions read nothing, and no event of interest is ever skipped.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic

import asyncpg
import pytest
from msgspec.structs import replace

from ludarium_eventstore import Append, EventStore, subscribers_pool
from ludarium_eventstore.reconnect import Pool
from ludarium_eventstore.subscriptions import make_checkpoint
from ludarium_eventstore.tail import MOVE_INTERVAL, Checkpoint, Tail
from tests.eventstore.follower import Scribe, failed, make_book, reached, running, told
from tests.support.entropy import uuid4
from tests.support.streams import event

ONES, TWOS = 1, 2


@pytest.fixture
async def pool(store: EventStore, database_url: str) -> AsyncIterator[Pool]:
    await make_book(database_url)
    async with subscribers_pool(database_url, 4) as made:
        yield made


async def filled(store: EventStore, *types: int) -> None:
    """Append one event of each given type."""
    await store.append(Append(uuid4(), 0, [replace(event(nth), type=type) for nth, type in enumerate(types)]))


class Process(Tail):
    """A process with one subscription to events of type 1 and another to type 2."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.event_types = {"ones": (ONES,), "twos": (TWOS,)}

    async def now(self) -> dict[str, Checkpoint]:
        """Check as if the checkpoints of idle subscriptions had not moved for a long time."""
        self.moved = monotonic() - MOVE_INTERVAL
        return dict((await self.look(monotonic())).checkpoints)


@pytest.fixture
async def process(pool: Pool) -> Process:
    async with pool.acquire() as connection:
        for name in ("ones", "twos"):
            await make_checkpoint(connection, name)
    return Process(pool)


async def test_who_has_nothing_to_take_in_is_moved_along_with_the_log(store: EventStore, process: Process) -> None:
    await process.now()
    await filled(store, ONES, ONES, ONES)
    assert await process.now() == {"ones": Checkpoint(0, False), "twos": Checkpoint(0, True)}
    assert await process.now() == {"ones": Checkpoint(0, False), "twos": Checkpoint(3, True)}
    await filled(store, TWOS)
    assert await process.now() == {"ones": Checkpoint(0, False), "twos": Checkpoint(3, False)}


async def test_of_what_came_before_the_first_look_nothing_is_known(store: EventStore, process: Process) -> None:
    await filled(store, ONES)
    assert await process.now() == {"ones": Checkpoint(0, False), "twos": Checkpoint(0, False)}


async def test_a_look_of_others_is_shared_unless_it_is_too_old(store: EventStore, process: Process) -> None:
    before = await process.look(monotonic())
    asked = monotonic()
    await filled(store, ONES)
    assert await process.look(0.0) is before
    assert (await process.look(asked)).head == 1


async def test_a_checkpoint_that_somebody_holds_is_left_alone(
    store: EventStore, process: Process, database_url: str
) -> None:
    await process.now()
    await filled(store, ONES)
    other = await asyncpg.connect(database_url)
    async with other.transaction():
        await other.execute("select from es.checkpoints where name = 'twos' for update")
        assert (await process.now())["twos"] == Checkpoint(0, True)
        assert (await process.now())["twos"] == Checkpoint(0, True)
    await process.now()
    assert (await process.now())["twos"] == Checkpoint(1, True)
    await other.close()


async def test_a_checkpoint_that_was_set_back_goes_the_whole_way_again(
    store: EventStore, process: Process, database_url: str
) -> None:
    """This happens when a projection is emptied in order to be filled again."""
    await filled(store, ONES, TWOS)
    owner = await asyncpg.connect(database_url)
    await owner.execute("update es.checkpoints set position = 2, hash = es.hash_at(2)")
    assert await process.now() == {"ones": Checkpoint(2, True), "twos": Checkpoint(2, True)}
    await owner.execute("update es.checkpoints set position = 0, hash = null where name = 'ones'")
    assert await process.now() == {"ones": Checkpoint(0, False), "twos": Checkpoint(2, True)}
    await owner.close()


@pytest.mark.parametrize("lost", ["position >= 3", "position = 3"], ids=["set back", "with a gap"])
async def test_a_log_that_lacks_rows_moves_nobody(
    store: EventStore, process: Process, database_url: str, lost: str
) -> None:
    await process.now()
    await filled(store, ONES, ONES)
    await process.now()
    assert (await process.now())["twos"] == Checkpoint(2, True)
    await filled(store, ONES, ONES)
    owner = await asyncpg.connect(database_url)
    await owner.execute(f"delete from es.events where {lost}")
    await filled(store, TWOS, ONES)
    for _ in range(2):
        assert not (await process.now())["twos"].idle
    await owner.close()


async def test_a_checkpoint_on_a_row_that_is_not_there_stops_its_subscription(
    store: EventStore, pool: Pool, database_url: str
) -> None:
    uninterested = Scribe()
    uninterested.event_types = (TWOS,)
    async with running(pool, uninterested, retry=0.05) as subscription:
        await filled(store, ONES)
        while subscription.position < 1:
            await subscription.settled(1)
            subscription.wake()
        owner = await asyncpg.connect(database_url)
        await owner.execute("update es.checkpoints set hash = sha256('')")
        await owner.close()
        await filled(store, ONES)
        assert "LostLog" in await failed(subscription)


async def test_two_who_take_different_rows_get_each_their_own(store: EventStore, pool: Pool) -> None:
    tail, ones, twos = Tail(pool), Scribe("ones"), Scribe("twos")
    twos.event_types = (TWOS,)
    async with running(pool, ones, "ones", tail=tail) as first, running(pool, twos, "twos", tail=tail) as second:
        for nth in range(1, 30):
            await filled(store, ONES, TWOS if nth % 3 == 0 else ONES, ONES)
            first.wake()
            second.wake()
            await first.settled(20)
            await second.settled(20)
        await reached(store, 78, "ones")
        await reached(store, 9, "twos")
    assert await told(store, "twos") == [*range(8, 88, 9)]
    assert ones.given + twos.given == 87
