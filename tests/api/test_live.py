"""Moves over HTTP at one process reach the sockets of another."""

import random
from urllib.parse import urlsplit

import httpx

from ludarium.backend import open_backend
from ludarium.platform.config import Config
from ludarium.server import Address, running
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.people import Json, Person, open_game, play_on
from tests.support.waiting import eventually

CONFIG = Config(port=0, ws_port=0)


async def test_a_move_at_one_process_is_pushed_by_another(
    http: httpx.AsyncClient, module_database_url: str, module_redis_url: str
) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea], version="ruthless")
    async with (
        running(CONFIG, module_database_url, module_redis_url, ENTROPY) as elsewhere,
        client(port_of(elsewhere), ada.token) as player,
        client(port_of(elsewhere)) as watcher,
    ):
        played, watched = await player.subscribe(table), await watcher.subscribe(table, after=2)
        await play_on([ada, bea], table, 20, random.Random(1))
        head = (await ada.get(f"/tables/{table}"))["seq"]
        pushed = await player.until(played, head)
        seen = await watcher.until(watched, head)
    assert strip(pushed) == strip((await ada.get(f"/tables/{table}/events"))["events"])
    log = (await http.get(f"/tables/{table}/events", params={"after": 2})).json()["events"]
    assert strip(seen) == strip(log)


async def test_a_client_that_comes_back_gets_what_it_missed(http: httpx.AsyncClient, address: Address) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea])
    async with client(port_of(address), bea.token) as first:
        await first.until(await first.subscribe(table), 3)
    await play_on([ada, bea], table, 15, random.Random(2))
    head = (await ada.get(f"/tables/{table}"))["seq"]
    async with client(port_of(address), bea.token) as again:
        sub = await again.subscribe(table, after=3)
        missed = await again.until(sub, head)
    assert [event["seq"] for event in missed] == list(range(4, head + 1))


async def test_a_player_needs_the_socket_only(http: httpx.AsyncClient, address: Address) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea])
    luck = random.Random(3)
    people = [ada, bea]
    async with client(port_of(address), ada.token) as one, client(port_of(address), bea.token) as two:
        sockets = [one, two]
        for _ in range(10):
            views = [await person.view(table) for person in people]
            if views[0]["status"] == "over":
                break
            seat = next(i for i, view in enumerate(views) if view["choice"])
            action = random_action(views[seat]["choice"], luck)
            answer = await sockets[seat].request(
                "command", table=table, expected_seq=views[seat]["seq"], action=action, key=f"{luck.random()}"
            )
            assert answer["ok"], answer
        refused = await one.request("command", table=table, expected_seq=999, action={"id": "done"})
        lost = await one.request("command", table=table, expected_seq=0, head="0" * 16, action={"id": "done"})
        assert [answer["problem"]["code"] for answer in (refused, lost)] == ["future-sequence", "lost-row"]


async def test_a_gateway_alone_serves_the_tables_of_the_others(
    http: httpx.AsyncClient, module_database_url: str, module_redis_url: str
) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea])
    async with (
        open_backend(CONFIG, module_database_url, module_redis_url, ENTROPY) as alone,
        client(alone.live.gateway.port, ada.token) as one,
        client(alone.live.gateway.port, bea.token) as two,
    ):
        subs = await one.subscribe(table), await two.subscribe(table)
        await play_on([ada, bea], table, 5, random.Random(6))
        views = [await person.view(table) for person in (ada, bea)]
        seat = next(i for i, view in enumerate(views) if view["choice"])
        action = random_action(views[seat]["choice"], random.Random(6))
        answer = await (one, two)[seat].request("command", table=table, expected_seq=views[seat]["seq"], action=action)
        assert answer["ok"], answer
        for viewer, sub in zip((one, two), subs, strict=True):
            await viewer.until(sub, answer["result"]["seq"])
    assert (await ada.get(f"/tables/{table}"))["seq"] == answer["result"]["seq"]


async def test_a_table_tells_who_is_there(http: httpx.AsyncClient, address: Address) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    table = await open_game([ada, bea])
    async with client(port_of(address), bea.token) as player, client(port_of(address)) as watcher:
        await player.subscribe(table)
        await watcher.subscribe(table)

        async def both_are_there() -> bool:
            return bool((await ada.get(f"/tables/{table}"))["presence"] == {"seats": [1], "spectators": 1})

        await eventually(both_are_there)


def port_of(address: Address) -> int:
    return urlsplit(address.ws).port or 0


def strip(events: list[Json]) -> list[tuple[object, ...]]:
    """Return events without views, which only the newest event has."""
    return [(e["seq"], e["type"], {**e["data"], "view": None}) for e in events]
