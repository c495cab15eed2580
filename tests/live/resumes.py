"""Clients that resume after missing many events.

They use a WebSocket, and curl for both kinds of HTTP streams.
"""

import asyncio
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from random import Random
from time import monotonic

import httpx
import msgspec

from ludarium.platform import ids
from ludarium.platform.schema_check import migrated
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted
from ludarium.tables.service import Tables
from ludarium_engine.kernel.contract import set_preference
from tests.api.test_crash import without_view
from tests.api.test_streams import other_process
from tests.live.ears import socket
from tests.support.people import Json, Person, open_game, play_on
from tests.support.servers import ServerProcess
from tests.support.waiting import LIMIT, within_limit

ABSENCES = (10, 1000, 10_000)
"""Numbers of missed events."""
MOVES = 10
BATCH = 500
PAGE = 1000
LARGEST = 1 << 20
"""The longest line in bytes."""


class NoCurl(Exception):
    """An error for machines on which curl is not installed."""


Way = Callable[[ServerProcess, str, Person, int], AsyncGenerator[Json]]
"""Yields the events of a table after a number, as the person may see them."""


async def resumed(database_url: str, redis_url: str, seed: int) -> AsyncIterator[str]:
    """Resume in each way after each absence, and yield a line of text about each.

    Raises:
        NoCurl: curl is not installed.
    """
    if shutil.which("curl") is None:
        raise NoCurl("curl is not in PATH")
    await migrated(database_url)
    async with (
        ServerProcess(database_url, redis_url) as server,
        httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http,
        other_process(database_url, redis_url) as tables,
    ):
        ada = await Person.arrive(http)
        table = await long_game(tables, ada, Random(seed))
        log = await whole_log(ada, table)
        for missed in ABSENCES:
            for name, way in WAYS.items():
                start = monotonic()
                heard = await behind(way(server, table, ada, len(log) - 1 - missed), missed)
                assert [*map(without_view, heard)] == [*map(without_view, log[-missed:])]
                yield f"{missed:6,} events missed, {name}: all of them, in order, in {monotonic() - start:.2f} s"


async def long_game(tables: Tables, ada: Person, luck: Random) -> str:
    """Play a game whose log is longer than all absences, and leave it running.

    The log grows because a seat toggles a preference repeatedly.
    """
    people = [ada, await Person.arrive(ada.http)]
    table = await open_game(people, version="ruthless")
    await play_on(people, table, MOVES, luck)
    table_state = await tables.cache.fresh(ids.decode(table))
    while table_state.version < max(ABSENCES):
        events = [set_preference(table_state.title, table_state.playing, 0, "wave", bool(nth % 2))[1] for nth in range(BATCH)]
        rows: list[AnyEvent] = [Acted(event.seat, event.action, event.facts) for event in events]
        assert await tables.append(table_state, rows, None, None)
    return table


async def whole_log(person: Person, table: str) -> list[Json]:
    events: list[Json] = []
    while page := (await person.get(f"/tables/{table}/events", after=len(events) - 1, limit=PAGE))["events"]:
        events += page
    return events


async def behind(events: AsyncGenerator[Json], missed: int) -> list[Json]:
    """Collect events from a resumed stream until `missed` of them have arrived."""
    heard: list[Json] = []
    async with aclosing(events), within_limit():
        async for event in events:
            heard += [event] if "seq" in event else []
            if len(heard) == missed:
                return heard
    raise AssertionError(f"it ended behind {heard[-1:]}")


# --- transports -------------------------------------------------------------------------------------------------------
async def by_socket(server: ServerProcess, table: str, person: Person, after: int) -> AsyncGenerator[Json]:
    async with aclosing(socket(server.ws_port, table, person.token, after)) as events:
        async for event in events:
            event.pop("sub")
            yield event


async def by_lines(server: ServerProcess, table: str, person: Person, after: int) -> AsyncGenerator[Json]:
    async with aclosing(curl(f"{server.api}/tables/{table}/stream?after={after}", **person.headers)) as lines:
        async for line in lines:
            if line:
                yield msgspec.json.decode(line)


async def by_events(server: ServerProcess, table: str, person: Person, after: int) -> AsyncGenerator[Json]:
    headers = person.headers | {"accept": "text/event-stream", "last-event-id": str(after)}
    async with aclosing(curl(f"{server.api}/tables/{table}/stream", **headers)) as lines:
        number = None
        async for line in lines:
            field, _, value = line.partition(": ")
            if field == "id":
                number = int(value.partition(".")[0])
            elif field == "data":
                event: Json = msgspec.json.decode(value)
                assert event.get("seq") == number
                number = None
                yield event


async def curl(url: str, **headers: str) -> AsyncGenerator[str]:
    """Yield the lines that curl prints."""
    options = [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
    command = ("curl", "--silent", "--show-error", "--fail", "--no-buffer", *options, url)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, limit=LARGEST)
    assert process.stdout is not None
    try:
        while line := await process.stdout.readline():
            yield line.decode().rstrip("\n")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


WAYS: dict[str, Way] = {
    "WebSocket": by_socket,
    "JSON lines by curl": by_lines,
    "server-sent events by curl": by_events,
}
