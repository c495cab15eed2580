"""Streams of tables over HTTP, as JSON lines or as server-sent events."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import httpx
import msgspec
import pytest

from ludarium.live.publisher import Publisher
from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.server import Address, running
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Left, Seated
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.api.test_live import port_of, strip
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.people import Json, Person, open_game, play_on
from tests.support.waiting import LIMIT, in_time, within_limit

SSE = {"accept": "text/event-stream"}
BATCH = 1000
"""Events in one append."""


async def lines(http: httpx.AsyncClient, path: str, **headers: str) -> AsyncIterator[Json]:
    """Yield the messages of a stream of JSON lines, until it ends."""
    async with http.stream("GET", path, headers=headers, timeout=LIMIT) as answer:
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        async for line in answer.aiter_lines():
            if line:
                yield msgspec.json.decode(line)


async def events(http: httpx.AsyncClient, path: str, **headers: str) -> AsyncIterator[Json]:
    """Yield the numbered events of a stream, as an EventSource reads them."""
    async with http.stream("GET", path, headers=SSE | headers, timeout=LIMIT) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        number = None
        async for line in answer.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "id":
                number = value
            elif field == "data" and number is not None:
                event = msgspec.json.decode(value)
                assert f"{event['seq']}.{event['head']}" == number
                number = None
                yield event


async def until(stream: AsyncIterator[Json], seq: int) -> list[Json]:
    """Return the numbered events up to `seq`, and close the stream."""
    heard: list[Json] = []
    async with aclosing(stream), within_limit():  # type: ignore[type-var]
        async for event in stream:
            if "seq" in event:
                heard.append(event)
            if event.get("seq") == seq:
                return heard
    raise AssertionError(f"the stream ended behind {heard[-1:]}")


@asynccontextmanager
async def other_process(database_url: str, redis_url: str) -> AsyncIterator[Tables]:
    """Yield the table service of another process."""
    async with await EventStore.open(database_url) as store, Publisher(redis_url, ENTROPY) as publisher:
        yield Tables(store, publisher, ENTROPY)


async def lengthen(tables: Tables, table: str, player: str, rows: int) -> None:
    """Append this many events, which seat a player and remove them again."""
    for first in range(0, rows, BATCH):
        table_state = await tables.cache.fresh(ids.decode(table))
        comings: list[AnyEvent] = [Seated(0, player, None), Left(0)]
        assert await tables.append(table_state, (comings * BATCH)[: min(BATCH, rows - first)], None, None)


async def test_lines_and_events_tell_the_log_as_it_grows(http: httpx.AsyncClient) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea], version="ruthless")
    path = f"/tables/{table}/stream"
    async with asyncio.TaskGroup() as group:
        told = group.create_task(until(lines(http, path, **ada.headers), 20))
        seen = group.create_task(until(events(http, path), 20))
        await play_on([ada, bea], table, 20, random.Random(5))
    log = (await ada.get(f"/tables/{table}/events"))["events"]
    assert strip(told.result()) == strip(log[:21])
    public = (await http.get(f"/tables/{table}/events")).json()["events"]
    assert strip(seen.result()) == strip(public[:21])


@pytest.mark.parametrize("missed", [10, 1000, 10_000])
async def test_resume_after_any_absence_over_all_three_ways(
    http: httpx.AsyncClient, address: Address, module_database_url: str, module_redis_url: str, missed: int
) -> None:
    ada = await Person.arrive(http)
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    async with other_process(module_database_url, module_redis_url) as tables:
        await lengthen(tables, table, ada.id, missed + 2)
    head, after = missed + 3, 3
    known = (await ada.get(f"/tables/{table}/events"))["events"][after]["head"]
    path = f"/tables/{table}/stream"
    async with client(port_of(address)) as eve:
        pushed = await eve.until(await eve.subscribe(table, after=after), head)
    for heard in (
        pushed,
        await until(lines(http, f"{path}?after={after}"), head),
        await until(events(http, path, **{"last-event-id": f"{after}"}), head),
        await until(events(http, path, **{"last-event-id": f"{after}.{known}"}), head),
    ):
        assert [event["seq"] for event in heard] == list(range(after + 1, head + 1))


async def test_a_silent_stream_shows_that_it_lives(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium.live.stream_outlet.KEEPALIVE", 0.05)
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("simple",))
    for headers, silence in (({}, b"\n"), (SSE, b": \n\n")):
        async with http.stream("GET", f"/tables/{table}/stream?after=0", headers=headers) as answer:
            heard = b""
            async with within_limit():
                async for chunk in answer.aiter_bytes():
                    heard += chunk
                    if heard.endswith(2 * silence):
                        break
        assert heard.endswith(2 * silence)


@pytest.mark.parametrize(
    "query, headers, code",
    [
        ("after=999", {}, "future-sequence"),
        ("after=-2", {}, "invalid-request"),
        ("as=0", {}, "forbidden"),
        ("as=7", {}, "no-such-seat"),
        ("", {"last-event-id": "x"}, "invalid-request"),
        ("", {"last-event-id": "999"}, "future-sequence"),
        ("", {"last-event-id": f"{2**31}"}, "invalid-request"),
        ("", {"last-event-id": "1.abc"}, "invalid-request"),
        ("", {"authorization": "Bearer lud_none"}, "invalid-token"),
    ],
)
async def test_a_stream_that_cannot_be_had(
    http: httpx.AsyncClient, query: str, headers: dict[str, str], code: str
) -> None:
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("simple",))
    answer = await http.get(f"/tables/{table}/stream?{query}", headers=headers)
    assert answer.json()["code"] == code


async def test_who_leaves_a_seat_is_told_no_more_of_it(http: httpx.AsyncClient) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    await bea.post(f"/tables/{table}/seats", {"seat": 0})
    async with within_limit(), aclosing(lines(http, f"/tables/{table}/stream", **bea.headers)) as stream:  # type: ignore[type-var]
        heard = [await anext(stream) for _ in range(3)]
        assert (await bea.ask("DELETE", f"/tables/{table}/seats/0")).status_code == 200
        heard += [line async for line in stream]
    told = [line["type"] for line in heard if line["type"] != "presence"]
    assert told == ["table_opened", "policies", "seated", "left", "ended"]


async def test_a_server_that_stops_sends_its_streams_elsewhere(database_url: str, redis_url: str) -> None:
    async with httpx.AsyncClient(timeout=LIMIT) as http:
        async with running(Config(port=0, ws_port=0), database_url, redis_url, ENTROPY) as address:
            http.base_url = httpx.URL(f"{address.http}/api/v1")
            ada = await Person.arrive(http)
            table = await open_game([ada], bots=("simple",))
            ends = [
                asyncio.create_task(last_words(http, f"/tables/{table}/stream", headers)) for headers in ({}, SSE)
            ]
            async with client(port_of(address)) as eve:
                await eve.until(await eve.subscribe(table), 3)
        plain, sse = await in_time(asyncio.gather(*ends))
    assert b'{"type":"going-away","retry_after_ms":' in plain
    assert b"retry: " in sse


async def last_words(http: httpx.AsyncClient, path: str, headers: dict[str, str]) -> bytes:
    async with http.stream("GET", path, headers=headers, timeout=LIMIT) as answer:
        heard = b""
        async for chunk in answer.aiter_bytes():
            heard = (heard + chunk)[-200:]
    return heard
