"""Check that commands are accepted soon after a fault, and that a signal shows it."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import cycle
from random import Random
from time import monotonic

import httpx

from tests.faults.tables import PAUSE, RULESET, Away, opened
from tests.support.blind_client import random_action
from tests.support.people import Person, fine
from tests.support.waiting import LIMIT

WITHIN = 60.0
"""Seconds from the end of a fault until a command is accepted, on a busy machine."""
SILENT = 20.0
"""Seconds without a command after which `/readyz` must fail.

An append is given up after 10 s; the rest is a reserve.
"""
Signal = Callable[[], Awaitable[bool]]


async def plays_again(api: str, signal: Signal | None = None) -> float:
    """Wait until a command is accepted at a new table of new people.

    Args:
        api: The URL of the API.
        signal: A function that returns whether an alert is firing, which must be true from the start. Without it, `/readyz`
            must fail after `SILENT` seconds.

    Returns:
        The seconds until a command was accepted.
    """
    began = monotonic()
    async with httpx.AsyncClient(base_url=api, timeout=LIMIT) as http:
        while not await accepted(http):
            waited = monotonic() - began
            assert waited < WITHIN, f"no command is accepted {waited:.0f} s after the fault has ended"
            if signal is not None:
                assert await signal() or await accepted(http), "no command is accepted, and no alert is on"
            elif waited > SILENT:
                assert not await ready(http) or await accepted(http), "no command is accepted, and /readyz is green"
            await asyncio.sleep(PAUSE)
    return monotonic() - began


def in_words(seconds: float) -> str:
    return f"a command was accepted {seconds:.1f} s after the last fault"


async def accepted(http: httpx.AsyncClient) -> bool:
    """Check whether people can sign in, open a table and make the first move."""
    try:
        people = [await arrived(http) for _ in range(2)]
        table = await opened(people, RULESET)
        for person in cycle(people):
            view = await person.view(table)
            if view["choice"]:
                return (await person.command(table, view, random_action(view["choice"], Random(1)))).status_code == 200
    except (Away, httpx.TransportError):
        pass
    return False


async def arrived(http: httpx.AsyncClient) -> Person:
    answer = await http.post("/guests", json={"name": "Ada"})
    if answer.status_code == 503:
        raise Away
    return Person(http, fine(answer))


async def ready(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get(http.base_url.join("/readyz"))).status_code == 200
    except httpx.TransportError:
        return False
