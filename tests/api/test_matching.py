"""Matchmaking: players who want the same game meet, each at one table."""

import asyncio
from collections import Counter

import httpx
import pytest

from tests.support.people import Person

WANTED = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": {"clock": {"type": "live", "bank": 300, "increment": 3}}}


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http) for _ in range(5)]


async def test_two_who_want_the_same_meet_and_play(people: list[Person]) -> None:
    ada, bea, cyd, *_ = people
    first = await ada.post("/matches", WANTED)
    assert first["table"] is None
    assert (await cyd.post("/matches", WANTED | {"options": {"version": "ruthless"}}))["table"] is None
    second = await bea.post("/matches", WANTED)
    found = await ada.get(f"/matches/{first['id']}")
    assert found["table"] == second["table"] is not None
    body = await ada.get(f"/tables/{found['table']}")
    assert body["status"] == "playing" and {seat["player"] for seat in body["seats"]} == {ada.id, bea.id}
    assert (await cyd.refused("GET", f"/matches/{first['id']}"))["code"] == "not-found"


async def test_who_has_withdrawn_is_not_matched(people: list[Person]) -> None:
    ada, bea, *_ = people
    gone = await ada.post("/matches", WANTED)
    assert (await ada.ask("DELETE", f"/matches/{gone['id']}")).status_code == 204
    assert (await bea.post("/matches", WANTED))["table"] is None
    assert (await ada.refused("GET", f"/matches/{gone['id']}"))["code"] == "not-found"
    refused = await ada.refused("POST", "/matches", {"ruleset": "game-of-kingdoms", "seats": 2})
    assert refused["code"] == "invalid-policies"
    assert (await ada.post("/matches", WANTED))["table"] is not None


async def test_many_at_once_are_each_at_one_table(http: httpx.AsyncClient) -> None:
    seekers = await asyncio.gather(*(Person.arrive(http) for _ in range(30)))
    wanted = WANTED | {"seats": 3}
    tickets = await asyncio.gather(*(person.post("/matches", wanted) for person in seekers))
    again = await asyncio.gather(*(person.get(f"/matches/{t['id']}") for person, t in zip(seekers, tickets, strict=True)))
    assert Counter(ticket["table"] for ticket in again) == dict.fromkeys({ticket["table"] for ticket in again}, 3)
    for table in {ticket["table"] for ticket in again}:
        seats = (await http.get(f"/tables/{table}")).json()["seats"]
        there = {person.id for person, ticket in zip(seekers, again, strict=True) if ticket["table"] == table}
        assert {seat["player"] for seat in seats} == there
