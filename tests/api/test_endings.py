"""Resigning, proposing a draw, and returning to a game, over HTTP."""

import random

import httpx
import pytest

from tests.support.people import Person, open_game, play_on


async def code(person: Person, path: str, body: object = None) -> str:
    return str((await person.refused("POST", path, body))["code"])


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http) for _ in range(3)]


async def test_who_resigns_is_last_and_the_rest_finish_without_them(people: list[Person], http: httpx.AsyncClient) -> None:
    table = await open_game(people, version="ruthless")
    told = await people[2].post(f"/tables/{table}/resign")
    assert [event["type"] for event in told["events"]] == ["retired", "stood_in"]
    assert await code(people[2], f"/tables/{table}/resign") == "retired"
    await play_on(people[:2], table, 1000, random.Random(3))
    body = (await http.get(f"/tables/{table}")).json()
    assert (body["status"], body["reason"], body["outcome"][2]) == ("over", "finished", 3)
    assert await code(people[0], f"/tables/{table}/resign") == "game-over"
    assert body["id"] in [game["table"]["id"] for game in (await people[0].get("/records"))["games"]]


async def test_a_draw_is_asked_for_and_agreed(people: list[Person]) -> None:
    ada, bea, cyd = people
    table = await open_game([ada, bea])
    assert await code(cyd, f"/tables/{table}/proposals", {"question": "draw"}) == "not-seated"
    assert await code(ada, f"/tables/{table}/proposals", {"question": "a beer"}) == "invalid-request"
    assert await code(bea, f"/tables/{table}/answers", {"agree": True}) == "nothing-proposed"
    view = (await ada.post(f"/tables/{table}/proposals", {"question": "draw"}))["view"]
    assert view["proposal"] == {"seat": 0, "question": "draw", "agreed": []}
    ended = await bea.post(f"/tables/{table}/answers", {"agree": True}, **{"idempotency-key": "yes"})
    assert [event["type"] for event in ended["events"]] == ["consent", "game_ended", "seeds_revealed"]
    assert (ended["events"][1]["data"]["reason"], ended["events"][1]["data"]["outcome"]) == ("agreed", [1, 1])
    assert await bea.post(f"/tables/{table}/answers", {"agree": True}, **{"idempotency-key": "yes"}) == ended


async def test_what_there_is_to_refuse(people: list[Person]) -> None:
    ada, bea, _ = people
    table = await open_game([ada, bea])
    assert await code(ada, f"/tables/{table}/return") == "not-away"
    assert await code(ada, f"/tables/{table}/claims", {"seat": 1}) == "claim-too-early"
    assert await code(ada, f"/tables/{table}/claims", {"seat": 0}) == "no-such-seat"
    assert await code(ada, f"/tables/{table}/adjudicate", {"places": None}) == "forbidden"
    assert await code(ada, f"/tables/{table}/time", {"seat": 1, "seconds": 15}) == "no-clock"
    assert await code(ada, f"/tables/{table}/time", {"seat": 1, "seconds": 0}) == "invalid-request"
    assert (await ada.view(table))["seq"] == 4
