"""Wait for what a test needs, with one limit for the whole suite.

A test never sleeps and never sets its own timeout, so a slow machine makes it slower but does not make it fail. To prove
that nothing happens, cause a later event on the same path and assert that this event comes first, or step the clock.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

import httpx

T = TypeVar("T")

LIMIT = 180.0
"""Seconds until a wait fails: many times the duration of a step at load 25. A green test never gets near it."""
INTERVAL = 0.02
"""Seconds between two checks."""
NEVER = 1_000_000
"""Seconds, for a period of the product that must not end during a test."""


@overload
async def eventually(check: Callable[[], Awaitable[T | None]]) -> T: ...


@overload
async def eventually(check: Callable[[], T | None]) -> T: ...


async def eventually(check: Callable[[], Any]) -> Any:
    """Call `check` until its result is true, and return that result.

    An AssertionError raised by `check` counts as "not yet", so a check may contain several assertions.

    Raises:
        AssertionError: The limit has passed; the message contains the last result or error.
    """
    ends = time.monotonic() + LIMIT
    while True:
        outcome: object
        try:
            found = check()
            outcome = await found if inspect.isawaitable(found) else found
            if outcome:
                return outcome
        except AssertionError as error:
            outcome = error
        if time.monotonic() > ends:
            raise AssertionError(f"not within {LIMIT:.0f} s; the last check gave {outcome!r}")
        await asyncio.sleep(INTERVAL)


def eventually_blocking(check: Callable[[], T | None]) -> T:
    """Call `check` like `eventually`, for code without an event loop."""
    ends = time.monotonic() + LIMIT
    while not (found := check()):
        if time.monotonic() > ends:
            raise AssertionError(f"not within {LIMIT:.0f} s; the last check gave {found!r}")
        time.sleep(INTERVAL)
    return found


async def in_time(awaitable: Awaitable[T]) -> T:
    """Await something that must come, such as the next message of a queue.

    Raises:
        TimeoutError: The limit has passed.
    """
    async with within_limit():
        return await awaitable


def within_limit() -> asyncio.Timeout:
    """Return an async context manager that raises TimeoutError at the limit."""
    return asyncio.timeout(LIMIT)


async def let_others_run(turns: int = 1) -> None:
    """Yield to the event loop this many times, so that other tasks can run."""
    for _ in range(turns):
        await asyncio.sleep(0)


async def turns_during(work: Awaitable[object]) -> int:
    """Return how many turns the event loop took while `work` ran.

    Few turns mean that `work` blocked the loop.
    """
    task, turns = asyncio.ensure_future(work), 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    await task
    return turns


async def admitted(ask: Callable[[], Awaitable[httpx.Response]], *refusals: int) -> httpx.Response:
    """Repeat a request after its Retry-After until the status is not in `refusals`."""
    async with within_limit():
        while (answer := await ask()).status_code in refusals:
            await asyncio.sleep(int(answer.headers["retry-after"]))
        return answer
