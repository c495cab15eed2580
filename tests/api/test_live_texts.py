"""Sockets and streams with texts, in the language of each connection."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_streams import events, lines, until
from tests.api.test_texts import at_a_table, messages, said, stripped
from tests.support.blind_client import random_action
from tests.support.live_client import Client, client
from tests.support.people import Json, Person, play_on, someone_asked


@asynccontextmanager
async def reading(address: Address, token: str, **wishes: object) -> AsyncIterator[Client]:
    """Yield a client whose `hello` has these further fields."""
    async with client(port_of(address), hello=False) as one:
        assert (await one.request("hello", token=token, **wishes))["ok"]
        yield one


def without_views(told: list[Json]) -> list[Json]:
    """Return events without views: only the newest event of the log has one, and each pushed event."""
    return [{**event, "data": {name: value for name, value in event["data"].items() if name not in ("view", "change")}}
            for event in told]  # fmt: skip


async def test_each_connection_of_a_table_has_its_language(http: httpx.AsyncClient, address: Address) -> None:
    people, table = await at_a_table(http)
    token = people[0].token
    async with (
        reading(address, token, locale="es-MX", text=True) as spanish, reading(address, token, locale="hu", text=True) as other,
        reading(address, token, locale="hu") as plain,
    ):
        connections = [spanish, other, plain]
        subs = [await each.subscribe(table) for each in connections]
        await play_on(people, table, 8, random.Random(1))
        head = (await people[0].view(table))["seq"]
        pushed = [await each.until(sub, head) for each, sub in zip(connections, subs, strict=True)]
    log = (await people[0].get(f"/tables/{table}/events", limit=1000))["events"]
    for told in pushed:
        assert without_views(stripped(told)) == without_views(log)
    for told, locale in zip(pushed, ("es", "hu"), strict=False):
        found = [*messages(told)]
        assert len(found) > 20 and all(message["text"] == said(locale, message) for message in found)
    assert stripped(pushed[2]) == pushed[2]


async def test_changes_of_views_have_texts(http: httpx.AsyncClient, address: Address) -> None:
    people, table = await at_a_table(http)
    async with reading(address, people[0].token, locale="es", text=True) as one:
        head = (await people[0].view(table))["seq"]
        answer = await one.request("subscribe", table=table, after=head, view="changes")
        await play_on(people, table, 8, random.Random(1))
        pushed = await one.until(answer["sub"], (await people[0].view(table))["seq"])
    prompts = [event["data"]["change"]["choice"]["prompt"] for event in pushed if event["data"].get("change", {}).get("choice")]
    assert prompts and all(prompt["text"] == said("es", prompt) for prompt in prompts)


async def test_answers_and_problems_on_the_socket(http: httpx.AsyncClient, address: Address) -> None:
    people, table = await at_a_table(http)
    asked, view = await someone_asked(people, table)
    async with reading(address, asked.token, locale="hu", text=True) as one:
        action = random_action(view["choice"], random.Random(1))
        answer = await one.request("command", table=table, expected_seq=view["seq"], action=action, key="one")
        found = [*messages(answer["result"])]
        assert found and all(message["text"] == said("hu", message) for message in found)
        stale = await one.request("command", table=table, expected_seq=3, action=action, key="two")
        problem = stale["problem"]
        assert problem["text"] == problem["title"] and next(messages(problem["events"]))["text"]
    async with reading(address, asked.token, locale="hu") as one:
        again = await one.request("command", table=table, expected_seq=view["seq"], action=action, key="one")
        assert again["result"] == stripped(answer["result"])


async def test_streams_have_texts_of_the_language_in_the_query(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 4, random.Random(1))
    head = (await people[0].view(table))["seq"]
    path, login = f"/tables/{table}/stream", people[0].headers
    for read in (lines, events):
        told = await until(read(http, f"{path}?locale=es", **login), head)
        assert stripped(told) == await until(read(http, path, **login, **{"accept-language": "es"}), head)
        found = [*messages(told)]
        assert len(found) > 10 and all(message["text"] == said("es", message) for message in found)
    automatic = await until(lines(http, f"{path}?locale=auto", **login, **{"accept-language": "hu"}), head)
    assert all(message["text"] == said("hu", message) for message in messages(automatic))


async def test_a_stream_names_its_language(http: httpx.AsyncClient) -> None:
    _, table = await at_a_table(http)
    async with http.stream("GET", f"/tables/{table}/stream?locale=auto", headers={"accept-language": "es"}) as answer:
        assert answer.headers["content-language"] == "es" and "Accept-Language" in answer.headers["vary"]
    async with http.stream("GET", f"/tables/{table}/stream", headers={"accept-language": "es"}) as answer:
        assert "content-language" not in answer.headers


async def test_who_sits_down_is_named_from_then_on(http: httpx.AsyncClient, address: Address) -> None:
    """The names are loaded again when a player sits down, and before the next event is sent."""
    ada, bea = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "options": {}}))["id"]
    async with reading(address, ada.token, locale="en", text=True) as one:
        sub = await one.subscribe(table)
        for person in (ada, bea):
            await person.post(f"/tables/{table}/seats")
        await ada.post(f"/tables/{table}/start")
        await play_on([ada, bea], table, 2, random.Random(1))
        pushed = await one.until(sub, (await ada.view(table))["seq"])
    texts = " ".join(message["text"] for message in messages(pushed))
    assert "Ada" in texts and "Bea" in texts and "Player" not in texts
