"""A game survives kill -9 of any process, without losing acknowledged events."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from tests.support.blind_client import random_action
from tests.support.entropy import uuid4
from tests.support.people import Json, Person, open_game
from tests.support.servers import ServerProcess, durable_server
from tests.support.waiting import LIMIT, eventually

VICTIMS = ("ludarium", "postgres", "valkey-server")


async def kill(server: ServerProcess, victim: str) -> None:
    """Kill and restart the server, or kill one of its embedded servers.

    The server restarts those itself.
    """
    if victim == "ludarium":
        await server.kill_and_launch()
    else:
        server.kill_children(victim)


async def insist(person: Person, table: str, body: Json, key: str) -> Json:
    """Send a command until it is answered, always with the same key."""
    async def sent() -> Json:
        with suppress(httpx.TransportError):
            answer = await person.ask("POST", f"/tables/{table}/commands", json=body, headers={"idempotency-key": key})
            return {} if answer.status_code == 503 else {**answer.json()}
        return {}

    return await eventually(sent)


async def view_of(person: Person, table: str) -> Json:
    """Request the person's view until the server returns it."""
    async def asked() -> Json:
        with suppress(httpx.TransportError):
            answer = await person.ask("GET", f"/tables/{table}/view")
            return {**answer.json()} if answer.status_code == 200 else {}
        return {}

    return await eventually(asked)


async def play_through(server: ServerProcess, people: list[Person], table: str, victim: str) -> list[tuple[Person, Json]]:
    """Play a whole game, and kill `victim` after five acknowledged events.

    Returns:
        The acknowledged events, each with the person who got it.
    """
    luck, killer = random.Random(11), None
    acknowledged: list[tuple[Person, Json]] = []
    while True:
        views = [(person, await view_of(person, table)) for person in people]
        if views[0][1]["status"] == "over":
            break
        for person, view in [(person, view) for person, view in views if view["choice"]][:1]:
            body = {"expected_seq": view["seq"], "action": random_action(view["choice"], luck)}
            answer = await insist(person, table, body, str(uuid4()))
            acknowledged += [(person, event) for event in answer["events"]]
        if killer is None and len(acknowledged) >= 5:
            killer = asyncio.create_task(kill(server, victim))
    assert killer is not None
    await killer
    return acknowledged


async def survive(server: ServerProcess, people: list[Person], victim: str) -> int:
    """Kill `victim` in a game, and check that no acknowledged event is lost.

    Returns:
        The number of acknowledged events.
    """
    table = await open_game(people, bots=("simple",))
    acknowledged = await play_through(server, people, table, victim)
    for person in people:
        log = (await person.get(f"/tables/{table}/events", limit=1000))["events"]
        assert [event["seq"] for event in log] == [*range(len(log))]
        told = [event for somebody, event in acknowledged if somebody is person]
        assert told == [without_view(log[event["seq"]]) for event in told]
    return len(acknowledged)


@asynccontextmanager
async def two_people(server: ServerProcess) -> AsyncIterator[list[Person]]:
    async with httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http:
        yield [await Person.arrive(http, name) for name in ("Ada", "Bea")]


async def test_whatever_is_killed_the_game_goes_on(tmp_path: Path) -> None:
    async with durable_server(tmp_path) as server, two_people(server) as people:
        for victim in VICTIMS:
            assert await survive(server, people, victim)


def without_view(event: Json) -> Json:
    return event | {"data": {name: value for name, value in event["data"].items() if name != "view"}}
