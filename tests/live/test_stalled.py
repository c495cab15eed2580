"""A client that stops reading affects no others, and little is buffered for it."""

from contextlib import AsyncExitStack

from tests.live.house import House
from tests.live.rough import request, rough
from tests.live.test_processes import Process
from tests.support.live_client import Client, client

OTHERS = 20
MANY, WINDOW = 900, 50
"""Messages in total, more than can be buffered, and messages in flight."""
SIZE = 7000
"""Bytes of a message."""
GROWTH = 2 * 1024 * 1024
"""Bytes by which memory may grow."""


async def test_a_stalled_client_costs_the_others_no_frame_and_the_process_no_memory(redis_url: str, house: House) -> None:
    process = Process()
    port = await process.start(redis_url)
    await house.open("t")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(process.stop)
        others = [await stack.enter_async_context(client(port)) for _ in range(OTHERS)]
        subs = [await other.subscribe("t") for other in others]
        await tell_all(house, others, subs, WINDOW)
        stalled = await stack.enter_async_context(rough(port, buffer=4096))
        await stalled.write(request("hello") + request("subscribe", table="t", after=WINDOW))
        await stalled.read_until(b'"as":"spectator"}')
        before = process.memory()
        for last in range(2 * WINDOW, MANY + 1, WINDOW):
            await tell_all(house, others, subs, last)
            assert process.memory() < before + GROWTH
        assert len(await stalled.rest()) < SIZE * (MANY - WINDOW)


async def tell_all(house: House, others: list[Client], subs: list[str], last: int) -> None:
    """Send messages up to number `last`, and check that all other clients get them."""
    for _ in range(WINDOW):
        await house.commit("t", {-1: b'{"word":"%b"}' % (b"x" * SIZE)})
    for other, sub in zip(others, subs, strict=True):
        seqs = [event["seq"] for event in await other.until(sub, last)]
        assert seqs == [*range(last + 1)]
