"""Kill a worker, after which another one must continue its work within seconds."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from random import Random
from time import monotonic
from typing import NamedTuple

import httpx

from ludarium.platform.schema_check import migrated
from tests.faults.liveness import plays_again
from tests.support.blind_client import random_action
from tests.support.people import Json, Person, open_game
from tests.support.servers import ServerProcess

WORKER = "projections,bots,timers"
WORKERS = 2
BANK = 5
"""Seconds on a clock that runs out while the worker dies."""
MOST, MOST_LATE = 5.0, 1.0
"""The most seconds until bots and lists continue, and for a due timeout."""
POLL, LONGEST = 0.02, 60.0


class Takeover(NamedTuple):
    """The delays after a kill, in seconds.

    They are the times until a bot answers and until a table is listed, and the lateness of a timeout.
    """

    bot: float
    listed: float
    clock: float

    @property
    def holds(self) -> bool:
        return max(self.bot, self.listed) <= MOST and self.clock <= MOST_LATE

    def __str__(self) -> str:
        told = f"a bot has answered after {self.bot:.2f} s, a table is listed after {self.listed:.2f} s"
        return f"{told}, a clock was {self.clock:.2f} s late"


async def until(what: Callable[[], Awaitable[bool]]) -> float:
    """Wait for a condition, and return the time.monotonic() at which it became true."""
    async with asyncio.timeout(LONGEST):
        while not await what():
            await asyncio.sleep(POLL)
    return monotonic()


async def asked(person: Person, table: str) -> Json:
    async with asyncio.timeout(LONGEST):
        while not (view := await person.view(table))["choice"] and view["status"] == "playing":
            await asyncio.sleep(POLL)
    return view


async def handed_over(person: Person, table: str, view: Json, luck: Random) -> int:
    """Answer for as long as it is this person's turn.

    Returns:
        The number of the last event.
    """
    while view["choice"]:
        answer = await person.command(table, view, random_action(view["choice"], luck))
        assert answer.status_code == 200, answer.text
        view = answer.json()["view"]
    return int(view["seq"])


async def on_the_clock(ada: Person, bea: Person) -> tuple[str, float]:
    """Start a game that nobody answers.

    Returns:
        The table, and the time.monotonic() at which its clock runs out.
    """
    clock = {"clock": {"type": "live", "bank": BANK, "increment": 0}}
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "policies": clock}))["id"]
    for person in (ada, bea):
        await person.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/start")
    return table, monotonic() + BANK


async def takeover(http: httpx.AsyncClient, dying: ServerProcess, luck: Random) -> Takeover:
    ada, bea = [await Person.arrive(http) for _ in range(2)]
    with_bot = await open_game([ada], bots=("random",))
    timed, ends = await on_the_clock(ada, bea)

    async def has_answered() -> bool:
        """Check whether the bot has answered, so it is Ada's turn or the game is over."""
        now = await ada.view(with_bot)
        return bool(now["seq"] > after and (now["choice"] or now["status"] != "playing"))

    async def is_listed() -> bool:
        return any(one["id"] == opened for one in (await http.get("/tables", params={"status": "open"})).json()["tables"])

    async def is_out() -> bool:
        return any(event["type"] == "timed_out" for event in (await ada.get(f"/tables/{timed}/events"))["events"])

    await asyncio.sleep(max(0.0, ends - monotonic() - 0.5))
    view = await asked(ada, with_bot)
    await dying.kill()
    died = monotonic()
    after = await handed_over(ada, with_bot, view, luck)
    opened = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    bot, listed, out = await asyncio.gather(until(has_answered), until(is_listed), until(is_out))
    return Takeover(bot - died, listed - died, out - ends)


async def takeovers(database_url: str, redis_url: str, rounds: int, luck: Random) -> AsyncIterator[Takeover]:
    """Kill the oldest worker in each round and start a new one."""
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        async def made(roles: str) -> ServerProcess:
            return await stack.enter_async_context(ServerProcess(database_url, redis_url, roles=roles, rate_limits="false"))

        api, workers = await made("api"), [await made(WORKER) for _ in range(WORKERS)]
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=api.api, timeout=LONGEST))
        for _ in range(rounds):
            yield await takeover(http, workers.pop(0), luck)
            await plays_again(api.api)
            workers.append(await made(WORKER))
