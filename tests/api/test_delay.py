"""Spectators of a delayed table see the past, and everything at the end."""

import random
import time

import httpx
import pytest

from ludarium.http.answers import etag_of
from ludarium.server import Address
from tests.api.test_live import port_of, strip
from tests.api.test_streams import events as sse
from tests.api.test_streams import lines, until
from tests.support.live_client import client
from tests.support.people import Json, Person, play_on, someone_asked

START = 4
"""The sequence number of `game_started` at a delayed table with two seats."""


async def delayed_game(people: list[Person], **delay: int) -> str:
    wanted: Json = {"ruleset": "game-of-kingdoms", "seats": len(people), "options": {"version": "ruthless"}}
    wanted["policies"] = {"spectators": {"who": "delayed", **delay}}
    table: str = (await people[0].post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await people[0].post(f"/tables/{table}/start")
    return table


WAYS = ("", "/view", "/events", "/story", "/record", "/proof", "/replay")


async def look(http: httpx.AsyncClient, table: str) -> dict[str, int]:
    """Return the newest event that each route shows to a spectator."""
    answers = [await http.get(f"/tables/{table}{what}") for what in WAYS]
    body, view, events, story, record, proof, replay = [answer.json() for answer in answers]
    assert answers[1].headers["etag"] == etag_of(view["seq"], view["head"])
    positions = (await http.get("/positions")).json()["positions"]
    return {
        "table": body["seq"], "view": view["seq"], "events": events["events"][-1]["seq"],
        "story": story["seq"], "replay": replay["steps"][-1]["seq"],
        "record": record["rows"][-1]["seq"], "proof": len(proof["hashes"]) - 1,
        "future": (await http.get(f"/tables/{table}/events?after=99999")).json()["seq"],
        "positions": max((seen["seq"] for seen in positions if seen["table"] == table), default=-1),
    }  # fmt: skip


async def test_spectators_see_so_many_events_ago(http: httpx.AsyncClient, address: Address) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await delayed_game(people, events=5)
    far = await look(http, table)
    assert {far.pop("positions"), *far.values()} == {-1, START}
    await play_on(people, table, 12, random.Random(4))
    head = (await people[0].get(f"/tables/{table}"))["seq"]
    far = await look(http, table)
    assert {far.pop("positions"), *far.values()} == {-1, head - 5}
    log = (await people[0].get(f"/tables/{table}/events", **{"as": "spectator"}))["events"]
    assert log[-1]["seq"] == head - 5
    assert log[-1]["data"]["view"]["seq"] == head - 5
    for path in (f"/view?at={head}", f"/events?after={head - 4}", f"/stream?after={head - 4}"):
        refused = (await http.get(f"/tables/{table}{path}")).json()
        assert (refused["code"], refused["seq"]) == ("future-sequence", head - 5)


async def test_what_is_before_the_eyes_is_that_of_the_moment_that_is_shown(http: httpx.AsyncClient) -> None:
    """The focus and the answered seats are delayed too, or they reveal the present."""
    people = [await Person.arrive(http) for _ in range(3)]
    table = await delayed_game(people, events=4)
    then, attacked = {}, 0
    for _ in range(14):
        own = await people[0].view(table)
        then[own["seq"]] = own["view"]["focus"], [frame["answered"] for frame in own["view"]["agenda"]]
        seen = (await http.get(f"/tables/{table}/view")).json()
        shown = seen["view"]["focus"], [frame["answered"] for frame in seen["view"]["agenda"]]
        assert seen["seq"] == max(START + 1, own["seq"] - 4) and seen["choice"] is None
        assert shown == then.get(seen["seq"], shown)
        attacked += shown[0] != then[own["seq"]][0]
        await play_on(people, table, 1, random.Random(4))
    assert attacked > 3


async def test_spectators_are_told_live_what_happened_then_and_all_at_the_end(
    http: httpx.AsyncClient, address: Address
) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await delayed_game(people, events=3)
    async with client(port_of(address), people[0].token) as ada, client(port_of(address)) as eve:
        own, public = await ada.subscribe(table), await eve.subscribe(table)
        for _ in range(10):
            await play_on(people, table, 1, random.Random(8))
            head = (await people[0].get(f"/tables/{table}"))["seq"]
            await ada.until(own, head)
            seen = await eve.until(public, head - 3) if head - 3 > START else []
            assert all(event["seq"] <= head - 3 for event in seen)
        await play_on(people, table, 10_000, random.Random(8))
        head = (await people[0].get(f"/tables/{table}"))["seq"]
        told = await eve.until(public, head)
    assert (await look(http, table))["view"] == head
    log = await whole_log(http, table)
    assert strip(told) == strip(log)
    path = f"/tables/{table}/stream"
    assert strip(await until(lines(http, path), head)) == strip(await until(sse(http, path), head)) == strip(log)


async def whole_log(http: httpx.AsyncClient, table: str) -> list[Json]:
    found: list[Json] = []
    after: int | None = -1
    while after is not None:
        page = (await http.get(f"/tables/{table}/events", params={"after": after, "limit": 1000})).json()
        found, after = found + page["events"], page["next"]
    return found


async def test_time_alone_shows_more(http: httpx.AsyncClient, address: Address) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await delayed_game(people, seconds=4)
    async with client(port_of(address), people[0].token) as ada, client(port_of(address)) as eve:
        own = await ada.subscribe(table)
        await play_on(people, table, 2, random.Random(5))
        before_the_last = time.monotonic()
        await play_on(people, table, 1, random.Random(5))
        head = (await people[0].get(f"/tables/{table}"))["seq"]
        await ada.until(own, head)                      # Eve subscribes after the pushes of these events
        public = await eve.subscribe(table)
        await eve.until(public, head)
        assert time.monotonic() >= before_the_last + 4


async def test_what_was_taken_back_is_seen_and_then_taken_back(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await delayed_game(people, events=1)
    luck = random.Random(3)
    for _ in range(200):
        await play_on(people, table, 1, luck)
        person, view = await someone_asked(people, table)
        if view["undo"]["count"]:
            break
    await http.get(f"/tables/{table}/view")
    await person.post(f"/tables/{table}/undo", {"expected_seq": view["seq"]})
    taken = (await http.get(f"/tables/{table}/view")).json()
    assert taken["seq"] == view["seq"]
    await play_on(people, table, 1, luck)
    restored = (await http.get(f"/tables/{table}/view")).json()
    before = (await http.get(f"/tables/{table}/view?at={view['seq'] - 1}")).json()
    assert restored["view"] == before["view"] != taken["view"]


@pytest.mark.parametrize("delay", [{"events": -1}, {"seconds": 90_000}, {"moves": 3}, {"who": 7}])
async def test_a_delay_that_is_none(http: httpx.AsyncClient, delay: dict[str, object]) -> None:
    ada = await Person.arrive(http)
    wanted = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": {"spectators": {"who": "delayed", **delay}}}
    assert (await ada.refused("POST", "/tables", wanted))["code"] == "invalid-request"
