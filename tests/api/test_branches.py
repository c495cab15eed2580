"""Branches at the API: playing on from a moment of a game."""
from __future__ import annotations

import random
import re
from pathlib import Path
from string import Template

import httpx
import pytest

from tests.support.people import Json, Person, end_early, open_game, play_on
from tests.support.waiting import eventually

PAGE = Path(__file__).parents[2] / "docs/frontend.md"
STEP = re.compile(r"^(\w+) +(GET|POST) +(\S+) +(\{.*\})? *→ (\d+) ?(\S*)$", re.MULTILINE)


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Ada")


@pytest.fixture
async def bea(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Bea")


async def running(ada: Person, bea: Person, **policies: object) -> str:
    """Start a game of two, and return its table at the first decision."""
    table: str = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "policies": policies}))["id"]
    for person in (ada, bea):
        await person.post(f"/tables/{table}/seats")
    if policies.get("rated") is None:
        await bea.post(f"/tables/{table}/ready", {"ready": True})
    await ada.post(f"/tables/{table}/start")
    return table


async def test_the_page_for_frontends_goes_on_from_a_running_game(ada: Person, bea: Person) -> None:
    _, _, after = PAGE.read_text().partition("## Playing on from a moment")
    people, ids = {"ada": ada, "bea": bea}, {"id": await running(ada, bea, branches=True)}
    steps = STEP.findall(after.split("```")[1])
    assert len(steps) > 4
    for who, method, path, body, status, code in steps:
        answer = await people[who].ask(method, Template(path.replace("{", "${")).substitute(ids), content=body or None)
        assert (answer.status_code, answer.json().get("code", "") if answer.is_error else "") == (int(status), code), path
        if path.endswith("/branches") and not answer.is_error:
            ids["branch"] = answer.json()["id"]


async def test_who_tries_out_sees_what_their_seat_sees_and_is_alone_with_bots(ada: Person, bea: Person) -> None:
    table = await running(ada, bea, branches=True)
    await play_on([ada, bea], table, 4, random.Random(3))
    now = await bea.view(table)
    branch = await bea.post(f"/tables/{table}/branches", {"at": now["seq"]}, **{"idempotency-key": "once"})
    assert branch == await bea.post(f"/tables/{table}/branches", {"at": now["seq"]}, **{"idempotency-key": "once"})
    assert [seat["player"] or seat["bot"] for seat in branch["seats"]] == ["simple", bea.id]
    assert (branch["status"], branch["policies"]["spectators"]["who"]) == ("playing", "nobody")
    begun = await bea.view(branch["id"], at=branch["seq"])
    assert begun["view"]["zones"] == now["view"]["zones"]
    for path in ("", "/view", "/events", "/record", "/replay", "/story"):
        assert (await ada.refused("GET", f"/tables/{branch['id']}{path}"))["code"] == "not-found"
    await bea.post(f"/tables/{branch['id']}/resign")

    async def listed() -> bool:
        return branch["id"] in str(await bea.get("/me/tables", status="over"))

    await eventually(listed)                    # lists are updated after the game
    lists = [await ada.get("/tables", status="over"), await bea.get("/records"), await bea.get(f"/players/{bea.id}/games")]
    assert all(branch["id"] not in str(found) for found in lists)
    assert (await ada.refused("GET", f"/tables/{branch['id']}/record"))["code"] == "not-found"


async def test_anybody_goes_on_from_a_finished_game(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    await end_early([ada, bea], table, 10, random.Random(4))
    cyd = await Person.arrive(http, "Cyd")
    then = await cyd.get(f"/tables/{table}/view", at=8, **{"as": "1"})
    branch = await cyd.post(f"/tables/{table}/branches", {"at": 8, "seat": 1, "bot": "random"})
    assert [seat["player"] or seat["bot"] for seat in branch["seats"]] == ["random", cyd.id]
    begun = await cyd.view(branch["id"], at=branch["seq"])
    assert begun["view"]["zones"] == then["view"]["zones"]
    (start,) = [e for e in (await cyd.get(f"/tables/{branch['id']}/events"))["events"] if e["type"] == "game_started"]
    assert start["data"]["branch"] == {"table": table, "at": 8, "viewer": None}


@pytest.mark.parametrize(
    ("policies", "body", "code"),
    [
        ({}, {"at": 4}, "no-branch"),
        ({"branches": True}, {"at": 1}, "game-not-started"),
        ({"branches": True}, {"at": 4, "seat": 1}, "forbidden"),
        ({"branches": True}, {"at": 4, "seat": 9}, "no-such-seat"),
        ({"branches": True}, {"at": 4, "bot": "nobody"}, "unknown-bot"),
        ({"branches": True}, {"at": 999}, "future-sequence"),
        ({"branches": True}, {"at": -1}, "invalid-request"),
        ({"branches": True}, {}, "invalid-request"),
    ],
)
async def test_what_cannot_be_gone_on_from(ada: Person, bea: Person, policies: Json, body: Json, code: str) -> None:
    table = await running(ada, bea, **policies)
    before = await ada.view(table)
    assert (await ada.refused("POST", f"/tables/{table}/branches", body))["code"] == code
    assert await ada.view(table) == before
