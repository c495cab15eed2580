"""The analysis route: trying moves without changing the game."""
from __future__ import annotations

import random
import re
from pathlib import Path

import httpx
import pytest

from tests.api.test_branches import ada, bea, running
from tests.support.people import Json, Person, open_game, play_on

__all__ = ["ada", "bea"]
PAGE = Path(__file__).parents[2] / "docs/frontend.md"
STEP = re.compile(r"^(\w+) +POST +(\S+) +(\{.*\}) *→ (\d+) ?(\S*)$", re.MULTILINE)


async def test_the_page_for_frontends_tries_moves(ada: Person, bea: Person) -> None:
    _, _, after = PAGE.read_text().partition("## Trying moves")
    people = {"ada": ada, "bea": bea}
    known = {"{id}": await running(ada, bea, branches=True)}
    before = await ada.view(known["{id}"])
    steps = STEP.findall(after.split("```")[1])
    assert len(steps) > 4
    for who, path, body, status, code in steps:
        for name, value in known.items():
            body = body.replace(name, value)
        answer = await people[who].ask("POST", path, content=body)
        assert (answer.status_code, answer.json().get("code", "") if answer.is_error else "") == (int(status), code), body
        if not answer.is_error:
            choice = answer.json()["positions"][0]["choices"][0]
            offer = choice["offers"][0]
            subset = offer["subset"]["pool"][: max(1, offer["subset"]["least"])] if offer["subset"] else []
            known |= {"{seat}": str(choice["seat"]), "{offer}": offer["id"], "{subset}": str(subset)}
            assert answer.json()["viewer"] == 1 and answer.headers["cache-control"] == "no-store"
    assert await ada.view(known["{id}"]) == before
    assert len((await bea.get("/me/tables"))["tables"]) == 1


async def test_anybody_tries_moves_beside_a_finished_game(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    await play_on([ada, bea], table, 1000, random.Random(4))
    cyd = await Person.arrive(http, "Cyd")
    found = await cyd.post("/analysis", {"table": table, "at": 8, "eyes": 1})
    then = await cyd.get(f"/tables/{table}/view", at=8, **{"as": "1"})
    assert found["viewer"] is None and [position["view"] for position in found["positions"]] == [then["view"]]


@pytest.mark.parametrize(
    ("policies", "more", "code"),
    [
        ({}, {"at": 4}, "no-branch"),
        ({"branches": True}, {"at": 4, "eyes": 9}, "no-such-seat"),
        ({"branches": True}, {"at": 4, "seat": 9}, "no-such-seat"),
        ({"branches": True}, {"at": -1}, "invalid-request"),
        ({"branches": True}, {"at": 4, "deal": -1}, "invalid-request"),
        ({"branches": True}, {"at": 4, "moves": [{"seat": 0}]}, "invalid-request"),
        ({"branches": True}, {"at": 4, "more": 1}, "invalid-request"),
    ],
)
async def test_what_is_not_tried(ada: Person, bea: Person, policies: Json, more: Json, code: str) -> None:
    table = await running(ada, bea, **policies)
    assert (await ada.refused("POST", "/analysis", {"table": table, **more}))["code"] == code


async def test_a_private_table_is_not_there_for_others(ada: Person, bea: Person) -> None:
    table = await running(ada, bea, branches=True)
    branch = (await bea.post(f"/tables/{table}/branches", {"at": 5}))["id"]
    for asked in (branch, "0" * 26):
        assert (await ada.refused("POST", "/analysis", {"table": asked, "at": 5}))["code"] == "not-found"
    now = (await bea.get(f"/tables/{branch}/view"))["seq"]
    assert (await bea.refused("POST", "/analysis", {"table": branch, "at": now}))["code"] == "no-branch"
